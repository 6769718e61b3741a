"""Recognise a file by what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bethink.errors import InvalidError
from bethink.evals.reading import reading, whole
from bethink.imports import items, locomo
from bethink.imports.values import Source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def open_source(path: Path, *, user: str | None = None) -> Source:
    """Return the entries of a file: JSONL of items, a JSON array of items, or LoCoMo.

    `user` is whose conversations those of LoCoMo are to be; each has a user of its own unless it is given.

    Raises:
        NotFoundError: there is no such file.
        InvalidError: it is a folder, cannot be read, or is of no known format.
    """
    if path.is_dir():
        raise InvalidError(f"{path} is a folder: name a file in it", argument="path")
    with reading(path), path.open("rb") as file:
        start = file.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip()
        if not start.startswith(b"["):
            file.seek(0)
            return Source(format="jsonl", count=sum(1 for _ in file), entries=items.of_lines(_lines(path)))
    array = _array(path)
    if array and isinstance(array[0], dict) and "conversation" in array[0]:
        from bethink.evals.locomo import conversations as read

        conversations = read(path, array)
        turns = sum(len(conversation.turns) for conversation in conversations)
        return Source(format="locomo", count=turns, entries=locomo.entries(conversations, user=user))
    return Source(format="json", count=len(array), entries=items.of_objects(array))


def _lines(path: Path) -> Iterator[bytes]:
    with reading(path), path.open("rb") as file:
        yield from file


def _array(path: Path) -> list[Any]:
    found = whole(path)
    if not isinstance(found, list):
        raise InvalidError(f"{path} holds no JSON array", argument="path")
    return cast("list[Any]", found)
