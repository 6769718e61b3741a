"""Requests a second and the slowest in a hundred, over loopback, beside the bare framework in the same run.

    python bench/server.py [--seconds 2] [--rounds 4] [--db postgresql://…] [--json]

Server and clients are processes of the same machine and share its cores. The bare framework parses the same body and
answers it: what is above it is ours. Both take turns, a short round each, and the middle of the rounds is told: on a
machine that others use read the last columns, how many of the bare framework's requests a second ours are, and how
many times the processor time of one of its requests one of ours takes.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

from measure import TOLD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BARE = """
import uvicorn
from fastapi import FastAPI
from typing import Any
app = FastAPI()
@app.post("/echo")
async def echo(given: dict[str, Any]) -> dict[str, Any]:
    return given
@app.get("/v1/readiness")
async def ready() -> dict[str, Any]:
    return {{}}
uvicorn.run(app, port={port}, log_config=None, access_log=False)
"""
OURS = "from bethink.cli import main; main()"
CLIENTS = (1, 16, 64)
NOTES = 500  #: that are there before recall is measured
WORDS = (
    "aisle seat",
    "quiet room",
    "vegetarian meal",
    "late train",
    "sea view",
    "early check-in",
    "no carpets",
)


def requests() -> dict[str, Callable[[int, int], tuple[str, dict[str, object]]]]:
    """Return what a client sends: path and body by client and number."""
    scope = "/v1/scopes/agent:bench:u:user-{}"

    def text(client: int, number: int) -> str:
        return f"On trip {client}-{number} asked for {WORDS[number % len(WORDS)]} and for nothing else."

    return {
        "recall": lambda _, n: (
            f"{scope.format('known')}/recall",
            {"query": f"where is a {WORDS[n % len(WORDS)]}", "limit": 10},
        ),
        "context": lambda _, n: (
            f"{scope.format('known')}/context",
            {"query": WORDS[n % len(WORDS)], "tokens": 800},
        ),
        # last, since what they write is made into passages for a while after them
        "append": lambda c, n: (
            f"{scope.format(c)}/sessions/s/items",
            {"items": [{"role": "user", "content": text(c, n)}, {"role": "assistant", "content": "Noted."}]},
        ),
        "remember": lambda c, n: (f"{scope.format(c)}/notes", {"text": text(c, n)}),
    }


async def post(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, body: dict[str, object]
) -> int:
    """Send one request on a connection that is kept, and return the status."""
    text = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    writer.write(f"{head}content-length: {len(text)}\r\n\r\n".encode() + text)
    answer = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(answer.split(b"content-length: ")[1].split(b"\r\n")[0])
    await reader.readexactly(length)
    return int(answer[9:12])


async def load(
    port: int, clients: int, seconds: float, ask: Callable[[int, int], tuple[str, dict[str, object]]]
) -> tuple[float, float, float]:
    """Return requests a second, the median and the 99th percentile in milliseconds."""
    took: list[float] = []
    end = time.perf_counter() + seconds

    async def work(client: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        number = 0
        while time.perf_counter() < end:
            path, body = ask(client, number)
            began = time.perf_counter()
            status = await post(reader, writer, path, body)
            took.append(time.perf_counter() - began)
            assert status in {200, 201}, status
            number += 1
        writer.close()

    began = time.perf_counter()
    await asyncio.gather(*(work(client) for client in range(clients)))
    rate = len(took) / (time.perf_counter() - began)
    took.sort()
    return rate, took[len(took) // 2] * 1000, took[min(len(took) - 1, int(len(took) * 0.99))] * 1000


@contextlib.contextmanager
def served(*command: str, port: int) -> Iterator[int]:
    """Run a server for a while; the number of its process is lent."""
    process = subprocess.Popen([sys.executable, *command], stderr=subprocess.DEVNULL)
    try:
        for _ in range(400):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/readiness").close()
                break
            time.sleep(0.05)
        yield process.pid
    finally:
        process.terminate()
        process.wait(30)


def processor(process: int) -> float:
    """Return the processor time of a process so far, in seconds; 0 where the system does not tell."""
    stat = Path(f"/proc/{process}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def round_of(
    port: int,
    process: int,
    clients: int,
    seconds: float,
    ask: Callable[[int, int], tuple[str, dict[str, object]]],
) -> tuple[float, float, float, float]:
    """Return what `load` does, and the milliseconds of processor time of one request."""
    before, began = processor(process), time.perf_counter()
    rate, middle, slow = asyncio.run(load(port, clients, seconds, ask))
    asked = rate * (time.perf_counter() - began)
    return rate, middle, slow, (processor(process) - before) / asked * 1000


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


async def fill(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for number in range(NOTES):
        text = f"On trip {number} asked for {WORDS[number % len(WORDS)]} in city {number % 40}."
        await post(reader, writer, "/v1/scopes/agent:bench:u:user-known/notes", {"text": text})
    await post(reader, writer, "/v1/scopes/agent:bench:u:user-known/recall", {"query": "aisle"})
    writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--db")
    TOLD.add_option(parser)
    chosen = parser.parse_args()
    TOLD.choose(chosen)
    asked = requests()
    TOLD.tell(
        f"{'':10}{'clients':>8}{'requests/s':>12}{'p50 ms':>9}{'p99 ms':>9}{'bare/s':>9}{'bare p99':>10}"
        f"{'of bare':>9}{'processor':>11}"
    )
    with tempfile.TemporaryDirectory() as folder:
        ours, bare = free_port(), free_port()
        serve = ["serve", "--db", chosen.db or str(Path(folder) / "memory.db"), "--port", str(ours)]
        with (
            served("-c", OURS, *serve, port=ours) as one,
            served("-c", BARE.format(port=bare), port=bare) as other,
        ):
            asyncio.run(fill(ours))
            for name, ask in asked.items():
                for clients in CLIENTS:
                    rounds = [
                        (
                            round_of(
                                bare,
                                other,
                                clients,
                                chosen.seconds / chosen.rounds / 2,
                                lambda c, n, ask=ask: ("/echo", ask(c, n)[1]),
                            ),
                            round_of(ours, one, clients, chosen.seconds / chosen.rounds, ask),
                        )
                        for _ in range(chosen.rounds)
                    ]
                    floor, own = (
                        [statistics.median(each[side][part] for each in rounds) for part in range(4)]
                        for side in (0, 1)
                    )
                    of_bare = statistics.median(each[1][0] / each[0][0] for each in rounds)
                    work = own[3] / floor[3] if floor[3] else float("nan")
                    shown = f"{own[0]:12,.0f}{own[1]:9.1f}{own[2]:9.1f}{floor[0]:9,.0f}{floor[2]:10.1f}"
                    TOLD.tell(
                        f"{name:10}{clients:8}{shown}{of_bare:9.2f}{work:10.1f}x",
                        name=name,
                        clients=clients,
                        requests_a_second=own[0],
                        milliseconds=own[1],
                        p99=own[2],
                        bare_a_second=floor[0],
                        bare_p99=floor[2],
                        of_bare=of_bare,
                        processor_of_bare=work,
                    )
    TOLD.end()


if __name__ == "__main__":
    main()
