"""Files below one directory of this machine, read and written so that no link and no crash can do harm."""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NoReturn

from bethink.errors import ConflictError, DeniedError, LimitError, StorageError
from bethink.workspace.files import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator

    from bethink.storage.stores import Store

LOCK_SECONDS = 30.0
_PAUSE = 0.02
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LINKS = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})


class Directory:
    """One directory. Every component of a path is opened by itself, and none may be a link."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = Path(os.path.abspath(root))  # noqa: PTH100 - the root itself may be reached through links

    def read(self, path: str) -> bytes | None:
        """Return what a file holds; None where there is none.

        Raises:
            DeniedError: the way leads out of the directory, or through a link.
            LimitError: the file is too large.
        """
        *folders, name = parts(path)
        try:
            with self._folder(folders) as folder:
                file = os.open(name, _FILE, dir_fd=folder)
        except OSError as error:
            if error.errno == errno.ENOENT:
                return None
            _refuse(path, error)
        with os.fdopen(file, "rb") as opened:
            found = os.fstat(opened.fileno())
            if not stat.S_ISREG(found.st_mode):
                _refuse(path, None)
            if found.st_size > MOST_BYTES:
                raise LimitError(
                    "a file of the workspace is too large to be read", limit=MOST_BYTES, actual=found.st_size
                )
            return opened.read(MOST_BYTES)

    def write(self, path: str, data: bytes) -> None:
        """Put a file in place, whole or not at all: beside it first, flushed, then renamed."""
        *folders, name = parts(path)
        beside = f".{name[:80]}.{os.getpid()}.{time.monotonic_ns()}.part"
        try:
            with self._folder(folders, make=True) as folder:
                self._not_a_link(folder, name, path)
                file = os.open(beside, _NEW, 0o600, dir_fd=folder)
                try:
                    with os.fdopen(file, "wb") as opened:
                        opened.write(data)
                        opened.flush()
                        os.fsync(opened.fileno())
                    os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
                except BaseException:
                    with suppress(OSError):
                        os.unlink(beside, dir_fd=folder)
                    raise
                os.fsync(folder)
        except OSError as error:
            _refuse(path, error)

    def remove(self, path: str) -> bool:
        """Remove a file; return whether there was one."""
        *folders, name = parts(path)
        try:
            with self._folder(folders) as folder:
                os.unlink(name, dir_fd=folder)
                os.fsync(folder)
        except OSError as error:
            if error.errno == errno.ENOENT:
                return False
            _refuse(path, error)
        return True

    def prune(self, path: str) -> None:
        """Remove a folder with the folders in it, as far as they are empty."""
        if self.kind(path)[0] != "folder":
            return
        for each in self.names(path):
            if each.endswith("/"):
                self.prune(f"{path}/{each.removesuffix('/')}")
        *folders, name = parts(path)
        with suppress(OSError, DeniedError), self._folder(folders) as folder:
            os.rmdir(name, dir_fd=folder)

    def names(self, folder: str) -> list[str]:
        """Return the names of the files in a folder, and of its folders with a slash after them, in order."""
        try:
            with self._folder(parts(folder) if folder else []) as opened, os.scandir(opened) as entries:
                return sorted(
                    each.name + ("/" if each.is_dir(follow_symlinks=False) else "")
                    for each in entries
                    if each.is_dir(follow_symlinks=False) or each.is_file(follow_symlinks=False)
                )
        except OSError as error:
            if error.errno == errno.ENOENT:
                return []
            _refuse(folder, error)

    def kind(self, path: str) -> tuple[str, int]:
        """Return `file`, `folder`, `other` or `none`, and the size.

        Raises:
            DeniedError: the way leads through a link.
        """
        if not path:
            return ("folder", 0) if self.root.is_dir() else ("none", 0)
        *folders, name = parts(path)
        try:
            with self._folder(folders) as folder:
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError as error:
            if error.errno == errno.ENOENT:
                return "none", 0
            _refuse(path, error)
        if stat.S_ISLNK(found.st_mode):
            _refuse(path, None)
        if stat.S_ISDIR(found.st_mode):
            return "folder", found.st_size
        return ("file" if stat.S_ISREG(found.st_mode) else "other"), found.st_size

    @contextmanager
    def lock(self, path: str) -> Generator[None]:
        """Hold a lock that ends with this process, whatever becomes of it.

        Raises:
            ConflictError: somebody else holds it for too long.
        """
        import fcntl

        *folders, name = parts(path)
        try:
            with self._folder(folders, make=True) as folder:
                file = os.open(
                    name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder
                )
        except OSError as error:
            _refuse(path, error)
        try:
            until = time.monotonic() + LOCK_SECONDS
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except OSError as error:
                    if error.errno not in {errno.EAGAIN, errno.EACCES}:
                        _refuse(path, error)
                    if time.monotonic() > until:
                        raise ConflictError(
                            "another process is at work in this workspace: try again when it is done",
                            reason="locked",
                        ) from error
                    time.sleep(_PAUSE)
            yield
        finally:
            os.close(file)

    @contextmanager
    def _folder(self, folders: list[str], *, make: bool = False) -> Generator[int]:
        """Open a folder step by step."""
        if make:
            self.root.mkdir(parents=True, exist_ok=True)
        here = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for each in folders:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(each, 0o700, dir_fd=here)
                below = os.open(each, _FOLDER, dir_fd=here)
                os.close(here)
                here = below
            yield here
        finally:
            os.close(here)

    @staticmethod
    def _not_a_link(folder: int, name: str, path: str) -> None:
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                _refuse(path, None)


class LocalFiles:
    """A directory as the files of a workspace."""

    def __init__(self, store: Store, root: str | os.PathLike[str]) -> None:
        self._store = store
        self.tree = Directory(root)

    @property
    def directory(self) -> str | None:
        """Return where they lie."""
        return str(self.tree.root)

    async def read(self, path: str) -> bytes | None:
        """Return what a file holds; None where there is none."""
        return await self._store.call(self.tree.read, path)

    async def write(self, path: str, data: bytes) -> None:
        """Put a file in place, whole or not at all."""
        await self._store.call(self.tree.write, path, data)

    async def remove(self, path: str) -> None:
        """Remove a file; one that is not there is no error."""
        await self._store.call(self.tree.remove, path)

    async def prune(self, folder: str) -> None:
        """Remove a folder with the folders in it, as far as they are empty."""
        await self._store.call(self.tree.prune, folder)

    async def names(self, folder: str) -> list[str]:
        """Return the names in a folder."""
        return await self._store.call(self.tree.names, folder)

    @asynccontextmanager
    async def locked(self, path: str) -> AsyncGenerator[None]:
        """Keep other processes, and other threads of this one, from settling the same files."""
        held = self.tree.lock(path)
        await self._store.call(held.__enter__)
        try:
            yield
        finally:
            held.__exit__(None, None, None)


def parts(path: str) -> list[str]:
    """Return the components of a relative path.

    Raises:
        DeniedError: it leads out of where it starts.
    """
    pure = PurePosixPath(path)
    if pure.is_absolute() or not pure.parts or ".." in pure.parts or "\0" in path or "\\" in path:
        raise DeniedError(
            "this path leads out of the workspace: name one below it, without `..`", right="write"
        )
    return list(pure.parts)


def _refuse(path: str, error: OSError | None) -> NoReturn:
    if error is None or error.errno in _LINKS:
        raise DeniedError(
            f"{path} is a link, or lies behind one: memory is kept in plain files only", right="write"
        ) from error
    raise StorageError(
        f"{path} cannot be read or written: {error.strerror}", reason=type(error).__name__, outcome="none"
    ) from error
