"""Append items only if no tombstone forbids it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.errors import ConflictError
from bethink.scope.tombstones import deleted_at
from bethink.sessions.log_append import append
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.sessions.log_append import NewItem
    from bethink.sessions.values import Head
    from bethink.storage.work import Work


def append_unless_deleted(
    namespace: Namespace,
    name: str,
    items: Sequence[NewItem],
    *,
    created: int | None,
    writing: Writing,
    operation: str | None = None,
    expected: int | None = None,
) -> Work[Head]:
    """Append items unless their session, or all that it is part of, was deleted after the first of them was said.

    `said` is None where nobody knows when that was.

    Raises:
        ConflictError: it was; `reason` is `deleted`.
    """
    at = yield from deleted_at(namespace, name)
    if at is not None and (created is None or created <= at):
        raise ConflictError(
            "this session was deleted after these items were written; use another session, or revive "
            "this one",
            reason="deleted",
            session=name,
            at=to_datetime(at),
        )
    return (
        yield from append(namespace, name, items, writing=writing, operation=operation, expected=expected)
    )
