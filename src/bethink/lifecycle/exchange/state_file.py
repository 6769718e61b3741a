"""Import and export the state file of OpenAI's context-personalization cookbook."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any, Final, cast

from bethink.errors import InvalidError
from bethink.ids import note_id
from bethink.lifecycle.exchange.values import Incoming, Loss
from bethink.notes.checks import check_keywords, check_metadata, check_text
from bethink.notes.values import CONVERSATION, CORE, Note
from bethink.state.merge import check_fields, update
from bethink.state.seed_json import SeedNote, SeedState
from bethink.state.seed_json import read as read_state
from bethink.state.seed_json import write as write_state
from bethink.state.transactions import Record
from bethink.state.values import Profile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

TRIP: Final = "trip"
PARTS: Final = frozenset({"profile", "global_memory", "session_memory", "trip_history"})
_WHEN: Final = ("check_in_date", "departure_date", "start_date", "date", "at")


def read(data: Mapping[str, Any], *, namespace: str, session: str, now: datetime, by: str) -> Incoming:
    """Return what a state file holds; its session notes become those of `session`.

    The file has no ids and says nothing of when: a note's id is made of its words, so that the same file brings
    nothing twice, and what was erased of it is recognised.

    Raises:
        InvalidError: it is no state file; `argument` names the part that is not.
    """
    state = read_state(data)
    fields = check_metadata(state.profile, "profile")
    check_fields(fields)
    profile = update(Profile(), fields, source="import", at=now, by=by) if fields else None
    notes = [_note(each, namespace, None, now) for each in state.global_notes]
    notes += [_note(each, namespace, session, now) for each in state.session_notes]
    return Incoming(
        format="seed",
        notes=tuple({note.id: note for note in notes}.values()),
        profiles=(Profile(version=1, fields=profile.fields, provenance=profile.provenance, updated_at=now),)
        if profile
        else (),
        records=tuple(
            Record(kind=TRIP, value=check_metadata(trip, "trip_history.trips"), at=_when(trip) or now)
            for trip in state.trips
        ),
        losses=tuple(Loss(kind="other", reason="unknown", id=name) for name in state.rest),
        dated=False,
    )


def write(profile: Profile, notes: Iterable[Note], records: Sequence[Record]) -> dict[str, Any]:
    """Return the state file of a scope: its fields, its live notes, the trips among its records."""
    listed = list(notes)
    return write_state(
        SeedState(
            profile=profile.fields,
            global_notes=tuple(_written(note) for note in listed if note.session is None),
            session_notes=tuple(_written(note) for note in listed if note.session is not None),
            trips=tuple(record.value for record in records if record.kind == TRIP),
        )
    )


def _note(note: SeedNote, namespace: str, session: str | None, now: datetime) -> Note:
    text = check_text(note.text)
    parts = "\x1f".join(("seed", namespace, session or "", text)).encode()
    number = int.from_bytes(hashlib.blake2b(parts, digest_size=8).digest()) >> 2 | 1
    return Note(
        id=note_id(number),
        text=text,
        category=CORE if session is None else CONVERSATION,
        keywords=check_keywords(note.keywords),
        session=session,
        source="import",
        created_at=now,
        updated_at=now,
        valid_from=None if note.day is None else _midnight(note.day),
    )


def _written(note: Note) -> SeedNote:
    return SeedNote(text=note.text, day=(note.valid_from or note.updated_at).date(), keywords=note.keywords)


def _when(trip: Mapping[str, Any]) -> datetime | None:
    """Return the day of a trip, by the first of the usual fields that has one."""
    for name in _WHEN:
        value = trip.get(name)
        if isinstance(value, str):
            try:
                return _midnight(date.fromisoformat(value[:10]))
            except ValueError:
                continue
    return None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def json_object(data: object) -> dict[str, Any]:
    """Return the JSON object that a file holds.

    Raises:
        InvalidError: it is none.
    """
    if not isinstance(data, dict):
        raise InvalidError("data must be the JSON object of an export or of a state file", argument="data")
    return cast("dict[str, Any]", data)
