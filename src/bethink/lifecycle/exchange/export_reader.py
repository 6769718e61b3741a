"""Parse and validate the JSON export of a scope."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from bethink.documents.exports import read as read_document
from bethink.errors import BethinkError, InvalidError
from bethink.ids import to_number
from bethink.json_kinds import is_list, is_object
from bethink.lifecycle.exchange.values import Incoming
from bethink.lifecycle.exchange.workspaces import merged_workspaces
from bethink.lifecycle.exchange.workspaces import read as read_workspace
from bethink.notes.checks import (
    NUL,
    check_characters,
    check_confidence,
    check_key,
    check_keywords,
    check_metadata,
    check_text,
    parse_category,
)
from bethink.notes.rows import from_json
from bethink.notes.values import NoteVersion, Outcome, Source, Status
from bethink.scope.labels import label
from bethink.sessions.item_json import encode
from bethink.sessions.session_import import IncomingItem, IncomingOperation, IncomingSession
from bethink.state.merge import check_fields
from bethink.state.transactions import Record
from bethink.state.values import Profile, Provenance
from bethink.times import to_datetime, to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bethink.notes.values import Note

T = TypeVar("T")
NAME = "bethink-export"
VERSION = 1
END = 1 << 62
MAX_SECONDS = 3_200_000_000  #: for which items are kept: a hundred years


def read(data: Mapping[str, Any]) -> Incoming:
    """Return what an export holds.

    Raises:
        InvalidError: it is no export, is of a newer version, or a part of it is broken; `argument` names that.
    """
    if data.get("version") != VERSION:
        raise InvalidError(
            f"this export has version {data.get('version')!r}, but this version of Bethink reads "
            f"{VERSION}; upgrade Bethink",
            argument="version",
        )
    notes = _each(data, "notes", _note)
    if len({note.id for note in notes}) != len(notes):
        raise InvalidError("two notes have the same id", argument="notes")
    return Incoming(
        format="bethink",
        namespace=_optional(data.get("namespace"), str, "namespace"),
        notes=tuple(notes),
        history=tuple(_each(data, "history", _version)),
        profiles=_profiles(data.get("profile")),
        records=tuple(_each(data, "records", _record)),
        sessions=tuple(_each(data, "sessions", _session)),
        workspaces=merged_workspaces(_each(data, "workspaces", read_workspace)),
        documents=tuple(_each(data, "documents", read_document)),
    )


def _each(data: Mapping[str, Any], name: str, read_one: Callable[[Any], T], above: str = "") -> list[T]:
    listed = data.get(name)
    if listed is None:
        return []
    if not is_list(listed):
        raise InvalidError(f"{above}{name} must be a list", argument=f"{above}{name}")
    return [_named(f"{above}{name}[{place}]", read_one, each) for place, each in enumerate(listed)]


def _named(place: str, read_one: Callable[[Any], T], value: Any) -> T:
    """Read a part of the file; what is wrong with it is told with its place, and without its text."""
    try:
        return read_one(value)
    except BethinkError as error:
        raise InvalidError(f"{place}: {error}", argument=place) from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InvalidError(
            f"{place} is incomplete or malformed ({type(error).__name__})", argument=place
        ) from None


def _note(plain: Any) -> Note:
    given = from_json({"revision": 0, **plain})
    _one_of(given.status, Status, "status")
    _one_of(given.source, Source, "source")
    if given.outcome is not None:
        _one_of(given.outcome, Outcome, "outcome")
    number = to_number("n", given.id)
    if not number or number > END:
        raise InvalidError("id must be the id of a note", argument="id")
    for source in given.sources:
        check_text(source, "sources", 128)
    return replace(
        given,
        text=check_text(given.text),
        key=None if given.key is None else check_key(given.key),
        category=parse_category(given.category),
        keywords=check_keywords(given.keywords),
        session=None if given.session is None else label(given.session, argument="session"),
        confidence=None if given.confidence is None else check_confidence(given.confidence),
        created_at=_utc(given.created_at),
        updated_at=_utc(given.updated_at),
        valid_from=None if given.valid_from is None else _utc(given.valid_from),
        valid_to=None if given.valid_to is None else _utc(given.valid_to),
        expires_at=None if given.expires_at is None else _utc(given.expires_at),
        metadata=check_metadata(given.metadata),
    )


def _version(plain: Any) -> NoteVersion:
    return NoteVersion(
        note=_note(plain["note"]), ended_at=_instant(plain["ended_at"]), ended_by=_word(plain["ended_by"])
    )


def _profiles(plain: Any) -> tuple[Profile, ...]:
    """Return every version; an export of only the newest has that one."""
    if plain is None:
        return ()
    if not is_object(plain):
        raise InvalidError("profile must be a JSON object", argument="profile")
    given = plain
    versions = _each(given, "versions", _profile, "profile.")
    if not versions and given.get("version"):
        versions = [_named("profile", _profile, given)]
    numbers = [each.version for each in versions]
    if numbers != sorted(set(numbers)) or (numbers and not 0 < numbers[0] <= numbers[-1] < END):
        raise InvalidError("profile.versions must be in ascending order", argument="profile.versions")
    return tuple(versions)


def _profile(plain: Any) -> Profile:
    fields, provenance_json = _object(plain["fields"], "fields"), _object(plain["provenance"], "provenance")
    check_fields(fields)
    provenance = {name: Provenance.from_dict(each) for name, each in provenance_json.items()}
    return Profile(
        version=_number(plain["version"]),
        fields=fields,
        provenance={name: replace(each, at=_utc(each.at)) for name, each in provenance.items()},
        updated_at=_instant(plain["at"]) if plain.get("at") else None,
    )


def _object(value: Any, argument: str) -> dict[str, Any]:
    """Return a JSON object that every store can keep, of any size: a profile has grown by many updates."""
    if not is_object(value):
        raise InvalidError(f"{argument} must be a JSON object", argument=argument)
    check_characters(
        NUL.compiled.sub("\x00", json.dumps(value, ensure_ascii=False, allow_nan=False)), argument
    )
    return value


def _record(plain: Any) -> Record:
    return Record(
        kind=parse_category(plain["kind"]),
        value=check_metadata(plain["value"], "value"),
        at=_instant(plain["at"]),
    )


def _session(plain: Any) -> IncomingSession:
    name = label(plain["session"], argument="session")
    items = _each(plain, "items", _item)
    seqs = [item.seq for item in items]
    if seqs != sorted(set(seqs)) or (seqs and not 0 < seqs[0] <= seqs[-1] < END):
        raise InvalidError("the sequence numbers of items must be in ascending order", argument="items")
    last = seqs[-1] if seqs else 0
    title = _optional(plain.get("title"), str, "title")
    if title is not None:
        check_characters(title, "title")
    head = max(last, _number(plain.get("head", last)))
    keys: Mapping[str, Any] = plain.get("keys") or {}
    return IncomingSession(
        name=name,
        number=to_number("i", plain["id"]) if plain.get("id") else None,
        title=title,
        metadata=json.dumps(check_metadata(plain.get("metadata"))),
        head=head,
        distilled=min(head, _number(plain.get("distilled", 0))),
        created_at=to_micros(_instant(plain["created_at"])) if plain.get("created_at") else None,
        updated_at=to_micros(_instant(plain["updated_at"])) if plain.get("updated_at") else None,
        items=tuple(items),
        operations=tuple(_each(plain, "operations", _operation)),
        keys={label(key, argument="keys"): _number(seq) for key, seq in keys.items()},
        versions=tuple(_each(plain, "versions", _version_of_item)),
        forked=_forked(plain.get("forked")),
        ttl=_ttl(plain.get("expires_after")),
    )


def _version_of_item(plain: Any) -> tuple[IncomingItem, int]:
    return _item(plain), to_micros(_instant(plain["replaced_at"]))


def _ttl(seconds: Any) -> int | None:
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < MAX_SECONDS:
        raise InvalidError("expires_after must be a number of seconds, or null", argument="expires_after")
    return max(1, round(seconds * 1_000_000))


def _forked(plain: Any) -> tuple[str | None, int] | None:
    if plain is None:
        return None
    parent = plain["from"]
    return None if parent is None else label(parent, argument="forked"), _number(plain["at"])


def _operation(plain: Any) -> IncomingOperation:
    return IncomingOperation(
        operation=label(plain["operation"], argument="operation"),
        digest=check_text(plain["digest"], "digest", 128),
        head=_number(plain["head"]),
        count=_number(plain["count"]),
    )


def _item(plain: Any) -> IncomingItem:
    speaker = plain.get("speaker")
    return IncomingItem(
        seq=_number(plain["seq"]),
        body=encode(plain["body"]),
        at=to_micros(_instant(plain["at"])) if plain.get("at") else None,
        speaker=None if speaker is None else label(speaker, argument="speaker"),
        origin=label(plain.get("origin", "import"), argument="origin"),
    )


def _instant(text: Any) -> datetime:
    return _utc(datetime.fromisoformat(text))


def _utc(at: datetime) -> datetime:
    return to_datetime(to_micros(at))


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < END:
        raise InvalidError("expected a number of 0 or more", argument="number")
    return value


def _word(value: Any) -> str:
    return check_text(value, "ended_by", 64)


def _optional(value: Any, kind: type[T], argument: str) -> T | None:
    if value is not None and not isinstance(value, kind):
        raise InvalidError(f"{argument} must be of type {kind.__name__}", argument=argument)
    return value


def _one_of(value: str, words: Any, argument: str) -> None:
    if value not in get_args(words):
        raise InvalidError(f"{argument} must be one of {', '.join(get_args(words))}", argument=argument)
