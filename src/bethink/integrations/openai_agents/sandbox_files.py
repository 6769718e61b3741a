"""The files of a sandbox, read and written through its session."""

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
from bethink.workspace.files import MOST_BYTES

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
            payload = handle.read(MOST_BYTES + 1)
        finally:
            handle.close()
        data = payload.encode() if isinstance(payload, str) else bytes(payload)
        if len(data) > MOST_BYTES:
            raise LimitError(
                "a file of the sandbox is too large to be read", limit=MOST_BYTES, actual=len(data)
            )
        return data

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


class Nowhere:
    """No files: for what is noted before it is known where they lie."""

    directory = None

    async def read(self, path: str) -> bytes | None:
        """Return None: there is no file."""

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
        f"{path} cannot be read or written in the sandbox: {type(error).__name__}",
        reason=type(error).__name__,
        outcome="none",
    ) from error
