"""What the book of a language holds: how it tells everyday facts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True)
class Form:
    """One way to tell a fact: an expression that a whole clause must fit.

    Its groups: `v` the value, `n` a number, `k` the kind in a slot such as "count", `o` an employer beside a job,
    `not` where the wording itself denies, `tail` what else may follow.
    """

    slot: str
    expression: str
    anchors: frozenset[str]  #: words without one of which the form cannot fit
    beside: frozenset[str] = frozenset()  #: words of which one must be there too, where there are any
    value: str = ""  #: the value, where the form itself is one
    denies: bool = False

    def fits(self, present: frozenset[str]) -> bool:
        """Tell whether a note with these words is worth trying."""
        return not self.anchors.isdisjoint(present) and not (self.beside and self.beside.isdisjoint(present))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return the expression, which few processes need of every form."""
        return re.compile(self.expression)


@dataclass(frozen=True, kw_only=True)
class Book:
    """One language; every expression reads folded words with one space between them."""

    forms: tuple[Form, ...]
    joints: str  #: where a clause ends
    passing: str  #: words that say when or how surely, and are left out
    denying: str  #: words that deny
    people: Mapping[str, str]  #: others, each with the word they are compared by
    speaker: str  #: what stands for the user at the start of a clause
    possessive: str  #: what may stand before a thing or a person of the user
    dressing: str = ""  #: clauses that add nothing to a fact beside them
    depending: str = ""  #: how a clause begins that belongs to the one before it
    conditions: str = ""  #: how a tail begins that says when something holds
    kinds: Mapping[str, str] = field(default_factory=dict[str, str])  #: what counts as one kind
    leads: Mapping[str, str] = field(default_factory=dict[str, str])  #: words by which notes find each other
    unspaced: bool = False

    @cached_property
    def leading(self) -> dict[str, set[str]]:
        """Return each leading word with the slots that it leads to."""
        found: dict[str, set[str]] = {}
        for slot, table in self.leads.items():
            for word in words(table):
                found.setdefault(word, set()).add(slot)
        return found

    @cached_property
    def anchors(self) -> frozenset[str]:
        """Return every word without which the book has nothing to say."""
        return frozenset().union(*(form.anchors for form in self.forms))


def words(table: str) -> tuple[str, ...]:
    """Return the words of a table that is parted by commas."""
    return tuple(each.strip() for each in table.replace("\n", " ").split(",") if each.strip())


def either(table: str) -> str:
    """Return an expression for any phrase of a table, the longest first."""
    return "|".join(sorted(words(table), key=len, reverse=True))


def own(table: str) -> dict[str, str]:
    """Return each word of a table as what it is compared by itself."""
    return {word: word for word in words(table)}


def lasts(table: str) -> str:
    """Return the last word of each phrase of a table, as a table."""
    return ", ".join(each.split(" ")[-1] for each in words(table))


def form(
    slot: str, expression: str, anchors: str, beside: str = "", *, value: str = "", denies: bool = False
) -> Form:
    """Return a form whose anchors are given as tables."""
    return Form(
        slot=slot,
        expression=expression,
        anchors=frozenset(words(anchors)),
        beside=frozenset(words(beside)),
        value=value,
        denies=denies,
    )


def signs(slot: str, expression: str, anchors: str, *, value: str = "", denies: bool = False) -> Form:
    """Return a form of a script without spaces, whose anchors are single signs."""
    return Form(slot=slot, expression=expression, anchors=frozenset(anchors), value=value, denies=denies)
