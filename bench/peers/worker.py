"""One peer in a process of its own: it reads a line of JSON, does what it says, and answers with a line.

    PYTHON bench/peers/worker.py NAME FOLDER [--vectors FOLDER]

    {"do": "add", "space": "s", "memories": [{"id": …, "text": …, "said": …, "speaker": …, "role": …, "at": …}]}
    {"do": "find", "space": "s", "query": "…", "limit": 10}      {"do": "close"}      {"do": "memory"}

An answer has `seconds`, which are those of the call alone, and `ids`, `bytes` or `resident` where they were asked for.
No peer may reach another machine: whoever tries is told that there is no network.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

LOCAL = ("127.0.0.1", "::1", "localhost")


def stay_here(event: str, given: tuple[Any, ...]) -> None:
    """Refuse every connection that leaves the machine."""
    if event == "socket.getaddrinfo" and given[0] not in (None, *LOCAL):
        raise PermissionError("there is no network in a benchmark")
    if event == "socket.connect" and given[0].family in {socket.AF_INET, socket.AF_INET6}:
        host = given[1][0] if isinstance(given[1], tuple) else given[1]
        if host not in LOCAL:
            raise PermissionError("there is no network in a benchmark")


def size_of(folder: Path) -> int:
    """Return the bytes of all files, as they are read, not as the disk rounds them."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def timed(call: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    found = call()
    return time.perf_counter() - start, found


def answer(peer: Any, folder: Path, asked: dict[str, Any]) -> dict[str, Any]:
    match asked["do"]:
        case "add":
            seconds, _ = timed(lambda: peer.add(asked["space"], asked["memories"]))
            return {"seconds": seconds}
        case "find":
            seconds, ids = timed(lambda: peer.find(asked["space"], asked["query"], asked["limit"]))
            return {"seconds": seconds, "ids": ids}
        case "memory":
            return {"resident": resident()}
        case "close":
            seconds, _ = timed(peer.close)
            return {"seconds": seconds, "bytes": size_of(folder)}
        case other:
            raise ValueError(f"nothing is known of {other!r}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--vectors", type=Path)
    given = parser.parse_args()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a peer prints is no answer
    sys.addaudithook(stay_here)
    given.folder.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    module = importlib.import_module(f"of_{given.name}")
    imported = time.perf_counter()
    peer = module.Peer(given.folder, given.vectors)
    opened = time.perf_counter()
    print(json.dumps({"import": imported - start, "open": opened - imported}), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(peer, given.folder, json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
