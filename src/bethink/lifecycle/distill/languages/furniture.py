"""The furniture that every language brings: regular expressions and words, no behaviour.

Patterns are read without regard to case, on text whose contractions are opened (`I'm` is seen as `I am`).
An empty pattern is one that the language does not need.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.lifecycle.values import NoteKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrasebook:
    """How one language says what is, and what is not, worth keeping."""

    code: str  #: ISO 639-1
    spaced: bool = True  #: words are separated by spaces
    contractions: tuple[tuple[str, str], ...] = ()  #: opened before the patterns are read
    cuts: tuple[str, ...] = ()  #: between two statements of one sentence; the match itself belongs to neither
    fillers: str  #: said before a statement without adding to it
    openers: str = ""  #: what may follow a filler with no comma between
    polite: str = ""  #: "please", dropped wherever a statement begins
    tails: str  #: said after one without adding to it
    revisions: str  #: fillers that announce a correction
    memory_requests: str  #: "remember that": what follows is to be kept
    memory_requests_after: str = ""  #: the same, where the language puts it last
    negated_memory: str  #: "do not remember this"
    handing_over: str  #: "translate this:": what follows is material, not a statement
    question: str
    vetoes: tuple[tuple[str, str], ...]  #: reason and pattern: never kept, whatever else it says
    finds: tuple[tuple[NoteKind, str], ...]  #: kind and pattern, the first that fits decides
    fragments: str  #: a correction that leans on what was said before
    this_once: str  #: the statement is for now only
    finds_this_once: str  #: worth keeping for now, where `this_once` is said as well
    why: str = ""  #: a sentence that only gives the reason of the one before
    leftovers: tuple[tuple[str, str], ...]  #: reason and pattern: why nothing was found
    until: tuple[str, ...]  #: until when it holds; groups weekday, month, day, count, unit, edge, near, next
    weekdays: Mapping[str, int]  #: Monday is 0
    months: Mapping[str, int]
    numbers: Mapping[str, int] = field(default_factory=dict[str, int])
    units: Mapping[str, int]  #: days in it
    topics: Mapping[str, str]  #: label and pattern
    common: str = ""  #: function words, by which a language in Latin letters is known
