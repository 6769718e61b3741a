"""Measure an import: messages a second and the most memory, for ChatGPT's export and for JSONL, each in a
process of its own.

.venv/bin/python bench/import.py [MESSAGES]
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bethink import AsyncMemory
from bethink.imports.format_detection import open_source
from bethink.imports.service import ingest

LONG = 20  #: messages of a conversation
TALKS = 500  #: sessions of JSONL that go on in turn, or messages of each where they do not
FEW = 2  #: arguments, besides which it is a process that measures


def chatgpt(path: Path, messages: int) -> None:
    """Write an export of so many messages."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(messages // LONG):
            nodes = {"root": {"id": "root", "parent": None, "children": ["0"], "message": None}}
            for at in range(LONG):
                text = f"Message {at} of conversation {number}: kettle {at * 31} of kitchen {number % 97}."
                nodes[str(at)] = {
                    "id": str(at),
                    "parent": str(at - 1) if at else "root",
                    "children": [str(at + 1)] if at + 1 < LONG else [],
                    "message": {
                        "id": f"{number}-{at}",
                        "author": {"role": "assistant" if at % 2 else "user"},
                        "create_time": 1_700_000_000.0 + number * 100 + at,
                        "content": {"content_type": "text", "parts": [text]},
                    },
                }
            one = {
                "id": f"c{number}",
                "title": f"Kitchen {number}",
                "current_node": str(LONG - 1),
                "mapping": nodes,
            }
            file.write(("," if number else "[") + json.dumps(one))
        file.write("]")


def jsonl(path: Path, messages: int, *, interleaved: bool = False) -> None:
    """Write lines of messages, session after session, or of many sessions in turn."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(messages):
            body = {
                "role": "assistant" if number % 2 else "user",
                "content": f"Line {number} of a long talk.",
            }
            session = number % TALKS if interleaved else number // TALKS
            file.write(json.dumps({**body, "session": f"s{session}", "at": 1_700_000_000 + number}) + "\n")


def interleaved(path: Path, messages: int) -> None:
    """Write lines of messages of many sessions in turn."""
    jsonl(path, messages, interleaved=True)


FORMS = {"chatgpt": chatgpt, "jsonl": jsonl, "interleaved": interleaved}


async def bring(path: Path, database: Path) -> tuple[int, int, float, float]:
    """Return what was kept and known, and the seconds of the wall and of the processor."""
    wall, processor = time.perf_counter(), time.process_time()
    async with AsyncMemory(database) as memory:
        source = open_source(path)
        report = await ingest(memory, source.entries, agent="default", user=None, session="dashboard")
    return report.kept, report.known, time.perf_counter() - wall, time.process_time() - processor


def once(name: str, path: Path, run: str) -> None:
    """Bring a file in, and print what it took; the memory is that of a process of its own."""
    kept, known, wall, processor = asyncio.run(bring(path, path.with_suffix(".db")))
    print(
        f"{name} {run}: {kept} kept, {known} known, {path.stat().st_size / 1e6:.0f} MB, {wall:.1f} s "
        f"({processor:.1f} s of processor), {(kept + known) / processor:.0f} messages a processor second, "
        f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB",
        flush=True,
    )


def main() -> None:
    """Print a line for each form, and one for the second run."""
    if len(sys.argv) > FEW:
        once(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
        return
    messages = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        for name, write in FORMS.items():
            path = Path(folder) / f"{name}.json"
            write(path, messages)
            for run in ("first", "again"):
                subprocess.run([sys.executable, __file__, name, str(path), run], check=True)


if __name__ == "__main__":
    main()
