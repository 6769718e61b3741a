"""Run the questions of a data set against a memory, through the public API alone."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Final

from bethink.evals.scores import score, summary
from bethink.recall.passages import said_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from bethink.evals.cases import Conversation, Dataset, Question
    from bethink.evals.metrics import Interval
    from bethink.evals.scores import Scored
    from bethink.sync import Memory, Scope

DEPTH: Final = 50  #: hits that are asked for, so that twenty sessions may be among them
AGENT: Final = "eval"
SHOWN: Final = 300  #: characters of a turn in the account of a failure


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedTurn:
    """A turn, with its place in a ranking."""

    place: int | None  #: from 1; None where it is not among the hits that were asked for
    turn: str
    session: str
    text: str  #: its beginning


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A question of whose answer a part was not found early enough."""

    conversation: str
    question: str
    category: str
    text: str
    metric: str  #: which was below 1
    wanted: Sequence[RankedTurn]
    found: Sequence[RankedTurn]  #: the first ten


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """How recall did on some of the questions."""

    questions: int
    metrics: Mapping[str, Interval]
    milliseconds: float  #: of one query, the median
    slow_milliseconds: float  #: that one query in twenty takes longer than


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How recall did on a data set."""

    dataset: str
    conversations: int
    turns: int
    left_out: int  #: questions that nothing in the conversations answers, or that do not say what does
    failures: int
    groups: Mapping[str, Group]  #: all, without some categories, and by category
    turn_milliseconds: float  #: that keeping one turn took, on average
    seconds: float  #: it took altogether


@dataclass(slots=True)
class _Tally:
    conversations: int = 0
    turns: int = 0
    left_out: int = 0
    failures: int = 0
    kept: float = 0.0  #: seconds
    scored: list[Scored] = field(default_factory=list["Scored"])
    spent: list[float] = field(default_factory=list[float])


def run(
    dataset: Dataset,
    opened: Callable[[], AbstractContextManager[Memory]],
    *,
    limit: int | None = None,
    done: Callable[[int], None] = lambda _: None,
    failed: Callable[[Failure], None] = lambda _: None,
    watch: Callable[[], float] = time.perf_counter,
) -> Outcome:
    """Keep each conversation in a memory of its own, then ask all its questions there.

    Args:
        dataset: what to keep and to ask.
        opened: opens an empty memory.
        limit: questions that are asked at most; no further conversation is read.
        done: hears of every question answered.
        failed: hears of every question whose answer is not whole among the first ten.
        watch: reads a clock, in seconds.
    """
    begun = watch()
    tally = _Tally()
    for conversation in dataset.conversations:
        left = None if limit is None else limit - len(tally.scored)
        if left == 0:
            break
        tally.left_out += conversation.left_out
        if not conversation.questions:
            done(conversation.left_out)
            continue
        with opened() as memory:
            scope = memory.scope(agent=AGENT, user="user")
            start = watch()
            places = append_conversation(conversation, scope)
            scope.recall("a first question, so that no other waits for the index", limit=1)
            tally.kept += watch() - start
            for question in conversation.questions[:left]:
                start = watch()
                found = scope.recall(question.text, limit=DEPTH, kinds=("item",))
                tally.spent.append(watch() - start)
                ranked = [places[hit.item.session, hit.item.seq] for hit in found if hit.item is not None]
                _note(tally, conversation, question, ranked, failed)
                done(1)
        tally.conversations += 1
        tally.turns += len(conversation.turns)
    return Outcome(
        dataset=dataset.name,
        conversations=tally.conversations,
        turns=tally.turns,
        left_out=tally.left_out,
        failures=tally.failures,
        groups=_groups(tally, dataset),
        turn_milliseconds=1000 * tally.kept / (tally.turns or 1),
        seconds=watch() - begun,
    )


def append_conversation(conversation: Conversation, scope: Scope) -> dict[tuple[str, int], str]:
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


def _note(
    tally: _Tally,
    conversation: Conversation,
    question: Question,
    ranked: Sequence[str],
    failed: Callable[[Failure], None],
) -> None:
    session_of = {turn.id: turn.session for turn in conversation.turns}
    scored = score(ranked, question, session_of, conversation=conversation.id)
    tally.scored.append(scored)
    metric = "all@10" if question.gold else "session all@10"
    if scored.values[metric] == 1:
        return
    tally.failures += 1
    texts = {turn.id: said_in(turn.item.body) for turn in conversation.turns}
    place = {turn: number for number, turn in enumerate(ranked, start=1)}

    def placed(turn: str) -> RankedTurn:
        words = texts[turn]
        text = words.text[:SHOWN] if words else ""
        return RankedTurn(place=place.get(turn), turn=turn, session=session_of[turn], text=text)

    wanted = question.gold or {turn for turn, session in session_of.items() if session in question.sessions}
    failed(
        Failure(
            conversation=conversation.id,
            question=question.id,
            category=question.category,
            text=question.text,
            metric=metric,
            wanted=[placed(turn) for turn in session_of if turn in wanted],
            found=[placed(turn) for turn in ranked[:10]],
        )
    )


def _groups(tally: _Tally, dataset: Dataset) -> dict[str, Group]:
    times = {id(one): each for one, each in zip(tally.scored, tally.spent, strict=True)}
    groups: dict[str, Group] = {}
    for name, (members, metrics) in summary(tally.scored, dataset.apart).items():
        spent = sorted(times[id(one)] * 1000 for one in members)
        groups[name] = Group(
            questions=len(members),
            metrics=metrics,
            milliseconds=statistics.median(spent),
            slow_milliseconds=spent[min(len(spent) - 1, int(len(spent) * 0.95))],
        )
    return groups
