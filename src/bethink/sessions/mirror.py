"""Sync sessions with mirror files, as units of work."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bethink.scope.tombstones import enclosing_marks, existing_tombstones, of_session
from bethink.scope.transactions import note_event, raise_revision, touch
from bethink.sessions import queries
from bethink.sessions.expiry import update_due
from bethink.sessions.item_json import decode_all, encode
from bethink.sessions.log_append import ttl_of
from bethink.sessions.log_lookup import END, find_in, find_log
from bethink.sessions.mirror_files import FORMAT, VERSION

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.storage.work import Work

Outcome: TypeAlias = Literal["restored", "present", "deleted", "erased"]


def document(namespace: Namespace, name: str) -> Work[dict[str, Any] | None]:
    """Return a session as its file has it; None where there is no such session."""
    log = yield from find_log(namespace, name)
    if log is None:
        return None
    ttl = yield from ttl_of(log.place, log.session)
    rows = yield from queries.items_after(**log.keys, after=0, limit=END)
    bodies = decode_all([row.body for row in rows])
    return {
        "format": FORMAT,
        "version": VERSION,
        "tenant": namespace.tenant,
        "namespace": str(namespace),
        "session": name,
        "revision": log.revision,
        "title": log.title,
        "metadata": json.loads(log.metadata),
        "head": log.head,
        "distilled": log.distilled,
        "updated_at": log.updated_at,
        **({} if ttl is None else {"ttl": ttl}),
        "items": [
            {"seq": row.seq, "at": row.at, "speaker": row.speaker, "origin": row.origin, "body": body}
            for body, row in zip(bodies, rows, strict=True)
            if body is not None
        ],
    }


def revision(namespace: Namespace, name: str) -> Work[int | None]:
    """Return where a session stands; None where there is no such session."""
    log = yield from find_log(namespace, name)
    return None if log is None else log.revision


def restore(namespace: Namespace, file: dict[str, Any], *, writing: Writing) -> Work[Outcome]:
    """Bring a session back from its file, if the store neither has it nor knows that it was deleted since."""
    name = file["session"]
    if (yield from find_log(namespace, name)) is not None:
        return "present"
    for stone in (
        yield from existing_tombstones(namespace.tenant, [("session", of_session(namespace, name))])
    ):
        if stone.revision >= file["revision"]:
            return "deleted"
    for stone in (yield from existing_tombstones(namespace.tenant, enclosing_marks(namespace))):
        if stone.at >= file["updated_at"]:
            return "erased"
    place = yield from touch(namespace, writing)
    if (yield from find_in(place, name)) is not None:
        return "present"
    # The store's count goes on from the file's, so that the next upload is newer than the file.
    reached = max(place.revision, file["revision"])
    yield from raise_revision(place, reached)
    session = writing.fresh()
    items = file["items"]
    yield from queries.add_session(
        **place.keys,
        session=session,
        name=name,
        title=file["title"],
        head=file["head"],
        count=len(items),
        revision=reached,
        distilled=file["distilled"],
        metadata=json.dumps(file["metadata"]),
        now=writing.now,
    )
    if items:
        yield from queries.add_item_many(
            [
                {
                    **place.keys,
                    "session": session,
                    "seq": item["seq"],
                    "body": encode(item["body"]),
                    "at": item["at"],
                    "speaker": item["speaker"],
                    "origin": item["origin"],
                    "revision": reached,
                }
                for item in items
            ]
        )
    if isinstance(file.get("ttl"), int) and 0 < file["ttl"] < END:
        yield from queries.put_ttl(**place.keys, session=session, ttl=file["ttl"])
        yield from update_due(place, now=writing.now)
    yield from note_event(place, writing, "mirror.restored", {"items": len(items)})
    return "restored"
