"""Resolve a user's "forget that …": forget the one note that clearly matches, or list the candidates.

Each note that stands is scored by what `forget_matching` sees of it in the request. The best is meant where it is good
enough, and better than any other by a margin; where the request does not name the memory ("delete my address"), it has
to be better still.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.forget_matching import Request, content, note_code
from bethink.lifecycle.values import Retire

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bethink.lifecycle.values import Forget
    from bethink.notes.values import Note

LEAST: Final = 0.5  #: how far a note must say what is asked for
LEAST_UNNAMED: Final = 0.7  #: the same, where the request does not say that the memory is meant
MARGIN: Final = 0.12  #: by which it must say it more than any other note
SURE: Final = 0.7  #: what a note says so far that no part of the message farther off is looked at
FARTHER: Final = 0.08  #: what each part between takes from it
NOTHING: Final = "asked to forget something that no note says; nothing was forgotten"


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """What a request to forget came to."""

    forget: Forget
    notes: tuple[Note, ...] = ()  #: the notes that are forgotten: one statement, wherever it stands
    remark: str = ""  #: why nothing is forgotten; empty where it may not have been asked of the memory


def matching_notes(forget: Forget, notes: Iterable[Note]) -> Matched:
    """Return the notes that a request means, or why none is forgotten.

    What it is about may stand beside its verb, or in another part of its message: the nearest part that a note surely
    says decides, else the one that a note says best.
    """
    may = [note for note in notes if note.status == "active" and _may(forget, note)]
    best: dict[str, float] = {}
    for place, text in enumerate((forget.text, *forget.beside)):
        request = Request(text, forget.language, may, named=forget.named)
        for note in may:
            score = request.score(note) - FARTHER * place
            best[note.id] = max(best.get(note.id, 0.0), score)
        if max(best.values(), default=0.0) >= SURE:
            break
    least = LEAST if forget.named else LEAST_UNNAMED
    top = max(best.values(), default=0.0)
    if top < least:
        return Matched(forget=forget, remark=NOTHING if forget.named else "")
    found = [note for note in may if best[note.id] >= least and best[note.id] > top - MARGIN]
    if len({_folded(note) for note in found}) > 1:
        return Matched(forget=forget, remark=several(len(found)))
    return Matched(forget=forget, notes=tuple(found))


def several(count: int) -> str:
    """Return what is said where more than one note could be meant."""
    return f"asked to forget something that {count} notes say: nothing was forgotten, forget(id) names one"


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


def _folded(note: Note) -> str:
    return " ".join(sorted(content(note.text, note_code(note))))
