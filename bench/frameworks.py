"""What integrations keep, beside the stores that their frameworks bring, in one interleaved run.

    make conformance ONLY=langgraph                                       # makes an environment that has both
    .conformance/langgraph/bin/python bench/frameworks.py langgraph [--folder /dev/shm] [--rounds 30]

Each step is done by both in turn, round by round, so that a machine whose speed wanders treats both alike. What is
printed is the CPU of the whole process, threads and all; × is how many times as much as ours theirs took in the same
round, the median of the rounds. On a RAM disk it is what they cost beside the disk.
"""

from __future__ import annotations

import argparse
import tempfile
from importlib import import_module
from pathlib import Path

FRAMEWORKS = ("agent_framework", "google_adk", "langgraph", "llamaindex")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("framework", choices=FRAMEWORKS)
    parser.add_argument("--folder", help="where the files are: /dev/shm leaves the disk out")
    parser.add_argument("--rounds", type=int, default=30)
    chosen = parser.parse_args()
    try:
        steps = import_module(f"frameworks_{chosen.framework}")
    except ImportError as missing:
        raise SystemExit(
            f"{missing.name} is missing: run `make conformance ONLY={chosen.framework}`"
        ) from missing
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        steps.measure(Path(folder), chosen.rounds)


if __name__ == "__main__":
    main()
