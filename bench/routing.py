"""Simulate which share of recalls finds its user's index in memory: with requests sent by user, and to any process.

    python bench/routing.py                       # 10^6 users of 1,000 memories, 2 million requests

Users are active as people are: a few often, most seldom (a Zipf law). An index takes 380 bytes a memory, as
docs/scale.md measured; each process holds `--megabytes` of them and lets go of the one unused for longest.
"""

from __future__ import annotations

import argparse
from collections import OrderedDict

import numpy as np


def hits(users: np.ndarray, processes: int, room: int, *, by_user: bool, seed: int = 1) -> float:
    """Return the share of requests, of the second half, that found the index in the memory of their process."""
    chance = np.random.default_rng(seed)
    of = chance.permutation(int(users.max()) + 1) % processes  # what consistent hashing comes to
    to = of[users] if by_user else chance.integers(0, processes, len(users))
    held: list[OrderedDict[int, None]] = [OrderedDict() for _ in range(processes)]
    found, half = 0, len(users) // 2
    for number, (user, process) in enumerate(zip(users.tolist(), to.tolist(), strict=True)):
        there = held[process]
        if user in there:
            there.move_to_end(user)
            found += number >= half
            continue
        there[user] = None
        if len(there) > room:
            there.popitem(last=False)
    return found / (len(users) - half)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--users", type=int, default=1_000_000)
    parser.add_argument("--memories", type=int, default=1_000)
    parser.add_argument("--requests", type=int, default=2_000_000)
    parser.add_argument("--skew", type=float, default=1.1, help="of the Zipf law; 1 is flat")
    parser.add_argument("--megabytes", type=int, nargs="+", default=[256, 2_048, 8_192])
    parser.add_argument("--processes", type=int, nargs="+", default=[8, 32])
    given = parser.parse_args()
    ranks = np.arange(1, given.users + 1, dtype=np.float64) ** -given.skew
    users = np.random.default_rng(0).choice(given.users, given.requests, p=ranks / ranks.sum())
    print("| processes | MB of indexes each | users held in all | hits, by user | hits, to any process |")
    print("|---|---|---|---|---|")
    for processes in given.processes:
        for megabytes in given.megabytes:
            room = max(1, megabytes * 1_000_000 // (380 * given.memories))
            by_user = hits(users, processes, room, by_user=True)
            anywhere = hits(users, processes, room, by_user=False)
            print(
                f"| {processes} | {megabytes} | {processes * room:,} | {by_user:.0%} | {anywhere:.0%} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
