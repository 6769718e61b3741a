"""Remove the files that a workspace is known to have written, and nothing beside them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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
        path = root / name
        try:
            if path.is_symlink() or not path.resolve().is_relative_to(root.resolve()) or not path.is_file():
                continue
            path.unlink()
            gone += 1
        except OSError:
            left.append(name)
            continue
        _tidy(path.parent, root)
    return gone, left


def _tidy(folder: Path, root: Path) -> None:
    """Remove folders that the files left empty."""
    while folder != root and folder.is_relative_to(root):
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
