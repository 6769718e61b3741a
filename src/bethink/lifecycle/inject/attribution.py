"""Attribute each note to its author: "I" is the user only where the user said it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.lifecycle.inject.escape import escape_line, label, quote

if TYPE_CHECKING:
    from bethink.notes.values import Note

USER = "User"  #: the subject of notes that name none


def attributed_text(note: Note, user: str | None) -> str:
    """Return the text of a note, escaped, with the name of who said it where that is not the scope's user."""
    text = escape_line(note.text)
    if not text:
        return ""
    if note.speaker and note.speaker != user:
        return f"{label(note.speaker)}: {text}"
    return f"{USER} {text[:1].lower()}{text[1:]}" if _lacks_subject(note) else text


def context_text(note: Note) -> str:
    """Return what the open words of a note point to, as it stands behind its day; empty where nothing is open."""
    return f", on {quote(note.context)}" if note.context else ""


def _lacks_subject(note: Note) -> bool:
    """Tell whether a note that was drawn from a conversation begins with a verb of the third person.

    Distillation worded notes so in its first release: "Is vegetarian.", "Lives in Oslo."
    """
    if not note.sources or note.source != "user" or not note.text.isascii():
        return False
    from bethink.languages.loading import language

    language_data = language("en")
    words = language_data.words(note.text)
    return (
        bool(words)
        and words[0].endswith("s")
        and bool(language_data.phrases("clauses", "finite").at(words, 0))
    )
