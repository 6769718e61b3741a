"""Distill a session by rules: no model, the same answer every time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bethink.lifecycle.distill.firewall import Firewall, folded
from bethink.lifecycle.distill.horizon import expires_at
from bethink.lifecycle.distill.keywords import keywords
from bethink.lifecycle.distill.language import UNKNOWN, language
from bethink.lifecycle.distill.languages import pattern, phrasebook
from bethink.lifecycle.distill.sentences import sentences
from bethink.lifecycle.distill.signals import signals
from bethink.lifecycle.distill.spoken import voice, words
from bethink.lifecycle.distill.statements import Worthy, judged
from bethink.lifecycle.distill.wording import joined, opened, stripped, worded
from bethink.lifecycle.values import Candidate, Distilled, Dropped

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date

    from bethink.lifecycle.distill.languages.furniture import Phrasebook
    from bethink.notes.values import Note
    from bethink.sessions.values import Item

FEWEST = 2  #: words, or signs of a script without spaces, that make a note
UNSPACED = frozenset({"ja", "zh"})


@dataclass(slots=True)
class _Turn:
    """What one user message gave."""

    source: str
    kept: list[Candidate] = field(default_factory=list[Candidate])
    dropped: list[Dropped] = field(default_factory=list[Dropped])
    negated: bool = False
    stated: bool = False  #: it says something besides "do not remember this"

    def drop(self, reason: str) -> None:
        self.dropped.append(Dropped(reason=reason, sources=(self.source,)))


def _too_short(text: str, code: str) -> bool:
    found = folded(text)
    return len(found.replace(" ", "")) <= FEWEST if code in UNSPACED else len(found.split()) < FEWEST


def _candidate(worthy: Worthy, book: Phrasebook, item: Item, today: date | None) -> Candidate:
    text = worded(worthy.seen, book, once=worthy.once)
    said = item.at.date() if item.at is not None and today is not None else today
    return Candidate(
        text=text,
        kind=worthy.kind,
        keywords=keywords(text, worthy.spoken, worthy.kind, book),
        durable=worthy.durable,
        language=book.code,
        source="user",
        sources=(item.id,),
        confidence=worthy.confidence,
        expires_at=None if worthy.durable else expires_at(worthy.spoken, book, said),
    )


def _explained(turn: _Turn, sentence: str, book: Phrasebook) -> bool:
    """Add a sentence to the statement before it, where it only says why that holds for now."""
    if not turn.kept or turn.kept[-1].durable or turn.kept[-1].language != book.code:
        return False
    reason = stripped(sentence, book)
    if not pattern(book.why).search(opened(reason.text, book)):
        return False
    turn.kept[-1] = replace(turn.kept[-1], text=joined(turn.kept[-1].text, reason, book))
    return True


def _read(item: Item, text: str, fallback: str, wall: Firewall, today: date | None) -> _Turn:
    """Return what one user message states."""
    turn = _Turn(item.id)
    code = language(text, fallback)
    if code == UNKNOWN:
        turn.drop("language")
        return turn
    book = phrasebook(code)
    for sentence in sentences(text, book):
        if sentence.reason is not None:
            turn.drop(sentence.reason)
        elif reason := wall.reason(sentence.text):
            turn.drop(reason)
        elif pattern(book.negated_memory).search(opened(sentence.text, book)):
            turn.negated = True
            turn.drop("negated_memory")
        elif not _explained(turn, sentence.text, book):
            turn.stated = True
            worthy = judged(sentence.text, book)
            if isinstance(worthy, str):
                turn.drop(worthy)
                continue
            candidate = _candidate(worthy, book, item, today)
            if _too_short(candidate.text, code):
                turn.drop("too_short")
            else:
                turn.kept.append(candidate)
    return turn


def _retracted(turns: list[_Turn]) -> None:
    """Drop what the user does not want remembered: the turn that says so, or the one before where it says no more."""
    for index, turn in enumerate(turns):
        if not turn.negated:
            continue
        meant = turn if turn.stated or index == 0 else turns[index - 1]
        for _ in meant.kept:
            meant.drop("negated_memory")
        meant.kept.clear()


class RulesDistiller:
    """Finds what a user states of themselves, by the rules of six languages."""

    def distill(
        self,
        items: Sequence[Item],
        *,
        known: Sequence[Note] = (),
        injected: Collection[str] = (),
        today: date | None = None,
    ) -> Distilled:
        """Return the statements worth keeping, and why the others were not.

        `injected` holds lines that Bethink put into the context, or their fingerprints; `today` is the day
        that "until Friday" is counted from where an item has no time of its own.
        """
        wall = Firewall(known, injected)
        dropped: list[Dropped] = []
        turns: list[_Turn] = []
        spoken = [(item, words(item.body)) for item in items if voice(item.body) == "user"]
        fallback = language("\n".join(text for _, text in spoken))
        for item, text in spoken:
            turns.append(_read(item, text, fallback, wall, today))
        _retracted(turns)
        for item in items:
            who = voice(item.body)
            if who in ("assistant", "system", "tool"):
                dropped.append(Dropped(reason=who, sources=(item.id,)))
        for turn in turns:
            dropped += turn.dropped
        candidates = [candidate for turn in turns for candidate in turn.kept]
        kept: dict[str, Candidate] = {}
        for candidate in [*candidates, *signals(items)]:
            fold = folded(candidate.text)
            reason = "duplicate" if fold in kept else wall.reason(candidate.text)
            if candidate.source == "tool" and wall.knows_word(candidate.text.rstrip(".").split()[-1]):
                reason = "known"  # the choice may be memory's own
            if reason is None:
                kept[fold] = candidate
            else:
                dropped.append(Dropped(reason=reason, sources=candidate.sources))
        return Distilled(kept=tuple(kept.values()), dropped=tuple(dropped))
