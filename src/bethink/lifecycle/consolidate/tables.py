"""The words of every language by which notes are compared, stemmed, in one.

A note is short, and its language is not always known: all languages share one table of each kind. A word that means
something else in another of them is left out of its file, or stands only in a longer phrase.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from bethink.languages.loading import CODES, language
from bethink.lifecycle.consolidate.words import phrases

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """Something of which a person has one value at a time."""

    name: str
    values: dict[str, tuple[tuple[str, ...], ...]]  #: a value, and the phrases that mean it
    cues: tuple[tuple[str, ...], ...]  #: words that must be near, or among the keywords
    sure: frozenset[str]  #: phrases among the values that need no cue
    lone: bool  #: no value needs one
    told_only: bool  #: two values exclude each other only where nothing else is said beside them
    firm: bool  #: to like one value does not exclude another; to prefer it, or to be it, does


_LONE: Final = frozenset({"diet", "smoking", "transport", "airline", "hotel", "drink"})
_TOLD_ONLY: Final = frozenset({
    "seat row", "cabin", "diet", "baggage", "indentation", "transport", "airline", "hotel", "drink", "status", "hour",
})  # fmt: skip
_FIRM: Final = frozenset({"diet", "bed", "transport", "airline", "hotel", "drink", "payment", "hour"})


@cache
def table(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the phrases of a table in every language, each as its stems."""
    found = (phrase for code in CODES for phrase in phrases(language(code).word("compare", name)))
    return tuple(dict.fromkeys(found))


@cache
def joined(name: str) -> frozenset[str]:
    """Return the phrases of a table, each as its stems with spaces between."""
    return frozenset(" ".join(phrase) for phrase in table(name))


@cache
def contrasts() -> tuple[frozenset[str], ...]:
    """Return groups of words of which two in one place make two different statements."""
    groups = (group for code in CODES for group in language(code).word("compare", "contrasts").split(";"))
    return tuple(frozenset(word for phrase in phrases(group) for word in phrase) for group in groups)


@cache
def attributes() -> tuple[Attribute, ...]:
    """Return the attributes that are known by their values."""
    found: dict[str, dict[str, str]] = {}
    for code in CODES:
        for name, values in language(code).section("values").items():
            known = found.setdefault(name, {})
            for value, wordings in values.items():
                known[value] = f"{known[value]}, {wordings}" if value in known else wordings
    return tuple(_attribute(name, known) for name, known in found.items())


def _attribute(name: str, known: dict[str, str]) -> Attribute:
    return Attribute(
        name=name,
        values={
            value: tuple(phrases(wordings))
            for value, wordings in known.items()
            if value not in {"cues", "sure"}
        },
        cues=tuple(phrases(known.get("cues", ""))),
        sure=frozenset(" ".join(phrase) for phrase in phrases(known.get("sure", ""))),
        lone=name in _LONE,
        told_only=name in _TOLD_ONLY,
        firm=name in _FIRM,
    )


def hinting() -> Iterator[tuple[str, str]]:
    """Yield each stem that hints at an attribute, with the attribute's name."""
    for known in attributes():
        for wordings in known.values.values():
            yield from ((max(phrase, key=len), known.name) for phrase in wordings)
