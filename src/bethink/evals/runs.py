"""Put the questions of LoCoMo to a memory, through the public face alone."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from bethink.evals.locomo import CATEGORIES, score, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bethink.evals.locomo import Conversation, Scored
    from bethink.evals.metrics import Interval
    from bethink.sync import Memory, Scope

DEPTH: Final = 50  #: hits that are asked for, so that five sessions are among them
AGENT: Final = "locomo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """How recall did on some of the questions."""

    questions: int
    metrics: Mapping[str, Interval]
    milliseconds: float  #: of one query, the median


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How recall did on a file."""

    conversations: int
    turns: int
    groups: Mapping[str, Group]  #: all, without the adversarial, and by category
    seconds: float  #: it took altogether


def run_locomo(
    conversations: Sequence[Conversation],
    memory: Memory,
    *,
    done: Callable[[int], None] = lambda _: None,
    watch: Callable[[], float] = time.perf_counter,
) -> Outcome:
    """Keep every conversation in a namespace of its own, then ask all its questions there.

    `done` hears of every question answered; `watch` reads a clock, in seconds.
    """
    begun = watch()
    scored: list[Scored] = []
    spent: list[float] = []
    for conversation in conversations:
        scope = memory.scope(agent=AGENT, user=conversation.id)
        places = keep(conversation, scope)
        scope.recall("a first question, so that no other waits for the index", limit=1)
        for question in conversation.questions:
            start = watch()
            found = scope.recall(question.text, limit=DEPTH, kinds=("item",))
            spent.append(watch() - start)
            ranked = [places[hit.item.session, hit.item.seq] for hit in found if hit.item is not None]
            scored.append(score(ranked, question))
            done(1)
    return Outcome(
        conversations=len(conversations),
        turns=sum(len(conversation.turns) for conversation in conversations),
        groups=_groups(scored, spent),
        seconds=watch() - begun,
    )


def keep(conversation: Conversation, scope: Scope) -> dict[tuple[str, int], str]:
    """Append a conversation session by session; return which turn is where in the memory."""
    places: dict[tuple[str, int], str] = {}
    for session, group in groupby(conversation.turns, key=lambda turn: turn.session):
        turns = list(group)
        head = scope.session(session).append(
            [turn.item.body for turn in turns],
            at=[turn.item.at for turn in turns],
            speaker=[turn.item.speaker for turn in turns],
            origin="import",
        )
        first = head.seq - len(turns) + 1
        places.update({(session, seq): turn.id for seq, turn in enumerate(turns, first)})
    return places


def _groups(scored: Sequence[Scored], spent: Sequence[float]) -> dict[str, Group]:
    names = {name: number for number, name in CATEGORIES.items()}
    numbers: dict[str, Iterable[int]] = {
        "all": CATEGORIES,
        "without adversarial": [number for number in CATEGORIES if number != 5],  # noqa: PLR2004
    }
    groups: dict[str, Group] = {}
    for name, metrics in summary(scored).items():
        members = set(numbers.get(name, [names.get(name, 0)]))
        times = [each for one, each in zip(scored, spent, strict=True) if one.category in members]
        groups[name] = Group(
            questions=len(times), metrics=metrics, milliseconds=statistics.median(times) * 1000
        )
    return groups
