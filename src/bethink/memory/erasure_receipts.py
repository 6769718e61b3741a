"""Complete an erasure: drop this process's caches, verify the store, and issue the receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.ids import receipt_id
from bethink.lifecycle.erase.service import verify
from bethink.memory.background_index import INDEXING
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.lifecycle.erase.erased import Erased
    from bethink.lifecycle.erase.values import Receipt, Subject
    from bethink.memory.runtime import Runtime
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing


async def receipt(
    runtime: Runtime,
    subject: Subject,
    erased: Erased,
    *,
    writing: Writing,
    namespace: Namespace | None = None,
) -> Receipt:
    """Return the receipt of what was erased: in one namespace, or in all of them."""
    runtime.let_go(namespace)
    with INDEXING.paused():  # a reader would keep what was erased in the log beside the file
        return await verify(
            runtime.store,
            runtime.tenant,
            subject,
            erased,
            number=receipt_id(runtime.fresh()),
            at=to_datetime(writing.now),
        )
