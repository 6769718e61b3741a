"""Consolidate 100 session notes into 1,000 global ones by rules: 50 milliseconds are allowed.

    python bench/consolidate.py [--embedder] [--repeat 5] [--json]

What notes claim is read afresh each time; what they speak of (their gists) is known to the process after the first
time. The row of the first call has neither: each of the 1,100 texts is met for the first time. With an embedder the
vectors are made once beforehand, as they are in a store, and passed as a matrix.
"""

from __future__ import annotations

import argparse
import random
import time
from datetime import UTC, datetime, timedelta

from measure import TOLD

from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.check import check
from bethink.lifecycle.consolidate.rules import RulesConsolidator
from bethink.lifecycle.consolidate.words import words
from bethink.lifecycle.text_caches import forget_texts
from bethink.lifecycle.values import Add, Retire, Revise
from bethink.models.static import StaticEmbedder
from bethink.notes.values import Note

NOW = datetime(2026, 2, 1, tzinfo=UTC)
TOPICS = [
    "museum",
    "garden",
    "piano",
    "laptop",
    "novel",
    "river",
    "chess",
    "camera",
    "jacket",
    "bakery",
    "market",
    "violin",
    "pepper",
    "sauna",
    "harbor",
    "bridge",
    "candle",
    "desert",
    "engine",
    "fountain",
    "guitar",
    "helmet",
    "island",
    "jungle",
    "kitchen",
    "ladder",
    "mirror",
    "needle",
    "orchard",
    "pillow",
    "quartz",
    "rocket",
    "saddle",
    "temple",
    "umbrella",
    "valley",
    "window",
    "yacht",
    "zebra",
    "anchor",
    "basket",
    "carpet",
    "dragon",
    "easel",
    "falcon",
    "goblet",
    "hammer",
]
PLACES = ["Paris", "Berlin", "Oslo", "Madrid", "Lisbon", "Vienna", "Prague", "Dublin", "Athens", "Warsaw"]
PEOPLE = ["sister", "brother", "boss", "wife", "son", "daughter", "friend", "colleague"]
FORMS = (
    "Prefers {seat} seats on flights to {place}.",
    "User usually likes {topic} {other} in {place}.",
    "Does not like the {topic} near the {other}.",
    "{person}'s favorite {topic} is the {other} in {place}.",
    "Keeps a {topic} and a {other} at home in {place}.",
    "Has {number} {topic}s and a {other}.",
    "Meets the {person} at the {topic} every {day}.",
    "For trips to {place}, prefers {style} hotels near the {topic}.",
)


def sentence(rng: random.Random) -> str:
    return rng.choice(FORMS).format(
        seat=rng.choice(["aisle", "window"]),
        place=rng.choice(PLACES),
        topic=rng.choice(TOPICS),
        other=rng.choice(TOPICS),
        person=rng.choice(PEOPLE),
        number=rng.randint(2, 9),
        day=rng.choice(["Monday", "Friday", "Sunday"]),
        style=rng.choice(["quiet", "modern", "small"]),
    )


def notes(rng: random.Random, count: int, prefix: str, session: str | None) -> list[Note]:
    made: list[Note] = []
    for number in range(count):
        at = NOW - timedelta(days=rng.randint(0, 900 if session is None else 3))
        text = sentence(rng)
        made.append(Note(id=f"{prefix}{number}", text=text, session=session, created_at=at, updated_at=at))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--embedder", action="store_true")
    parser.add_argument("--repeat", type=int, default=7)
    TOLD.add_option(parser)
    given = parser.parse_args()
    TOLD.choose(given)
    rng = random.Random(7)
    stored, staged = notes(rng, 1000, "g", None), notes(rng, 100, "s", "trip")
    vectors = StaticEmbedder().embed([note.text for note in (*staged, *stored)]) if given.embedder else None
    engine = RulesConsolidator()
    engine.propose(staged[:1], stored[:1], now=NOW)  # the tables of words are made once a process
    times: list[float] = []
    for _ in range(given.repeat):
        read.cache_clear()
        words.cache_clear()
        start = time.process_time()
        engine.propose(staged, stored, now=NOW, embed=vectors, settled=NOW)
        times.append(time.process_time() - start)
    start = time.process_time()
    proposal = engine.propose(staged, stored, now=NOW, embed=vectors, settled=NOW)
    again = time.process_time() - start
    read.cache_clear()
    words.cache_clear()
    start = time.process_time()
    engine.propose(staged, stored, now=NOW, embed=vectors)
    among = time.process_time() - start
    start = time.process_time()
    refused = check(proposal, [*staged, *stored])
    checked = time.process_time() - start
    cold: list[float] = []
    for _ in range(3):
        forget_texts()
        start = time.process_time()
        engine.propose(staged, stored, now=NOW, embed=vectors, settled=NOW)
        cold.append(time.process_time() - start)
    kinds = [sum(isinstance(each, kind) for each in proposal.changes) for kind in (Add, Revise, Retire)]
    best, worst = min(times) * 1e3, max(times) * 1e3
    TOLD.tell(
        f"consolidate 100 into 1,000: best {best:.1f} ms, worst {worst:.1f} ms of CPU",
        name="consolidate 100 into 1,000",
        milliseconds=best,
        worst=worst,
    )
    TOLD.tell(
        f"first call, no text met before: {min(cold) * 1e3:.1f} ms",
        name="first call",
        milliseconds=min(cold) * 1e3,
    )
    TOLD.tell(
        f"once more, notes already read: {again * 1e3:.1f} ms", name="once more", milliseconds=again * 1e3
    )
    TOLD.tell(
        f"the 1,000 among themselves, too: {among * 1e3:.1f} ms",
        name="the 1,000 among themselves",
        milliseconds=among * 1e3,
    )
    TOLD.tell(
        f"check: {checked * 1e3:.1f} ms, {len(refused)} refused",
        name="check",
        milliseconds=checked * 1e3,
        refused=len(refused),
    )
    added, revised, retired = kinds
    TOLD.tell(
        f"added {added}, revised {revised}, retired {retired}; conflicts {proposal.conflicts}",
        name="changes",
        added=added,
        revised=revised,
        retired=retired,
        conflicts=proposal.conflicts,
    )
    for refusal in refused[:5]:
        TOLD.tell(str(refusal))
    TOLD.end()


if __name__ == "__main__":
    main()
