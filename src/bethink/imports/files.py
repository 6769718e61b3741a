"""Recognise a file by what is in it."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from bethink.errors import InvalidError, NotFoundError
from bethink.imports import items, locomo
from bethink.imports.values import Source

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from bethink.evals.locomo import Conversation


def open_source(path: Path, *, user: str | None = None) -> Source:
    """Return the entries of a file: JSONL of items, a JSON array of items, or LoCoMo.

    `user` is whose conversations those of LoCoMo are to be; each has a user of its own unless it is given.

    Raises:
        NotFoundError: there is no such file.
        InvalidError: it is a folder, cannot be read, or is of no known format.
    """
    if path.is_dir():
        raise InvalidError(f"{path} is a folder: name a file in it", argument="path")
    with _reading(path), path.open("rb") as file:
        start = file.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip()
        if not start.startswith(b"["):
            file.seek(0)
            return Source(format="jsonl", count=sum(1 for _ in file), entries=items.of_lines(_lines(path)))
    array = _array(path)
    if array and isinstance(array[0], dict) and "conversation" in array[0]:
        conversations = _conversations(path, array)
        turns = sum(len(conversation.turns) for conversation in conversations)
        return Source(format="locomo", count=turns, entries=locomo.entries(conversations, user=user))
    return Source(format="json", count=len(array), entries=items.of_objects(array))


def open_conversations(path: Path) -> list[Conversation]:
    """Return the conversations of a LoCoMo file.

    Raises:
        NotFoundError: there is no such file.
        InvalidError: it is a folder, cannot be read, or is not LoCoMo.
    """
    return _conversations(path, _array(path))


@contextmanager
def _reading(path: Path) -> Generator[None]:
    if path.is_dir():
        raise InvalidError(f"{path} is a folder: name a file in it", argument="path")
    try:
        yield
    except FileNotFoundError:
        raise NotFoundError(f"there is no file {path}", kind="file", id=str(path)) from None
    except OSError as error:
        raise InvalidError(f"{path} cannot be read: {error.strerror}", argument="path") from error


def _lines(path: Path) -> Iterator[bytes]:
    with _reading(path), path.open("rb") as file:
        yield from file


def _array(path: Path) -> list[Any]:
    with _reading(path):
        text = path.read_bytes()
    try:
        whole: Any = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidError(f"{path} is not JSON: {error}", argument="path") from None
    if not isinstance(whole, list):
        raise InvalidError(f"{path} holds no JSON array", argument="path")
    return cast("list[Any]", whole)


def _conversations(path: Path, samples: list[Any]) -> list[Conversation]:
    from bethink.evals.locomo import conversation

    try:
        return [conversation(sample) for sample in samples]
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise InvalidError(
            f"{path} is not LoCoMo: a conversation lacks something or has it in another form ({error!r})",
            argument="path",
        ) from None
