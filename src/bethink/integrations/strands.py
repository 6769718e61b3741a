"""Strands: a session repository, and a memory store for its memory manager."""
# The framework is not installed where this is developed, so its types are unknown here.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import json
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from bethink.errors import ConflictError, InvalidError, NotFoundError
from bethink.integrations.async_and_blocking import both_faces
from bethink.integrations.labels import log_name
from bethink.integrations.learning import learn_from
from bethink.integrations.versions import require_versions
from bethink.scope.transactions import digest

require_versions("strands", ("strands-agents", "1.62", "2"))

from strands.memory.types import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    MemoryEntry,
)
from strands.memory.types import MemoryStore as _MemoryStore  # noqa: E402  # pyright: ignore[reportMissingImports]
from strands.session.session_repository import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    SessionRepository,
)
from strands.types.exceptions import SessionException  # noqa: E402  # pyright: ignore[reportMissingImports]
from strands.types.session import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    Session,
    SessionAgent,
    SessionMessage,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.memory.memory import AsyncMemory
    from bethink.recall.values import Hit
    from bethink.sync import Memory
    from bethink.sync import Session as Log

FOLDER = "strands"  #: the first label of what is kept beside messages
RECORD = "session"  #: the key of a session's own record
AGENTS, GRAPHS = "agents", "multi_agents"
MAX_HITS = 10

log = logging.getLogger("bethink.strands")

__all__ = ["BethinkMemoryStore", "BethinkSessionRepository"]


