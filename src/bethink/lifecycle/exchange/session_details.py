"""Bring what stands beside notes and items: the caller's ids, earlier versions, branches, documents."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bethink.documents.paths import encoded, written
from bethink.documents.transactions import sql as document_sql
from bethink.lifecycle.exchange.values import Loss
from bethink.sessions.expiry import reckon
from bethink.sessions.transactions import find_in
from bethink.sessions.transactions import sql as session_sql
from bethink.times import to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bethink.documents.exports import IncomingDocument
    from bethink.lifecycle.exchange.transactions import _Sorted  # pyright: ignore[reportPrivateUsage]
    from bethink.lifecycle.exchange.values import Incoming, IncomingSession
    from bethink.scope.transactions import Place
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


def bring_details(place: Place, sessions: Sequence[IncomingSession], *, now: int) -> Work[None]:
    """Remember where sessions were forked from, and keep items for as long as the other store does.

    Where it is said here for how long, that holds.
    """
    for session in sessions:
        yield from bring_branch(place, session)
        log = yield from find_in(place, session.name)
        if log is not None and session.ttl is not None:
            yield session_sql.bring_ttl(**log.keys, ttl=session.ttl)
    if sessions:
        yield from reckon(place, now=now)


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


def sort_documents(
    place: Place | None, incoming: Incoming, cover: Callable[..., bool], found: _Sorted
) -> Work[None]:
    """Tell which documents are new here; one of the same name stays as it is."""
    for each in incoming.documents:
        document = each.document
        keys = {"path": written(document.path), "key": document.key, "now": 0}
        there = (
            []
            if place is None
            else (yield document_sql.find_document(tenant=place.tenant, scope=place.scope, **keys))
        )
        if there:
            found.known["documents"] += 1
        elif cover(to_micros(document.updated_at)):
            found.losses.append(
                Loss(kind="document", reason="erased", id="/".join((*document.path, document.key)))
            )
        else:
            found.documents.append(each)


def bring_documents(place: Place, documents: Iterable[IncomingDocument]) -> Work[None]:
    """Keep documents as another store has them, with their times and what they are found by."""
    for document, passages in documents:
        keys = {
            "tenant": place.tenant,
            "scope": place.scope,
            "path": written(document.path),
            "key": document.key,
        }
        yield document_sql.bring_document(
            **keys,
            value=None if document.content is not None else encoded(document.value),
            content=document.content,
            media_type=document.media_type,
            created_at=to_micros(document.created_at),
            updated_at=to_micros(document.updated_at),
            expires_at=None if document.expires_at is None else to_micros(document.expires_at),
            ttl=None if document.ttl is None else document.ttl // timedelta(microseconds=1),
            revision=place.revision,
        )
        if passages:
            yield document_sql.add_passage.many(
                [{**keys, "chunk": chunk, **passage._asdict()} for chunk, passage in enumerate(passages)]
            )
