"""Remove the files that a workspace wrote, and its marked blocks in other files, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bethink.errors import InvalidError
from bethink.lifecycle.erase.redacting import stored_forms, without_lines, without_words
from bethink.marked_blocks import path_of, without_block

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def remove(known: Iterable[tuple[str, str]]) -> tuple[int, list[str]]:
    """Remove files, each named by a directory and a path below it; return how many went, and those that did not.

    A path that leads through a link is left: what lies behind it is somebody else's.
    """
    gone = 0
    left: list[str] = []
    for directory, name in sorted(known):
        root = Path(directory)
        blocked = path_of(name)
        path = root / (name if blocked is None else blocked)
        try:
            if path.is_symlink() or not path.resolve().is_relative_to(root.resolve()) or not path.is_file():
                continue
            if blocked is None:
                path.unlink()
            else:
                _strip(path)
            gone += 1
        except (OSError, UnicodeDecodeError, InvalidError):
            left.append(name)
            continue
        _tidy(path.parent, root)
    return gone, left


def redact_files(
    known: Mapping[tuple[str, str], tuple[tuple[str, ...], bool]],
) -> tuple[int, list[str], list[str]]:
    """Take words out of files, each named by a directory and a path below it.

    Return how many were rewritten, those that still hold the words, and the directories that are not there.
    """
    changed = 0
    left: list[str] = []
    away: dict[str, None] = {}
    for (directory, name), (wordings, writable) in sorted(known.items()):
        root = Path(directory)
        path = root / (path_of(name) or name)
        if not root.is_dir():
            away[directory] = None
            continue
        try:
            if not path.is_file():
                continue
            before = path.read_bytes()
            after = _reworded(before, name, wordings)
            if after == before:
                continue
            if not writable or path.is_symlink() or not path.resolve().is_relative_to(root.resolve()):
                left.append(name)
                continue
            _replace(path, after)
            changed += 1
        except OSError:
            left.append(name)
    return changed, left, list(away)


def _reworded(data: bytes, name: str, wordings: tuple[str, ...]) -> bytes:
    text = data.decode("utf-8", "surrogateescape")
    plain = name.endswith((".json", ".jsonl"))
    after = without_words(text, stored_forms(wordings)) if plain else without_lines(text, wordings)
    return after.encode("utf-8", "surrogateescape")


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name[:80]}.part")
    beside.write_bytes(data)
    beside.chmod(path.stat().st_mode)
    beside.replace(path)


def _strip(path: Path) -> None:
    """Take our block out of somebody's file; the file goes where nothing else was said in it."""
    before = path.read_bytes().decode("utf-8")
    after = without_block(before)
    if after == before:
        return
    if not after.strip():
        path.unlink()
        return
    _replace(path, after.encode("utf-8"))


def _tidy(folder: Path, root: Path) -> None:
    """Remove folders that the files left empty."""
    while folder != root and folder.is_relative_to(root):
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
