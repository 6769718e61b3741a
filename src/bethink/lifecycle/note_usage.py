"""Detect that an answer used a daily note, which extends its retention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.languages.content_words import code_of, content_words
from bethink.languages.loading import language
from bethink.lifecycle.distill.spoken import voice, words
from bethink.lifecycle.values import Revise
from bethink.notes.values import DAILY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bethink.notes.values import Note
    from bethink.sessions.values import Item

MIN_WORDS = 2  #: words of a note that an answer must have
MIN_SHARE = 0.6  #: of the words of a note that carry something


def renewals(notes: Iterable[Note], items: Sequence[Item]) -> list[Revise]:
    """Return the changes that renew daily notes which answers carried, to the instant of the newest such answer."""
    daily = [note for note in notes if note.category == DAILY and note.sources]
    if not daily:
        return []
    answers = [(item, _carrying(words(item.body))) for item in items if voice(item.body) == "assistant"]
    changes: list[Revise] = []
    for note in daily:
        wanted = _carrying(note.text)
        times = [
            item.at
            for item, words in answers
            if item.at is not None
            and len(wanted & words) >= MIN_WORDS
            and len(wanted & words) >= MIN_SHARE * len(wanted)
        ]
        newest = max(times, default=None)
        if newest is not None and newest > (note.valid_from or note.updated_at):
            changes.append(
                Revise(
                    note=note.id,
                    text=note.text,
                    keywords=note.keywords,
                    sources=note.sources,
                    valid_from=newest,
                    reason="used in an answer",
                )
            )
    return changes


def _carrying(text: str) -> frozenset[str]:
    code = code_of(text)
    return content_words(language(code).words(text), code)
