"""Tell whether a git repository advanced from its last state, or was reset."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_NAME: Final = re.compile(r"[0-9a-f]{40,64}")
_SECONDS: Final = 5.0


def repository(folder: Path) -> Path | None:
    """Return the root of the repository that a folder lies in."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)


def commit(folder: Path) -> str:
    """Return what a repository stands at: its commit, and the newest thing put aside; empty outside of one."""
    root = repository(folder)
    if root is None:
        return ""
    inside = root / ".git"
    try:
        if inside.is_file():  # a worktree
            inside = (root / inside.read_text().partition(":")[2].strip()).resolve()
        shared = (
            inside / (inside / "commondir").read_text().strip() if (inside / "commondir").exists() else inside
        )
        head = (inside / "HEAD").read_text().strip()
        at = head if not head.startswith("ref:") else _ref(inside, shared, head[4:].strip())
        return f"{at} {_ref(shared, shared, 'refs/stash')}".strip()
    except (OSError, UnicodeDecodeError):
        return ""


def went_on(folder: Path, before: str, now: str) -> bool:
    """Tell whether a repository got there by commits alone; where git cannot say, it did not."""
    old, _, old_stash = before.partition(" ")
    new, _, new_stash = now.partition(" ")
    if old_stash != new_stash or not (_NAME.fullmatch(old) and _NAME.fullmatch(new)):
        return False
    if old == new:
        return True
    try:
        done = subprocess.run(  # noqa: S603 - names of commits alone are passed on
            ["git", "-C", str(folder), "merge-base", "--is-ancestor", old, new],  # noqa: S607 - the git of the user
            check=False,
            capture_output=True,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _ref(inside: Path, shared: Path, name: str) -> str:
    for folder in (inside, shared):
        if (folder / name).is_file():
            return (folder / name).read_text().strip()
    packed = shared / "packed-refs"
    if packed.is_file():
        for row in packed.read_text().splitlines():
            if row.endswith(f" {name}"):
                return row.partition(" ")[0]
    return ""
