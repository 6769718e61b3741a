"""Our session beside those of the OpenAI Agents SDK, in one interleaved run: python bench/sessions.py [--folder DIR]

Each step is done by every session in turn, round by round, so that a machine whose speed wanders treats all alike.
What is printed is the CPU of the whole process, threads and all, since a loaded machine changes that least: on a
RAM disk (`--folder /dev/shm`) it is what a session costs beside the disk. × is how many times as much as ours another
one took in the same round, the median of the rounds; wall is the median of the time that went by.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    from agents.extensions.memory import AdvancedSQLiteSession, SQLAlchemySession
    from agents.memory import SQLiteSession
    from sqlalchemy.ext.asyncio import create_async_engine
except ImportError as missing:
    raise SystemExit(
        f"{missing.name} is missing: pip install 'openai-agents[sqlalchemy]' aiosqlite, or run `make bench`"
    ) from missing

from bethink.integrations.openai_agents import BethinkSession

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Make = Callable[[str], Any]

OURS = "Bethink"
LONG = 10_000


def turn(number: int) -> list[dict[str, Any]]:
    """Return two items, 870 bytes as JSON."""
    words = f"What about the flight number {number}? " * 5
    answer = {
        "id": f"msg_{number:028x}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [
            {"type": "output_text", "text": f"Flight {number} leaves at noon. " * 16, "annotations": []}
        ],
    }
    return [{"role": "user", "content": words}, answer]


class Rivals:
    """How each kind of session is made, by its name."""

    def __init__(self, folder: Path) -> None:
        self.engine = create_async_engine(f"sqlite+aiosqlite:///{folder / 'alchemy.db'}")
        self.makes: dict[str, Make] = {
            OURS: lambda name: BethinkSession(name, folder / "ours.db"),
            "SQLiteSession": lambda name: SQLiteSession(name, folder / "sqlite.db"),
            "AdvancedSQLiteSession": lambda name: AdvancedSQLiteSession(
                session_id=name, db_path=folder / "advanced.db", create_tables=True
            ),
            "SQLAlchemySession": lambda name: SQLAlchemySession(name, engine=self.engine, create_tables=True),
        }

    async def close(self) -> None:
        await self.engine.dispose()


async def timed(act: Callable[[], Awaitable[object]]) -> tuple[float, float]:
    """Return the CPU and the wall time of something, in microseconds."""
    cpu, wall = time.process_time_ns(), time.perf_counter_ns()
    await act()
    return (time.process_time_ns() - cpu) / 1000, (time.perf_counter_ns() - wall) / 1000


def often(count: int, act: Callable[[], Awaitable[object]]) -> Callable[[], Awaitable[object]]:
    """Return something that is done many times over, so that each kind of session runs warm."""

    async def many() -> None:
        for _ in range(count):
            await act()

    return many


async def interleaved(
    title: str,
    rounds: int,
    steps: dict[str, Callable[[], Awaitable[object]]],
    *,
    each: int = 1,
) -> None:
    """Do every step in turn, and print what one of `each` took."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in steps}
    for _ in range(rounds):
        for name, step in steps.items():
            cpu, wall = await timed(step)
            taken[name].append((cpu / each, wall / each))
    print(f"{title} (µs)")
    for name, times in taken.items():
        used = [cpu for cpu, _ in times]
        ratio = statistics.median(cpu / ours for cpu, (ours, _) in zip(used, taken[OURS], strict=True))
        print(
            f"  {name:<22}CPU {statistics.median(used):>10,.0f}   least {min(used):>10,.0f}   × {ratio:>6.2f}"
            f"   wall {statistics.median(wall for _, wall in times):>10,.0f}"
        )


async def appends(rivals: Rivals, rounds: int) -> None:
    number = iter(range(1_000_000_000))
    for callers, amount in ((1, 128), (32, 512)):
        sessions = {name: make("append") for name, make in rivals.makes.items()}

        def step(
            session: Any, callers: int = callers, amount: int = amount
        ) -> Callable[[], Awaitable[object]]:
            async def caller() -> None:
                for _ in range(amount // callers):
                    await session.add_items(turn(next(number)))

            return lambda: asyncio.gather(*(caller() for _ in range(callers)))

        steps = {name: step(session) for name, session in sessions.items()}
        for act in steps.values():
            await act()
        title = f"append 2 items, {callers} caller{'s' if callers > 1 else ''}"
        await interleaved(title, rounds, steps, each=amount)
        for session in sessions.values():
            await session.clear_session()


async def reads(rivals: Rivals, rounds: int) -> None:
    sessions = {name: make("long") for name, make in rivals.makes.items()}
    log = [item for number in range(LONG // 2) for item in turn(number)]
    for session in sessions.values():
        await session.add_items(log)
        assert len(await session.get_items(50)) == 50
        assert json.dumps(await session.get_items()) == json.dumps(log)
    newest = {name: often(20, partial(session.get_items, 50)) for name, session in sessions.items()}
    await interleaved(f"newest 50 of {LONG:,}", rounds, newest, each=20)
    whole: dict[str, Callable[[], Awaitable[object]]] = {
        name: session.get_items for name, session in sessions.items()
    }
    await interleaved(f"all of {LONG:,}", rounds, whole)


async def fresh(rivals: Rivals, rounds: int) -> None:
    """Make a handle, read 20 items, append 2, let go: what a web request does."""
    for make in rivals.makes.values():
        for number in range(100):
            session = make(f"fresh-{number}")
            await session.add_items([item for place in range(10) for item in turn(place)])
            close(session)
    number = iter(range(1_000_000_000))

    def request(make: Make) -> Callable[[], Awaitable[object]]:
        async def act() -> None:
            session = make(f"fresh-{next(number) % 100}")
            await session.get_items(20)
            await session.add_items(turn(1))
            close(session)

        return act

    steps = {name: often(20, request(make)) for name, make in rivals.makes.items()}
    await interleaved("a fresh handle, read 20, append 2, close", rounds, steps, each=20)


def close(session: Any) -> None:
    if hasattr(session, "close"):
        session.close()


async def alive(rivals: Rivals, count: int) -> None:
    print(f"{count:,} live sessions, each written and read once (file descriptors, threads)")
    for name, make in rivals.makes.items():
        gc.collect()
        files, threads = open_files(), threading.active_count()
        sessions = [make(f"live-{number}") for number in range(count)]
        for session in sessions:
            await session.add_items(turn(1))
            await session.get_items(1)
        print(f"  {name:<24}{open_files() - files:>12,} fds {threading.active_count() - threads:>8,} threads")
        for session in sessions:
            close(session)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def measure(folder: Path, rounds: int, live: int, only: list[str]) -> None:
    rivals = Rivals(folder)
    parts = {
        "append": lambda: appends(rivals, rounds),
        "read": lambda: reads(rivals, rounds),
        "fresh": lambda: fresh(rivals, rounds),
        "live": lambda: alive(rivals, live),
    }
    for name, part in parts.items():
        if not only or name in only:
            await part()
    await rivals.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="where the files go; on a RAM disk what is left is CPU")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--live", type=int, default=1_000)
    parser.add_argument("--only", nargs="*", default=[], help="append, read, fresh, live")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        asyncio.run(measure(Path(name), arguments.rounds, arguments.live, arguments.only))


if __name__ == "__main__":
    main()
