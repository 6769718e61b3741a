"""Identify the git repository of a directory from its files, running git only where that does not do."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterator

_WHOLE: Final = 1 << 20  #: bytes of a file of git that are read, at most
_SECONDS: Final = 5.0  #: that git may take to find the first commit


class Repository(NamedTuple):
    """A folder as it lies on this machine."""

    path: str  #: of its working tree; of the folder itself where there is no git
    store: str = ""  #: the folder in which git keeps the history; one for all worktrees
    mark: str = ""  #: of that folder; it stays when the folder is moved or renamed, and a copy has another
    remote: str = ""  #: host and path of where it is pushed to, without credentials

    def is_nowhere(self, user: Path) -> bool:
        """Tell whether a folder is no project: the home of the user, or a root, without a repository."""
        return not self.store and self.path in {str(user), str(user.resolve()), "/", ""}

    @property
    def history(self) -> bool:
        """Whether the mark is that of a history: numbers of folders alone are given out again."""
        return self.mark.count(":") > 1


def examine_folder(folder: str) -> Repository:
    """Return what a folder says of itself; a folder that is not on this machine is known by its path alone."""
    try:
        here = Path(folder).resolve()
        if not here.is_absolute() or not here.is_dir():
            return Repository(folder)
    except (OSError, ValueError, RuntimeError):
        return Repository(folder)
    for each in (here, *here.parents):
        store = _store(each)
        if store is not None:
            return Repository(str(each), str(store), _history(store), _remote(store))
    return Repository(str(here), "", _mark(here))


def first_commit(repository: Repository) -> str:
    """Return the first commit of a history; nothing where it is not whole, or where git is not at hand."""
    if not repository.store or (Path(repository.store) / "shallow").exists():
        return ""
    import subprocess

    command = ["git", f"--git-dir={repository.store}", "rev-list", "--max-parents=0", "HEAD"]
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command; the folder is one argument of it
            command, capture_output=True, timeout=_SECONDS, check=False, env=environment
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    found = done.stdout.decode("ascii", "replace").split()
    return min(found) if done.returncode == 0 and found else ""


def remote_name(url: str) -> str:
    """Return what tells a remote from others: host and path, whichever way it is written.

    A path on this machine, or another way of naming a folder, is no such name: the history says what it is of.
    """
    text = url.strip()
    scheme, found, rest = text.partition("://")
    if found:
        if scheme.lower() in {"file", "ext", "fd"}:
            return ""
        host, _, path = rest.partition("/")
    elif "::" not in text and ":" in text and "/" not in text.partition(":")[0] and text[1:2] != ":":
        host, _, path = text.partition(":")
    else:
        return ""
    host = host.rpartition("@")[2].lower()
    if host.count(":") == 1:
        host = host.partition(":")[0]
    path = path.strip("/").removesuffix(".git").rstrip("/")
    return f"{host}/{path}" if host and path else ""


def _store(folder: Path) -> Path | None:
    """Return where git keeps the history of a working tree; None where the folder is none."""
    git = folder / ".git"
    try:
        if git.is_dir():
            return git if (git / "HEAD").exists() else None
        if not git.is_file():
            return None
        linked = folder / _line(git).removeprefix("gitdir:").strip()
        if not (linked / "HEAD").exists():
            return None
        common = _line(linked / "commondir")
        if not common:
            return linked.resolve()  # a submodule: a repository of its own
        # A worktree is one only if the repository knows it: anybody can write a file that points to another's.
        back = Path(_line(linked / "gitdir"))
        known = (linked / back).resolve() == git.resolve()
        return (linked / common).resolve() if known else None
    except OSError:
        return None


def _line(path: Path) -> str:
    try:
        return _read(path).split("\n", 1)[0].strip()
    except OSError:
        return ""


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_WHOLE).decode("utf-8", "replace")


def _mark(folder: Path) -> str:
    try:
        found = folder.stat()
    except OSError:
        return ""
    return f"{found.st_dev}:{found.st_ino}" if found.st_ino else ""


def _history(store: Path) -> str:
    """Return the mark of a history: of its folder, and of the first thing that was ever done in it."""
    first = _line(store / "logs" / "HEAD")
    mark = _mark(store)
    return f"{mark}:{crc32(first.encode()):08x}" if first and mark else mark


def _remote(store: Path) -> str:
    """Return the remote called origin, else the first one that names a host."""
    try:
        text = _read(store / "config")
    except OSError:
        return ""
    found = {name: remote_name(url) for name, url in _urls(text)}
    return found.get("origin") or next((each for each in found.values() if each), "")


def _urls(text: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in text.splitlines():
        plain = line.strip()
        if plain.startswith("["):
            section = plain.partition("]")[0][1:]
        name, equals, value = plain.partition("=")
        if equals and name.strip().lower() == "url" and section.startswith('remote "'):
            yield section[8:].rstrip('"'), value.strip().strip('"')
