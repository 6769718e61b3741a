"""Decide what a user's "forget that …" means: one clear match is forgotten, none or several are named.

The words of the request are compared with the words of each note that stands. A note is meant where it carries most of
them, and no other note carries as many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.languages.content import carrying, code_of
from bethink.languages.detection import function_words
from bethink.languages.loading import language
from bethink.lifecycle.consolidate.endings import one_word
from bethink.lifecycle.distill.intents import subject_words
from bethink.lifecycle.values import Retire

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bethink.lifecycle.values import Forget
    from bethink.notes.values import Note

MIN_SHARE = 0.5  #: of the words of a request that a note must carry


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What a request to forget came to."""

    forget: Forget
    notes: tuple[Note, ...] = ()  #: the notes that are forgotten: one statement, wherever it stands
    remark: str = ""  #: why nothing is forgotten


def meant(forget: Forget, notes: Iterable[Note]) -> Meant:
    """Return the notes that a request means, or why none is forgotten.

    Words are compared first; where no note has them, what the request and the notes speak of.
    """
    asked = _Asked(forget)
    may = [note for note in notes if note.status == "active" and _may(forget, note)]
    for score in (asked.by_words, asked.by_matters, asked.by_signs):
        scored = [(told, note) for note in may if (told := score(note)) >= MIN_SHARE]
        if scored:
            return _best(forget, scored)
    return Meant(forget=forget, remark="asked to forget something that no note says; nothing was forgotten")


def _best(forget: Forget, scored: Sequence[tuple[float, Note]]) -> Meant:
    best = max(score for score, _ in scored)
    found = [note for score, note in scored if score == best]
    if len({_folded(note) for note in found}) > 1:
        return Meant(
            forget=forget,
            remark=f"asked to forget something that {len(found)} notes say: nothing was forgotten, "
            "forget(id) names one",
        )
    return Meant(forget=forget, notes=tuple(found))


def retirements(found: Sequence[Meant], notes: Mapping[str, Note]) -> list[Retire]:
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


class _Asked:
    """What a request asks to be forgotten, and how far a note says it."""

    def __init__(self, forget: Forget) -> None:
        words = subject_words(forget.text, language(forget.language))
        self.wanted = carrying(words, forget.language)
        self.about = _listed(("about",), forget.text, forget.language)
        self.matters = _listed(("about", "spoken_of", "topics"), forget.text, forget.language)
        self.signs = _signs("".join(words))

    def by_words(self, note: Note) -> float:
        """Return the share of the words of the request that a note carries; 1 where both are about one matter."""
        if self.about & _listed(("about",), note.text, _code(note)):
            return 1.0
        told = _content(note)
        same = sum(any(one_word(word, other) for other in told) for word in self.wanted)
        return same / max(1, len(self.wanted))

    def by_matters(self, note: Note) -> float:
        """Return the share of the matters of the request that a note speaks of."""
        told = _listed(("about", "spoken_of", "topics"), note.text, _code(note))
        return len(self.matters & told) / max(1, len(self.matters))

    def by_signs(self, note: Note) -> float:
        """Return the share of the signs of the request that a note has, in a script without spaces."""
        return len(self.signs & _signs(note.text)) / max(1, len(self.signs))


def _signs(text: str) -> frozenset[str]:
    return frozenset(
        sign for sign in text if "\u4e00" <= sign <= "\u9fff" and sign not in function_words("zh")
    )


def _listed(sections: Iterable[str], text: str, code: str) -> frozenset[str]:
    """Return the matters that a text is about, as the language's file lists them: such as home, job, name."""
    book = language(code)
    words = book.words(text)
    return frozenset(
        name
        for section in sections
        for name in book.section(section)
        if book.phrases(section, name).within(words)
    )


def _content(note: Note) -> frozenset[str]:
    text, code = note.text, _code(note)
    book = language(code)
    own = {word for phrase in book.phrases("people", "self") for word in phrase}
    words = [word for word in book.words(text) if any(char.isalnum() for char in word)]
    return carrying([word for word in words if word not in own], code)


def _code(note: Note) -> str:
    return code_of(note.text, note.metadata.get("language"))


def _folded(note: Note) -> str:
    return " ".join(sorted(_content(note)))
