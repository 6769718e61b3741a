"""Read the cases: sentences that were written by hand, apart from the rules that are measured on them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

Lasting: TypeAlias = Literal["lasting", "once", "nothing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message, and what of it is worth keeping."""

    id: str
    language: str
    say: str
    scope: Lasting
    needles: tuple[str, ...] = ()  #: one of these is in what is kept


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


def said() -> list[Said]:
    """Return the messages that distillation is measured on."""
    found: list[Said] = []
    for line in _text("said.jsonl").splitlines():
        plain: dict[str, Any] = json.loads(line)
        needles = tuple(plain.pop("needles", ()))
        found.append(Said(**plain, needles=needles))
    return found


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
    """Return the pairs of notes that consolidation is measured on."""
    return json.loads(_text("notes.json"))


@cache
def attacks() -> dict[str, list[dict[str, Any]]]:
    """Return what is tried against the memory, and what only looks like it."""
    return json.loads(_text("attacks.json"))
