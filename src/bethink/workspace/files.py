"""The port to a workspace's files: a local directory, or a sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

MAX_BYTES = 16 * 1024 * 1024  #: of a file that is read
ROWS_BYTES = 4 * 1024 * 1024  #: of a file that is read row by row, at a time


class Files(Protocol):
    """Reads and writes below one root. Paths are relative to it, with forward slashes; links are never followed."""

    @property
    def directory(self) -> str | None:
        """Return where they lie on this machine; None where they do not."""
        ...

    async def read(self, path: str) -> bytes | None:
        """Return what a file holds; None where there is none."""
        ...

    async def size(self, path: str) -> int | None:
        """Return how many bytes a file has; None where there is none."""
        ...

    def rows(self, path: str) -> AsyncIterator[list[bytes]]:
        """Yield the rows of a file, some at a time, whatever its size."""
        ...

    async def write(self, path: str, data: bytes) -> None:
        """Put a file in place, whole or not at all, with the folders above it."""
        ...

    async def write_if(self, path: str, data: bytes, expected: bytes | None) -> bool:
        """Put a file in place, if what stands there is what was expected; None where nothing is."""
        ...

    async def append(self, path: str, data: bytes) -> None:
        """Put rows at the end of a file."""
        ...

    async def remove(self, path: str) -> None:
        """Remove a file; one that is not there is no error."""
        ...

    async def prune(self, folder: str) -> None:
        """Remove a folder with the folders in it, as far as they are empty."""
        ...

    async def names(self, folder: str) -> list[str]:
        """Return the names of the files in a folder, and of its folders with a slash after them, in order."""
        ...

    def locked(self, path: str) -> AbstractAsyncContextManager[None]:
        """Keep other processes from settling the same files."""
        ...


def text_of(data: bytes) -> str:
    """Return the text of a file as it can be stored: what is no text is replaced."""
    return data.decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
