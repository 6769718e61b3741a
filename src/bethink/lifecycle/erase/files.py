"""Remove the files that a workspace is known to have written, its blocks in others, and nothing beside them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bethink.errors import InvalidError
from bethink.marked import path_of, without

if TYPE_CHECKING:
    from collections.abc import Iterable


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


def _strip(path: Path) -> None:
    """Take our block out of somebody's file; the file goes where nothing else was said in it."""
    before = path.read_bytes().decode("utf-8")
    after = without(before)
    if after == before:
        return
    if not after.strip():
        path.unlink()
        return
    beside = path.with_name(f".{path.name[:80]}.part")
    beside.write_bytes(after.encode("utf-8"))
    beside.chmod(path.stat().st_mode)
    beside.replace(path)


def _tidy(folder: Path, root: Path) -> None:
    """Remove folders that the files left empty."""
    while folder != root and folder.is_relative_to(root):
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
