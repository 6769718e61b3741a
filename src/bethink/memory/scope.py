"""The handle of one scope: its notes, its sessions, its profile, and what is recalled of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

from bethink.errors import InvalidError, NotFoundError, RefusedError
from bethink.ids import receipt_id, to_number
from bethink.lifecycle import units as lifecycle
from bethink.lifecycle.capture import admit, keep
from bethink.lifecycle.erase import units as erasing
from bethink.lifecycle.erase.service import verify, without_note, without_session
from bethink.lifecycle.exchange.seed import write as write_state
from bethink.lifecycle.exchange.service import prepare
from bethink.lifecycle.exchange.units import take_in
from bethink.lifecycle.inject.service import Wanted
from bethink.lifecycle.inject.service import context as inject
from bethink.lifecycle.service import consolidate, distill
from bethink.lifecycle.service import rerank as reranked
from bethink.memory.notebook import AsyncNotebook
from bethink.memory.profile import AsyncProfileHandle
from bethink.memory.records import AsyncRecords
from bethink.memory.session import AsyncSession, notes_json
from bethink.memory.workspace import AsyncWorkspace
from bethink.notes import units
from bethink.notes.categories import parse_categories, parse_category
from bethink.notes.checks import (
    check_confidence,
    check_key,
    check_keywords,
    check_metadata,
    check_text,
    check_word,
)
from bethink.notes.filters import check_where, matches
from bethink.notes.values import CONVERSATION, CORE, NewNote, Status
from bethink.pages import Page, check_limit, from_cursor, to_cursor
from bethink.recall.service import Ask
from bethink.scope.access import require
from bethink.scope.labels import label
from bethink.scope.shares import check_share
from bethink.sessions import units as session_units
from bethink.sessions.values import DEFAULT_SESSION
from bethink.state import units as state_units
from bethink.times import optional_micros, to_datetime, to_micros
from bethink.workspace.directory import LocalFiles
from bethink.workspace.values import DEFAULT_NAME, GENERATE, LAYOUT, READ, Spot

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from bethink.lifecycle.erase.values import Receipt, Subject
    from bethink.lifecycle.exchange.values import Format, Imported
    from bethink.lifecycle.inject.values import Context, Strategy
    from bethink.lifecycle.plans import Plan
    from bethink.lifecycle.values import Distilled
    from bethink.memory.runtime import Runtime
    from bethink.notes.values import Note, NoteVersion, Source
    from bethink.recall.values import Recall, WhyNot
    from bethink.scope.namespace import Namespace
    from bethink.scope.values import Right
    from bethink.sessions.values import SessionInfo
    from bethink.sessions.windows import Limits
    from bethink.workspace.values import Generate, Layout, Read

MOST_QUERY = 4_000  #: characters of a question
MOST_HITS = 1_000
WIDER = 3  #: times as many hits are ordered by a model as are asked for
MOST_TOKENS = 1_000_000  #: of a context
_KINDS = ("note", "item")


class AsyncScope:
    """Where an agent's memory of one user, a pool or a team lives."""

    def __init__(self, runtime: Runtime, namespace: Namespace) -> None:
        self._runtime = runtime
        self.namespace = namespace
        self.profile = AsyncProfileHandle(runtime, namespace)
        self.records = AsyncRecords(runtime, namespace)

    def __repr__(self) -> str:
        return f"<scope {self.namespace}>"

    def session(self, name: str = DEFAULT_SESSION, *, session_settings: Any = None) -> AsyncSession:
        """Return the handle of a session; the log is made at the first append."""
        return AsyncSession(self._runtime, self, name, session_settings)

    def workspace(
        self,
        directory: str | PathLike[str],
        *,
        name: str = DEFAULT_NAME,
        layout: Layout = LAYOUT,
        read: Read | Literal[False] | None = READ,
        generate: Generate | Literal[False] | None = GENERATE,
    ) -> AsyncWorkspace:
        """Return the handle of a directory that has a memory of its own, for agents that work with files.

        Workspaces of one scope with the same `name` and the same `layout` are one memory, wherever they lie; with
        another layout they share nothing. `read=None` generates without reading, `generate=None` reads alone.

        Raises:
            InvalidError: neither reads nor generates, or the layout leads out of the directory.
        """
        return AsyncWorkspace(
            self._runtime,
            self,
            LocalFiles(self._runtime.store, directory),
            Spot(label(name, argument="name"), layout),
            read or None,
            generate or None,
        )

    def notebook(self, directory: str | PathLike[str], *, summary: bool = False) -> AsyncNotebook:
        """Return the handle of a directory of Markdown that `sync` keeps in step with the notes of this scope.

        With `summary`, what Codex reads first, `memory_summary.md`, is written too.
        """
        return AsyncNotebook(self._runtime, self, LocalFiles(self._runtime.store, directory), summary)

    # ---- notes ----------------------------------------------------------------------------------------------

    async def remember(
        self,
        text: str,
        *,
        key: str | None = None,
        category: str = CORE,
        keywords: Iterable[str] = (),
        valid_from: datetime | None = None,
        expires_at: datetime | None = None,
        confidence: float | None = None,
        source: Source = "user",
        metadata: Mapping[str, Any] | None = None,
    ) -> Note:
        """Keep a global note. With a `key`, it takes the place of the live note of that key; its history stays.

        Raises:
            InvalidError: the text is empty, or a value is not of its kind.
            LimitError: the text is too long.
            RefusedError: the guard blocks it: a secret, a card, an identity number; `verdict` says why.
            DeniedError: the principal may not write here.
        """
        new = self._new_note(
            text,
            key=key,
            category=category,
            keywords=keywords,
            valid_from=valid_from,
            expires_at=expires_at,
            confidence=confidence,
            source=source,
            metadata=metadata,
        )
        return await self._capture(new)

    async def stage(
        self, session: str, text: str, *, keywords: Iterable[str] = (), key: str | None = None
    ) -> Note:
        """Keep a note of one session; `session.remember` is the usual way to call this."""
        new = self._new_note(text, key=key, category=CONVERSATION, keywords=keywords, session=session)
        return await self._capture(new)

    async def _capture(self, new: NewNote) -> Note:
        """Keep a note as the guard lets it in; what it blocks is counted."""
        runtime = self._runtime
        try:
            admitted = admit(new, runtime.guard)
        except RefusedError:
            await runtime.write(
                "write", lifecycle.count, self.namespace, {"blocked": 1}, writing=runtime.writing()
            )
            raise
        return await runtime.write("write", keep, self.namespace, admitted, writing=runtime.writing())

    def _new_note(
        self,
        text: str,
        *,
        key: str | None,
        category: str,
        keywords: Iterable[str],
        session: str | None = None,
        valid_from: datetime | None = None,
        expires_at: datetime | None = None,
        confidence: float | None = None,
        source: Source = "user",
        metadata: Mapping[str, Any] | None = None,
    ) -> NewNote:
        if source not in {"user", "tool", "agent", "import"}:
            raise InvalidError("source is user, tool, agent or import", argument="source")
        return NewNote(
            text=check_text(text),
            key=check_key(key),
            category=parse_category(category),
            keywords=check_keywords(keywords),
            session=None if session is None else label(session, argument="session"),
            source=source,
            confidence=check_confidence(confidence),
            valid_from=_utc(valid_from, "valid_from"),
            expires_at=_utc(expires_at, "expires_at"),
            metadata=check_metadata(metadata),
        )

    async def get(self, key_or_id: str) -> Note | None:
        """Return the note of an id, or the live note of a key; None where there is none, or none any more."""
        return await self._runtime.read(
            units.get, self.namespace, check_word(key_or_id), now=self._runtime.now()
        )

    async def notes(
        self,
        *,
        category: str | Iterable[str] | None = None,
        session: str | None = None,
        status: Status | None = "active",
        where: Mapping[str, Any] | None = None,
        as_of: datetime | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Note]:
        """List notes, the one written last first: the global ones, or with `session` those of a session.

        `where` filters by metadata, such as `{"city": "Paris", "stars": {"$gte": 4}}`; `as_of` shows the notes as
        they stood at an instant. The total is of all that match.

        Raises:
            InvalidError: an operator, a category, a limit or a cursor is not acceptable.
        """
        limit = check_limit(limit)
        check_where(where)
        session = None if session is None else label(session, argument="session")
        if status is not None and status not in get_args(Status):
            known = ", ".join(get_args(Status))
            raise InvalidError(f"status is one of {known}, or None for all", argument="status")
        categories = parse_categories(category)
        if as_of is not None and status != "active":
            raise InvalidError("as_of lists what was active then: leave status out", argument="status")
        before = from_cursor(cursor, int, int) if cursor is not None else units.FOREVER
        if where is None and as_of is None and (categories is None or len(categories) == 1):
            found, total = await self._runtime.read(
                units.listing,
                self.namespace,
                now=self._runtime.now(),
                status=status,
                category=next(iter(categories)) if categories else None,
                session=session,
                limit=limit + 1,
                before=(before[0], before[1]),
            )
        else:
            every = await self._every_note(session, status, as_of)
            chosen = [
                note
                for note in every
                if (categories is None or note.category in categories) and matches(where, note.metadata)
            ]
            total = len(chosen)
            found = [note for note in chosen if (note.revision, _number(note)) < (before[0], before[1])]
        more = found[limit - 1] if len(found) > limit else None
        return Page(tuple(found[:limit]), total, to_cursor(more.revision, _number(more)) if more else None)

    async def _every_note(
        self, session: str | None, status: Status | None, as_of: datetime | None
    ) -> list[Note]:
        if as_of is None:
            found, _ = await self._runtime.read(
                units.listing, self.namespace, now=self._runtime.now(), status=status, session=session
            )
            return found
        standing = await self._runtime.read(units.as_of, self.namespace, to_micros(as_of, "as_of"))
        return [note for note in standing if note.session == session]

    async def revise(self, id: str, text: str, *, expected: int | None = None) -> Note:  # noqa: A002
        """Put another wording in the place of a note; the earlier one stays in its history.

        Raises:
            NotFoundError: there is no such live note.
            ConflictError: the note was changed since the revision that was expected.
            RefusedError: the guard blocks the text; `verdict` says why.
        """
        admitted = admit(NewNote(text=check_text(text)), self._runtime.guard)
        return await self._runtime.write(
            "write",
            units.change,
            self.namespace,
            check_word(id),
            "revised",
            writing=self._runtime.writing(),
            expected=expected,
            only=("active", "quarantined"),
            text=admitted.text,
        )

    async def forget(self, key_or_id: str) -> Note:
        """Hide a note at once; `undo` with its id brings it back, and its history is kept.

        Raises:
            NotFoundError: there is no such live note.
        """
        return await self._runtime.write(
            "delete",
            units.change,
            self.namespace,
            check_word(key_or_id),
            "forgotten",
            writing=self._runtime.writing(),
            only=("active", "quarantined"),
            status="forgotten",
        )

    async def history(self, id: str) -> list[NoteVersion]:  # noqa: A002
        """Return the earlier versions of a note, oldest first, with what ended each of them.

        Raises:
            NotFoundError: there is no such note.
        """
        note, versions = await self._runtime.read(units.history, self.namespace, check_word(id))
        if note is None:
            raise NotFoundError("no such note in this scope", kind="note", id=id)
        return versions

    async def quarantine(self, *, limit: int = 100, cursor: str | None = None) -> Page[Note]:
        """List the notes that wait for a decision: `approve` or `reject` them."""
        before = from_cursor(cursor, int, int) if cursor is not None else units.FOREVER
        found, total = await self._runtime.read(
            units.listing,
            self.namespace,
            now=self._runtime.now(),
            status="quarantined",
            everywhere=True,
            limit=check_limit(limit) + 1,
            before=(before[0], before[1]),
        )
        more = found[limit - 1] if len(found) > limit else None
        return Page(tuple(found[:limit]), total, to_cursor(more.revision, _number(more)) if more else None)

    async def approve(self, id: str) -> Note:  # noqa: A002
        """Let a quarantined note be recalled.

        Raises:
            NotFoundError: there is no such quarantined note.
        """
        return await self._decide(id, "approved", "active")

    async def reject(self, id: str) -> Note:  # noqa: A002
        """Forget a quarantined note.

        Raises:
            NotFoundError: there is no such quarantined note.
        """
        return await self._decide(id, "rejected", "forgotten")

    async def _decide(self, word: str, reason: Literal["approved", "rejected"], status: Status) -> Note:
        return await self._runtime.write(
            "write",
            units.change,
            self.namespace,
            check_word(word),
            reason,
            writing=self._runtime.writing(),
            only=("quarantined",),
            status=status,
            outcome=reason if reason == "approved" else None,
        )

    # ---- lifecycle ------------------------------------------------------------------------------------------

    async def context(
        self,
        *,
        session: str | None = None,
        query: str | None = None,
        tokens: int | None = None,
        strategy: Strategy = "relevance+recency",
        items: str = "session",
        turns: int | None = None,
        policy: str | None = None,
    ) -> Context:
        """Return what to put before a conversation: profile, memories and how to take them, within a budget.

        The notes of `session` are shown when its window has lost something, so that they are not lost with it.
        With a `query`, notes are chosen by relevance too, and what was said earlier about it is quoted: in this
        session, or with `items="all"` in every session. `turns` is the window's, where it is trimmed by turns.
        Reading writes nothing.

        Raises:
            InvalidError: a value is not acceptable.
        """
        if strategy not in {"relevance+recency", "relevance", "recency"}:
            raise InvalidError("strategy is relevance+recency, relevance or recency", argument="strategy")
        if items not in {"session", "all"}:
            raise InvalidError("items is 'session' or 'all'", argument="items")
        await self._check_read()
        runtime = self._runtime
        limits: Limits = {"messages": runtime.settings.window_messages, "turns": turns}
        wanted = Wanted(
            session=session,
            query=None if query is None else check_text(query, "query", MOST_QUERY),
            tokens=runtime.settings.context_tokens if tokens is None else check_limit(tokens, MOST_TOKENS),
            strategy=strategy,
            everywhere=items == "all",
            limits=limits,
            policy=policy,
            hidden=runtime.schema.hidden,
        )
        return await inject(
            runtime.store,
            runtime.indexes,
            self.namespace,
            wanted,
            guard=runtime.guard,
            now=runtime.clock(),
            micros=runtime.now(),
            count_tokens=runtime.count_tokens,
        )

    async def distill(self, session: str) -> Distilled:
        """Find what is worth keeping in a session since the last time, and stage it as session notes.

        The answer says what was kept, and what was not and why; nothing kept is an outcome too.

        Raises:
            ConflictError: somebody else distilled the session at the same time.
        """
        runtime = self._runtime
        await self._check("write")
        distilled, _ = await distill(
            runtime.store,
            self.namespace,
            session,
            engines=runtime.engines,
            guard=runtime.guard,
            writing=runtime.writing(),
            now=runtime.clock(),
            daily_tokens=runtime.settings.daily_tokens,
        )
        return distilled

    async def consolidate(self, session: str | None = None, *, dry_run: bool = False) -> Plan:
        """Distill what is new in a session, or in all, and decide what becomes of the session notes.

        Duplicates are merged, the newer wins a conflict, what was for this time only goes; each change has its
        reason and its sources, and `undo(plan.id)` restores exactly what stood before. `print(plan)` is a diff.
        With `dry_run` nothing is written.

        Raises:
            ConflictError: another worker is at it.
        """
        return await self._consolidate(session, dry_run=dry_run)

    async def _consolidate(
        self, session: str | None, *, dry_run: bool = False, idle_since: int | None = None
    ) -> Plan:
        runtime = self._runtime
        await self._check("read" if dry_run else "write")
        return await consolidate(
            runtime.store,
            self.namespace,
            session,
            engines=runtime.engines,
            guard=runtime.guard,
            writing=runtime.writing(),
            now=runtime.clock(),
            dry_run=dry_run,
            idle_since=idle_since,
            daily_tokens=runtime.settings.daily_tokens,
            schema=runtime.schema,
        )

    async def plans(self, *, limit: int = 20, cursor: str | None = None) -> Page[Plan]:
        """List the plans that were applied here, newest first."""
        below = from_cursor(cursor, int)[0] if cursor is not None else session_units.END
        found, total = await self._runtime.read(
            lifecycle.list_plans, self.namespace, limit=check_limit(limit), below=below
        )
        more = to_number("p", found[-1].id) if len(found) == limit and total > limit else None
        return Page(tuple(found), total, to_cursor(more) if more else None)

    async def undo(self, id: str) -> Plan | Note:  # noqa: A002
        """Undo a plan, or the newest change of one note: what stood before stands again.

        Raises:
            NotFoundError: there is no such plan or note, or the note was never changed.
            ConflictError: what the plan touched was changed since, or the note's key is another note's by now.
        """
        return await self._runtime.write(
            "write",
            lifecycle.take_back,
            self.namespace,
            check_word(id),
            writing=self._runtime.writing(),
        )

    # ---- recall ---------------------------------------------------------------------------------------------

    async def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        kinds: Collection[str] = _KINDS,
        category: str | Iterable[str] | None = None,
        where: Mapping[str, Any] | None = None,
        as_of: datetime | None = None,
        explain: bool = False,
        session: str | None = None,
        rerank: bool = False,
    ) -> Recall:
        """Find the notes and the conversation items that answer a question, best first.

        Everything that was acknowledged is searched. Filters hold before the best are chosen. With `explain`,
        each hit names the words that it shares with the question; `why` says what each leg gave in any case.
        `session` looks at the items of one session alone. With `rerank`, the memory's chat model orders what was
        found; where it does not, `degraded` says why.

        Raises:
            InvalidError: a filter, a limit or a kind is not acceptable, or there is no model to rerank.
        """
        runtime = self._runtime
        if rerank and runtime.engines.reranker is None:
            raise InvalidError("rerank needs a model: open the memory with chat=…", argument="rerank")
        ask = self._ask(query, limit, kinds, category, where, as_of, explain=explain, session=session)
        if rerank:
            ask = replace(ask, limit=min(ask.limit * WIDER, MOST_HITS))
        await self._check_read()
        notes = await self._filtered_notes(ask, as_of)
        found = await runtime.indexes.recall(
            runtime.store, self.namespace, ask, now=runtime.now(), notes=notes
        )
        if not rerank:
            return found
        return await reranked(
            runtime.store,
            self.namespace,
            found,
            limit,
            engines=runtime.engines,
            writing=runtime.writing(),
            daily_tokens=runtime.settings.daily_tokens,
        )

    async def why_not(
        self,
        query: str,
        id: str,  # noqa: A002
        *,
        limit: int = 10,
        kinds: Collection[str] = _KINDS,
        category: str | Iterable[str] | None = None,
        where: Mapping[str, Any] | None = None,
    ) -> WhyNot:
        """Say at which stage an expected note or item was lost on the way to the answer.

        Raises:
            NotFoundError: this is no id of a note or an item.
        """
        ask = self._ask(query, limit, kinds, category, where, None, explain=True, session=None)
        await self._check_read()
        notes = await self._filtered_notes(ask, None)
        return await self._runtime.indexes.why_not(
            self._runtime.store, self.namespace, ask, id, now=self._runtime.now(), notes=notes
        )

    def _ask(
        self,
        query: str,
        limit: int,
        kinds: Collection[str],
        category: str | Iterable[str] | None,
        where: Mapping[str, Any] | None,
        as_of: datetime | None,
        *,
        explain: bool,
        session: str | None,
    ) -> Ask:
        named = isinstance(kinds, Collection) and not isinstance(kinds, str)  # pyright: ignore[reportUnnecessaryIsInstance]
        if not named or not kinds or any(kind not in _KINDS for kind in kinds):
            raise InvalidError("kinds is a selection of 'note' and 'item'", argument="kinds")
        check_where(where)
        return Ask(
            query=check_text(query, "query", MOST_QUERY),
            limit=check_limit(limit, MOST_HITS),
            notes="note" in kinds,
            items="item" in kinds,
            category=parse_categories(category),
            where=where,
            session=None if session is None else label(session, argument="session"),
            as_of=optional_micros(as_of, "as_of"),
            explain=explain,
        )

    async def _filtered_notes(self, ask: Ask, as_of: datetime | None) -> list[Note] | None:
        if not ask.notes or (ask.where is None and as_of is None):
            return None
        return await self._every_note(None, "active", as_of)

    async def _check_read(self) -> None:
        await self._check("read")

    async def _check(self, right: Right) -> None:
        """Make sure that the principal has a right here; pools and teams are looked up in the register."""
        runtime = self._runtime
        if self.namespace.kind == "agent":
            require(runtime.principal, right, self.namespace, tenant=runtime.tenant)
        else:
            await runtime.store.read(check_share, runtime.principal, right, self.namespace)

    # ---- sessions ---------------------------------------------------------------------------------------------

    async def sessions(self, *, limit: int = 100, cursor: str | None = None) -> Page[SessionInfo]:
        """List the sessions of this scope, the one written last first."""
        end = session_units.END
        before = from_cursor(cursor, int, int) if cursor is not None else (end, end)
        found, total, more = await self._runtime.read(
            session_units.listing, self.namespace, limit=check_limit(limit), before=(before[0], before[1])
        )
        return Page(tuple(found), total, to_cursor(*more) if more else None)

    async def erase(self, *, note: str | None = None, session: str | None = None) -> Receipt:
        """Destroy everything of this scope, or one note, or one session, for good; look whether anything is left.

        History, items, passages, vectors and records go too, and a tombstone stays that imports respect.
        `receipt.remaining` counts the places where something was still found; it is 0 after a clean erasure.

        Raises:
            NotFoundError: there is no such note or session.
            InvalidError: both a note and a session are named.
        """
        if note is not None and session is not None:
            raise InvalidError("name a note or a session, not both", argument="session")
        runtime = self._runtime
        writing = runtime.writing()
        subject: Subject
        if note is not None:
            subject, erased = (
                "note",
                await runtime.write(
                    "delete",
                    erasing.erase_note,
                    self.namespace,
                    note,
                    without=without_note,
                    writing=writing,
                ),
            )
        elif session is not None:
            subject, erased = (
                "session",
                await runtime.write(
                    "delete",
                    erasing.erase_session,
                    self.namespace,
                    session,
                    without=without_session,
                    writing=writing,
                ),
            )
        else:
            subject, erased = (
                "namespace",
                await runtime.write("delete", erasing.erase_scope, self.namespace, writing=writing),
            )
        for mirror in runtime.mirrors if note is None else ():
            if session is not None:
                gone = int(await mirror._forget(self.namespace, session))  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            else:
                gone = await mirror._forget_where(lambda each: each == self.namespace)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            erased.count("mirror files", gone)
        runtime.let_go(self.namespace)
        return await verify(
            runtime.store,
            runtime.tenant,
            subject,
            erased,
            number=receipt_id(runtime.fresh()),
            at=to_datetime(writing.now),
        )

    # ---- everything -------------------------------------------------------------------------------------------

    async def export(
        self,
        *,
        format: Format = "bethink",  # noqa: A002
        session: str | None = None,
    ) -> dict[str, Any]:
        """Return everything that is kept in this scope as one JSON object, which `import_json` reads.

        With `format="seed"` it is the state file of the context personalization cookbook: fields, live notes (of
        sessions those of `session`, or all) and trips; it has no room for history, logs and other records.

        Raises:
            InvalidError: the format is not known.
        """
        if format == "seed":
            return await self._export_state(session)
        if format != "bethink" or session is not None:
            raise InvalidError("format is 'bethink', or 'seed' with or without a session", argument="format")
        sessions: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            page = await self.sessions(limit=100, cursor=cursor)
            sessions += [await self.session(info.id).export() for info in page]
            cursor = page.next
            if cursor is None:
                break
        notes, _ = await self._runtime.read(
            units.listing, self.namespace, now=0, status=None, everywhere=True
        )
        return {
            "format": "bethink-export",
            "version": 1,
            "namespace": str(self.namespace),
            "tenant": self.namespace.tenant,
            "profile": await self.profile.export(),
            "records": await self.records.export(),
            "notes": [notes_json(note) for note in sorted(notes, key=lambda note: note.id)],
            "history": await self._runtime.read(units.full_history, self.namespace),
            "sessions": sorted(sessions, key=lambda session: session["session"]),
        }

    async def _export_state(self, session: str | None) -> dict[str, Any]:
        notes, _ = await self._runtime.read(
            units.listing, self.namespace, now=self._runtime.now(), everywhere=True
        )
        records = await self._runtime.read(state_units.all_records, self.namespace)
        chosen = [note for note in notes if note.session is None or session in {None, note.session}]
        return write_state(await self.profile.get(), chosen, records)

    async def import_json(
        self, data: Mapping[str, Any], *, session: str = DEFAULT_SESSION, revive: bool = False
    ) -> Imported:
        """Take in an export of a scope, or a state file of the context personalization cookbook: all, or nothing.

        What is here already stays as it is, so that importing twice changes nothing. What was erased does not come
        back, and the guard looks at every note; the answer says what was left out, and why. `session` is whose notes
        a state file's session notes become. `revive` lets notes, sessions and namespaces that were erased come back.

        Raises:
            InvalidError: it is neither of them, or a part of it is broken; `argument` names that.
            ConflictError: with `revive`, the user or the tenant was erased as a whole.
            DeniedError: the principal may not write here, or, with `revive`, not delete.
        """
        runtime = self._runtime
        session = label(session, argument="session")
        await self._check("write")
        if revive:
            await self._check("delete")
        incoming = await runtime.store.call(
            prepare,
            data,
            namespace=str(self.namespace),
            session=session,
            now=to_datetime(runtime.now()),
            by=runtime.actor,
            guard=runtime.guard,
        )
        return await runtime.write(
            "write",
            take_in,
            self.namespace,
            incoming,
            check=runtime.schema.check,
            revive=revive,
            writing=runtime.writing(),
        )


def _utc(at: datetime | None, argument: str) -> datetime | None:
    return None if at is None else to_datetime(to_micros(at, argument))


def _number(note: Note) -> int:
    from bethink.notes.rows import number_of

    return number_of(note)
