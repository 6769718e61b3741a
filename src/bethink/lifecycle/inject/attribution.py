"""Attribute each note to its author: "I" is the user only where the user said it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.lifecycle.inject.escape import escape_line, label, quote
from bethink.lifecycle.text_caches import remembers

if TYPE_CHECKING:
    from bethink.notes.values import Note

USER = "User"  #: the subject of notes that name none


def attributed_text(note: Note, user: str | None) -> str:
    """Return the text of a note, escaped, with the name of who said it where that is not the scope's user."""
    speaker = note.speaker if note.speaker != user else None
    return _attributed(note.text, speaker or None, drawn=bool(note.sources) and note.source == "user")


def context_text(note: Note) -> str:
    """Return what the open words of a note point to, as it stands behind its day; empty where nothing is open."""
    return f", on {quote(note.context)}" if note.context else ""


@remembers(1 << 12)
def _attributed(text: str, speaker: str | None, *, drawn: bool) -> str:
    """Return a text, escaped, with the name of who said it; it may have been `drawn` from what the user said."""
    shown = escape_line(text)
    if not shown:
        return ""
    if speaker is not None:
        return f"{label(speaker)}: {shown}"
    return f"{USER} {shown[:1].lower()}{shown[1:]}" if drawn and _lacks_subject(text) else shown


def _lacks_subject(text: str) -> bool:
    """Tell whether a note that was drawn from a conversation begins with a verb of the third person.

    Distillation worded notes so in its first release: "Is vegetarian.", "Lives in Oslo."
    """
    if not text.isascii():
        return False
    from bethink.languages.loading import language

    language_data = language("en")
    words = language_data.words(text)
    return (
        bool(words)
        and words[0].endswith("s")
        and bool(language_data.phrases("clauses", "finite").at(words, 0))
    )
