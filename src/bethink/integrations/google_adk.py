"""Google ADK: a session service and a memory service."""
# The framework is not installed where this is developed, so its types are unknown here.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from bethink.errors import ConflictError, InvalidError, NotFoundError
from bethink.integrations.async_and_blocking import both_faces
from bethink.integrations.labels import item_key, log_name
from bethink.integrations.learning import learn_from
from bethink.integrations.shared_memory import lease_memory
from bethink.integrations.versions import require_versions
from bethink.scope.transactions import digest

require_versions("adk", ("google-adk", "2.13", "3"))

from google.adk.errors._stale_session_error import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    StaleSessionError,
)
from google.adk.errors.already_exists_error import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    AlreadyExistsError,
)
from google.adk.errors.session_not_found_error import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    SessionNotFoundError,
)
from google.adk.events.event import Event  # noqa: E402  # pyright: ignore[reportMissingImports]
from google.adk.memory.base_memory_service import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    BaseMemoryService,
    SearchMemoryResponse,
)
from google.adk.memory.memory_entry import MemoryEntry  # noqa: E402  # pyright: ignore[reportMissingImports]
from google.adk.sessions.base_session_service import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    BaseSessionService,
    ListSessionsResponse,
)
from google.adk.sessions.session import Session  # noqa: E402  # pyright: ignore[reportMissingImports]
from google.adk.sessions.state import State  # noqa: E402  # pyright: ignore[reportMissingImports]
from google.genai import types  # noqa: E402  # pyright: ignore[reportMissingImports]
from pydantic_core import to_jsonable_python  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence

    from bethink.documents.values import Document
    from bethink.integrations.shared_memory import Lease
    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.memory.session import AsyncSession
    from bethink.pages import Page
    from bethink.recall.values import Hit
    from bethink.sync import Memory

SESSIONS = ("google-adk", "adk-sessions")  #: where the records of sessions lie
STATE = ("google-adk", "adk-state")  #: where what an app or a user shares lies
FORGOTTEN = ("google-adk", "adk-forgotten")  #: where the ids of deleted memories lie
ALL = "google-adk-shared-state"  #: the one key of a shared state
LOGS, LEARNED = (
    "session/",
    "memory/",
)  #: begin the names of logs: of sessions, and of what memory was made from
MAX_HITS = 10
LOOKED_AT = 50
ATTEMPTS = 100  #: at a state that others write as well

SCHEMES = ("bethink", "bethink+sqlite", "bethink+postgresql", "bethink+postgres")  #: of URIs

T = TypeVar("T")

log = logging.getLogger("bethink.adk")

__all__ = [
    "BethinkMemoryService",
    "BethinkSessionService",
    "open_memory_service",
    "open_session_service",
    "register",
]


class _Apps:
    """The memories of users of apps: an app is an agent, and its user is a user."""

    def __init__(self, memory: Memory | AsyncMemory) -> None:
        self._memory = both_faces(memory).awaited
        self._lease: Lease | None = None  #: where it was opened by a URI

    def _scope(self, app_name: str, user_id: str | None) -> AsyncScope:
        """Return the memory that an app has of a user; without one, what it shares with all.

        Raises:
            InvalidError: the app or the user is empty.
        """
        return self._memory.scope(agent=app_name, user=user_id)

    def _user(self, app_name: str, user_id: str) -> AsyncScope:
        if not user_id:
            raise InvalidError("user_id must not be empty", argument="user_id")
        return self._scope(app_name, user_id)


S = TypeVar("S", bound=_Apps)


