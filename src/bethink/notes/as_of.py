"""Point-in-time reads: page through the notes as of an instant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.notes import queries
from bethink.notes.rows import from_history, from_row, number_of
from bethink.scope.transactions import find
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.notes.values import Note
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.storage.work import Work


def active_at(
    namespace: Namespace,
    at: int,
    *,
    category: str | None = None,
    session: str | None = None,
    limit: int,
    before: tuple[int, int],
) -> Work[tuple[list[Note], int]]:
    """List the notes that were active at an instant, the one written last first, with the true total.

    A note that was not changed since is read from its row; one that was, from the version that stood then.
    """
    place = yield from find(namespace)
    if place is None:
        return [], 0
    kept = yield from queries.list_standing(
        tenant=place.tenant,
        scope=place.scope,
        at=at,
        category=category,
        session=session,
        limit=limit,
        revision=before[0],
        note=before[1],
    )
    (total,) = yield from queries.count_standing(
        tenant=place.tenant, scope=place.scope, at=at, category=category, session=session
    )
    changed = [
        note
        for note in (yield from _changed(place, at))
        if note.session == session and category in {None, note.category}
    ]
    later = [note for note in changed if _order(note) < before]
    found = sorted([*map(from_row, kept), *later], key=_order, reverse=True)
    return found[:limit], total + len(changed)


def _changed(place: ScopeRow, at: int) -> Work[list[Note]]:
    """Return the notes that were active at an instant and have changed since, as they stood then."""
    instant = to_datetime(at)
    first: dict[str, Note] = {}
    for row in (yield from queries.history_at(tenant=place.tenant, scope=place.scope, at=at)):
        version = from_history(row)  # of those that ended after the instant, the earliest stood then
        first.setdefault(version.note.id, version.note)
    return [
        note
        for note in first.values()
        if note.created_at <= instant
        and note.status == "active"
        and (note.expires_at is None or note.expires_at > instant)
    ]


def _order(note: Note) -> tuple[int, int]:
    return note.revision, number_of(note)
