"""Simulate users whose preferences change over months; a seed makes them reproducible."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.evals.lifecycle.cases import Talk, Topic, Value

MONTHS: Final = 10
TOPICS: Final = 6  #: that a user cares about
SMALL: Final = (3, 6)  #: exchanges of small talk in a sitting, at least and at most
CHANGES: Final = 0.75  #: how likely a preference changes
REPEATS: Final = 0.4  #: how likely it is said again before that
ONCE: Final = 0.6  #: how likely there is a wish for one time


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What a user says, and the answer."""

    say: str
    reply: str
    topic: str = ""
    needle: str = ""  #: what is stated, if anything
    once: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedSession:
    """One conversation."""

    month: int
    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalQuestion:
    """A question that is put at the end, and what holds by then."""

    topic: str
    question: str
    needle: str
    older: tuple[str, ...]  #: what held before
    repeats: int = 0  #: how often the newest was said beyond once
    once: tuple[str, ...] = ()  #: what was wished for one time only


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedUser:
    """A made-up user: all they say, month by month, and what they are asked in the end."""

    id: str
    sittings: tuple[SimulatedSession, ...]
    asks: tuple[FinalQuestion, ...]


def simulated_users(count: int, *, seed: int, topics: Sequence[Topic], talk: Talk) -> list[SimulatedUser]:
    """Return some users."""
    chance = random.Random(seed)  # noqa: S311 - a story, no secret
    return [_person(f"user-{number:02}", chance, topics, talk) for number in range(1, count + 1)]


def _person(name: str, chance: random.Random, topics: Sequence[Topic], talk: Talk) -> SimulatedUser:
    by_month: dict[int, list[Exchange]] = {month: [] for month in range(MONTHS)}
    asks = [_life(topic, chance, talk, by_month) for topic in chance.sample(list(topics), TOPICS)]
    sittings: list[SimulatedSession] = []
    for month in range(MONTHS):
        small = chance.sample(list(talk.small), chance.randint(*SMALL))
        exchanges = [*by_month[month], *(Exchange(say=say, reply=reply) for say, reply in small)]
        chance.shuffle(exchanges)
        sittings.append(SimulatedSession(month=month, exchanges=tuple(exchanges)))
    return SimulatedUser(id=name, sittings=tuple(sittings), asks=tuple(asks))


def _life(
    topic: Topic, chance: random.Random, talk: Talk, by_month: dict[int, list[Exchange]]
) -> FinalQuestion:
    """Let a user say what they like, again perhaps, and something else later; never two of it in one month."""

    def say(month: int, value: Value, text: str, *, once: bool = False) -> None:
        by_month[month].append(
            Exchange(
                say=text, reply=chance.choice(talk.replies), topic=topic.name, needle=value.needle, once=once
            )
        )

    month = chance.randint(0, 2)
    held: list[Value] = []
    repeats = 0
    for number, value in enumerate(topic.values):
        if number and (chance.random() > CHANGES or month + 2 >= MONTHS):
            break
        if number:
            month = chance.randint(month + 1, min(month + 3, MONTHS - 2))
        words = chance.sample(list(value.say), len(value.say))
        say(month, value, words[0])
        held.append(value)
        repeats = 0
        if chance.random() < REPEATS and month + 2 < MONTHS and len(words) > 1:
            month += 1
            say(month, value, words[1])
            repeats = 1
    once: tuple[str, ...] = ()
    if topic.once is not None and chance.random() < ONCE and month + 1 < MONTHS:
        say(chance.randint(month + 1, MONTHS - 1), topic.once, topic.once.say[0], once=True)
        once = (topic.once.needle,)
    return FinalQuestion(
        topic=topic.name,
        question=topic.question,
        needle=held[-1].needle,
        older=tuple(value.needle for value in held[:-1]),
        repeats=repeats,
        once=once,
    )
