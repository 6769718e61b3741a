"""Answers are written as JSON in the form in which every value of the library writes itself."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from bethink.notes.values import Note
from bethink.pages import Page
from bethink.plain import Plain, plain
from bethink.recall.values import Hit, Recall, Why
from bethink.server.json_responses import answer, page

AT = datetime(2026, 3, 1, 12, 30, 0, 5, UTC)
NOTE = Note(
    id="n1",
    text="Prefers aisle seats. 座席 😀",
    created_at=AT,
    updated_at=AT,
    keywords=("seat",),
    metadata={"n": 1},
)


class Pair(NamedTuple):
    first: int
    second: datetime


@dataclass(frozen=True)
class Single(Plain):
    only: Any


@dataclass(frozen=True)
class Several(Plain):
    one: Any
    two: Any = None
    _kept: str = "to itself"


@dataclass(frozen=True)
class Named(Plain):
    one: Any
    two: Any = None

    def to_dict(self):
        return {"called": self.one}


VALUES = [
    NOTE,
    Recall(query="seat", hits=(Hit(text="aisle", score=1.5, why=Why(lexical=0.1 + 0.2), note=NOTE),)),
    Several(Named(NOTE), [Single((NOTE,)), Pair(1, AT)]),
    Several(float("nan"), float("-inf")),
    Several(timedelta(minutes=2), b"bytes"),
    Several(MappingProxyType({"a": AT}), {"b": frozenset({1})}),
    Several({1: "a number as a name"}, 1 << 80),
    Several("half of a pair \ud83d", {"\udc00": 1}),
    Several(AT.astimezone(timezone(timedelta(hours=5, minutes=30))), AT.replace(tzinfo=None, microsecond=0)),
    Single(Single(None)),
]


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_an_answer_says_what_the_value_says_of_itself(value):
    assert json.loads(bytes(answer(value).body)) == plain(value)


def test_a_page_says_what_its_entries_say_of_themselves():
    found = Page((NOTE, NOTE), 7, "next")

    assert json.loads(bytes(page(found).body)) == {"entries": [plain(NOTE)] * 2, "total": 7, "next": "next"}
