"""Verify that a model's note is supported by the user's own sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.languages.detection import detect, function_words
from bethink.languages.loading import CODES, language
from bethink.languages.tokenizer import fold, tokens
from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.check import check
from bethink.lifecycle.consolidate.words import canonical, stems
from bethink.lifecycle.distill.firewall import folded
from bethink.lifecycle.values import Add, Proposal
from bethink.notes.values import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

MAX_KEYWORDS = 3
_LONGEST_KEYWORD = 24
_NOT_WORDED = "it is not worded as its source is"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage:
    """A user's message, reduced to the sentences that are the user's own words."""

    item: str  #: its id
    sentences: tuple[str, ...]
    code: str  #: its language
    at: datetime | None = None


def unsupported_part(text: str, cited: Sequence[UserMessage], *, now: datetime) -> str | None:
    """Return what a note says that its messages do not, or None.

    A note may word a sentence anew, and each clause of it has to be found in one sentence with its words, numbers,
    subject and denials. A note in a language that has no file has to be one of the sentences.
    """
    sentences = [(each, message.code) for message in cited for each in message.sentences]
    if any(folded(text) == folded(each) for each, _ in sentences):
        return None
    known = [(each, code) for each, code in sentences if _known(each, code)]
    if not known:
        return _NOT_WORDED
    notes = [
        Note(id=str(place), text=sentence, created_at=now, updated_at=now)
        for place, (sentence, _) in enumerate(known)
    ]
    made = Add(text=text, sources=tuple(each.id for each in notes), reason="")
    refusals = check(Proposal(changes=(made,)), notes)
    english = any(code == "en" for _, code in known)
    return (refusals[0].reason if english else _NOT_WORDED) if refusals else None


def is_covered(text: str, notes: Iterable[str]) -> bool:
    """Tell whether notes together say all that a text says, and deny what it denies; when it was is left out."""
    known = tuple(notes)
    statement, others = read(canonical(text)), [read(canonical(each)) for each in known]
    if not statement.core:
        return any(folded(text) == folded(each) for each in known)
    facts = {fact for each in others for fact in each.facts}
    if statement.whole and facts.issuperset(statement.facts):
        return True
    return set(statement.core) <= {pair for each in others for pair in each.content}


def trusted_keywords(words: Iterable[str], cited: Sequence[UserMessage]) -> tuple[str, ...]:
    """Return the keywords that are known topics, or words of the messages: a label invents nothing either."""
    known_stems = {stem for message in cited for sentence in message.sentences for stem in stems(sentence)}
    known = {topic for message in cited for topic in language(message.code).section("topics")}
    plain = [" ".join(word.casefold().split()) for word in words]
    kept = [
        word
        for word in dict.fromkeys(plain)
        if 0 < len(word) <= _LONGEST_KEYWORD
        and not any(char.isdigit() or char in "@/\\<>" for char in word)
        and (word in known or (stems(word) and set(stems(word)) <= known_stems))
    ]
    return tuple(kept[:MAX_KEYWORDS])


def language_of(text: str, fallback: str) -> str:
    """Return the language whose rules read a text; English where none of them is its own."""
    code = detect(text, fallback)
    return code if code in CODES else "en"


def _known(sentence: str, code: str) -> bool:
    """Tell whether a sentence is of a language that has a file; English is also what every other is taken for."""
    words = {fold(token.word) for token in tokens(sentence)}
    return code != "en" or not words.isdisjoint(function_words("en"))
