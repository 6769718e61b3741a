"""Session verbs beside the log: title, metadata, failed turns, model usage."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.memory.session_log import SessionHandle
from bethink.notes.checks import check_characters, check_metadata
from bethink.pages import check_limit
from bethink.sessions import items_by_key, log_bodies, log_lookup, model_usage, turn_commit
from bethink.sessions.tool_counts import tools_used
from bethink.sessions.values import Expiry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.recall.values import Recall
    from bethink.sessions.values import Attempt, Branch, Origins, SessionInfo, ToolUse, TurnUsage

MAX_TITLE = 512
MAX_TTL = timedelta(days=36_525)


class DetailVerbs(SessionHandle):
    """Session verbs for what is stored beside the log: title, metadata, expiry, failed turns, usage."""

    async def rename(self, title: str) -> SessionInfo:
        """Give the session a title; its id stays the same.

        Args:
            title: A title for people.

        Raises:
            InvalidError: the title holds a NUL or half of a surrogate pair, or is longer than 512 characters.
            NotFoundError: there is no such session.
        """
        return await self.annotate(title=check_title(title))

    async def annotate(
        self,
        *,
        title: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expected: int | None = None,
    ) -> SessionInfo:
        """Change the title or the metadata of the session.

        Omitted values are unchanged.

        With `expected`, only if the session still stands at that revision, as `info()` and `head()` tell it.

        Args:
            title: A title for people.
            metadata: A JSON object that is stored with the session.
            expected: The revision that was read; another one is a conflict.

        Raises:
            InvalidError: the title or the metadata cannot be kept.
            NotFoundError: there is no such session.
            ConflictError: the session was written since the revision `expected`.
        """
        import json

        plain = None if metadata is None else json.dumps(check_metadata(metadata))
        info = await self._runtime.answer(
            "write",
            log_lookup.relabel,
            self.scope.namespace,
            lambda info: replace(info, title=title, metadata=metadata or {}),
            self.session_id,
            title=None if title is None else check_title(title),
            metadata=plain,
            writing=self._runtime.writing(),
            expected=expected,
        )
        self._written()
        return info

    async def info(self) -> SessionInfo | None:
        """Return the title, counts and times of the session.

        None where nothing was appended yet.
        """
        return await self._runtime.read_log(log_lookup.describe, self.scope.namespace, self.session_id)

    async def expire(self, after: timedelta | None) -> Expiry:
        """Keep each item of the session for a limited time.

        Expired items are visible to nobody: they are deleted from the log, windows, recall, contexts, mirrors, exports
        and backups, together with what was derived from them, except notes. A new session is created if there is none.
        Forks inherit the limit. Item keys are kept, so that an import does not bring back expired items.

        Args:
            after: How long to keep each item; None keeps items forever.

        Raises:
            InvalidError: `after` is neither None nor longer than nothing.
        """
        from bethink.sessions import expiry

        await self._runtime.write(
            "delete",
            expiry.keep_for,
            self.scope.namespace,
            self.session_id,
            None if after is None else _check_ttl(after),
            writing=self._runtime.writing(),
        )
        self._written()
        await self._runtime.on_time(self.scope.namespace)
        return Expiry(session=self.session_id, seconds=None if after is None else after.total_seconds())

    async def expiry(self) -> Expiry:
        """Return how long the items of the session are kept."""
        ttl = (await self.origins()).ttl
        return Expiry(session=self.session_id, seconds=None if ttl is None else ttl.total_seconds())

    async def branches(self) -> list[Branch]:
        """Return the sessions that were forked from this one, the newest first, and where each leaves it."""
        return await self._runtime.read_log(items_by_key.branches, self.scope.namespace, self.session_id)

    async def origins(self) -> Origins:
        """Return which session this one was forked from, and where."""
        return await self._runtime.read(items_by_key.origins, self.scope.namespace, self.session_id)

    async def tools_used(self) -> list[ToolUse]:
        """Return how often each tool was called, as the log says, the one called most first."""
        bodies = await self._runtime.read_log(log_bodies.bodies, self.scope.namespace, self.session_id, None)
        return tools_used(bodies)

    async def attempts(self, *, limit: int = 20) -> list[Attempt]:
        """Return the failed turns, newest first, without their content.

        Args:
            limit: Maximum number of results.
        """
        return await self._runtime.read(
            turn_commit.attempts, self.scope.namespace, self.session_id, limit=check_limit(limit)
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
            if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= log_lookup.END:  # pyright: ignore[reportUnnecessaryIsInstance]
                raise InvalidError(f"{argument} must be an int of 0 or more", argument=argument)
        return await self._runtime.write(
            "write",
            model_usage.store_usage,
            self.scope.namespace,
            self.session_id,
            model_usage.RunUsage(**counts),
            writing=self._runtime.writing(),
        )

    async def usage(self) -> list[TurnUsage]:
        """Return the model usage, run by run, oldest first."""
        return await self._runtime.read(model_usage.listing, self.scope.namespace, self.session_id)

    async def search(self, query: str, *, limit: int = 10, explain: bool = False) -> Recall:
        """Find items of this session only.

        Args:
            query: A question, or words to search for.
            limit: Maximum number of results.
            explain: Explain each score.
        """
        return await self.scope.recall(
            query, limit=limit, kinds=("item",), explain=explain, session=self.session_id
        )

    async def export(self) -> dict[str, Any]:
        """Return the whole session as JSON, every item untouched.

        Raises:
            NotFoundError: there is no such session.
        """
        from bethink.memory.exports import session_json

        return await session_json(self._runtime, self.scope.namespace, self.session_id)


def _check_ttl(after: timedelta) -> int:
    if not isinstance(after, timedelta) or not timedelta(0) < after <= MAX_TTL:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(
            "after must be a positive timedelta of at most a hundred years, or None to keep items forever",
            argument="after",
        )
    return after // timedelta(microseconds=1)


def check_title(title: str) -> str:
    """Return a title that can be kept.

    Raises:
        InvalidError: it holds a NUL or half of a surrogate pair, or is longer than 512 characters.
    """
    if not isinstance(title, str) or len(title) > MAX_TITLE:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(f"title must be a str of at most {MAX_TITLE} characters", argument="title")
    check_characters(title, "title")
    return title
