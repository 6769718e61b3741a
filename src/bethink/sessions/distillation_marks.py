"""Track up to which item each session was distilled, as units of work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.errors import NotFoundError
from bethink.sessions import queries
from bethink.sessions.log_items import to_items
from bethink.sessions.log_lookup import END

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bethink.scope.transactions import ScopeRow
    from bethink.sessions.values import Item
    from bethink.storage.work import Work


@dataclass(frozen=True, slots=True)
class Undistilled:
    """A part of a session that was not distilled yet."""

    session: int
    name: str
    before: int  #: distilled up to here
    head: int
    items: tuple[Item, ...]


def undistilled(
    place: ScopeRow,
    session: str | None,
    *,
    busy: Collection[str] = (),
    heads: Mapping[int, int] | None = None,
    whole: bool = False,
) -> Work[list[Undistilled]]:
    """Read what was not distilled yet, of one session or of all but the busy ones.

    `heads` are places up to which sessions are not read again, whatever was distilled of them. With `whole`, the
    one session is read from its beginning.

    Raises:
        NotFoundError: with `whole`, there is no such session.
    """
    if whole and session is not None:
        found = yield from queries.distilled_session(**place.keys, name=session)
        if not found:
            raise NotFoundError("no such session in this scope", kind="session", id=session)
        found = [row._replace(distilled=0) for row in found]
    else:
        found = yield from queries.undistilled(**place.keys)
    logs: list[Undistilled] = []
    for row in found:
        if session not in {None, row.name} or row.name in busy:
            continue
        after = max(row.distilled, (heads or {}).get(row.session_id, 0))
        rows = yield from queries.items_after(**place.keys, session=row.session_id, after=after, limit=END)
        items = to_items(row.name, row.session_id, rows)
        logs.append(Undistilled(row.session_id, row.name, row.distilled, row.head, tuple(items)))
    return logs


def mark_distilled(place: ScopeRow, session: int, seq: int, *, before: int) -> Work[bool]:
    """Record up to where a session was distilled; False where somebody did so since it was read."""
    return bool((yield from queries.mark_distilled(**place.keys, session=session, seq=seq, before=before)))


def busy_sessions(place: ScopeRow, since: int) -> Work[set[str]]:
    """Return the names of the sessions that were written after an instant."""
    return set((yield from queries.busy_sessions(**place.keys, since=since)))


def undistilled_sessions(place: ScopeRow) -> Work[list[str]]:
    """List the sessions that hold items that were not distilled."""
    return (yield from queries.left_sessions(**place.keys))
