"""Decide what a user's "forget that …" means: one clear match is forgotten, none or several are named.

The words of the request are compared with the words of each note that stands. A note is meant where it carries most of
them, and no other note carries as many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.languages.content import carrying, code_of
from bethink.languages.loading import language
from bethink.lifecycle.distill.intents import subject_words
from bethink.lifecycle.values import Retire

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bethink.lifecycle.values import Forget
    from bethink.notes.values import Note

MIN_SHARE = 0.5  #: of the words of a request that a note must carry
_ROOT = 5  #: letters that two forms of one word share at least
_LONGER = 4  #: letters by which one form may be longer


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What a request to forget came to."""

    forget: Forget
    notes: tuple[Note, ...] = ()  #: the notes that are forgotten: one statement, wherever it stands
    remark: str = ""  #: why nothing is forgotten


def meant(forget: Forget, notes: Iterable[Note]) -> Meant:
    """Return the notes that a request means, or why none is forgotten."""
    wanted = carrying(subject_words(forget.text, language(forget.language)), forget.language)
    about = _matters(forget.text, forget.language)
    scored = [
        (score, note)
        for note in notes
        if note.status == "active"
        and _may(forget, note)
        and (score := _score(wanted, about, note)) >= MIN_SHARE
    ]
    if not scored:
        return Meant(
            forget=forget, remark="asked to forget something that no note says: nothing was forgotten"
        )
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


def _score(wanted: frozenset[str], about: frozenset[str], note: Note) -> float:
    if about and about & _matters(note.text, _code(note)):
        return 1.0
    if not wanted:
        return 0.0
    told = _content(note)
    return sum(any(_one_word(word, other) for other in told) for word in wanted) / len(wanted)


def _matters(text: str, code: str) -> frozenset[str]:
    """Return the matters that a text is about: home, job, name, … as the language's file lists them."""
    book = language(code)
    words = book.words(text)
    return frozenset(name for name in book.section("about") if book.phrases("about", name).within(words))


def _content(note: Note) -> frozenset[str]:
    text, code = note.text, _code(note)
    book = language(code)
    own = {word for phrase in book.phrases("people", "self") for word in phrase}
    words = [word for word in book.words(text) if any(char.isalnum() for char in word)]
    return carrying([word for word in words if word not in own], code)


def _code(note: Note) -> str:
    return code_of(note.text, note.metadata.get("language"))


def _one_word(one: str, other: str) -> bool:
    if one == other:
        return True
    return len(one) >= _ROOT and one[:_ROOT] == other[:_ROOT] and abs(len(one) - len(other)) <= _LONGER


def _folded(note: Note) -> str:
    return " ".join(sorted(_content(note)))