class BethinkSessionService(_Apps, BaseSessionService):  # pyright: ignore[reportUntypedBaseClass]
    """Keeps sessions of Google ADK: `Runner(session_service=BethinkSessionService(memory), …)`.

    An event is appended to the session's log and is never lost: what it changes in the states of session, user and app
    is made up for when the session is next read, should a process end in between. A session object that another writer
    went past is refused with `StaleSessionError`.

    Args:
        memory: an opened memory; who opened it closes it.
    """

    async def create_session(
        self,
        *,
        app_name: str,
        user_id: str,
        state: dict[str, Any] | None = None,
        session_id: str | None = None,
    ) -> Session:
        """Make a session.

        Raises:
            AlreadyExistsError: the user has one of this id.
        """
        scope = self._user(app_name, user_id)
        name = (session_id or "").strip() or str(uuid4())
        parts = _parted(to_jsonable_python(state or {}, fallback=repr))
        head = await scope.session(_log(name)).head()
        record = {"state": parts["session"], "updated": _now(), "events": 0}
        try:
            await scope.documents.put(SESSIONS, name, record, expected=0)
        except ConflictError:
            raise AlreadyExistsError(f"Session with id {name} already exists.") from None
        await self._share(app_name, user_id, parts)
        shared = await self._prefixed(app_name, user_id)
        return _shown(app_name, user_id, name, record, [], head.revision, shared)

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: Any = None
    ) -> Session | None:
        """Return a session with its events, or those that `config` asks for; None where there is none."""
        scope, name = self._user(app_name, user_id), session_id.strip()
        kept = await scope.documents.get(SESSIONS, name)
        if kept is None:
            return None
        opened = scope.session(_log(name))
        head = await opened.head()
        recent = None if config is None else config.num_recent_events
        if recent is None or kept.value["events"] < head.count:
            bodies = await opened.get_items()
            record = await self._settled(app_name, user_id, kept, bodies)
        else:
            bodies, record = await opened.get_items(recent), kept.value
        if recent is not None:
            bodies = bodies[-recent:] if recent else []
        if config is not None and config.after_timestamp is not None:
            old = [at for at, body in enumerate(bodies) if body["timestamp"] < config.after_timestamp]
            bodies = bodies[old[-1] + 1 :] if old else bodies
        events = [Event.model_validate(body) for body in bodies]
        shared = await self._prefixed(app_name, user_id)
        return _shown(app_name, user_id, name, record, events, head.revision, shared)

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        """List the sessions of a user, or of all users of an app, without events; the one written last is the last."""
        users = [user_id] if user_id is not None else await self._users(app_name)
        found: list[Session] = []
        for user in users:
            shared = await self._prefixed(app_name, user)
            found += [
                _shown(app_name, user, kept.key, kept.value, [], None, shared)
                for kept in await self._user(app_name, user).documents.within(SESSIONS)
            ]
        found.sort(key=lambda session: (session.last_update_time, session.user_id, session.id))
        return ListSessionsResponse(sessions=found)

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """Remove a session for good; what the user and the app share stays."""
        scope, name = self._user(app_name, user_id), session_id.strip()
        await scope.documents.delete(SESSIONS, name)
        try:
            await scope.session(_log(name)).delete()
        except NotFoundError:
            return

    async def get_user_state(self, *, app_name: str, user_id: str) -> dict[str, Any]:
        """Return what an app keeps of a user in every session, by names without `user:`."""
        return await self._shared(self._user(app_name, user_id))

    async def append_event(self, session: Session, event: Event) -> Event:
        """Append an event, and change the states by what it says; an event that is there already is not kept twice.

        Raises:
            SessionNotFoundError: there is no such session.
            StaleSessionError: another writer went past this session object.
        """
        if event.partial:
            return event
        scope = self._user(session.app_name, session.user_id)
        kept = await scope.documents.get(SESSIONS, session.id)
        if kept is None:
            raise SessionNotFoundError(f"Session {session.id} not found.")
        opened = scope.session(_log(session.id))
        self._apply_temp_state(session, event)
        event = self._trim_temp_delta_state(event)
        body = event.model_dump(mode="json", exclude_none=True, fallback=repr)
        key = await _key(opened, event.id, body)
        if key is None:
            return event
        head = await self._append(opened, session, event, body, key)
        delta = _parted((body.get("actions") or {}).get("state_delta") or {})
        await self._put(scope, session.id, delta["session"], event.timestamp, head.count)
        await self._share(session.app_name, session.user_id, delta)
        self._commit_event_to_session(session, event)
        session.last_update_time = event.timestamp
        session._storage_update_marker = str(head.revision)  # noqa: SLF001
        return event

    async def _append(
        self, opened: AsyncSession, session: Session, event: Event, body: dict[str, Any], key: str
    ) -> Any:
        marker = session._storage_update_marker  # noqa: SLF001
        if marker is None:  # made by hand: it is not behind if it ends as the log does
            last = await opened.get_items(1)
            head = await opened.head()
            if last and (not session.events or session.events[-1].id != last[0].get("id")):
                raise _stale(session)
            expected = head.revision
        else:
            expected = int(marker)
        at = datetime.fromtimestamp(event.timestamp, UTC)
        try:
            return await opened.append([body], keys=[key], at=at, expected=expected)
        except ConflictError:
            raise _stale(session) from None

    # ---- states -----------------------------------------------------------------------------------------------

    async def _put(
        self, scope: AsyncScope, name: str, delta: Mapping[str, Any], at: float, count: int
    ) -> dict[str, Any]:
        """Change the state of a session up to an event."""
        for _ in range(ATTEMPTS):
            kept = await scope.documents.get(SESSIONS, name)
            if kept is None or kept.value["events"] >= count:
                return {} if kept is None else kept.value
            record = {"state": {**kept.value["state"], **delta}, "updated": at, "events": count}
            try:
                await scope.documents.put(SESSIONS, name, record, expected=kept.revision)
            except ConflictError:
                continue
            return record
        raise ConflictError("other writers keep changing this session; try again", expected=None)

    async def _settled(
        self, app_name: str, user_id: str, kept: Document, bodies: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """Return the record of a session, with what events say that a process did not come to write."""
        record = kept.value
        for number, body in enumerate(bodies[record["events"] :], start=record["events"] + 1):
            delta = _parted((body.get("actions") or {}).get("state_delta") or {})
            await self._share(app_name, user_id, delta)
            scope = self._user(app_name, user_id)
            record = await self._put(scope, kept.key, delta["session"], body["timestamp"], number)
        return record

    async def _share(self, app_name: str, user_id: str, parts: Mapping[str, Mapping[str, Any]]) -> None:
        """Change what a user and an app share."""
        for scope, delta in (
            (self._scope(app_name, user_id), parts["user"]),
            (self._scope(app_name, None), parts["app"]),
        ):
            for attempt in range(ATTEMPTS if delta else 0):
                kept = await scope.documents.get(STATE, ALL)
                before, revision = ({}, 0) if kept is None else (kept.value, kept.revision)
                try:
                    await scope.documents.put(STATE, ALL, {**before, **delta}, expected=revision)
                except ConflictError:
                    if attempt == ATTEMPTS - 1:
                        raise
                    continue
                break

    async def _shared(self, scope: AsyncScope) -> dict[str, Any]:
        kept = await scope.documents.get(STATE, ALL)
        return {} if kept is None else kept.value

    async def _users(self, app_name: str) -> list[str]:
        spaces = [scope.namespace for scope in await self._memory.scopes()]
        own = self._scope(app_name, None).namespace
        return [
            space.user
            for space in spaces
            if space.user is not None
            and (space.kind, space.owner, space.name) == (own.kind, own.owner, own.name)
        ]

    async def _prefixed(self, app_name: str, user_id: str) -> dict[str, Any]:
        """Return what a user and an app share, by names with their prefixes."""
        app = await self._shared(self._scope(app_name, None))
        user = await self._shared(self._scope(app_name, user_id))
        return {
            **{f"{State.APP_PREFIX}{key}": value for key, value in app.items()},
            **{f"{State.USER_PREFIX}{key}": value for key, value in user.items()},
        }


class BethinkMemoryService(_Apps, BaseMemoryService):  # pyright: ignore[reportUntypedBaseClass]
    """Gives agents of Google ADK a memory: `Runner(memory_service=BethinkMemoryService(memory), …)`.

    `load_memory` and `PreloadMemoryTool` search it as it is: notes that were learned, and words of the events that were
    added. Nothing is found that was not added, so that a question does not find itself.

    Args:
        memory: an opened memory; who opened it closes it.
    """

    async def add_session_to_memory(self, session: Session) -> None:
        """Add the events of a session, each once however often it is added, and learn from them."""
        await self.add_events_to_memory(
            app_name=session.app_name,
            user_id=session.user_id,
            events=session.events,
            session_id=session.id,
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,  # noqa: ARG002
    ) -> None:
        """Add events, each once, and learn from them; those without words are left out."""
        scope = self._user(app_name, user_id)
        complete = [event for event in events if event.content and event.content.parts and not event.partial]
        gone = await scope.documents.get_all([(FORGOTTEN, event.id) for event in complete])
        complete = [event for event, deleted in zip(complete, gone, strict=True) if deleted is None]
        if not complete:
            return
        session = scope.session(_log(session_id or "events", LEARNED))
        await session.append(
            [event.model_dump(mode="json", exclude_none=True, fallback=repr) for event in complete],
            keys=[item_key(event.id) for event in complete],
            at=[datetime.fromtimestamp(event.timestamp, UTC) for event in complete],
        )
        await learn_from(scope, log, session.session_id, timedelta(0))

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep memories as they are; one with the id of another one takes its place.

        Raises:
            RefusedError: the guard blocks one.
        """
        scope = self._user(app_name, user_id)
        for entry in memories:
            text = _words(entry.content)
            if text:
                metadata = to_jsonable_python(
                    {**(custom_metadata or {}), **entry.custom_metadata}, fallback=repr
                )
                if entry.author in {None, "user"}:
                    await scope.remember(text, key=entry.id, metadata=metadata)
                else:  # a model wrote it
                    await scope.propose(text, key=entry.id, metadata=metadata)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Return the memories that answer a query, the best first."""
        scope = self._user(app_name, user_id)
        if not query.strip():
            return SearchMemoryResponse()
        hits = [
            hit
            for hit in await scope.recall(query, limit=LOOKED_AT)
            if hit.item is None or hit.item.session.startswith(LEARNED)
        ]
        entries = [_entry(hit) for hit in hits]
        gone = await scope.documents.get_all([(FORGOTTEN, entry.id) for entry in entries])
        left = [entry for entry, deleted in zip(entries, gone, strict=True) if deleted is None]
        return SearchMemoryResponse(memories=left[:MAX_HITS])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Delete a memory by the id that a search gave; it does not come back when its event is added again.

        With an event go the notes that were made from it. An event of a session stays in that session.
        """
        if not memory_id:
            return
        scope = self._user(app_name, user_id)
        await scope.documents.put(FORGOTTEN, memory_id, True)
        for each in (memory_id, *await self._made_of(scope, memory_id)):
            try:
                await scope.erase(note=each)
            except NotFoundError:
                continue

    async def _made_of(self, scope: AsyncScope, event_id: str) -> list[str]:
        """Leave nothing to be heard of an event that was added, and return the notes that were made from it."""
        key, found = item_key(event_id), list[str]()
        async for info in _every(scope.sessions):
            session = scope.session(info.id)
            item = await session.item(key) if info.id.startswith(LEARNED) else None
            if item is None:
                continue
            await session.replace(key, {**item.body, "content": None})
            sources = {item.id}
            for of in (info.id, None):
                notes = _every(scope.notes, session=of, status=None)
                found += [note.id async for note in notes if sources & set(note.sources)]
                sources |= set(found)
        return found


# ---- by a URI, as ADK's command line and server name them ------------------------------------------------------------


def register() -> None:
    """Let `adk run`, `adk web` and `adk api_server` take `bethink:///…` as URIs: call it in `services.py`."""
    from google.adk.cli.service_registry import (  # pyright: ignore[reportMissingImports]
        get_service_registry,
    )

    registry = get_service_registry()
    for scheme in SCHEMES:
        registry.register_session_service(scheme, open_session_service)
        registry.register_memory_service(scheme, open_memory_service)


def open_session_service(uri: str, **options: Any) -> BethinkSessionService:  # noqa: ARG001 - ADK says where agents are
    """Return the session service of a URI; a `class:` of `services.yaml` may name this function.

    Raises:
        InvalidError: the URI names no database.
    """
    return _opened(BethinkSessionService, uri)


def open_memory_service(uri: str, **options: Any) -> BethinkMemoryService:  # noqa: ARG001
    """Return the memory service of a URI; a `class:` of `services.yaml` may name this function.

    Raises:
        InvalidError: the URI names no database.
    """
    return _opened(BethinkMemoryService, uri)


def _opened(service: type[S], uri: str) -> S:
    """Return a service over the one memory that this process has of a database; it is closed when the process ends."""
    lease = lease_memory(_url(uri))
    made = service(lease.memory)
    made._lease = lease  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    return made


def _url(uri: str) -> str:
    """Return the address of the database that a URI names.

    Raises:
        InvalidError: it names none.
    """
    scheme, _, rest = uri.partition("://")
    if scheme == "bethink" and rest.startswith("/") and rest.strip("/"):
        return f"sqlite://{rest}"
    if scheme in SCHEMES[1:]:
        return uri.removeprefix("bethink+")
    raise InvalidError(
        "a URI is bethink:///memory.db (in the working folder), bethink:////srv/memory.db, "
        "or bethink+postgresql://user@host/database",
        argument="uri",
    )


async def _every(listed: Callable[..., Awaitable[Page[T]]], **options: Any) -> AsyncIterator[T]:
    """Yield every entry of a list."""
    cursor: str | None = None
    while True:
        page = await listed(cursor=cursor, **options)
        for entry in page:
            yield entry
        cursor = page.next
        if cursor is None:
            return


def _parted(state: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return a state as what is the app's, the user's and the session's; what is temporary is left out."""
    parts: dict[str, dict[str, Any]] = {"app": {}, "user": {}, "session": {}}
    for key, value in state.items():
        if key.startswith(State.APP_PREFIX):
            parts["app"][key.removeprefix(State.APP_PREFIX)] = value
        elif key.startswith(State.USER_PREFIX):
            parts["user"][key.removeprefix(State.USER_PREFIX)] = value
        elif not key.startswith(State.TEMP_PREFIX):
            parts["session"][key] = value
    return parts


def _shown(
    app_name: str,
    user_id: str,
    name: str,
    record: Mapping[str, Any],
    events: list[Event],
    revision: int | None,
    shared: Mapping[str, Any],
) -> Session:
    """Return a session as ADK has it."""
    made = Session(
        id=name,
        app_name=app_name,
        user_id=user_id,
        state={**record["state"], **shared},
        events=events,
        last_update_time=record["updated"],
    )
    if revision is not None:
        made._storage_update_marker = str(revision)  # noqa: SLF001
    return made


async def _key(opened: AsyncSession, event_id: str, body: Mapping[str, Any]) -> str | None:
    """Return the key that an event is kept by; None if it is there already. Another one of its id has another key."""
    plain = json.loads(json.dumps(body))
    key = item_key(event_id)
    for each in (key, digest(key, json.dumps(plain, sort_keys=True))):
        there = await opened.item(each)
        if there is None:
            return each
        if there.body == plain:
            return None
    return None


def _log(name: str, begin: str = LOGS) -> str:
    """Return the name of the log of a session."""
    return log_name(name, begin=begin)


def _now() -> float:
    return datetime.now(UTC).timestamp()


def _stale(session: Session) -> StaleSessionError:
    return StaleSessionError(
        f"session {session.id} has changed since this object was read; get it again, and append to that"
    )


def _words(content: Any) -> str:
    return "\n".join(part.text for part in content.parts or [] if part.text and not part.thought).strip()


def _entry(hit: Hit) -> MemoryEntry:
    if hit.note is not None:
        note = hit.note
        content = types.Content(role="user", parts=[types.Part(text=hit.text)])
        metadata = {**note.metadata, "score": hit.score, "category": note.category}
        created = note.created_at.isoformat()
        return MemoryEntry(
            id=note.id, content=content, author=note.source, timestamp=created, custom_metadata=metadata
        )
    assert hit.item is not None  # noqa: S101 - a hit is one of the two
    event = Event.model_validate(hit.item.body)
    at = datetime.fromtimestamp(event.timestamp, UTC).isoformat()
    return MemoryEntry(
        id=event.id,
        content=event.content,
        author=event.author,
        timestamp=at,
        custom_metadata={"score": hit.score},
    )
