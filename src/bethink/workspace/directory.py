"""Local files below one directory: atomic writes, no symlinks followed, a lock between processes (flock)."""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal, NoReturn, TypeAlias

from bethink.errors import ConflictError, DeniedError, InvalidError, LimitError, StorageError
from bethink.workspace.files import MAX_BYTES, ROWS_BYTES

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator, Iterator

    from bethink.storage.stores import Store

Entry: TypeAlias = Literal["file", "folder", "link", "other"]

LOCK_SECONDS = 30.0
_PAUSE = 0.02
_OPENS_BELOW = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")  #: not so on Windows
_OWN = os.O_NOFOLLOW | os.O_CLOEXEC if _OPENS_BELOW else 0  # posix: Directory refuses other systems
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | _OWN if _OPENS_BELOW else 0  # posix: the same
_FILE = os.O_RDONLY | os.O_NONBLOCK | _OWN if _OPENS_BELOW else 0  # posix: the same
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _OWN
_LOG = os.O_RDWR | os.O_CREAT | _OWN
_LINKS = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})


class Directory:
    """One directory. Every component of a path is opened by itself, and none may be a link."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        if not _OPENS_BELOW:
            raise InvalidError(
                "this system cannot open files step by step below a directory, so that no link leads out of it: "
                "workspaces need Linux, macOS or another POSIX system",
                argument="directory",
            )
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
            if found.st_size > MAX_BYTES:
                raise LimitError(
                    f"{path} is too large to be read as memory ({found.st_size} bytes, at most {MAX_BYTES}); "
                    "it was left unchanged. Split it, or move it out of this folder",
                    limit=MAX_BYTES,
                    actual=found.st_size,
                    path=path,
                )
            return opened.read(MAX_BYTES)

    def rows(self, path: str) -> Iterator[bytes]:
        """Yield the rows of a file, whatever its size; none where there is no file."""
        *folders, name = parts(path)
        try:
            with self._folder(folders) as folder:
                file = os.open(name, _FILE, dir_fd=folder)
        except OSError as error:
            if error.errno == errno.ENOENT:
                return
            _refuse(path, error)
        with os.fdopen(file, "rb") as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                _refuse(path, None)
            yield from opened

    def write(self, path: str, data: bytes, *, expected: bytes | Literal[False] | None = False) -> bool:
        """Put a file in place, whole or not at all: beside it first, flushed, then renamed.

        With `expected`, what stands there is compared just before that (None: no file): where somebody saved it
        meanwhile, their file stays, and the answer is False. A file keeps its permissions.
        """
        *folders, name = parts(path)
        beside = f".bethink.{os.getpid()}.{time.monotonic_ns()}.part"
        try:
            with self._folder(folders, make=True) as folder:
                mode = self._mode(folder, name, path)
                file = os.open(beside, _NEW, 0o600, dir_fd=folder)
                try:
                    with os.fdopen(file, "wb") as opened:
                        opened.write(data)
                        opened.flush()
                        if mode is not None:
                            os.fchmod(opened.fileno(), mode)  # posix: Directory refuses other systems
                        os.fsync(opened.fileno())
                    if expected is not False and self.read(path) != expected:
                        os.unlink(beside, dir_fd=folder)
                        return False
                    os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
                except BaseException:
                    with suppress(OSError):
                        os.unlink(beside, dir_fd=folder)
                    raise
                os.fsync(folder)
        except OSError as error:
            _refuse(path, error)
        return True

    def append(self, path: str, data: bytes) -> None:
        """Put data at the end of a file, on a row of its own."""
        *folders, name = parts(path)
        try:
            with self._folder(folders, make=True) as folder:
                self._mode(folder, name, path)
                file = os.open(name, _LOG, 0o600, dir_fd=folder)
                with os.fdopen(file, "r+b") as opened:
                    if opened.seek(0, os.SEEK_END):
                        opened.seek(-1, os.SEEK_END)
                        data = data if opened.read(1) == b"\n" else b"\n" + data
                    opened.write(data)
                    opened.flush()
                    os.fsync(opened.fileno())
        except OSError as error:
            _refuse(path, error)

    def remove(self, path: str, *, expected: bytes | Literal[False] = False) -> bool:
        """Remove a file; return whether there was one, and with `expected` whether it held that."""
        *folders, name = parts(path)
        try:
            with self._folder(folders) as folder:
                if expected is not False and self.read(path) != expected:
                    return False
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
        return [
            name + ("/" if kind == "folder" else "")
            for name, kind in self.entries(folder)
            if kind in {"file", "folder"}
        ]

    def entries(self, folder: str) -> list[tuple[str, Entry]]:
        """Return what lies in a folder, in order, and of what kind it is."""
        try:
            with self._folder(parts(folder) if folder else []) as opened, os.scandir(opened) as entries:
                return sorted((each.name, _kind(each)) for each in entries)
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
        import fcntl  # posix: Directory refuses other systems

        *folders, name = parts(path)
        try:
            with self._folder(folders, make=True) as folder:
                file = os.open(name, _LOG, 0o600, dir_fd=folder)
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
                            "another process is using this workspace; try again when it is done",
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
        here = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)  # posix: see above
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
    def _mode(folder: int, name: str, path: str) -> int | None:
        """Return the permissions of a file; None where there is none."""
        try:
            found = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(found):
            _refuse(path, None)
        return stat.S_IMODE(found)


class LocalFiles:
    """A directory as the files of a workspace."""

    def __init__(self, store: Store, root: str | os.PathLike[str]) -> None:
        self._store = store
        self.tree = Directory(root)

    @property
    def directory(self) -> str:
        """Return where they lie."""
        return str(self.tree.root)

    async def read(self, path: str) -> bytes | None:
        """Return what a file holds; None where there is none."""
        return await self._store.call(self.tree.read, path)

    async def size(self, path: str) -> int | None:
        """Return how many bytes a file has; None where there is none."""
        kind, size = await self._store.call(self.tree.kind, path)
        return size if kind == "file" else None

    async def rows(self, path: str) -> AsyncGenerator[list[bytes]]:
        """Yield the lines of a file in batches."""
        rows = self.tree.rows(path)
        while some := await self._store.call(_some, rows):
            yield some

    async def append(self, path: str, data: bytes) -> None:
        """Put rows at the end of a file."""
        await self._store.call(self.tree.append, path, data)

    async def write(self, path: str, data: bytes) -> None:
        """Put a file in place, whole or not at all."""
        await self._store.call(self.tree.write, path, data)

    async def write_if(self, path: str, data: bytes, expected: bytes | None) -> bool:
        """Put a file in place, if what stands there is what was expected; None where nothing is."""
        return await self._store.call(self.tree.write, path, data, expected=expected)

    async def remove(self, path: str) -> None:
        """Remove a file; one that is not there is no error."""
        await self._store.call(self.tree.remove, path)

    async def remove_if(self, path: str, expected: bytes) -> bool:
        """Remove a file, if it holds what was expected."""
        return await self._store.call(self.tree.remove, path, expected=expected)

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


def _some(rows: Iterator[bytes]) -> list[bytes]:
    taken: list[bytes] = []
    size = 0
    for row in rows:
        taken.append(row)
        size += len(row)
        if size >= ROWS_BYTES:
            break
    return taken


def _kind(entry: os.DirEntry[str]) -> Entry:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "other"


def parts(path: str) -> list[str]:
    """Return the components of a relative path.

    Raises:
        DeniedError: it leads out of where it starts.
    """
    pure = PurePosixPath(path)
    if pure.is_absolute() or not pure.parts or ".." in pure.parts or "\0" in path or "\\" in path:
        raise DeniedError(
            "the path leads out of the workspace; use a path below it, without `..`", right="write"
        )
    return list(pure.parts)


def _refuse(path: str, error: OSError | None) -> NoReturn:
    if error is None or error.errno in _LINKS:
        raise DeniedError(
            f"{path} is a symbolic link, or is behind one; memory is kept in regular files only",
            right="write",
        ) from error
    raise StorageError(
        f"cannot read or write {path} ({error.strerror}); check its permissions and the disk, "
        "then run this again. Nothing was lost",
        reason=type(error).__name__,
        outcome="none",
    ) from error
