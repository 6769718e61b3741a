"""What writers were told, and whether the database agrees."""

import os
import random
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from bethink.lifecycle import plan_history
from bethink.notes import transactions as notes
from bethink.sessions import log_bodies, log_lookup
from bethink.storage.stores import BlockingStore, run
from bethink.testing.writings import START
from tests.faults.writer import ALICE, ITEMS, KEYS

WRITER = Path(__file__).with_name("writer.py")
KILLS = int(os.environ.get("BETHINK_FAULT_KILLS", "8"))  #: a run; `make faults` asks for many


@dataclass
class Ledger:
    """What was acknowledged, by kind, and what had begun when the process died."""

    acknowledged: dict[str, set[int]] = field(default_factory=dict)
    begun: dict[str, set[int]] = field(default_factory=dict)
    kills: int = 0
    inside: int = 0  #: kills while a transaction was certainly open

    def read(self, kind, lines):
        for word, number in (line.split() for line in lines):
            if word == "acknowledged":
                self.acknowledged.setdefault(kind, set()).add(int(number))
            elif word == "began":
                self.begun.setdefault(kind, set()).add(int(number))

    def next(self, kind):
        return max(self.begun.get(kind, ()), default=0) + 1

    def __str__(self):
        told = sum(map(len, self.acknowledged.values()))
        return f"{self.kills} kills, {self.inside} of them inside an open transaction; {told} writes acknowledged"


def kill_a_writer(ledger, url, kind, chance, *, inside):
    """Let a process write for a while, kill it, and note what it had been told."""
    pause = chance.randrange(1, 12) if inside else 0
    command = [sys.executable, str(WRITER), url, kind, str(ledger.next(kind)), str(pause)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said, ends = b"", time.monotonic() + 60
    deadline = None
    while time.monotonic() < ends:
        wait = 1.0 if deadline is None else max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select([process.stdout], [], [], wait)
        if ready:
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                break
            said += piece
        if inside and b"inside" in said:
            break
        if not inside:
            if deadline is None and said:  # from its first write on, a moment that nobody can foresee
                deadline = time.monotonic() + chance.uniform(0, 0.12)
            if deadline is not None and time.monotonic() >= deadline:
                break
    process.send_signal(signal.SIGKILL)
    rest, errors = process.communicate()
    lines = (said + rest).decode().splitlines(keepends=True)
    lines = [line for line in lines if line.endswith("\n")]
    assert lines, errors.decode()
    ledger.kills += 1
    ledger.inside += any(line.startswith("inside") for line in lines)
    ledger.read(kind, lines)


def plan(kinds, seed):
    """Return which kinds are killed, in turn, and whether inside of an open transaction: every second one."""
    chance = random.Random(seed)
    return chance, [
        (kinds[number // 2 % len(kinds)], number % 2 == 0) for number in range(max(KILLS, 2 * len(kinds)))
    ]


def check(driver, ledger):
    """Compare what the database holds with what was acknowledged."""
    store = BlockingStore(driver)

    def read(work, *args, **kwargs):
        return run(store.read(work, *args, **kwargs))

    told = ledger.acknowledged
    # Appends: acknowledged ones are there, and each is there wholly, once, in one piece.
    texts = [body["content"] for body in read(log_bodies.bodies, ALICE, "trip", None)]
    numbers = [int(text.split(":")[0]) for text in texts]
    assert numbers[::ITEMS] == sorted(set(numbers)), "an append is torn, doubled or out of order"
    assert texts == [f"{number}:{part}" for number in numbers[::ITEMS] for part in range(ITEMS)]
    assert told.get("append", set()) <= set(numbers)
    assert set(numbers) <= ledger.begun.get("append", set())
    head = read(log_lookup.head, ALICE, "trip")
    assert head.count == len(texts) == head.seq

    found, total = read(notes.listing, ALICE, now=START, everywhere=True, status=None)
    assert total == len(found)
    plain = Counter(note.text for note in found if note.key is None and note.category == "core")
    assert all(times == 1 for times in plain.values())
    assert {f"note {number}" for number in told.get("remember", set())} <= plain.keys()
    assert plain.keys() <= {f"note {number}" for number in ledger.begun.get("remember", set())}

    # Keys: the newest acknowledged text of each is there or in the history, and no version is missing between.
    for key in range(KEYS):
        note, versions = read(notes.history, ALICE, f"key-{key}")
        kept = [version.note.text for version in versions] + ([note.text] if note else [])
        wanted = {f"text {number}" for number in told.get("revise", set()) if number % KEYS == key}
        assert wanted <= set(kept)
        assert len(set(kept)) == len(kept)
        revisions = [version.note.revision for version in versions] + ([note.revision] if note else [])
        assert revisions == sorted(set(revisions))

    # Plans: what was promoted, what was closed for it and the plan itself are there together or not at all.
    promoted = [int(note.text.split()[1]) for note in found if note.category == "settled"]
    closed = [int(note.text.split()[1]) for note in found if note.category == "staging"]
    plans, _ = read(plan_history.list_plans, ALICE, limit=100_000)
    planned = [int(plan.changes[0].text.split()[1]) for plan in plans]
    assert sorted(promoted) == sorted(closed) == sorted(planned)
    assert len(set(promoted)) == len(promoted)
    assert told.get("consolidate", set()) <= set(promoted) <= ledger.begun.get("consolidate", set())
    assert all(note.outcome == "promoted" for note in found if note.category == "staging")

    # Sessions: those with even numbers are gone with their notes, the others are whole.
    begun = ledger.begun.get("converse", set())
    staged = {note.session for note in found if note.category == "conversation"}
    listed, _, _ = read(log_lookup.listing, ALICE, limit=100_000)
    there = {info.id for info in listed if info.id != "trip"}
    assert staged == there
    assert all(int(name.removeprefix("session-")) % 2 for name in there)
    assert {f"session-{number}" for number in told.get("converse", set()) if number % 2} <= there
    assert there <= {f"session-{number}" for number in begun}
    for name in there:
        assert len(read(log_bodies.bodies, ALICE, name, None)) == 1
