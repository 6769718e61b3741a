"""Format notes and hits as lines for a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.notes.values import Note
    from bethink.recall.values import Hit

SHORT = 100  #: characters of a note in a list


def note_lines(notes: Iterable[Note], nothing: str) -> str:
    """Format notes as shortened lines; return `nothing` if there are none."""
    return "\n".join(f"- {name_of(note)}: {one_line(note.text)[:SHORT]}" for note in notes) or nothing


def hit_lines(hits: Iterable[Hit], nothing: str) -> str:
    """Format hits as lines with scores; return `nothing` if there are none."""
    return (
        "\n".join(
            f"- [{hit.score:.2f}] {name_of(hit.note)}: {one_line(hit.text)}"
            for hit in hits
            if hit.note is not None
        )
        or nothing
    )


def waiting_remark(note: Note, name: str) -> str | None:
    """Return what is said of a note that is not used yet; None of one that is."""
    if note.status == "active":
        return None
    if note.status == "pending":
        return f"Kept '{name}', which the user did not say: it is used once the user says it or somebody approves it."
    return f"Kept '{name}' for review: it is not used until somebody approves it."


def name_of(note: Note) -> str:
    """Return the name by which a tool refers to a note: its key, else its id."""
    return note.key or note.id


def one_line(text: str) -> str:
    """Return a text without line breaks, so that it cannot pass for another entry."""
    return " ".join(text.split())
