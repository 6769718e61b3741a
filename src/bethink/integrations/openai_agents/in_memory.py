"""An in-memory session for tests and demos."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from bethink.integrations.openai_agents.session import BethinkSession
from bethink.sessions import log_append
from bethink.sessions.item_rows import new_items
from bethink.storage.stores import BlockingStore, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agents.memory import SessionSettings


class MemorySession(BethinkSession):
    """A session in memory, with all that a durable one can do.

    What goes in and what comes out are copies: changing an item afterwards changes nothing here.

    Args:
        session_id: a name for logs and tests; a fresh one where none is given.
        initial_items: a history to begin with.
        session_settings: the SDK's settings, or a mapping of them.
    """

    def __init__(
        self,
        session_id: str | None = None,
        initial_items: Iterable[Mapping[str, Any]] | None = None,
        *,
        session_settings: SessionSettings | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(session_id or uuid.uuid4().hex, session_settings=session_settings)
        runtime = self._runtime
        items = new_items(initial_items or (), at=None, speaker=None, origin="chat", now=runtime.now())
        if items:
            store = BlockingStore(runtime.store.driver)
            run(
                store.write(
                    log_append.append,
                    self.scope.namespace,
                    self.session_id,
                    items,
                    writing=runtime.writing(),
                )
            )
