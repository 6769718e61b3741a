"""Tell whether a user's own sentences say what a model made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.canonical import canonical
from bethink.lifecycle.consolidate.check import check
from bethink.lifecycle.consolidate.words import stems
from bethink.lifecycle.distill.firewall import folded
from bethink.lifecycle.distill.language import UNKNOWN, language
from bethink.lifecycle.distill.languages import MODULES, common, phrasebook
from bethink.lifecycle.distill.third_person import third_person
from bethink.lifecycle.values import Add, Proposal
from bethink.notes.values import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

MOST_KEYWORDS = 3
_LONGEST_KEYWORD = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A user's message as a model reads it: the sentences of its own voice."""

    item: str  #: its id
    sentences: tuple[str, ...]
    code: str  #: its language
    at: datetime | None = None


def unsupported(text: str, cited: Sequence[Said], *, now: datetime) -> str | None:
    """Return what a note says that its messages do not, or None.

    An English note may word a sentence anew, and each clause of it has to be found in one sentence with its words,
    numbers, subject and denials. A note in any other language has to be one of the sentences.
    """
    sentences = [each for message in cited for each in message.sentences]
    if any(folded(text) == folded(each) for each in sentences):
        return None
    english = [each for each in sentences if _english(each)]
    if not english:
        return "it is not worded as its source is"
    notes = [
        Note(id=f"{place}{form}", text=wording, created_at=now, updated_at=now)
        for place, sentence in enumerate(english)
        for form, wording in (("a", sentence), ("b", third_person(sentence)))
    ]
    made = Add(text=text, sources=tuple(each.id for each in notes), reason="")
    refusals = check(Proposal(changes=(made,)), notes)
    return refusals[0].reason if refusals else None


def covered(text: str, notes: Iterable[str]) -> bool:
    """Tell whether notes together say every word of a text that carries something, and deny what it denies."""
    told = tuple(notes)
    core = set(read(canonical(text), ()).core)
    if not core:
        return any(folded(text) == folded(each) for each in told)
    return core <= {pair for each in told for pair in read(canonical(each), ()).content}


def trusted_keywords(words: Iterable[str], cited: Sequence[Said]) -> tuple[str, ...]:
    """Return the keywords that are known topics, or words of the messages: a label invents nothing either."""
    spoken = {stem for message in cited for sentence in message.sentences for stem in stems(sentence)}
    known = {topic for message in cited for topic in phrasebook(message.code).topics}
    plain = [" ".join(word.casefold().split()) for word in words]
    kept = [
        word
        for word in dict.fromkeys(plain)
        if 0 < len(word) <= _LONGEST_KEYWORD
        and not any(char.isdigit() or char in "@/\\<>" for char in word)
        and (word in known or (stems(word) and set(stems(word)) <= spoken))
    ]
    return tuple(kept[:MOST_KEYWORDS])


def language_of(text: str, fallback: str) -> str:
    """Return the language whose rules read a text; English where none of them is its own."""
    code = language(text, fallback)
    return code if code in MODULES and code != UNKNOWN else "en"


def _english(sentence: str) -> bool:
    return language(sentence) == "en" and any(
        word.strip(".,;:!?'’\"()").casefold() in common("en") for word in sentence.replace("’", "'").split()
    )
