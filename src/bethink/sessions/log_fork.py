"""Fork a session: copy it up to an item into a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.errors import ConflictError, NotFoundError
from bethink.scope.transactions import touch
from bethink.sessions import queries
from bethink.sessions.log_append import ttl_of
from bethink.sessions.log_lookup import find_in, find_session
from bethink.sessions.values import Head

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.storage.work import Work


def fork(namespace: Namespace, name: str, at: int | None, target: str, *, writing: Writing) -> Work[Head]:
    """Copy a session up to a place into a new session.

    Raises:
        NotFoundError: there is no such session, or it has no entry at that place.
        ConflictError: the new name is taken.
    """
    place = yield from touch(namespace, writing)
    log = yield from find_session(place, name)
    if (yield from find_in(place, target)) is not None:
        raise ConflictError("a session with this name exists; choose another name", session=target)
    last = log.head if at is None else at
    (upto,) = yield from queries.count_items(**log.keys, last=last)
    if at is not None and upto.last_seq != at:
        raise NotFoundError("the session has no item with this `seq`", kind="item", id=at)
    fresh = writing.fresh()
    yield from queries.add_session(
        tenant=place.tenant,
        scope=place.scope,
        session=fresh,
        name=target,
        title=log.title,
        head=upto.last_seq,
        count=upto.items,
        revision=place.revision,
        distilled=min(log.distilled, upto.last_seq),
        metadata=log.metadata,
        now=writing.now,
    )
    yield from queries.copy_items(**log.keys, target=fresh, last=last, revision=place.revision)
    yield from queries.copy_keys(**log.keys, target=fresh, last=last)
    yield from queries.add_branch(
        tenant=place.tenant,
        scope=place.scope,
        session=fresh,
        parent=log.session,
        seq=upto.last_seq,
        ttl=(yield from ttl_of(place, log.session)),
    )
    yield from queries.copy_summaries(**log.keys, target=fresh, last=last, revision=place.revision)
    return Head(session=target, revision=place.revision, seq=upto.last_seq, count=upto.items)
