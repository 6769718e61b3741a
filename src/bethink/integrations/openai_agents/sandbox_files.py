"""Read and write the files of a sandbox through its session."""

from __future__ import annotations

import asyncio
import io
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from weakref import WeakKeyDictionary

from agents.sandbox.errors import ExecNonZeroError, SandboxError, WorkspaceReadNotFoundError

from bethink.errors import LimitError, StorageError
from bethink.workspace.directory import parts
from bethink.workspace.files import MAX_BYTES, ROWS_BYTES

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from agents.sandbox.session.base_sandbox_session import BaseSandboxSession

_locks: WeakKeyDictionary[BaseSandboxSession, asyncio.Lock] = WeakKeyDictionary()


class SandboxFiles:
    """The workspace of a sandbox. The sandbox itself keeps paths within it."""

    directory = None

    def __init__(self, session: BaseSandboxSession) -> None:
        self._session = session

    async def read(self, path: str) -> bytes | None:
        """Return what a file holds; None where there is none."""
        try:
            handle = await self._session.read(_path(path))
        except (WorkspaceReadNotFoundError, FileNotFoundError):
            return None
        except SandboxError as error:
            _fail(path, error)
        try:
            payload = handle.read(MAX_BYTES + 1)
        finally:
            handle.close()
        data = payload.encode() if isinstance(payload, str) else bytes(payload)
        if len(data) > MAX_BYTES:
            raise LimitError(
                f"{path} is too large to be read as memory ({len(data)} bytes, at most {MAX_BYTES}); it "
                "was left unchanged. Split it, or move it out of this folder",
                limit=MAX_BYTES,
                actual=len(data),
                path=path,
            )
        return data

    async def size(self, path: str) -> int | None:
        """Return how many bytes a file has; None where there is none."""
        above, _, name = path.rpartition("/")
        try:
            entries = await self._session.ls(_path(above or "."))
        except ExecNonZeroError:
            return None
        except SandboxError as error:
            _fail(path, error)
        return next((each.size for each in entries if Path(each.path).name == name), None)

    async def rows(self, path: str) -> AsyncGenerator[list[bytes]]:
        """Yield the rows of a file, some at a time."""
        try:
            handle = await self._session.read(_path(path))
        except (WorkspaceReadNotFoundError, FileNotFoundError):
            return
        except SandboxError as error:
            _fail(path, error)
        rest = b""
        try:
            while payload := handle.read(ROWS_BYTES):
                data = rest + (payload.encode() if isinstance(payload, str) else bytes(payload))
                *rows, rest = data.split(b"\n")
                yield rows
        finally:
            handle.close()
        if rest:
            yield [rest]

    async def append(self, path: str, data: bytes) -> None:
        """Put rows at the end of a file: what it holds is read and written with them."""
        before = b"\n".join([row async for some in self.rows(path) for row in some])
        joint = b"\n" if before and not before.endswith(b"\n") else b""
        await self.write(path, before + joint + data)

    async def write_if(self, path: str, data: bytes, expected: bytes | None) -> bool:
        """Put a file in place, if what stands there is what was expected."""
        if await self.read(path) != expected:
            return False
        await self.write(path, data)
        return True

    async def write(self, path: str, data: bytes) -> None:
        """Put a file in place: beside it first, then renamed."""
        target = _path(path)
        beside = target.with_name(f".{target.name[:80]}.part")
        try:
            await self._session.mkdir(target.parent, parents=True)
            await self._session.write(beside, io.BytesIO(data))
            await self._session.mv(beside, target)
        except SandboxError as error:
            _fail(path, error)

    async def remove(self, path: str) -> None:
        """Remove a file; one that is not there is no error."""
        if await self.read(path) is None:
            return
        try:
            await self._session.rm(_path(path))
        except SandboxError as error:
            _fail(path, error)

    async def prune(self, folder: str) -> None:
        """Leave empty folders: a sandbox goes as a whole."""

    async def names(self, folder: str) -> list[str]:
        """Return the names of the files in a folder, and of its folders with a slash after them, in order."""
        try:
            entries = await self._session.ls(_path(folder))
        except ExecNonZeroError:
            return []
        except SandboxError as error:
            _fail(folder, error)
        found = [
            Path(each.path).name + ("/" if each.kind.value == "directory" else "")
            for each in entries
            if each.kind.value in {"file", "directory"}
        ]
        return sorted(name for name in found if name not in {"./", "../", "/"})

    @asynccontextmanager
    async def locked(self, path: str) -> AsyncGenerator[None]:  # noqa: ARG002 - one lock a sandbox
        """Keep other runs of this sandbox from settling its files."""
        lock = _locks.setdefault(self._session, asyncio.Lock())
        async with lock:
            yield


class NoFiles:
    """No files: for what is noted before it is known where they lie."""

    directory = None

    async def read(self, path: str) -> bytes | None:
        """Return None: there is no file."""

    async def size(self, path: str) -> int | None:
        """Return None: there is no file."""

    async def rows(self, path: str) -> AsyncGenerator[list[bytes]]:  # noqa: ARG002
        """Yield nothing."""
        for _ in ():
            yield []

    async def append(self, path: str, data: bytes) -> None:
        """Write nothing."""

    async def write_if(self, path: str, data: bytes, expected: bytes | None) -> bool:  # noqa: ARG002
        """Write nothing."""
        return True

    async def write(self, path: str, data: bytes) -> None:
        """Write nothing."""

    async def remove(self, path: str) -> None:
        """Remove nothing."""

    async def prune(self, folder: str) -> None:
        """Remove nothing."""

    async def names(self, folder: str) -> list[str]:  # noqa: ARG002
        """Return no name."""
        return []

    @asynccontextmanager
    async def locked(self, path: str) -> AsyncGenerator[None]:  # noqa: ARG002
        """Hold nothing."""
        yield


def _path(path: str) -> Path:
    return Path(*parts(path))


def _fail(path: str, error: SandboxError) -> NoReturn:
    raise StorageError(
        f"cannot read or write {path} in the sandbox: {type(error).__name__}",
        reason=type(error).__name__,
        outcome="none",
    ) from error
