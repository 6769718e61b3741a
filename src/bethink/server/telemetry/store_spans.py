"""OpenTelemetry spans of units of work: name and duration, without content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from bethink.scope.shares import with_right
from bethink.storage.stores import AwaitedStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.server.telemetry.tracing import Tracing
    from bethink.storage.jobs import Driver
    from bethink.storage.work import Work

T = TypeVar("T")
P = ParamSpec("P")


class TracedStore(AwaitedStore):
    """The face for asyncio, with a span around each verb."""

    def __init__(self, driver: Driver, tracing: Tracing) -> None:
        super().__init__(driver)
        self._tracing = tracing

    async def write(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that may write; return its result once it is durable."""
        with self._tracing.work(f"write {_name(work, args)}"):
            return await super().write(work, *args, **kwargs)

    async def write_few(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that writes a few rows, with others of its tenant."""
        with self._tracing.work(f"write {_name(work, args)}"):
            return await super().write_few(work, *args, **kwargs)

    async def write_inline(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that writes a few rows."""
        with self._tracing.work(f"write {_name(work, args)}"):
            return await super().write_inline(work, *args, **kwargs)

    async def read(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that only reads, on one consistent view of the database."""
        with self._tracing.work(f"read {_name(work, args)}"):
            return await super().read(work, *args, **kwargs)

    async def read_inline(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that reads a few rows."""
        with self._tracing.work(f"read {_name(work, args)}"):
            return await super().read_inline(work, *args, **kwargs)

    async def call(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a thread."""
        with self._tracing.work(f"run {_name(function, args)}"):
            return await super().call(function, *args, **kwargs)


def _name(work: Any, args: tuple[Any, ...]) -> str:
    """Return the name of a unit with its room, such as `sessions.append`."""
    if work is with_right:  # it checks a right, and then runs the unit that it was given
        work = args[3]
    room = str(getattr(work, "__module__", "")).removeprefix("bethink.").partition(".")[0]
    return f"{room}.{getattr(work, '__name__', 'unit').strip('_')}"