class BethinkSessionRepository(SessionRepository):  # pyright: ignore[reportUntypedBaseClass]
    """Keeps sessions of Strands: `RepositorySessionManager(session_id=…, session_repository=repository)`.

    Each agent of a session has a log of its own, whose messages recall finds; what the session, its agents and graphs
    keep beside it are documents. What a guardrail redacted is not heard by recall any more.

    Args:
        memory: an opened memory; who opened it closes it.
        user: whose sessions they are. Strands knows no users: make a repository for each. None says that the memory is
            the agent's own.
        agent: whose memory it is.
    """

    def __init__(self, memory: Memory | AsyncMemory, *, user: str | None, agent: str = "strands") -> None:
        self._scope = both_faces(memory).blocking.scope(agent=agent, user=user)
        self._documents = self._scope.documents

    # ---- sessions ---------------------------------------------------------------------------------------------

    def create_session(self, session: Session, **kwargs: Any) -> Session:  # noqa: ARG002
        """Make a session.

        Raises:
            SessionException: there is one of this id.
        """
        self._create((FOLDER, session.session_id), RECORD, session.to_dict(), f"Session {session.session_id}")
        return session

    def read_session(self, session_id: str, **kwargs: Any) -> Session | None:  # noqa: ARG002
        """Return a session; None where there is none."""
        kept = self._documents.get((FOLDER, session_id), RECORD)
        return None if kept is None else Session.from_dict(kept.value)

    def delete_session(self, session_id: str, **kwargs: Any) -> None:  # noqa: ARG002
        """Remove a session with its agents and their messages, for good.

        Raises:
            SessionException: there is none.
        """
        self._demand(session_id)
        for agent_id in self._documents.keys((FOLDER, session_id, AGENTS)):
            try:
                self._log(session_id, agent_id).delete()
            except NotFoundError:
                continue
        self._documents.clear((FOLDER, session_id))

    # ---- agents and graphs ------------------------------------------------------------------------------------

    def create_agent(self, session_id: str, session_agent: SessionAgent, **kwargs: Any) -> None:  # noqa: ARG002
        """Keep the state of an agent that is new in a session.

        Raises:
            SessionException: there is no such session, or it has the agent.
        """
        self._demand(session_id)
        what = f"Agent {session_agent.agent_id} in session {session_id}"
        self._create((FOLDER, session_id, AGENTS), session_agent.agent_id, session_agent.to_dict(), what)

    def read_agent(self, session_id: str, agent_id: str, **kwargs: Any) -> SessionAgent | None:  # noqa: ARG002
        """Return the state of an agent; None where there is none."""
        kept = self._documents.get((FOLDER, session_id, AGENTS), agent_id)
        return None if kept is None else SessionAgent.from_dict(kept.value)

    def update_agent(self, session_id: str, session_agent: SessionAgent, **kwargs: Any) -> None:  # noqa: ARG002
        """Keep the new state of an agent.

        Raises:
            SessionException: the session has no such agent.
        """
        before = self._demand(session_id, session_agent.agent_id)
        session_agent.created_at = before["created_at"]
        self._documents.put((FOLDER, session_id, AGENTS), session_agent.agent_id, session_agent.to_dict())

    def create_multi_agent(self, session_id: str, multi_agent: Any, **kwargs: Any) -> None:  # noqa: ARG002
        """Keep the state of a graph or a swarm.

        Raises:
            SessionException: there is no such session.
        """
        self._demand(session_id)
        self._documents.put((FOLDER, session_id, GRAPHS), multi_agent.id, multi_agent.serialize_state())

    def read_multi_agent(
        self,
        session_id: str,
        multi_agent_id: str,
        **kwargs: Any,  # noqa: ARG002
    ) -> dict[str, Any] | None:
        """Return the state of a graph or a swarm; None where there is none."""
        kept = self._documents.get((FOLDER, session_id, GRAPHS), multi_agent_id)
        return None if kept is None else kept.value

    def update_multi_agent(self, session_id: str, multi_agent: Any, **kwargs: Any) -> None:
        """Keep the new state of a graph or a swarm.

        Raises:
            SessionException: the session has none of this id.
        """
        if self.read_multi_agent(session_id, multi_agent.id) is None:
            raise SessionException(f"MultiAgent {multi_agent.id} in session {session_id} does not exist")
        self.create_multi_agent(session_id, multi_agent, **kwargs)

    # ---- messages ---------------------------------------------------------------------------------------------

    def create_message(
        self,
        session_id: str,
        agent_id: str,
        session_message: SessionMessage,
        **kwargs: Any,  # noqa: ARG002
    ) -> None:
        """Add a message to the log of an agent.

        Raises:
            SessionException: there is no such session or agent, or it has a message of this id.
        """
        self._demand(session_id, agent_id)
        number = _number(session_message.message_id)
        head = self._log(session_id, agent_id).append([_written(session_message)], keys=[number])
        if head.known:
            raise SessionException(
                f"Message {number} of agent {agent_id} in session {session_id} already exists"
            )

    def read_message(
        self,
        session_id: str,
        agent_id: str,
        message_id: int,
        **kwargs: Any,  # noqa: ARG002
    ) -> SessionMessage | None:
        """Return a message; None where there is none."""
        found = self._log(session_id, agent_id).item(_number(message_id))
        return None if found is None else _read(found.body)

    def update_message(
        self,
        session_id: str,
        agent_id: str,
        session_message: SessionMessage,
        **kwargs: Any,  # noqa: ARG002
    ) -> None:
        """Put a message in the place of the one of its id, as when a guardrail redacts it.

        Raises:
            SessionException: there is none.
        """
        before = self.read_message(session_id, agent_id, session_message.message_id)
        if before is None:
            raise SessionException(
                f"Message {session_message.message_id} of agent {agent_id} in session {session_id} does not exist"
            )
        session_message.created_at = before.created_at
        self._log(session_id, agent_id).replace(
            _number(session_message.message_id), _written(session_message)
        )

    def list_messages(
        self,
        session_id: str,
        agent_id: str,
        limit: int | None = None,
        offset: int = 0,
        **kwargs: Any,  # noqa: ARG002
    ) -> list[SessionMessage]:
        """Return messages in the order of their ids.

        Raises:
            SessionException: there is no such session or agent.
        """
        self._demand(session_id, agent_id)
        found = sorted(
            (_read(body) for body in self._log(session_id, agent_id).get_items()),
            key=lambda message: message.message_id,
        )
        return found[offset:] if limit is None else found[offset : offset + limit]

    # ---- what they share --------------------------------------------------------------------------------------

    def _log(self, session_id: str, agent_id: str) -> Log:
        return self._scope.session(log_name(session_id, agent_id))

    def _create(self, path: tuple[str, ...], key: str, value: Mapping[str, Any], what: str) -> None:
        try:
            self._documents.put(path, key, value, expected=0)
        except ConflictError:
            raise SessionException(f"{what} already exists") from None

    def _demand(self, session_id: str, agent_id: str | None = None) -> Any:
        """Return the record of a session, or of an agent in it, which must be there."""
        if agent_id is None:
            path, key, what = (FOLDER, session_id), RECORD, f"Session {session_id}"
        else:
            path, key, what = (
                (FOLDER, session_id, AGENTS),
                agent_id,
                f"Agent {agent_id} in session {session_id}",
            )
        kept = self._documents.get(path, key)
        if kept is None:
            raise SessionException(f"{what} does not exist")
        return kept.value


