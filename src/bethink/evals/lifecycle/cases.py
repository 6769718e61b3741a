"""Read the hand-written eval cases, which were written apart from the rules that they measure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Part: TypeAlias = Literal["development", "held_out"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A message, and the clauses of it that are worth keeping, word for word."""

    id: str
    language: str
    text: str
    asked: str | None = None  #: what the assistant had said just before
    lasting: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()  #: true for a while, or for this time


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """Two messages months apart, and what the second makes of what the first said."""

    id: str
    language: str
    first: str
    second: str
    old: str  #: no longer true
    new: str | None  #: what holds instead; None where it is only taken back
    stands: tuple[str, ...]  #: what must still be known


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A message that asks to forget one of three things, or only sounds like it."""

    id: str
    language: str
    stored: tuple[str, ...]
    text: str
    forget: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """The messages of one day of one person."""

    day: date
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One answer that a user may have for a topic, and ways to say it."""

    needle: str
    say: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Something that users have preferences about, which change in the order of the values."""

    name: str
    question: str
    values: tuple[Value, ...]
    once: Value | None = None  #: a wish for one time only


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Small talk: nothing in it is to be kept."""

    small: tuple[tuple[str, str], ...]
    replies: tuple[str, ...]


def _text(name: str) -> str:
    return (files("bethink.evals.lifecycle") / "data" / name).read_text(encoding="utf-8")


def _lines(name: str) -> Iterator[dict[str, Any]]:
    for line in _text(name).splitlines():
        yield json.loads(line)


def everyday(part: Part = "held_out") -> list[Turn]:
    """Return everyday messages of many people in eight languages; nobody who wrote a rule wrote one."""
    return [_turn(each) for each in _lines(f"everyday_{part}.jsonl")]


def chatter(part: Part = "held_out") -> list[Turn]:
    """Return messages in which nothing is worth remembering."""
    return [_turn(each) for each in _lines(f"chatter_{part}.jsonl")]


def _turn(plain: dict[str, Any]) -> Turn:
    return Turn(
        id=plain["id"],
        language=plain["lang"],
        text=plain["text"],
        asked=plain.get("asked"),
        lasting=tuple(plain.get("lasting", ())),
        passing=tuple(plain.get("passing", ())),
    )


def corrections(part: Part = "held_out") -> list[Correction]:
    """Return pairs of messages of which the second corrects the first."""
    return [
        Correction(
            id=each["id"],
            language=each["lang"],
            first=each["first"],
            second=each["second"],
            old=each["old"],
            new=each["new"],
            stands=tuple(each["stands"]),
        )
        for each in _lines(f"corrections_{part}.jsonl")
    ]


def requests(part: Part = "held_out") -> list[Request]:
    """Return messages that ask to forget, or only sound like it."""
    return [
        Request(
            id=each["id"],
            language=each["lang"],
            stored=tuple(each["stored"]),
            text=each["text"],
            forget=each["forget"],
        )
        for each in _lines(f"requests_{part}.jsonl")
    ]


def days() -> list[Day]:
    """Return thirty days of one person who works with an assistant."""
    gold = {(each["day"], each["turn"]): each for each in _lines("days_gold.jsonl")}
    return [
        Day(
            day=date.fromisoformat(each["day"]),
            turns=tuple(
                _turn(
                    {
                        "id": f"{each['day']} {place}",
                        "lang": "en",
                        "text": text,
                        **gold.get((each["day"], place), {}),
                    }
                )
                for place, text in enumerate(each["turns"])
            ),
        )
        for each in _lines("days.jsonl")
    ]


def topics() -> list[Topic]:
    """Return the topics of the synthetic users."""
    plain: list[dict[str, Any]] = json.loads(_text("topics.json"))
    return [
        Topic(
            name=each["name"],
            question=each["question"],
            values=tuple(Value(needle=one["needle"], say=tuple(one["say"])) for one in each["values"]),
            once=Value(needle=each["once"]["needle"], say=(each["once"]["say"],)) if "once" in each else None,
        )
        for each in plain
    ]


def talk() -> Talk:
    """Return the small talk of the synthetic users."""
    plain: dict[str, Any] = json.loads(_text("talk.json"))
    return Talk(small=tuple((ask, reply) for ask, reply in plain["small"]), replies=tuple(plain["replies"]))


@cache
def notes() -> dict[str, list[dict[str, Any]]]:
    """Return the pairs of notes on which consolidation is evaluated."""
    return json.loads(_text("notes.json"))


@cache
def attacks() -> dict[str, list[dict[str, Any]]]:
    """Return what is tried against the memory, and what only looks like it."""
    return json.loads(_text("attacks.json"))
