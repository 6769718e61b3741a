"""Detect the message format of an item and read it with the first reader that knows it.

A family is chosen by what stands in the item, never by a flag, so that one log may mix them all. `register` adds a
reader of one's own, which is asked before the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final, Literal, TypeAlias, cast

from bethink.errors import ConflictError, InvalidError
from bethink.sessions.readers import openai_chat
from bethink.sessions.readers.parts import SPOKEN, plain_text
from bethink.sessions.readers.values import Reading

Reader: TypeAlias = Callable[[Mapping[str, Any]], Reading | None]

_own: dict[str, Reader] = {}
_NAMES_SHOWN: Final = 6
_LONGEST_NAME: Final = 24


@cache
def _families() -> Mapping[str, Reader]:
    """Return the families in the order in which they are asked. Most processes read plain messages alone."""
    from bethink.sessions.readers import (
        agent_framework,
        anthropic,
        autogen,
        bedrock,
        claude_code,
        codex,
        gemini,
        haystack,
        langchain,
        llamaindex,
        mcp_sampling,
        openai_responses,
        passages,
        pydantic_ai,
        smolagents,
        vercel,
    )

    return {
        "claude_code": claude_code.read,
        "codex": codex.read,
        "pydantic_ai": pydantic_ai.read,
        "autogen": autogen.read,
        "langchain": langchain.read,
        "agent_framework": agent_framework.read,
        "llamaindex": llamaindex.read,
        "vercel": vercel.read,
        "gemini": gemini.read,
        "bedrock": bedrock.read,
        "haystack": haystack.read,
        "smolagents": smolagents.read,
        "anthropic": anthropic.read,
        "mcp_sampling": mcp_sampling.read,
        "bethink": passages.read,
        "openai_responses": openai_responses.read,
        "openai_chat": openai_chat.read,
    }


def register(name: str, reader: Reader, *, replace: bool = False) -> None:
    """Let a reader of one's own be asked before the others; it answers None for what is not its shape.

    Items that were indexed before are read by it once the index is made again.

    Raises:
        InvalidError: the name is empty, or the reader cannot be called.
        ConflictError: a reader of this name is registered already, and `replace` is not given.
    """
    if not name or not callable(reader):
        raise InvalidError("reader must be a function of an item, with a name", argument="reader")
    if not replace and (name in _own or name in _families()):
        raise ConflictError(f"a reader named {name!r} exists; choose another name", name=name)
    _own[name] = reader


def unregister(name: str) -> None:
    """Let a reader of one's own go; one that is not there is no mistake."""
    _own.pop(name, None)


def as_plain(body: Mapping[str, Any]) -> tuple[Literal["user", "assistant", "system"], str] | None:
    """Return the voice and the text of an item of a role and a content alone, as most are; None of another one."""
    if len(body) != 2 or _own:  # noqa: PLR2004 - a role and a content
        return None
    role, content = body.get("role"), body.get("content")
    if type(role) is not str or type(content) is not str:
        return None
    voice = SPOKEN.get(role)
    return None if voice is None else (voice, plain_text(content))


def read(body: object) -> Reading | None:
    """Return what an item says and does; None where no family knows its shape. No JSON value raises."""
    if not isinstance(body, dict):
        return None
    item = cast("dict[str, Any]", body)
    if (said := as_plain(item)) is not None:
        return Reading(said[0], *said)
    for reader in _own.values():
        if (found := reader(item)) is not None:
            return found
    if type(item.get("role")) is str and type(item.get("content")) is str and "type" not in item:
        return openai_chat.read(item)  # most items: nothing else is written so
    for reader in _families().values():
        if (found := reader(item)) is not None:
            return found
    return None


def family(body: object) -> str | None:
    """Return the name of the family that reads an item."""
    if not isinstance(body, dict):
        return None
    item = cast("dict[str, Any]", body)
    return next(
        (name for name, reader in [*_own.items(), *_families().items()] if reader(item) is not None), None
    )


def unread(bodies: Iterable[object]) -> dict[str, int]:
    """Count the items that no family reads, by what they look like."""
    counted: dict[str, int] = {}
    for body in bodies:
        if read(body) is None:
            shape = fields_text(body)
            counted[shape] = counted.get(shape, 0) + 1
    return counted


def fields_text(body: object) -> str:
    """Say what an item looks like by the names of its fields alone, for a report on what is not read."""
    if not isinstance(body, dict):
        return type(body).__name__
    item = cast("dict[str, Any]", body)
    shown = [
        f"{name[:_LONGEST_NAME]}: {text[:_LONGEST_NAME]}"
        if (text := _kind_text(name, item[name]))
        else name[:_LONGEST_NAME]
        for name in list(item)[:_NAMES_SHOWN]
    ]
    return "{" + ", ".join([*shown, *(["…"] if len(item) > _NAMES_SHOWN else [])]) + "}"


def _kind_text(name: str, value: object) -> str:
    """Return the value of a field that says what kind of item it is; other values may be private."""
    known = (
        name in {"type", "role", "kind"}
        and isinstance(value, str)
        and value.replace("_", "").replace("-", "").isalnum()
    )
    return str(value) if known else ""
