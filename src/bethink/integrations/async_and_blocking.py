"""The async and the blocking API of one opened memory, for frameworks that call both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bethink.errors import InvalidError
from bethink.memory.memory import AsyncMemory
from bethink.storage.stores import AwaitedStore, BlockingStore
from bethink.sync import Memory

if TYPE_CHECKING:
    from bethink.memory.runtime import Runtime


@dataclass(frozen=True, slots=True)
class AsyncAndBlocking:
    """One memory, to be awaited and to be waited for: the same connections, caches and rights.

    What blocks waits for the driver's own threads, never for an event loop. So a framework may call it in the thread
    of a running loop: that holds up the loop for as long as the verb takes, and no deadlock can come of it.
    """

    awaited: AsyncMemory
    blocking: Memory
    driven: AsyncMemory  #: its verbs never suspend: `storage.stores.run` drives coroutines over them


def both_faces(memory: Memory | AsyncMemory) -> AsyncAndBlocking:
    """Return both faces of a memory; whoever opened it closes it.

    Raises:
        InvalidError: it is no opened memory.
    """
    if isinstance(memory, AsyncMemory):
        driven: AsyncMemory = _Driven(memory.url, _runtime=_over(memory, BlockingStore))
        return AsyncAndBlocking(memory, Memory(memory.url, _twin=driven), driven)
    if isinstance(memory, Memory):  # pyright: ignore[reportUnnecessaryIsInstance]
        driven = memory._twin  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        return AsyncAndBlocking(AsyncMemory(memory.url, _runtime=_over(driven, AwaitedStore)), memory, driven)
    raise InvalidError(
        "memory must be a Memory or an AsyncMemory, such as Memory('memory.db')", argument="memory"
    )


class _Driven(AsyncMemory):
    store_class = BlockingStore


def _over(memory: AsyncMemory, store_class: type[AwaitedStore | BlockingStore]) -> Runtime:
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    return replace(runtime, store=store_class(runtime.store.driver))
