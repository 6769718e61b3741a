"""Resolve a user's "forget that …": forget the one note that clearly matches, or list the candidates.

Each note that stands is scored: by the words of the request that it carries, and by what both speak of. The best is
meant where it is good enough, and better than any other by a margin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.languages.content_words import carrying, code_of
from bethink.languages.detection import function_words
from bethink.languages.loading import language
from bethink.lifecycle.consolidate.endings import one_word, telling
from bethink.lifecycle.distill.intents import subject_words
from bethink.lifecycle.values import Retire

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bethink.lifecycle.values import Forget
    from bethink.notes.values import Note

LEAST = 0.45  #: how far a note must say what is asked for
MARGIN = 0.1  #: by which it must say it more than any other note
WORDS, MATTERS, SIGNS = 1.0, 0.75, 0.9  #: what each kind of evidence counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """What a request to forget came to."""

    forget: Forget
    notes: tuple[Note, ...] = ()  #: the notes that are forgotten: one statement, wherever it stands
    remark: str = ""  #: why nothing is forgotten


def matching_notes(forget: Forget, notes: Iterable[Note]) -> Matched:
    """Return the notes that a request means, or why none is forgotten."""
    asked = _Request(forget)
    may = [note for note in notes if note.status == "active" and _may(forget, note)]
    scored = [(score, note) for note in may if (score := asked.score(note)) >= LEAST]
    if not scored:
        return Matched(
            forget=forget, remark="asked to forget something that no note says; nothing was forgotten"
        )
    best = max(score for score, _ in scored)
    found = [note for score, note in scored if score > best - MARGIN]
    if len({_folded(note) for note in found}) > 1:
        return Matched(
            forget=forget,
            remark=f"asked to forget something that {len(found)} notes say: nothing was forgotten, "
            "forget(id) names one",
        )
    return Matched(forget=forget, notes=tuple(found))


def retirements(found: Sequence[Matched], notes: Mapping[str, Note]) -> list[Retire]:
    """Return the changes that forget what was meant, with the items that it was drawn from.

    A note that is asked for twice ("forget my ex's name, forget it please") is forgotten once.
    """
    items: dict[str, set[str]] = {}
    for each in found:
        for note in each.notes:
            items.setdefault(note.id, items_of(note, notes)).update(each.forget.sources)
    return [
        Retire(
            note=note,
            outcome="forgotten",
            reason="the user asked to forget it",
            items=tuple(sorted(drawn)),
        )
        for note, drawn in items.items()
    ]


def items_of(note: Note, notes: Mapping[str, Note]) -> set[str]:
    """Return the ids of the items that a note was drawn from, by way of other notes too."""
    items: set[str] = set()
    seen: set[str] = set()
    waiting = [*note.sources]
    while waiting:
        word = waiting.pop()
        if word in seen:
            continue
        seen.add(word)
        if word in notes:
            waiting += notes[word].sources
        elif word.startswith("i"):
            items.add(word)
    return items


def _may(forget: Forget, note: Note) -> bool:
    """Tell whether who asks may speak for a note: what another speaker said is not theirs to forget."""
    return forget.speaker is None or note.speaker is None or forget.speaker == note.speaker


class _Request:
    """What a request asks to be forgotten, and how far a note says it."""

    def __init__(self, forget: Forget) -> None:
        words = subject_words(forget.text, language(forget.language))
        language_data = language(forget.language)
        self.wanted = telling(words, language_data) or carrying(words, forget.language)
        self.matters = _matters(forget.text, forget.language)
        self.signs = _signs("".join(words))

    def score(self, note: Note) -> float:
        """Return how far a note says what is asked for: by words, by what both speak of, by signs of a script."""
        content, about = _content(note), _matters(note.text, _code(note))
        same = sum(any(one_word(word, other) for other in content) for word in self.wanted)
        words = same / max(1, len(self.wanted))
        matters = len(self.matters & about) / max(1, min(len(self.matters), len(about)))
        signs = len(self.signs & _signs(note.text)) / max(1, len(self.signs))
        return max(WORDS * words, SIGNS * signs) + MATTERS * matters


def _signs(text: str) -> frozenset[str]:
    return frozenset(
        sign for sign in text if "\u4e00" <= sign <= "\u9fff" and sign not in function_words("zh")
    )


def _matters(text: str, code: str) -> frozenset[str]:
    """Return what a text is about, as the language's file lists it: such as home, job, name."""
    language_data = language(code)
    words = language_data.words(text)
    return frozenset(
        name
        for section in ("about", "spoken_of", "topics")
        for name in language_data.section(section)
        if language_data.phrases(section, name).within(words)
    )


def _content(note: Note) -> frozenset[str]:
    text, code = note.text, _code(note)
    language_data = language(code)
    own = {word for phrase in language_data.phrases("people", "self") for word in phrase}
    words = [word for word in language_data.words(text) if any(char.isalnum() for char in word)]
    return carrying([word for word in words if word not in own], code)


def _code(note: Note) -> str:
    return code_of(note.text, note.metadata.get("language"))


def _folded(note: Note) -> str:
    return " ".join(sorted(_content(note)))
