"""Export a session's state beside its items: versions, branches, operation ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.ids import to_text
from bethink.sessions import queries
from bethink.sessions.item_json import decode_all
from bethink.sessions.items_by_key import origins
from bethink.sessions.log_lookup import find_log
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.storage.work import Work


def session_state(namespace: Namespace, name: str) -> Work[dict[str, Any]]:
    """Return the word that ids of its items begin with, its counters and its times."""
    log = yield from find_log(namespace, name)
    if log is None:
        return {}
    return {
        "id": to_text("i", log.session),
        "head": log.head,
        "distilled": log.distilled,
        "created_at": to_datetime(log.created_at).isoformat(),
        "updated_at": to_datetime(log.updated_at).isoformat(),
    }


def versions_and_branches(namespace: Namespace, name: str) -> Work[dict[str, Any]]:
    """Return the caller's ids of its items, what items were before they were replaced, and where it was forked from."""
    log = yield from find_log(namespace, name)
    if log is None:
        return {}
    keys = yield from queries.known_keys(**log.keys)
    rows = yield from queries.all_versions(**log.keys)
    bodies = decode_all([row.body for row in rows])
    details = yield from origins(namespace, name)
    return {
        "keys": {row.key: row.seq for row in keys},
        "versions": [
            {
                "seq": row.seq,
                "body": body,
                "at": to_datetime(row.at).isoformat() if row.at is not None else None,
                "speaker": row.speaker,
                "origin": row.origin,
                "replaced_at": to_datetime(row.replaced_at).isoformat(),
            }
            for row, body in zip(rows, bodies, strict=True)
            if body is not None
        ],
        "expires_after": None if details.ttl is None else details.ttl.total_seconds(),
        "forked": None if details.at is None else {"from": details.parent, "at": details.at},
    }


def operation_ids(namespace: Namespace, name: str) -> Work[list[dict[str, Any]]]:
    """Return the ids by which repeated appends to a session are recognised."""
    log = yield from find_log(namespace, name)
    if log is None:
        return []
    return [row._asdict() for row in (yield from queries.operations_of(**log.keys))]
