"""Session verbs of the log: append, window, items, undo, delete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from bethink.memory.signposts import Signposts
from bethink.pages import Page, check_limit, from_cursor, to_cursor
from bethink.scope.labels import label
from bethink.sessions import items_by_key, log_append, log_bodies, log_items, log_lookup, log_removal
from bethink.sessions.item_rows import are_few, earliest_time, item_list, new_items
from bethink.sessions.readers.registry import unread
from bethink.sessions.tombstone_check import append_unless_deleted
from bethink.sessions.undo import newest_turns
from bethink.sessions.windows import window

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.memory.runtime import Runtime
    from bethink.memory.scope import AsyncScope
    from bethink.sessions.values import Body, Head, Item, Superseded
    from bethink.sessions.windows import Limits


class SessionHandle(Signposts):
    """Where the verbs of a session act."""

    def __init__(self, runtime: Runtime, scope: AsyncScope, name: str, settings: Any = None) -> None:
        self._runtime = runtime
        self.scope = scope
        self.session_id: str = label(name, argument="session")
        self.session_settings = settings

    def __repr__(self) -> str:
        return f"<session {self.session_id!r} of {self.scope.namespace}>"

    def _written(self) -> None:
        """Let mirrors know that the session was written, apart from a turn, which copies it by itself."""
        for mirror in self._runtime.mirrors:
            mirror._written(self.scope.namespace, self.session_id)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


class LogVerbs(SessionHandle):
    """Session verbs of the log."""

    async def append(
        self,
        items: Iterable[Mapping[str, Any]],
        *,
        at: datetime | Sequence[datetime | None] | None = None,
        speaker: str | Sequence[str | None] | None = None,
        origin: str = "chat",
        keys: Sequence[str | None] | None = None,
        operation: str | None = None,
        expected: int | None = None,
        revive: bool = True,
    ) -> Head:
        """Append items to the session, all of them or none.

        Where the session stands is returned.

        `at` and `speaker` are kept beside the items: one value for all of them, or one an item. `keys` are your own
        ids of the items, one each (a uuid, an event's id): an item whose key the session has seen is left out, even
        after it was removed, and `known` of the answer counts these. An `operation` id makes a repeated append
        harmless. With `expected`, the items are added only if the session still stands at that revision. Without
        `revive`, items that were said before the session was deleted or erased are refused: imports use that.
        `unread` of the answer counts the items of shapes that no reader knows: they are kept, and neither recall nor
        distillation sees what they say.

        Args:
            items: JSON objects, such as `{"role": "user", "content": "…"}`.
            at: When they were said; now by default.
            speaker: Who said them.
            origin: Where they come from, such as chat.
            keys: A key for each item.
            operation: An id that makes a repeated append harmless.
            expected: The revision that was read; another one is a conflict.
            revive: Write to a session that was deleted.

        Raises:
            InvalidError: an item is not a JSON object.
            ConflictError: the session moved on, or was deleted, or the operation id was used for other items.
        """
        if operation is not None:
            label(operation, argument="operation")
        runtime = self._runtime
        writing = runtime.writing()
        given = item_list(items)
        fresh = new_items(given, at=at, speaker=speaker, origin=origin, now=writing.now, keys=keys)
        if not fresh:
            return await self.head()
        if revive:
            write = runtime.write_inline if are_few(fresh) else runtime.write
            head = await write(
                "write",
                log_append.append,
                self.scope.namespace,
                self.session_id,
                fresh,
                writing=writing,
                operation=operation,
                expected=expected,
            )
        else:
            head = await runtime.write(
                "write",
                append_unless_deleted,
                self.scope.namespace,
                self.session_id,
                fresh,
                created=earliest_time(at),
                writing=writing,
                operation=operation,
                expected=expected,
            )
        self._written()
        if self.scope.namespace in runtime.waiting:
            from bethink.memory.note_proposals import confirm

            await confirm(runtime, self.scope.namespace, self.session_id)
        shapes = {} if head.repeated else unread(given)
        return replace(head, unread=shapes) if shapes else head

    async def item(self, key: str | int) -> Item | None:
        """Return an item by the key that `append` was given, or by its `seq`; None if it is not in the log."""
        return await self._runtime.read_log(
            items_by_key.item, self.scope.namespace, self.session_id, _key(key)
        )

    async def replace(
        self,
        key: str | int,
        item: Mapping[str, Any],
        *,
        at: datetime | None = None,
        speaker: str | None = None,
        expected: int | None = None,
    ) -> Item:
        """Replace the item of a key or at a `seq`; the earlier version is kept, and `versions` returns it.

        Windows, recall and distillation see the new one alone. Time and speaker stay unless they are given.

        Raises:
            NotFoundError: there is no such item.
            ConflictError: the session was written since the revision `expected`.
        """
        writing = self._runtime.writing()
        (fresh,) = new_items([item], at=at, speaker=speaker, origin="chat", now=writing.now)
        await self._runtime.on_time(self.scope.namespace)
        replaced = await self._runtime.write(
            "write",
            items_by_key.replace,
            self.scope.namespace,
            self.session_id,
            _key(key),
            fresh._replace(at=None if at is None else fresh.at),
            writing=writing,
            expected=expected,
        )
        self._runtime.recent.drop(self.scope.namespace, self.session_id)
        self._written()
        return replaced

    async def versions(self, key: str | int) -> list[Superseded]:
        """Return what an item was before it was replaced, oldest first."""
        return await self._runtime.read_log(
            items_by_key.versions, self.scope.namespace, self.session_id, _key(key)
        )

    async def head(self) -> Head:
        """Return the revision and the number of items of the session.

        Its `revision` can be passed as `expected`.
        """
        return await self._runtime.read_log_inline(log_lookup.head, self.scope.namespace, self.session_id)

    async def window(
        self,
        *,
        messages: int | None = None,
        turns: int | None = None,
        tokens: int | None = None,
        pending: bool = False,
    ) -> list[Body]:
        """Return the part of the session that a model should see; a call stays with its result.

        The items' own JSON is returned, oldest first.

        Whole turns; at most `messages` of them (50 unless set otherwise), and `turns` and `tokens` where given.
        A call is never parted from its result. `pending` keeps calls that still wait for theirs. Limits that are given
        are exact; without any, the window is trimmed in blocks (`window_block` of the settings), so that it begins
        where it began the turn before, and a provider's prompt cache holds.

        Args:
            messages: Maximum number of messages.
            turns: Maximum number of turns.
            tokens: Maximum number of tokens.
            pending: Include calls that wait for a result.
        """
        block = self._runtime.settings.window_block
        limits: Limits = {
            "block": None if messages or turns or tokens else block,
            "messages": self._runtime.settings.window_messages if messages is None else messages,
            "turns": turns,
            "tokens": tokens,
            "pending": pending,
            "count_tokens": self._runtime.count_tokens,
        }
        window([], **limits)  # so that a wrong limit is refused even where there is nothing to show
        return await self._runtime.read_log(
            log_bodies.window, self.scope.namespace, self.session_id, **limits
        )

    async def items(self, *, limit: int = 100, cursor: str | None = None) -> Page[Item]:
        """Return the newest items, oldest first; the next page has earlier ones.

        Args:
            limit: Maximum number of results.
            cursor: The `next` of the previous page.
        """
        below = log_lookup.END if cursor is None else from_cursor(cursor, int)[0]
        found, total, more = await self._runtime.read_log(
            log_items.page, self.scope.namespace, self.session_id, limit=check_limit(limit), below=below
        )
        return Page(tuple(found), total, None if more is None else to_cursor(more))

    async def undo(self, n: int = 1) -> Head:
        """Remove the newest turns; notes stay.

        An audit row without content stays too.

        Args:
            n: How many turns to remove.

        Raises:
            InvalidError: `n` is less than 1.
        """
        newest_turns([], n)  # so that a wrong `n` is refused even where there is nothing to undo
        await self._runtime.on_time(self.scope.namespace)
        head, _ = await self._runtime.write(
            "delete",
            log_removal.remove_newest,
            self.scope.namespace,
            self.session_id,
            lambda bodies: span.items if (span := newest_turns(bodies, n)).settled else None,
            writing=self._runtime.writing(),
            reason="undone",
        )
        self._written()
        self._runtime.recent.drop(self.scope.namespace, self.session_id)
        return head

    async def clear(self) -> Head:
        """Remove every item; notes stay.

        An audit row without content stays too.
        """
        head = await self._runtime.write(
            "delete",
            log_removal.clear,
            self.scope.namespace,
            self.session_id,
            writing=self._runtime.writing(),
        )
        self._written()
        self._runtime.recent.drop(self.scope.namespace, self.session_id)
        return head

    async def delete(self, *, keep_notes: bool = False) -> None:
        """Delete the session for good, with the notes that belong to it.

        Args:
            keep_notes: Keep the notes of the session.

        Raises:
            NotFoundError: there is no such session.
        """
        await self._runtime.write(
            "delete",
            log_removal.delete,
            self.scope.namespace,
            self.session_id,
            keep_notes=keep_notes,
            writing=self._runtime.writing(),
        )
        self._runtime.let_go(self.scope.namespace)
        for mirror in self._runtime.mirrors:
            await mirror._forget(self.scope.namespace, self.session_id)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


def _key(key: str | int) -> str | int:
    if isinstance(key, int) and not isinstance(key, bool):
        return min(max(key, 0), log_lookup.END)
    return label(key, argument="key")  # pyright: ignore[reportArgumentType]
