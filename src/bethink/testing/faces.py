"""Run one test with both faces: the blocking one wrapped as awaitable.

Tests of the face are written once, with `await`. `awaited(memory)` gives the blocking face the same shape: a verb
runs in a thread, a handle stays a plain call.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Self

import bethink.sync as blocking
from bethink import memory as asynchronous
from bethink.json_kinds import is_list
from bethink.memory.memory import AsyncMemory
from bethink.sync import Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

FACES = ("async", "sync")


def _asynchronous() -> dict[str, type]:
    """Return every class of the asynchronous face, by name."""
    rooms = (import_module(f"bethink.memory.{room.name}") for room in iter_modules(asynchronous.__path__))
    return {
        name: kind
        for room in rooms
        for name, kind in vars(room).items()
        if inspect.isclass(kind) and kind.__module__ == room.__name__
    }


#: each class of the blocking face, with its twin
TWINS: dict[type, type] = {
    kind: twin
    for name, twin in _asynchronous().items()
    if name.startswith("Async") and inspect.isclass(kind := getattr(blocking, name[5:], None))
}


def verbs(kind: type) -> dict[str, Any]:
    """Return the public verbs of a class of the asynchronous face, by name."""
    return {
        name: verb
        for name, verb in inspect.getmembers(kind, inspect.iscoroutinefunction)
        if not name.startswith("_")
    }


class Awaited:
    """A handle of the blocking face, whose verbs are awaited."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._verbs = verbs(TWINS[type(handle)])

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._handle, name)
        if name in self._verbs:
            return _awaited_verb(value)
        return _plain_call(value) if inspect.ismethod(value) else awaited(value)

    def __repr__(self) -> str:
        return repr(self._handle)

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._handle.__enter__)
        return self

    async def __aexit__(self, *error: object) -> None:
        await asyncio.to_thread(self._handle.__exit__, *error)


def awaited(value: Any) -> Any:
    """Return a handle of either face, or a list of them, as one whose verbs are awaited; anything else as it is."""
    if is_list(value):
        return [awaited(each) for each in value]
    return Awaited(value) if type(value) in TWINS else value


def _awaited_verb(verb: Callable[..., Any]) -> Callable[..., Any]:
    async def call(*args: Any, **options: Any) -> Any:
        return awaited(await asyncio.to_thread(verb, *args, **options))

    return call


def _plain_call(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        return awaited(function(*args, **options))

    return call


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.at = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the present instant; each look at it takes a microsecond, so that no two are the same."""
        self.at += timedelta(microseconds=1)
        return self.at

    def advance(self, **step: float) -> datetime:
        """Let time pass, and return the new instant."""
        self.at += timedelta(**step)
        return self.at


class HashingEmbedder:
    """Vectors from the hashes of words: no weights, and the same everywhere."""

    dimensions = 64

    def __init__(self, salt: str = "") -> None:
        self.identity = f"hashing-{salt}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text, of length 1."""
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for at, text in enumerate(texts):
            for word in text.lower().split():
                plain = (self.identity + word).encode("utf-8", "surrogatepass")
                digest = hashlib.blake2b(plain, digest_size=8).digest()
                rows[at, digest[0] % self.dimensions] += 1 if digest[1] % 2 else -1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


class FaceOpener:
    """Opens memories on one database, by one face, for one tenant, and closes them."""

    def __init__(self, face: str, url: str, tenant: str) -> None:
        self.url = url
        self.tenant = tenant
        self.clock = Clock()
        self.many = url != ":memory:"  #: a second memory can be opened on the same database
        self._face = face
        self._opened: list[Any] = []

    def open(self, **options: Any) -> Any:
        """Return a memory; what is not said is the door's own: tenant, clock, a small embedder."""
        options = {
            "tenant": self.tenant,
            "clock": self.clock,
            "embedder": HashingEmbedder(),
            **options,
        }
        memory = AsyncMemory(self.url, **options) if self._face == "async" else Memory(self.url, **options)
        self._opened.append(awaited(memory))
        return self._opened[-1]

    async def close(self) -> None:
        """Close every memory that was opened."""
        for memory in self._opened:
            await memory.close()
