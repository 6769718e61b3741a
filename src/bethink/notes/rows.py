"""A note as a row of the store, as a value, and as JSON in its history."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bethink.errors import StorageError
from bethink.ids import note_id, to_number
from bethink.notes.values import Note, NoteVersion
from bethink.times import optional_datetime, optional_micros, to_datetime

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.scope.transactions import Place
    from bethink.storage.work import Row

T = TypeVar("T")

_PLAIN = (
    "key", "text", "context", "speaker", "category", "session", "status", "outcome", "source", "confidence", "revision",
)  # fmt: skip
_TIMES = ("created_at", "updated_at", "valid_from", "valid_to", "expires_at")


def from_row(row: Row) -> Note:
    """Return the note of a row, in the order in which the statements name the columns.

    Its words stand in a column of their own: where a column of JSON beside them is damaged, that one reads as
    empty, and `bethink doctor` reports it.
    """
    (number, key, text, category, keywords, session, status, outcome, source, sources, confidence) = row[:11]
    (created_at, updated_at, valid_from, valid_to, expires_at, revision, metadata, context, speaker) = row[
        11:
    ]
    return Note(
        id=note_id(number),
        key=key,
        text=text,
        category=category,
        keywords=tuple(_readable(keywords, list)) if keywords != "[]" else (),
        session=session,
        status=status,
        outcome=outcome,
        source=source,
        sources=tuple(_readable(sources, list)) if sources != "[]" else (),
        confidence=confidence,
        created_at=to_datetime(created_at),
        updated_at=to_datetime(updated_at),
        valid_from=optional_datetime(valid_from),
        valid_to=optional_datetime(valid_to),
        expires_at=optional_datetime(expires_at),
        revision=revision,
        metadata=_readable(metadata, dict) if metadata != "{}" else {},
        context=context,
        speaker=speaker,
    )


def to_row(note: Note, place: Place) -> dict[str, Any]:
    """Return a note as the parameters of a statement."""
    row: dict[str, Any] = {name: getattr(note, name) for name in _PLAIN}
    for name in _TIMES:
        row[name] = optional_micros(getattr(note, name), name)
    row.update(
        tenant=place.tenant,
        scope=place.scope,
        note=number_of(note),
        keywords=_dump(list(note.keywords)),
        sources=_dump(list(note.sources)),
        metadata=_dump(dict(note.metadata)),
    )
    return row


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


def from_history(row: Row) -> NoteVersion:
    """Return an ended version of a note.

    Raises:
        StorageError: the version is damaged.
    """
    number, _, ended_at, ended_by, version = row
    try:
        note = from_json(json.loads(version))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StorageError(
            "an earlier version of a note is damaged; `bethink doctor` lists the damage, and a "
            "backup may have the version",
            reason="damaged row",
            note=note_id(number),
            outcome="none",
        ) from error
    return NoteVersion(note=note, ended_at=to_datetime(ended_at), ended_by=ended_by)


def _readable(text: str, kind: Callable[[], T]) -> T:
    try:
        value = json.loads(text)
    except ValueError:
        return kind()
    return value if type(value) is kind else kind()


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
