"""Convert a note between row, value and history JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from bethink.errors import StorageError
from bethink.ids import note_id, to_number
from bethink.notes.values import Note, NoteVersion
from bethink.plain import quickly
from bethink.times import to_datetime, to_micros

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.notes.queries import AddNote, NoteRow, VersionRow
    from bethink.scope.transactions import ScopeRow

J = TypeVar("J", list[Any], dict[str, Any])
_PLAIN = (
    "key", "text", "context", "speaker", "category", "session", "status", "outcome", "source", "confidence", "revision",
)  # fmt: skip
_dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_EMPTY = frozenset({"[]", "{}"})
_TIMES = ("created_at", "updated_at", "valid_from", "valid_to", "expires_at")


class ReadNote(NamedTuple):
    """A row that was read once, of which a note is made each time that it is asked for."""

    text: str
    metadata: str
    fields: Mapping[str, Any]  #: all others, as the note has them

    def note(self) -> Note:
        """Return the note; what it holds of metadata is its own."""
        metadata = {} if self.metadata == "{}" else _parsed(self.metadata, dict)
        return quickly(Note)(text=self.text, metadata=metadata, **self.fields)


def from_row(row: NoteRow) -> Note:
    """Return the note of a row.

    Its words stand in a column of their own: where a column of JSON beside them is damaged, that one reads as
    empty, and `bethink doctor` reports it.
    """
    return read_note(row).note()


def read_note(row: NoteRow) -> ReadNote:
    """Return a row as what notes are made of, of which there may be many."""
    created_at, updated_at = row.created_at, row.updated_at
    created = to_datetime(created_at)
    fields: dict[str, Any] = {
        "id": note_id(row.note_id),
        "key": row.key,
        "category": row.category,
        "keywords": () if row.keywords == "[]" else tuple(_parsed(row.keywords, list)),
        "session": row.session,
        "status": row.status,
        "outcome": row.outcome,
        "source": row.source,
        "sources": () if row.sources == "[]" else tuple(_parsed(row.sources, list)),
        "confidence": row.confidence,
        "created_at": created,
        "updated_at": created if updated_at == created_at else to_datetime(updated_at),
        "valid_from": None if row.valid_from is None else to_datetime(row.valid_from),
        "valid_to": None if row.valid_to is None else to_datetime(row.valid_to),
        "expires_at": None if row.expires_at is None else to_datetime(row.expires_at),
        "revision": row.revision,
        "context": row.context,
        "speaker": row.speaker,
    }
    return ReadNote(row.text, row.metadata, fields)


def to_row(note: Note, place: ScopeRow) -> AddNote:
    """Return a note as the parameters of a statement."""
    return {
        "tenant": place.tenant,
        "scope": place.scope,
        "note": number_of(note),
        "key": note.key,
        "text": note.text,
        "category": note.category,
        "keywords": _dump(list(note.keywords)),
        "session": note.session,
        "status": note.status,
        "outcome": note.outcome,
        "source": note.source,
        "sources": _dump(list(note.sources)),
        "confidence": note.confidence,
        "created_at": to_micros(note.created_at, "created_at"),
        "updated_at": to_micros(note.updated_at, "updated_at"),
        "valid_from": None if note.valid_from is None else to_micros(note.valid_from, "valid_from"),
        "valid_to": None if note.valid_to is None else to_micros(note.valid_to, "valid_to"),
        "expires_at": None if note.expires_at is None else to_micros(note.expires_at, "expires_at"),
        "revision": note.revision,
        "metadata": _dump(dict(note.metadata)),
        "context": note.context,
        "speaker": note.speaker,
    }


def number_of(note: Note) -> int:
    """Return the number of a note that came from the store."""
    number = to_number("n", note.id)
    if number is None:
        raise ValueError("a note's id is made by the store")
    return number


def to_json(note: Note) -> dict[str, Any]:
    """Return a note as plain JSON: instants as ISO 8601 in UTC. This is the form of exports and of every door."""
    plain: dict[str, Any] = {"id": note.id}
    for name in _PLAIN:
        plain[name] = getattr(note, name)
    plain["keywords"], plain["sources"] = list(note.keywords), list(note.sources)
    for name in _TIMES:
        at = getattr(note, name)
        plain[name] = at.isoformat() if at is not None else None
    plain["metadata"] = dict(note.metadata)
    return plain


def from_json(plain: dict[str, Any]) -> Note:
    """Return the note of its JSON."""
    from datetime import datetime

    fields = {name: plain.get(name) for name in _PLAIN}
    for name in _TIMES:
        text = cast("str | None", plain.get(name))
        fields[name] = datetime.fromisoformat(text) if text else None
    return Note(
        id=plain["id"],
        keywords=tuple(plain["keywords"]),
        sources=tuple(plain["sources"]),
        metadata=plain["metadata"],
        **cast("Any", fields),
    )


def to_history(note: Note) -> str:
    """Return the version of a note that the history keeps."""
    return _dump(to_json(note))


def from_history(row: VersionRow) -> NoteVersion:
    """Return an ended version of a note.

    Raises:
        StorageError: the version is damaged.
    """
    try:
        note = from_json(json.loads(row.note))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StorageError(
            "an earlier version of a note is damaged; `bethink doctor` lists the damage, and a "
            "backup may have the version",
            reason="damaged row",
            note=note_id(row.note_id),
            outcome="none",
        ) from error
    return NoteVersion(note=note, ended_at=to_datetime(row.ended_at), ended_by=row.ended_by)


def _parsed(text: str, kind: type[J]) -> J:
    """Return what a column of JSON holds; nothing where it is damaged."""
    if text in _EMPTY:
        return kind()
    try:
        value = json.loads(text)
    except ValueError:
        return kind()
    return value if isinstance(value, kind) else kind()
