"""The handle of one session: its log, its window, and what is noted in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError, NotFoundError
from bethink.memory.turn import AsyncTurn, default_limit
from bethink.notes.checks import check_characters, check_metadata
from bethink.pages import Page, check_limit, from_cursor, to_cursor
from bethink.scope.labels import label
from bethink.sessions import units, usage
from bethink.sessions.appends import earliest, new_items
from bethink.sessions.exports import standing
from bethink.sessions.revival import append_news
from bethink.sessions.undo import newest_turns
from bethink.sessions.windows import window

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.memory.runtime import Runtime
    from bethink.memory.scope import AsyncScope
    from bethink.notes.values import Note
    from bethink.recall.values import Recall
    from bethink.sessions.values import Attempt, Body, Head, Item, SessionInfo, TurnUsage
    from bethink.sessions.windows import Limits

MOST_TITLE = 512
FEW = 100  #: items that are read so quickly that no thread is asked for it


class AsyncSession:
    """A log of items. Appending is all or nothing, and what was appended is in every later read.

    The same object is a session of the OpenAI Agents SDK: `get_items`, `add_items`, `pop_item` and
    `clear_session` behave as the SDK wants them, and `wrapper=` is accepted by all four.
    """

    def __init__(self, runtime: Runtime, scope: AsyncScope, name: str, settings: Any = None) -> None:
        self._runtime = runtime
        self.scope = scope
        self.session_id: str = label(name, argument="session")
        self.session_settings = settings

    def __repr__(self) -> str:
        return f"<session {self.session_id!r} of {self.scope.namespace}>"

    # ---- the log --------------------------------------------------------------------------------------------

    async def append(
        self,
        items: Iterable[Mapping[str, Any]],
        *,
        at: datetime | Sequence[datetime | None] | None = None,
        speaker: str | Sequence[str | None] | None = None,
        origin: str = "chat",
        operation: str | None = None,
        expected: int | None = None,
        revive: bool = True,
    ) -> Head:
        """Add items to the end of the log, all or none, and return where the session stands.

        `at` and `speaker` are kept beside the items: one value for all of them, or one an item. An `operation`
        id makes a repeated append harmless. With `expected`, the items are added only if the session still
        stands at that revision. Without `revive`, items that were said before the session was deleted or erased are
        refused: imports use that.

        Raises:
            InvalidError: an item is not a JSON object.
            ConflictError: the session moved on, or was deleted, or the operation id was used for other items.
        """
        if operation is not None:
            label(operation, argument="operation")
        fresh = new_items(items, at=at, speaker=speaker, origin=origin, now=self._runtime.clock())
        if not fresh:
            return await self.head()
        if not revive:
            return await self._runtime.write(
                "write",
                append_news,
                self.scope.namespace,
                self.session_id,
                fresh,
                said=earliest(at),
                writing=self._runtime.writing(),
                operation=operation,
                expected=expected,
            )
        return await self._runtime.write(
            "write",
            units.append,
            self.scope.namespace,
            self.session_id,
            fresh,
            writing=self._runtime.writing(),
            operation=operation,
            expected=expected,
        )

    async def head(self) -> Head:
        """Return where the session stands; its `revision` can be passed as `expected`."""
        return await self._runtime.glance(units.head, self.scope.namespace, self.session_id)

    async def window(
        self,
        *,
        messages: int | None = None,
        turns: int | None = None,
        tokens: int | None = None,
        pending: bool = False,
    ) -> list[Body]:
        """Return the part of the log that a model should see, oldest first, as the items' own JSON.

        Whole turns; at most `messages` of them (50 unless set otherwise), and `turns` and `tokens` where given.
        A call is never parted from its result. `pending` keeps calls that still wait for theirs.
        """
        limits: Limits = {
            "messages": self._runtime.settings.window_messages if messages is None else messages,
            "turns": turns,
            "tokens": tokens,
            "pending": pending,
            "count_tokens": self._runtime.count_tokens,
        }
        window([], **limits)  # so that a wrong limit is refused even where there is nothing to show
        return await self._runtime.read(units.window, self.scope.namespace, self.session_id, **limits)

    async def items(self, *, limit: int = 100, cursor: str | None = None) -> Page[Item]:
        """Return the newest items, oldest first within the page; `next` leads to earlier ones."""
        below = units.END if cursor is None else from_cursor(cursor, int)[0]
        found, total, more = await self._runtime.read(
            units.page, self.scope.namespace, self.session_id, limit=check_limit(limit), below=below
        )
        return Page(tuple(found), total, None if more is None else to_cursor(more))

    async def undo(self, n: int = 1) -> Head:
        """Remove the newest `n` turns. Notes stay; an audit row without content stays too.

        Raises:
            InvalidError: `n` is less than 1.
        """
        newest_turns([], n)  # so that a wrong `n` is refused even where there is nothing to undo
        head, _ = await self._runtime.write(
            "delete",
            units.cut,
            self.scope.namespace,
            self.session_id,
            lambda bodies: span.items if (span := newest_turns(bodies, n)).settled else None,
            writing=self._runtime.writing(),
            reason="undone",
        )
        return head

    async def clear(self) -> Head:
        """Remove every item. Notes stay; an audit row without content stays too."""
        return await self._runtime.write(
            "delete",
            units.clear,
            self.scope.namespace,
            self.session_id,
            writing=self._runtime.writing(),
        )

    async def delete(self, *, keep_notes: bool = False) -> None:
        """Remove the session for good. Its conversation notes go with it unless they are to be kept.

        Raises:
            NotFoundError: there is no such session.
        """
        await self._runtime.write(
            "delete",
            units.delete,
            self.scope.namespace,
            self.session_id,
            keep_notes=keep_notes,
            writing=self._runtime.writing(),
        )
        self._runtime.let_go(self.scope.namespace)
        for mirror in self._runtime.mirrors:
            await mirror._forget(self.scope.namespace, self.session_id)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    async def fork(self, at: int | None, name: str) -> AsyncSession:
        """Copy the log up to the item with `seq` `at` (None: all of it) into a new session, and return that.

        Raises:
            NotFoundError: there is no such session or item.
            ConflictError: the name is taken.
        """
        if at is not None and (isinstance(at, bool) or not isinstance(at, int) or not 0 <= at <= units.END):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError("at is the `seq` of an item, or None for the whole log", argument="at")
        target = AsyncSession(self._runtime, self.scope, name, self.session_settings)
        await self._runtime.write(
            "write",
            units.fork,
            self.scope.namespace,
            self.session_id,
            at,
            target.session_id,
            writing=self._runtime.writing(),
        )
        return target

    async def rename(self, title: str) -> SessionInfo:
        """Give the session a title for people. Its id stays.

        Raises:
            InvalidError: the title holds a NUL or half of a surrogate pair, or is longer than 512 characters.
            NotFoundError: there is no such session.
        """
        return await self.annotate(title=check_title(title))

    async def annotate(
        self, *, title: str | None = None, metadata: Mapping[str, Any] | None = None
    ) -> SessionInfo:
        """Change the title or the metadata; what is not given stays.

        Raises:
            InvalidError: the title or the metadata cannot be kept.
            NotFoundError: there is no such session.
        """
        import json

        plain = None if metadata is None else json.dumps(check_metadata(metadata))
        return await self._runtime.write(
            "write",
            units.relabel,
            self.scope.namespace,
            self.session_id,
            title=None if title is None else check_title(title),
            metadata=plain,
            writing=self._runtime.writing(),
        )

    async def info(self) -> SessionInfo | None:
        """Return title, counts and times; None where nothing was appended yet."""
        return await self._runtime.read(units.describe, self.scope.namespace, self.session_id)

    async def attempts(self, *, limit: int = 20) -> list[Attempt]:
        """Return the turns that failed, newest first: what was said in them is not kept."""
        return await self._runtime.read(
            units.attempts, self.scope.namespace, self.session_id, limit=check_limit(limit)
        )

    async def add_usage(
        self,
        *,
        tokens_in: int,
        tokens_out: int,
        requests: int = 1,
        tokens_cached: int = 0,
        tokens_reasoning: int = 0,
    ) -> TurnUsage:
        """Note what the models took for a run, beside the items appended since usage was noted last.

        Raises:
            InvalidError: a count is not a number of 0 or more.
            NotFoundError: there is no such session.
        """
        counts = {
            "requests": requests,
            "tokens_in": tokens_in,
            "tokens_out": tokens_out,
            "tokens_cached": tokens_cached,
            "tokens_reasoning": tokens_reasoning,
        }
        for argument, count in counts.items():
            if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= units.END:  # pyright: ignore[reportUnnecessaryIsInstance]
                raise InvalidError(f"{argument} is a number of 0 or more", argument=argument)
        return await self._runtime.write(
            "write",
            usage.note,
            self.scope.namespace,
            self.session_id,
            usage.Taken(**counts),
            writing=self._runtime.writing(),
        )

    async def usage(self) -> list[TurnUsage]:
        """Return what the models took, run by run, oldest first."""
        return await self._runtime.read(usage.listing, self.scope.namespace, self.session_id)

    async def search(self, query: str, *, limit: int = 10, explain: bool = False) -> Recall:
        """Find items of this session alone."""
        return await self.scope.recall(
            query, limit=limit, kinds=("item",), explain=explain, session=self.session_id
        )

    async def export(self) -> dict[str, Any]:
        """Return the whole session as plain JSON: every item, untouched, with what is known beside it.

        Raises:
            NotFoundError: there is no such session.
        """
        info = await self.info()
        if info is None:
            raise NotFoundError(
                "no such session in this scope: sessions() lists them", kind="session", id=self.session_id
            )
        entries: list[dict[str, Any]] = []
        after: int | None = 0
        while after is not None:
            found, _, after = await self._runtime.read(
                units.page, self.scope.namespace, self.session_id, limit=1000, after=after
            )
            entries += [
                {
                    "seq": item.seq,
                    "at": item.at.isoformat() if item.at else None,
                    "speaker": item.speaker,
                    "origin": item.origin,
                    "body": item.body,
                }
                for item in found
            ]
        notes: list[Note] = []
        cursor: str | None = None
        while True:
            page = await self.scope.notes(session=self.session_id, limit=1000, cursor=cursor)
            notes += page
            cursor = page.next
            if cursor is None:
                break
        return {
            "session": info.id,
            "title": info.title,
            "metadata": dict(info.metadata),
            **await self._runtime.read(standing, self.scope.namespace, self.session_id),
            "items": entries,
            "notes": [notes_json(note) for note in notes],
        }

    # ---- notes ----------------------------------------------------------------------------------------------

    async def remember(self, text: str, *, keywords: Iterable[str] = (), key: str | None = None) -> Note:
        """Keep a note that belongs to this session, until consolidation decides what becomes of it (seed 003)."""
        return await self.scope.stage(self.session_id, text, keywords=keywords, key=key)

    # ---- a turn ---------------------------------------------------------------------------------------------

    def turn(self) -> AsyncTurn:
        """Return a session that reads its own writes and stores them when the turn has succeeded.

        Use it as `async with session.turn() as t`, and pass `t` to the runner.
        """
        return AsyncTurn(self)

    # ---- a session of the OpenAI Agents SDK -------------------------------------------------------------------

    async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[Body]:  # noqa: ARG002
        """Return the newest `limit` items, oldest first; without a limit that of `session_settings`, else all."""
        if limit is None:
            limit = default_limit(self.session_settings)
        if limit is not None and limit <= 0:
            return []
        return await self._all_or(limit)

    async def _all_or(self, limit: int | None) -> list[Body]:
        """Read what a runner is shown."""
        return await self._log(limit)

    async def _log(self, limit: int | None) -> list[Body]:
        short = limit is not None and limit <= FEW
        read = self._runtime.glance if short else self._runtime.read
        return await read(units.bodies, self.scope.namespace, self.session_id, limit)

    async def add_items(self, items: list[Any], *, wrapper: Any = None) -> None:  # noqa: ARG002
        """Add items to the end of the log, all or none."""
        await self.append(items)

    async def pop_item(self, *, wrapper: Any = None) -> Body | None:  # noqa: ARG002
        """Remove the newest item and return it; None where there is none."""
        _, removed = await self._runtime.write(
            "delete",
            units.cut,
            self.scope.namespace,
            self.session_id,
            lambda bodies: 1 if bodies else None,
            writing=self._runtime.writing(),
            reason="popped",
        )
        return removed[-1] if removed else None

    async def clear_session(self, *, wrapper: Any = None) -> None:  # noqa: ARG002
        """Remove every item."""
        await self.clear()


def check_title(title: str) -> str:
    """Return a title that can be kept.

    Raises:
        InvalidError: it holds a NUL or half of a surrogate pair, or is longer than 512 characters.
    """
    if not isinstance(title, str) or len(title) > MOST_TITLE:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(f"a title is a text of {MOST_TITLE} characters at most", argument="title")
    check_characters(title, "title")
    return title


def notes_json(note: Note) -> dict[str, Any]:
    """Return a note as the exports have it."""
    from bethink.notes.rows import to_json

    plain = to_json(note)
    plain.pop("revision")
    return plain
