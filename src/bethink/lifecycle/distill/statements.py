"""Judge one sentence: is it a statement worth keeping, of what kind, or why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.lifecycle.distill.horizon import limited
from bethink.lifecycle.distill.languages import pattern
from bethink.lifecycle.distill.sentences import LONGEST, quotes_at_length
from bethink.lifecycle.distill.wording import Stripped, opened, stripped

if TYPE_CHECKING:
    from bethink.lifecycle.distill.languages.furniture import Phrasebook
    from bethink.lifecycle.values import NoteKind

EXPLICIT = 0.95  #: the user asked for it to be remembered
STATED = 0.8
FOR_NOW = 0.7
FRAGMENT = 0.6  #: a correction that is only understood with what was said before


@dataclass(frozen=True, slots=True, kw_only=True)
class Worthy:
    """A sentence that is worth keeping."""

    seen: Stripped
    spoken: str  #: as the patterns read it
    kind: NoteKind
    durable: bool
    once: bool  #: it names its scope: this trip, tonight
    confidence: float


def _first(rules: tuple[tuple[str, str], ...], spoken: str) -> str | None:
    return next((name for name, expression in rules if pattern(expression).search(spoken)), None)


def _unvoiced(sentence: str, seen: Stripped, spoken: str, book: Phrasebook) -> str | None:
    """Return why a sentence states nothing of its author, whatever it says."""
    asked = spoken if seen.explicit else sentence.strip() if seen.text.endswith(("?", "？")) else seen.text
    if pattern(book.question).search(asked) or pattern(book.question).search(spoken):
        return "question"
    veto = _first(book.vetoes, spoken)
    return None if seen.explicit and veto in ("third_party", "ephemeral") else veto


def judged(sentence: str, book: Phrasebook) -> Worthy | str:
    """Return what makes a sentence worth keeping, or the reason why it is not."""
    if len(sentence) > LONGEST:
        return "too_long"
    seen = stripped(sentence, book)
    spoken = opened(seen.text.rstrip("?？") if seen.explicit else seen.text, book)
    if quotes_at_length(sentence):
        return "quoted"
    if reason := _unvoiced(sentence, seen, spoken, book):
        return reason
    once = bool(pattern(book.this_once).search(spoken))
    durable = not once and not limited(spoken, book)
    kind: NoteKind | None = next(
        (kind for kind, expression in book.finds if pattern(expression).search(spoken)), None
    )
    confidence = STATED if durable else FOR_NOW
    if kind is None and not durable and pattern(book.finds_this_once).search(spoken):
        kind = "preference" if once else "fact"
    if seen.revised or kind is None:
        fragment = pattern(book.fragments).search(spoken)
        if fragment and (seen.revised or kind is None):
            kind, durable, confidence = "correction", False, FRAGMENT
        elif seen.revised and kind in ("fact", "preference", "constraint"):
            kind = "correction"
    if seen.explicit:
        kind, confidence = kind or "fact", EXPLICIT
        durable = durable and _first(book.vetoes, spoken) != "ephemeral"
    if kind is None:
        return (
            _first(book.leftovers, spoken) or _first(book.leftovers, opened(sentence, book)) or "unrecognised"
        )
    return Worthy(seen=seen, spoken=spoken, kind=kind, durable=durable, once=once, confidence=confidence)
