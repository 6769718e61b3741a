"""A nightly job: consolidate what has been quiet, write a report, and take a change back by its id.

python examples/nightly_job.py [FILE]
"""

from __future__ import annotations

import sys
from datetime import timedelta

from bethink import Memory


def fill(memory: Memory) -> None:
    """Keep what two users said during the day."""
    for user, said in (("alice", "Remember that I live in Oslo."), ("bob", "Remember that I am vegetarian.")):
        memory.scope(agent="travel", user=user).session("monday").append([{"role": "user", "content": said}])


def nightly(memory: Memory, *, quiet: timedelta) -> list[str]:
    """Consolidate every session that was quiet for so long; return a line for each plan."""
    plans = memory.consolidate_idle(after=quiet)
    return [f"{plan.state}: {', '.join(plan.texts.values())} ({len(plan.changes)} changes)" for plan in plans]


def main(path: str = "nightly.db") -> None:
    with Memory(path) as memory:
        fill(memory)
        print(*nightly(memory, quiet=timedelta(0)), sep="\n")  # in earnest: timedelta(minutes=30)
        print("again:", nightly(memory, quiet=timedelta(0)))

        alice = memory.scope(agent="travel", user="alice")
        newest = alice.plans()[0]
        alice.undo(newest.id)
        print("undone:", alice.notes(category="core").total, "notes of alice")


if __name__ == "__main__":
    main(*sys.argv[1:])
