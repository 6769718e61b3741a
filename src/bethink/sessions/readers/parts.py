"""Read parts of a message defensively from untrusted JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from bethink.json_kinds import is_list, is_object
from bethink.sessions.readers.values import Call, Reading, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bethink.sessions.readers.values import Voice
    from bethink.sessions.values import Kind

_DEEPEST: Final = 6
_MILLISECONDS: Final = 1e12  #: a greater number counts milliseconds
_MICROSECONDS: Final = 1e15
#: By role: whose words a message holds.
SPOKEN: Final[Mapping[str, Literal["user", "assistant", "system"]]] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "system": "system",
    "developer": "system",
}
VOICES: Final[Mapping[str, Voice]] = {**SPOKEN, "tool": "tool", "function": "tool"}


def text_of(value: object, name: str) -> str:
    """Return a field of an object where it is a text, else the empty text."""
    found = value.get(name) if is_object(value) else None
    return found if isinstance(found, str) else ""


def objects(value: object) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list."""
    if is_list(value):
        for each in value:
            if is_object(each):
                yield each


def object_of(value: object, name: str) -> dict[str, Any]:
    """Return a field of an object where it is an object, else an empty one."""
    found = value.get(name) if is_object(value) else None
    return found if is_object(found) else {}


def arguments_of(raw: object) -> Mapping[str, Any]:
    """Return the arguments of a call, which some write as an object and others as its JSON; else none."""
    if isinstance(raw, str):
        try:
            raw = json.loads(raw)
        except (ValueError, RecursionError):
            return {}
    return raw if is_object(raw) else {}


def sort_of(block: Mapping[str, Any]) -> str:
    """Return what a block calls itself."""
    found = block.get("type")
    return found if isinstance(found, str) else ""


def plain_text(text: object) -> str:
    """Return a text that was said; not the bytes of a file that stand where a text might."""
    return text if isinstance(text, str) and not text.startswith("data:") else ""


def join_texts(texts: Iterable[str]) -> str:
    """Return texts below one another, without the empty ones."""
    return "\n".join(text for text in texts if text)


def result_text(value: object, depth: int = 0) -> str:
    """Return what a tool gave back in words: texts as they are, the texts of blocks, and other JSON flat."""
    if isinstance(value, str):
        return plain_text(value)
    if value is None or depth > _DEEPEST:
        return ""
    if is_list(value):
        return join_texts(result_text(each, depth + 1) for each in value)
    return _block(value, depth) if is_object(value) else str(value)


def _block(block: Mapping[str, Any], depth: int) -> str:
    for name in ("text", "content", "output", "result", "value"):
        if isinstance(block.get(name), str | list):
            return result_text(block[name], depth + 1)
    return "" if sort_of(block) in _FILES else arguments_text(block)


_FILES: Final = frozenset({"image", "image_url", "input_image", "audio", "input_audio", "file", "input_file"})


def arguments_text(arguments: object, depth: int = 0) -> str:
    """Write a call's arguments as words rather than as JSON."""
    if isinstance(arguments, str):
        try:
            parsed: object = json.loads(arguments)
        except (ValueError, RecursionError):
            return arguments
        return arguments_text(parsed, depth + 1) if is_object(parsed) or is_list(parsed) else arguments
    if depth > 4 * _DEEPEST:
        return ""
    if is_object(arguments):
        given = cast("dict[str, object]", arguments)
        return ", ".join(f"{key}: {arguments_text(value, depth + 1)}" for key, value in given.items())
    if is_list(arguments):
        return ", ".join(arguments_text(value, depth + 1) for value in cast("list[object]", arguments))
    return "" if arguments is None else str(arguments)


def caption(block: Mapping[str, Any]) -> str:
    """Return what a block says of its picture."""
    return join_texts(
        f"(image: {text})"
        for name in ("caption", "alt", "alt_text")
        if isinstance(text := block.get(name), str) and text
    )


def instant(value: object) -> datetime | None:
    """Return a time of JSON: ISO 8601 (UTC unless it says otherwise), or seconds, milli- or microseconds since 1970."""
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value)
            return at.astimezone(UTC) if at.tzinfo is not None else at.replace(tzinfo=UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = (
                value / 1e6 if value > _MICROSECONDS else value / 1e3 if value > _MILLISECONDS else value
            )
            return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None


def numbered(names: Iterable[str]) -> Iterator[str]:
    """Yield names, the second and later ones of the same kind with their number."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name}#{seen[name]}"


def message(
    voice: Voice,
    text: str,
    *,
    calls: Iterable[Call] = (),
    results: Iterable[Result] = (),
    thought: str = "",
    at: datetime | None = None,
    author: str | None = None,
    id: str | None = None,  # noqa: A002
) -> Reading:
    """Return the reading of a message: a word of whoever has the voice, a call, a result, or reasoning alone."""
    called, came = tuple(calls), tuple(results)
    kind: Kind
    if voice == "system":
        kind = "system"
    elif any(not result.within for result in came) or voice == "tool":
        kind = "result"
    elif any(call.waits for call in called):
        kind = "call"
    elif voice == "assistant" and thought and not text and not called:
        kind = "reasoning"
    else:
        kind = "other" if voice == "none" else voice
    return Reading(kind, voice, text, called, came, thought, at, author or None, id or None)
