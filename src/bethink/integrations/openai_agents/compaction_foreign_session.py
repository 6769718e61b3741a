"""Compaction for a session of another implementation: its log is unchanged, the summary is stored beside it."""

from __future__ import annotations

import hashlib
import inspect
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from agents.memory.session import SessionABC

from bethink.errors import ConflictError, InvalidError
from bethink.integrations.openai_agents.compaction_trigger import CompactingSession, log, ten_candidates
from bethink.integrations.openai_agents.compactors import RulesCompactor
from bethink.sessions.compaction.values import Summary
from bethink.times import now

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from agents.memory import Session

    from bethink.integrations.openai_agents.compaction_trigger import CompactionContext
    from bethink.memory.scope import AsyncScope
    from bethink.sessions.compaction.values import Compacted, Compactor, Mode
    from bethink.sessions.values import Body

VERBS = ("get_items", "add_items", "pop_item", "clear_session")
EVERYTHING = 2_147_483_647  #: items: more than a session has, so that the limit of its settings does not cut
PATH = "compaction"  #: of the documents that hold summaries


def is_foreign(session: Any) -> bool:
    """Tell whether something is a session of the SDK by what it does."""
    return all(callable(getattr(session, verb, None)) for verb in VERBS) and isinstance(
        getattr(session, "session_id", None), str
    )


class ForeignCompactionSession(CompactingSession, SessionABC):
    """Any session of the SDK, read with a summary in the place of its older part. `CompactionSession(…)` makes it.

    The session underneath keeps every item. A summary names how many of the oldest items it stands for, and their
    digest: once these are no longer the oldest ones, since they were popped, cleared or rewritten, it stands for
    nothing, and the session is read as it is.

    Args:
        session: any object with the four methods of a session.
        compactor: as for sessions of ours, and so are `mode` and `should_compact`.
        mode: how OpenAI's compaction is given the history.
        should_compact: decides, in place of "ten items that are not the user's".
        keep_in: the scope in whose documents summaries are kept, which erasing it takes too; without one they live
            as long as this object.
    """

    def __init__(
        self,
        session: Session,
        *,
        compactor: Compactor | None = None,
        mode: Mode = "auto",
        should_compact: Callable[[CompactionContext], bool | Awaitable[bool]] = ten_candidates,
        keep_in: AsyncScope | None = None,
    ) -> None:
        if isinstance(session, ForeignCompactionSession):
            raise InvalidError("this session is already compacted", argument="session")
        self.session = session
        self.session_id = session.session_id
        self.session_settings = getattr(session, "session_settings", None)
        self.compactor = RulesCompactor() if compactor is None else compactor
        self.mode = self._checked(mode)
        self._should_compact = should_compact
        self._documents = None if keep_in is None else keep_in.documents
        self._held: dict[str, Any] | None = None
        self._response_id = self._unstored = None
        self._take_wrapper = {
            verb for verb in VERBS if "wrapper" in inspect.signature(getattr(session, verb)).parameters
        }

    # ---- a session of the SDK ---------------------------------------------------------------------------------

    async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[Any]:
        """Return the newest items, oldest first; a summary stands for what it was made of."""
        if limit is None:
            limit = getattr(self.session_settings, "limit", None)
        if limit is not None and limit <= 0:
            return []
        items = await self._all(wrapper)
        kept, _ = await self._kept(items)
        shown = items if kept is None else [*kept["items"], *items[kept["count"] :]]
        return shown if limit is None else shown[-limit:]

    async def add_items(self, items: list[Any], *, wrapper: Any = None) -> None:
        """Add items to the session underneath."""
        await self._call("add_items", items, wrapper=wrapper)

    async def pop_item(self, *, wrapper: Any = None) -> Any:
        """Remove the newest item of the session underneath and return it."""
        return await self._call("pop_item", wrapper=wrapper)

    async def clear_session(self, *, wrapper: Any = None) -> None:
        """Remove every item, and the summary."""
        await self._call("clear_session", wrapper=wrapper)
        self._held = None
        if self._documents is not None:
            await self._documents.delete(PATH, self._key)

    async def _all(self, wrapper: Any) -> list[Body]:
        return await self._call("get_items", EVERYTHING, wrapper=wrapper)

    async def _call(self, verb: str, *given: Any, wrapper: Any) -> Any:
        named = {"wrapper": wrapper} if verb in self._take_wrapper else {}
        return await getattr(self.session, verb)(*given, **named)

    # ---- compaction -------------------------------------------------------------------------------------------

    async def summaries(self) -> list[Summary]:
        """Return the summary, if one stands: `first` and `last` count the items underneath from 1 on."""
        kept, _ = await self._kept(await self._all(None))
        if kept is None:
            return []
        return [
            Summary(
                first=1,
                last=kept["count"],
                items=tuple(kept["items"]),
                engine=kept["engine"],
                at=datetime.fromisoformat(kept["at"]),
            )
        ]

    async def _compact_for(self, wrapper: Any, mode: Mode, *, force: bool) -> Compacted | None:
        items = await self._all(wrapper)
        kept, revision = await self._kept(items)
        done = 0 if kept is None else int(kept["count"])
        previous: Sequence[Body] = () if kept is None else kept["items"]
        proposed = await self._proposed(items[done:], previous, mode, force=force)
        if proposed is None:
            return None
        count, made = proposed
        standing = {
            "count": done + count,
            "digest": digest(items[: done + count]),
            "items": list(made.items),
            "engine": self.compactor.name,
            "at": now().isoformat(),
        }
        if self._documents is None:
            self._held = standing
            return made
        try:
            await self._documents.put(PATH, self._key, standing, expected=revision)
        except ConflictError:
            log.debug("skip: somebody else summarised it meanwhile")
        return made

    async def _kept(self, items: Sequence[Body]) -> tuple[dict[str, Any] | None, int]:
        """Return the summary that stands for the oldest of the items, and the revision of what is kept."""
        found, revision = self._held, 0
        if self._documents is not None:
            document = await self._documents.get(PATH, self._key)
            found, revision = (None, 0) if document is None else (document.value, document.revision)
        if found is None or found["digest"] != digest(items[: found["count"]]):
            return None, revision
        return found, revision

    @property
    def _key(self) -> str:
        return hashlib.sha256(self.session_id.encode(errors="surrogatepass")).hexdigest()


def digest(items: Sequence[Body]) -> str:
    """Return what items are told by."""
    return hashlib.sha256(json.dumps(items, sort_keys=True, default=str).encode()).hexdigest()