def _number(message_id: int) -> str:
    if isinstance(message_id, bool) or not isinstance(message_id, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError("message_id must be an int", argument="message_id")
    return str(message_id)


def _written(message: SessionMessage) -> dict[str, Any]:
    """Return a message as an item whose `message` is what is to be heard; what was redacted stands beside it."""
    item = message.to_dict()
    redacted = item.pop("redact_message")
    return item if redacted is None else {**item, "message": redacted, "before_redaction": item["message"]}


def _read(item: Mapping[str, Any]) -> SessionMessage:
    stored = dict(item)
    if "before_redaction" in stored:
        stored["redact_message"], stored["message"] = stored["message"], stored.pop("before_redaction")
    return SessionMessage.from_dict(stored)


class BethinkMemoryStore(_MemoryStore):  # pyright: ignore[reportUntypedBaseClass]
    """Gives agents of Strands a memory: `Agent(plugins=[MemoryManager(stores=[BethinkMemoryStore(memory, user=…)])])`.

    The manager puts what a search finds before the model; the model may search and, where it is allowed, add. Messages
    that the manager hands over are learned from without a call of a model.

    Args:
        memory: an opened memory; who opened it closes it.
        user: whose memory it is. Strands knows no users: make a store for each. None says that it is the agent's own.
        agent: whose memory it is.
        name: of the store, for the manager and for the model.
        description: of the store, for the model.
        max_search_results: at most, where a search does not say.
        writable: whether the manager may write.
        extraction: whether and when the manager hands over messages.
        session: the name of the session that keeps what was handed over; without it, each store has one of its own.
    """

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        user: str | None,
        agent: str = "strands",
        name: str = "bethink",
        description: str | None = "What is remembered of the user.",
        max_search_results: int | None = None,
        writable: bool = True,
        extraction: Any = True,
        session: str | None = None,
    ) -> None:
        if not name.strip():
            raise InvalidError("name must not be empty", argument="name")
        self._scope = both_faces(memory).awaited.scope(agent=agent, user=user)
        self._session = self._scope.session(session or f"strands-{uuid4()}")
        self._run = uuid4().hex
        self.name = name
        self.description = description
        self.max_search_results = None if max_search_results is None else _most(max_search_results)
        self.writable = writable
        self.extraction = extraction if writable else False

    async def search(self, query: str, options: Mapping[str, Any] | None = None) -> list[MemoryEntry]:
        """Return the memories that answer a query, the best first."""
        limit = (options or {}).get("max_search_results", self.max_search_results)
        limit = MAX_HITS if limit is None else _most(limit)
        if not query.strip():
            return []
        return [_entry(hit) for hit in await self._scope.recall(query, limit=limit, kinds=("note",))]

    async def add(self, content: str, metadata: Mapping[str, Any] | None = None) -> dict[str, str]:
        """Propose a memory that an agent wrote; what is there in the same words is not kept twice.

        Raises:
            InvalidError: the store is not writable, or there are no words in it.
            RefusedError: the guard blocks it.
        """
        self._check_writable()
        if not content.strip():
            raise InvalidError("content must not be empty", argument="content")
        key = f"strands-{digest(content.strip())}"
        note = await self._scope.propose(
            content, key=key, metadata=metadata, session=self._session.session_id
        )
        return {"id": note.id}

    async def add_messages(self, messages: Sequence[Mapping[str, Any]], context: Any = None) -> None:
        """Keep messages, each once though a batch is retried, and learn from them.

        Raises:
            InvalidError: the store is not writable.
        """
        self._check_writable()
        numbers: Sequence[int] | None = None if context is None else context.sequence_numbers
        keys = None
        if numbers is not None:
            numbered = zip(numbers, messages, strict=True)
            keys = [
                digest(self._run, str(number), json.dumps(message, default=repr))
                for number, message in numbered
            ]
        plain = [SessionMessage.from_message(dict(each), number).to_dict()["message"]
                 for number, each in enumerate(messages)]  # fmt: skip
        await self._session.append(plain, keys=keys)
        self._run = uuid4().hex  # a batch is retried only if it failed, and each run counts from zero
        await learn_from(self._scope, log, self._session.session_id, timedelta(0))

    def _check_writable(self) -> None:
        if not self.writable:
            raise InvalidError("store is not writable", argument="writable")


def _most(limit: int) -> int:
    if limit < 1:
        raise InvalidError("max_search_results must be at least 1", argument="max_search_results")
    return limit


def _entry(hit: Hit) -> MemoryEntry:
    found: dict[str, Any] = {"score": hit.score}
    if hit.note is not None:
        found |= {**hit.note.metadata, "id": hit.note.id, "category": hit.note.category}
    return MemoryEntry(content=hit.text, metadata=found)
