"""Note verbs of a scope: remember, get, list, revise, forget (a soft delete), history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from bethink.errors import InvalidError, NotFoundError, RefusedError
from bethink.memory.scope_handle import ScopeHandle
from bethink.notes import transactions
from bethink.notes.checks import (
    check_confidence,
    check_key,
    check_keywords,
    check_metadata,
    check_text,
    conversation_only,
    parse_categories,
    parse_category,
)
from bethink.notes.filters import check_where, matches
from bethink.notes.rows import number_of
from bethink.notes.values import CONVERSATION, CORE, LIVE, NewNote, Status, withheld_text
from bethink.pages import Page, check_limit, from_cursor, to_cursor
from bethink.scope.labels import label
from bethink.times import to_datetime, to_micros

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from bethink.memory.runtime import Runtime
    from bethink.notes.values import Door, Note, NoteVersion, Source
    from bethink.scope.namespace import Namespace


class NoteVerbs(ScopeHandle):
    """Note verbs of a scope."""

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
        """Store a note; an active note with the same key is superseded.

        This is the word of trusted code: it is active at once, with its source. What a model hands in goes through
        `propose`. A note of category conversation belongs to a session: `session.remember` keeps it there.

        Args:
            text: The text of the note, a sentence or two.
            key: A name for the note; the active note with this key is superseded.
            category: core, daily, conversation, or a word of your own.
            keywords: Labels, such as seat or hotel.
            valid_from: When the statement became true; now by default.
            expires_at: When the note stops being shown.
            confidence: How certain the statement is, from 0 to 1.
            source: Who stated it: user, tool, agent or import.
            metadata: A JSON object that is stored with the note.

        Raises:
            InvalidError: the text is empty, a value is not of its kind, or the category wants a session.
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
        if new.category == CONVERSATION and self.namespace.session is None:
            raise conversation_only()
        return await self._capture(new)

    async def stage(
        self, session: str, text: str, *, keywords: Iterable[str] = (), key: str | None = None
    ) -> Note:
        """Store a note that belongs to one session.

        Args:
            session: The session that the note belongs to.
            text: The text of the note, a sentence or two.
            keywords: Labels, such as seat or hotel.
            key: A name for the note; the active note with this key is superseded.
        """
        new = self._new_note(text, key=key, category=CONVERSATION, keywords=keywords, session=session)
        return await self._capture(new)

    async def propose(
        self,
        text: str,
        *,
        session: str | None = None,
        key: str | None = None,
        category: str = CORE,
        keywords: Iterable[str] = (),
        valid_from: datetime | None = None,
        expires_at: datetime | None = None,
        confidence: float | None = None,
        source: Source = "agent",
        metadata: Mapping[str, Any] | None = None,
        family: str = "private",
        door: Door = "tools",
    ) -> Note:
        """Store a note that a model wrote; it may have to wait for approval.

        Where the user's own words in the session carry it, it is active as the user's word. Where a log of the turn
        says otherwise, it is pending: in no context, and in recall only where `pending=True` asks for it, until the
        user says it or somebody approves it. Without a log it is active, marked as from the agent. The setting
        `admission` may say otherwise by scope, door and family. It is cut to what it states: guesses are refused.
        `session` is the conversation that goes on; without it, the one that was written last within the hour.

        Args:
            text: The text of the note, a sentence or two.
            session: The session that the note belongs to, if it is staged there.
            key: A name for the note; the active note with this key is superseded.
            category: core, daily, conversation, or a word of your own.
            keywords: Labels, such as seat or hotel.
            valid_from: When the statement became true; now by default.
            expires_at: When the note stops being shown.
            confidence: How certain the statement is, from 0 to 1.
            source: Who wrote it: agent or tool.
            metadata: A JSON object that is stored with the note.
            family: The tool family through which it came.
            door: The interface through which it came.

        Raises:
            InvalidError: a value is not of its kind, or the category wants a session and there is none.
            LimitError: the text is longer than a few sentences.
            RefusedError: nothing of it can be kept: the guard blocks it, or it only guesses.
            DeniedError: the principal may not write here.
        """
        from bethink.memory.note_proposals import propose

        if source not in {"agent", "tool"}:
            raise InvalidError(
                "source must be 'agent' or 'tool' for a proposed note; use remember for the others",
                argument="source",
            )
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
        if session is not None:
            session = label(session, argument="session")
        return await propose(self._runtime, self.namespace, new, session=session, family=family, door=door)

    async def _capture(self, new: NewNote) -> Note:
        """Keep a note as the guard lets it in; what it blocks is counted."""
        from bethink.lifecycle.capture import admit, store_admitted

        runtime = self._runtime
        try:
            admitted = admit(new, runtime.guard)
        except RefusedError:
            from bethink.lifecycle.daily_counts import count

            await runtime.write("write", count, self.namespace, {"blocked": 1}, writing=runtime.writing())
            raise
        return await runtime.write_few(
            "write", store_admitted, self.namespace, admitted, writing=runtime.writing()
        )

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
            raise InvalidError("source must be 'user', 'tool', 'agent' or 'import'", argument="source")
        if isinstance(text, list | tuple | dict):  # pyright: ignore[reportUnnecessaryIsInstance] - messages
            raise InvalidError(
                f"text must be a str, got {type(text).__name__}; session(name).append(messages) keeps a conversation",
                argument="text",
            )
        return NewNote(
            text=check_text(text),
            key=None if key is None else check_key(key),
            category=parse_category(category),
            keywords=check_keywords(keywords),
            session=None if session is None else label(session, argument="session"),
            source=source,
            confidence=None if confidence is None else check_confidence(confidence),
            valid_from=None if valid_from is None else _utc(valid_from, "valid_from"),
            expires_at=None if expires_at is None else _utc(expires_at, "expires_at"),
            metadata={} if metadata is None else check_metadata(metadata),
        )

    async def get(self, key_or_id: str) -> Note | None:
        """Return a note by its id or key.

        None where there is none with this id or key, or none any more.

        Args:
            key_or_id: The id of a note, or its key.
        """
        return await self._runtime.read(
            transactions.get, self.namespace, check_key(key_or_id), now=self._runtime.now()
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
        """List notes, most recently written first.

        The global notes are listed, or with `session` those of a session.

        With the status `pending`, and no session, these are all that wait, of every session too; the metadata
        `rests_on` of each says by which door it came and what nobody said, its `sources` name the turn.
        `where` filters by metadata, such as `{"city": "Paris", "stars": {"$gte": 4}}`; `as_of` shows the notes as
        they stood at an instant. The total is of all that match.

        Args:
            category: Only notes of this category, or of any of several.
            session: The notes of this session instead of the global ones.
            status: Only notes with this status; None lists all.
            where: A filter by metadata, such as `{"stars": {"$gte": 4}}`.
            as_of: Return the state at this time.
            limit: Maximum number of results.
            cursor: The `next` of the previous page.

        Raises:
            InvalidError: an operator, a category, a limit or a cursor is not acceptable.
        """
        limit = check_limit(limit)
        check_where(where)
        session = None if session is None else label(session, argument="session")
        if status is not None and status not in get_args(Status):
            known = ", ".join(get_args(Status))
            raise InvalidError(f"status must be one of {known}, or None for all", argument="status")
        categories = parse_categories(category)
        if as_of is not None and status != "active":
            raise InvalidError(
                "status cannot be combined with as_of, which lists the notes that were active then",
                argument="status",
            )
        before = from_cursor(cursor, int, int) if cursor is not None else transactions.FOREVER
        everywhere = status == "pending" and session is None
        plain = where is None and (categories is None or len(categories) == 1)
        if plain and as_of is not None:
            from bethink.notes.as_of import active_at

            found, total = await self._runtime.read(
                active_at,
                self.namespace,
                to_micros(as_of, "as_of"),
                category=next(iter(categories)) if categories else None,
                session=session,
                limit=limit + 1,
                before=(before[0], before[1]),
            )
        elif plain:
            found, total = await self._runtime.read(
                transactions.listing,
                self.namespace,
                now=self._runtime.now(),
                status=status,
                category=next(iter(categories)) if categories else None,
                session=session,
                everywhere=everywhere,
                limit=limit + 1,
                before=(before[0], before[1]),
            )
        else:
            every = await every_note(
                self._runtime, self.namespace, session, status, as_of, everywhere=everywhere
            )
            chosen = [
                note
                for note in every
                if (categories is None or note.category in categories) and matches(where, note.metadata)
            ]
            total = len(chosen)
            found = [note for note in chosen if (note.revision, number_of(note)) < (before[0], before[1])]
        return page_of(found, total, limit)

    async def revise(self, id: str, text: str, *, expected: int | None = None) -> Note:  # noqa: A002
        """Replace the text of a note; the earlier version stays in its history.

        Without the right to read, the answer says which note it is and how it stands, and nothing of what it says.

        Args:
            id: The id of a note, or its key.
            text: The new text.
            expected: The revision that was read; another one is a conflict.

        Raises:
            NotFoundError: there is no such live note.
            ConflictError: the note was changed since the revision that was expected.
            RefusedError: the guard blocks the text; `verdict` says why.
        """
        return await self._reword(id, {"text": check_text(text)}, expected=expected)

    async def _reword(
        self,
        id: str,  # noqa: A002
        fields: Mapping[str, Any],
        *,
        expected: int | None = None,
    ) -> Note:
        """Put other fields in the place of those of a live note, as far as the guard lets them in."""
        from bethink.lifecycle.capture import admit

        new = NewNote(text=fields.get("text", ""), metadata=fields.get("metadata", {}))
        admitted = admit(new, self._runtime.guard)
        let_in = {**fields, **({"text": admitted.text} if "text" in fields else {})}
        return await self._runtime.answer(
            "write",
            transactions.change,
            self.namespace,
            withheld_text,
            check_key(id),
            "revised",
            writing=self._runtime.writing(),
            expected=expected,
            only=LIVE,
            **let_in,
        )

    async def forget(self, key_or_id: str) -> Note:
        """Hide a note at once; undo restores it.

        Without the right to read, the answer says which note it is and how it stands, and nothing of what it says.

        Args:
            key_or_id: The id of a note, or its key.

        Raises:
            NotFoundError: there is no such live note.
        """
        return await self._runtime.answer(
            "delete",
            transactions.change,
            self.namespace,
            withheld_text,
            check_key(key_or_id),
            "forgotten",
            writing=self._runtime.writing(),
            only=LIVE,
            status="forgotten",
        )

    async def history(self, id: str) -> list[NoteVersion]:  # noqa: A002
        """Return the earlier versions of a note, oldest first.

        Each says what ended it.

        Args:
            id: The id of a note, or its key.

        Raises:
            NotFoundError: there is no such note.
        """
        note, versions = await self._runtime.read(transactions.history, self.namespace, check_key(id))
        if note is None:
            raise NotFoundError("no such note in this scope", kind="note", id=id)
        return versions


async def every_note(
    runtime: Runtime,
    namespace: Namespace,
    session: str | None,
    status: Status | None,
    as_of: datetime | None,
    *,
    everywhere: bool = False,
) -> list[Note]:
    """Return all notes of a session, or all global ones; with `as_of` those that were active then."""
    if as_of is None:
        found, _ = await runtime.read(
            transactions.listing,
            namespace,
            now=runtime.now(),
            status=status,
            session=session,
            everywhere=everywhere,
        )
        return found
    standing = await runtime.read(transactions.as_of, namespace, to_micros(as_of, "as_of"))
    return [note for note in standing if note.session == session]


def page_of(found: list[Note], total: int, limit: int) -> Page[Note]:
    """Return a page of notes of which one more than `limit` was read, where there is one more."""
    more = found[limit - 1] if len(found) > limit else None
    return Page(tuple(found[:limit]), total, to_cursor(more.revision, number_of(more)) if more else None)


def _utc(at: datetime, argument: str) -> datetime:
    return to_datetime(to_micros(at, argument))
