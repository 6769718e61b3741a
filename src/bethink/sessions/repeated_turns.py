"""Idempotency of turns: find a turn that was stored under the same operation id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.scope.transactions import digest
from bethink.sessions.item_kinds import classify
from bethink.sessions.log_append import repeated_append
from bethink.sessions.log_bodies import newest_entries
from bethink.sessions.log_lookup import find_log

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.sessions.values import Body, Head
    from bethink.storage.work import Work

MAX_ITEMS = 1_000  #: of one turn


def find_stored_turn(
    namespace: Namespace, name: str, operation: str, asked: str
) -> Work[tuple[Head, list[Body]] | None]:
    """Return where the session stood after the turn, and what was said in it; nothing, where that was removed since.

    Raises:
        ConflictError: the operation id was used for something else that was asked.
    """
    head = yield from repeated_append(namespace, name, operation, digest(asked))
    log = None if head is None else (yield from find_log(namespace, name))
    if head is None or log is None:
        return None
    bodies, seqs = yield from newest_entries(log, MAX_ITEMS, below=head.seq + 1)
    if not seqs or seqs[-1] != head.seq:
        return head, []
    first = max((at for at, body in enumerate(bodies) if classify(body).kind == "user"), default=0)
    return head, bodies[first:]
