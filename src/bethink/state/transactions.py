"""Profiles and records as units of work."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bethink.errors import ConflictError, StorageError
from bethink.scope.transactions import find, note_event, touch
from bethink.state import queries
from bethink.state.values import Profile, Provenance
from bethink.times import to_datetime, to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.state.queries import ProfileRow, RecordRow
    from bethink.storage.work import Work

EMPTY = Profile()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Something that happened."""

    kind: str  #: what sort of thing happened: a word of yours
    value: Mapping[str, Any] = field(default_factory=dict[str, Any])  #: what is known of it: JSON
    at: datetime  #: when it happened


def current(namespace: Namespace) -> Work[Profile]:
    """Return the newest version of a profile; an empty one where there is none."""
    place = yield from find(namespace)
    if place is None:
        return EMPTY
    rows = yield from queries.current_profile(tenant=place.tenant, scope=place.scope)
    return _from_row(rows[0]) if rows else EMPTY


def as_of(namespace: Namespace, at: int) -> Work[Profile]:
    """Return the version of a profile that was current at an instant."""
    place = yield from find(namespace)
    if place is None:
        return EMPTY
    rows = yield from queries.profile_at(tenant=place.tenant, scope=place.scope, at=at)
    return _from_row(rows[0]) if rows else EMPTY


def versions(namespace: Namespace) -> Work[list[Profile]]:
    """Return every version of a profile, oldest first."""
    place = yield from find(namespace)
    if place is None:
        return []
    rows = yield from queries.profile_versions(tenant=place.tenant, scope=place.scope)
    return [_from_row(row) for row in rows]


def change(
    namespace: Namespace,
    rule: Callable[[Profile], Profile],
    *,
    expected: int | None,
    writing: Writing,
) -> Work[Profile]:
    """Put a new version of a profile, which a pure rule makes of the current one.

    Raises:
        ConflictError: the profile is no longer at the version that was expected.
    """
    place = yield from touch(namespace, writing)
    rows = yield from queries.current_profile(tenant=place.tenant, scope=place.scope)
    before = _from_row(rows[0]) if rows else EMPTY
    if expected is not None and expected != before.version:
        raise ConflictError(
            "the profile has changed since it was read; read it again and retry",
            expected=expected,
            actual=before.version,
        )
    after = rule(before)
    if after.fields == before.fields and after.provenance == before.provenance:
        return before
    version = yield from put_version(place, before, after, writing)
    changed = sorted({*before.fields, *after.fields})
    names = [name for name in changed if before.fields.get(name) != after.fields.get(name)]
    yield from note_event(place, writing, "profile.changed", {"version": version, "fields": names})
    return (yield from current(namespace))


def put_version(place: ScopeRow, before: Profile, after: Profile, writing: Writing) -> Work[int]:
    """Keep a new version of a profile within a write that is under way; return its number."""
    version = before.version + 1
    yield from _keep_version(place, version, after, writing.now)
    return version


def _keep_version(place: ScopeRow, version: int, profile: Profile, at: int) -> Work[None]:
    yield from queries.add_profile(
        **place.keys,
        version=version,
        fields=_dump(dict(profile.fields)),
        provenance=_dump({name: each.to_dict() for name, each in profile.provenance.items()}),
        at=at,
        revision=place.revision,
    )


def newest_version(place: ScopeRow) -> Work[Profile]:
    """Return the newest version of a profile within a write that is under way."""
    rows = yield from queries.current_profile(tenant=place.tenant, scope=place.scope)
    return _from_row(rows[0]) if rows else EMPTY


def drop_version(place: ScopeRow, version: int) -> Work[None]:
    """Take back the newest version of a profile, when what made it is undone."""
    yield from queries.remove_profile_version(tenant=place.tenant, scope=place.scope, version=version)


def _from_row(row: ProfileRow) -> Profile:
    try:
        return Profile(
            version=row.version,
            fields=dict(json.loads(row.fields)),
            provenance={
                name: Provenance.from_dict(each) for name, each in json.loads(row.provenance).items()
            },
            updated_at=to_datetime(row.at),
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StorageError(
            "a version of the profile is damaged; `bethink doctor` lists the damage, and a backup "
            "may have the version",
            reason="damaged row",
            version=row.version,
            outcome="none",
        ) from error


def add_record(
    namespace: Namespace, kind: str, value: Mapping[str, Any], at: int, *, writing: Writing
) -> Work[Record]:
    """Keep a record."""
    place = yield from touch(namespace, writing)
    yield from queries.add_record(
        tenant=place.tenant,
        scope=place.scope,
        record=writing.fresh(),
        kind=kind,
        value=_dump(dict(value)),
        at=at,
        revision=place.revision,
    )
    return Record(kind=kind, value=value, at=to_datetime(at))


def bring_state(
    place: ScopeRow, profiles: Sequence[Profile], records: Sequence[Record], *, writing: Writing
) -> Work[None]:
    """Keep versions of a profile, and records, as another store has them."""
    for profile in profiles:
        at = writing.now if profile.updated_at is None else to_micros(profile.updated_at)
        yield from _keep_version(place, profile.version, profile, at)
    if records:
        yield from queries.add_record_many(
            [
                {
                    **place.keys,
                    "record": writing.fresh(),
                    "kind": record.kind,
                    "value": _dump(dict(record.value)),
                    "at": to_micros(record.at),
                    "revision": place.revision,
                }
                for record in records
            ]
        )


def latest_records(namespace: Namespace, kind: str, limit: int) -> Work[list[Record]]:
    """Return the most recent records of a kind, newest first."""
    place = yield from find(namespace)
    if place is None:
        return []
    rows = yield from queries.latest_records(tenant=place.tenant, scope=place.scope, kind=kind, limit=limit)
    return [_record(row) for row in rows]


def all_records(namespace: Namespace) -> Work[list[Record]]:
    """Return every record of a scope, oldest first."""
    place = yield from find(namespace)
    if place is None:
        return []
    return [_record(row) for row in (yield from queries.all_records(tenant=place.tenant, scope=place.scope))]


def _record(row: RecordRow) -> Record:
    return Record(kind=row.kind, value=json.loads(row.value), at=to_datetime(row.at))


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
