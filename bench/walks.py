"""How much of our own code one operation passes: files, functions and calls of a warm second time.

    python bench/walks.py                            # a table of append, recall, consolidate and POST …/notes
    python bench/walks.py --list consolidate         # its functions in the order in which they are first called
    PYTHONPATH=OTHER/src python bench/walks.py       # the same of another revision

Counted is what the calling thread and those that it waits for run, by `sys.setprofile`: the reader, the writer, and
the one that thinks; not the background index. A generator is a call at each resumption. The last row is `consolidate`
without the rules that read sentences (`consolidate/`, `distill/`, `languages/`).
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

import bethink
from bethink import AsyncMemory
from bethink.server.app import create_app
from bethink.server.options import Options, Work

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from types import CodeType, FrameType

OURS = Path(bethink.__file__).parent
BACKGROUND = "bethink-indexing"
RUNNING: list[Walk] = []  #: the walk under way, if one is
RULES = ("lifecycle/consolidate/", "lifecycle/distill/", "languages/")


@dataclass
class Walk:
    """What one operation passed: each function with its calls, in the order of the first."""

    calls: dict[CodeType, int] = field(default_factory=dict)

    @contextmanager
    def counted(self) -> Iterator[None]:
        self.calls.clear()
        RUNNING.append(self)
        yield
        RUNNING.remove(self)

    def without(self, folders: tuple[str, ...]) -> Walk:
        return Walk({code: count for code, count in self.calls.items() if not file(code).startswith(folders)})

    def row(self) -> tuple[int, int, int]:
        """Return files, functions and calls."""
        return len({file(code) for code in self.calls}), len(self.calls), sum(self.calls.values())


def file(code: CodeType) -> str:
    return str(Path(code.co_filename).relative_to(OURS))


def note_call(frame: FrameType, event: str, _: Any) -> None:
    """Count a call for the walk that is under way."""
    code = frame.f_code
    ours = event == "call" and RUNNING and code.co_filename.startswith(str(OURS))
    if ours and threading.current_thread().name != BACKGROUND:
        RUNNING[0].calls[code] = RUNNING[0].calls.get(code, 0) + 1


async def walk(operation: Callable[[int], Awaitable[Any]]) -> Walk:
    """Return what the second of two such operations passes."""
    found = Walk()
    for number in (1, 2):
        with found.counted():
            await operation(number)
    return found


async def of_library(path: str) -> dict[str, Walk]:
    async with AsyncMemory(path, embedder=None) as memory:
        scope = memory.scope(agent="bot", user="ann")

        async def append(number: int) -> None:
            await scope.session(f"append-{number}").append(conversation(number))

        async def recall(_: int) -> None:
            assert (await scope.recall("Where does Ann live?")).hits

        async def consolidate(number: int) -> None:
            assert (await scope.consolidate(session=f"night-{number}")).changes

        for number in (1, 2):
            await scope.session(f"night-{number}").append(conversation(number))
        await scope.remember("Ann lives in Lisbon.")
        await scope.index()
        return {
            "append": await walk(append),
            "recall": await walk(recall),
            "consolidate": await walk(consolidate),
        }


def conversation(number: int) -> list[Any]:
    return [
        {"role": "user", "content": ("I live in Lisbon.", "I'm allergic to peanuts.")[number % 2]},
        {"role": "assistant", "content": "Noted."},
    ]


async def of_server(path: str) -> dict[str, Walk]:
    app = create_app(Options(db=path, auth="noop", embedder=None, work=Work(here=False)))
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost/v1") as client,
    ):

        async def post(number: int) -> None:
            answer = await client.post("/scopes/agent:bot:u:ann/notes", json={"text": f"Likes tea {number}."})
            assert answer.status_code == 201, answer.text

        return {"POST notes": await walk(post)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", metavar="OPERATION", help="print the functions of one operation")
    given = parser.parse_args()
    threading.setprofile(note_call)  # for each thread that begins from here on
    sys.setprofile(note_call)
    with tempfile.TemporaryDirectory() as folder:
        walks = asyncio.run(of_library(f"{folder}/library.db")) | asyncio.run(
            of_server(f"{folder}/server.db")
        )
    sys.setprofile(None)
    if given.list is not None:
        for code, count in walks[given.list].calls.items():
            print(f"{count:>6}  {file(code)}:{code.co_firstlineno} {code.co_qualname}")
        return
    walks["consolidate, without rules"] = walks["consolidate"].without(RULES)
    print(f"{'operation':28}{'files':>8}{'functions':>12}{'calls':>8}")
    for name, found in walks.items():
        files, functions, calls = found.row()
        print(f"{name:28}{files:>8}{functions:>12}{calls:>8}")


if __name__ == "__main__":
    main()
