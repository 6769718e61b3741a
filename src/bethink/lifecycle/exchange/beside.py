"""Bring what stands beside the items of a session: the caller's ids, earlier versions, branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.sessions.units import find_in
from bethink.sessions.units import sql as session_sql

if TYPE_CHECKING:
    from bethink.lifecycle.exchange.values import IncomingSession
    from bethink.scope.units import Place
    from bethink.storage.work import Work


def bring_beside(place: Place, number: int, session: IncomingSession) -> Work[None]:
    """Know the ids that the other store knows, and keep what items were before."""
    keys = {"tenant": place.tenant, "scope": place.scope, "session": number}
    if session.keys:
        yield session_sql.bring_key.many(
            [{**keys, "key": key, "seq": seq} for key, seq in session.keys.items()]
        )
    older = -len(session.versions)  # before every revision that this store gives out
    if session.versions:
        yield session_sql.bring_version.many(
            [
                {
                    **keys,
                    "seq": item.seq,
                    "revision": older + place_,
                    "body": item.body,
                    "at": item.at,
                    "speaker": item.speaker,
                    "origin": item.origin,
                    "replaced_at": until,
                }
                for place_, (item, until) in enumerate(session.versions)
            ]
        )


def bring_branch(place: Place, session: IncomingSession) -> Work[None]:
    """Remember where a session was forked from, once all sessions are there."""
    if session.forked is None:
        return
    log = yield from find_in(place, session.name)
    parent = None if session.forked[0] is None else (yield from find_in(place, session.forked[0]))
    if log is not None:
        yield session_sql.bring_branch(
            **log.keys, parent=None if parent is None else parent.session, seq=session.forked[1]
        )
