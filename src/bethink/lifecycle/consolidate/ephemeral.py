"""Recognise wording that holds for one session only: this time, this trip, today."""

from __future__ import annotations

from functools import cache

from bethink.languages.loading import CODES, language
from bethink.languages.phrases import Phrases, phrase_list
from bethink.lifecycle.consolidate.words import words


@cache
def _phrases(name: str) -> Phrases:
    """Return the words for once, for what lasts, or for a change of state, in every language."""
    tables = (language(code).word(section, name) for code in CODES for section in ("compare", "time"))
    return Phrases(tuple(words(each)) for table in tables for each in phrase_list(table))


def ephemeral(text: str) -> str | None:
    """Return the words that make a note hold for once, or None where it may last."""
    spoken = words(text)
    found = _phrases("once").find(spoken)
    if found is None or _phrases("lasting").within(spoken) or _phrases("changing").within(spoken):
        return None
    return " ".join(spoken[slice(*found)])
