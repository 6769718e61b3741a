"""What an export says of a session beside its items, so that another store can go on where this one was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.ids import to_text
from bethink.sessions.units import find_log
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.storage.work import Work


def standing(namespace: Namespace, name: str) -> Work[dict[str, Any]]:
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
