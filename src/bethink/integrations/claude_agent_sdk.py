"""Claude Agent SDK: a session store for transcripts, and hooks that inject recalled memory."""
# The framework is not installed where this is developed, so its types are unknown here.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import logging
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from bethink.errors import BethinkError, ConflictError, InvalidError, ModelError, NotFoundError, StorageError
from bethink.integrations.async_and_blocking import both_faces
from bethink.integrations.labels import item_key, log_name
from bethink.integrations.learning import IDLE, consolidate_left, context_text
from bethink.integrations.versions import require_versions
from bethink.sessions.readers.parts import instant

require_versions("claude", ("claude-agent-sdk", "0.2.187", "0.3"))

from claude_agent_sdk import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    HookMatcher,
    fold_session_summary,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.memory.memory import AsyncMemory
    from bethink.memory.session import AsyncSession
    from bethink.sync import Memory

FOLDER = "claude-agent-sdk"  #: the first label of what is kept beside transcripts
ATTEMPTS = 100  #: at a summary that other processes write as well

log = logging.getLogger("bethink.claude")

__all__ = ["BethinkSessionStore"]


class BethinkSessionStore:
    """Keeps transcripts of the Claude Agent SDK, and gives its agent the memories of a user.

    `ClaudeAgentOptions(session_store=store, hooks=store.hooks())`: transcripts are mirrored into the user's sessions,
    each entry once by its uuid, and are resumed from there. Each prompt goes with what is remembered of the user, and
    sessions that were left become the user's memory. Subagents' transcripts are kept, and nothing is learned from what
    they were told to do.

    Args:
        memory: an opened memory; who opened it closes it.
        user: whose transcripts they are. The SDK knows no users: make a store for each. None says that the memory is
            the agent's own.
        agent: whose memory it is.
        tokens: of what is remembered, at most, beside a prompt.
        policy: your own words on how memories are to be taken.
        idle: for how long nobody wrote to a session that is consolidated.
    """

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        user: str | None,
        agent: str = "claude",
        tokens: int | None = None,
        policy: str | None = None,
        idle: timedelta = IDLE,
    ) -> None:
        self._scope = both_faces(memory).awaited.scope(agent=agent, user=user)
        self._documents = self._scope.documents
        self._idle = idle
        self._options: dict[str, Any] = {"tokens": tokens, "policy": policy}

    # ---- transcripts ------------------------------------------------------------------------------------------

    async def append(self, key: Mapping[str, str], entries: Sequence[Mapping[str, Any]]) -> None:
        """Add entries to a transcript; those whose uuid it has are left out."""
        if not entries:
            return
        await self._session(key).append(
            [dict(entry) for entry in entries],
            keys=[_identity(entry) for entry in entries],
            at=[instant(entry.get("timestamp")) for entry in entries],
        )
        subpath = key.get("subpath")
        if subpath:
            await self._documents.put((*_folder(key), key["session_id"]), subpath, True)
        else:
            await self._fold(key, entries)

    async def _fold(self, key: Mapping[str, str], entries: Sequence[Mapping[str, Any]]) -> None:
        """Bring the summary of a session up to date, whoever else does so at the same time."""
        for attempt in range(ATTEMPTS):
            kept = await self._documents.get(_folder(key), key["session_id"])
            before = None if kept is None else _summary(kept)
            after = fold_session_summary(before, key, entries)
            try:
                await self._documents.put(
                    _folder(key),
                    key["session_id"],
                    after["data"],
                    expected=0 if kept is None else kept.revision,
                )
            except ConflictError:
                if attempt == ATTEMPTS - 1:
                    raise
                continue
            return

    async def load(self, key: Mapping[str, str]) -> list[dict[str, Any]] | None:
        """Return a whole transcript; None where there is none."""
        return await self._session(key).get_items() or None

    async def list_sessions(self, project_key: str) -> list[dict[str, Any]]:
        """List the sessions of a project, without those of subagents."""
        return [
            {"session_id": each["session_id"], "mtime": each["mtime"]}
            for each in await self.list_session_summaries(project_key)
        ]

    async def list_session_summaries(self, project_key: str) -> list[dict[str, Any]]:
        """Return what the SDK's lists of sessions show of each."""
        return [_summary(kept) for kept in await self._documents.within((FOLDER, project_key))]

    async def list_subkeys(self, key: Mapping[str, str]) -> list[str]:
        """List the transcripts of subagents that belong to a session."""
        return await self._documents.keys((*_folder(key), key["session_id"]))

    async def delete(self, key: Mapping[str, str]) -> None:
        """Remove a transcript for good; that of a session takes those of its subagents with it."""
        subpath, below = key.get("subpath"), (*_folder(key), key["session_id"])
        if subpath:
            await self._forget({**key, "subpath": subpath})
            await self._documents.delete(below, subpath)
            return
        for each in await self.list_subkeys(key):
            await self._forget({**key, "subpath": each})
        await self._documents.clear(below)
        await self._forget(key)
        await self._documents.delete(_folder(key), key["session_id"])

    async def _forget(self, key: Mapping[str, str]) -> None:
        try:
            await self._session(key).delete()
        except NotFoundError:
            return

    def _session(self, key: Mapping[str, str]) -> AsyncSession:
        return self._scope.session(session_name(key))

    # ---- memories ---------------------------------------------------------------------------------------------

    def hooks(self) -> dict[Any, list[Any]]:
        """Return hooks for `ClaudeAgentOptions(hooks=…)`: memories go with each prompt, and are never learned again."""
        return {"UserPromptSubmit": [HookMatcher(hooks=[self._with_memories])]}

    async def learn(self, idle: timedelta = timedelta(0)) -> None:
        """Make memories of the sessions that nobody wrote to for a while, as each prompt does after `idle`."""
        await consolidate_left(self._scope, idle)

    async def _with_memories(
        self,
        event: Mapping[str, Any],
        tool_use_id: str | None,  # noqa: ARG002
        context: Any,  # noqa: ARG002
    ) -> dict[str, Any]:
        """Answer to `UserPromptSubmit`; a store or a model that does not answer leaves the prompt as it is."""
        try:
            await consolidate_left(self._scope, self._idle)
        except (StorageError, ModelError) as error:
            log.warning("nothing was learned before this prompt (%s)", type(error).__name__)
        query = str(event.get("prompt") or "")
        text = await context_text(self._scope, log, session=_session_of(event), query=query, **self._options)
        output = {"hookEventName": "UserPromptSubmit", "additionalContext": text}
        return {"hookSpecificOutput": output} if text else {}


def session_name(key: Mapping[str, str]) -> str:
    """Return the name of the session that a transcript is kept in: project, session and subpath, or a digest of them.

    Raises:
        InvalidError: it names no project or no session.
    """
    parts = [key.get("project_key"), key.get("session_id")]
    if not all(isinstance(part, str) and part for part in parts):
        raise InvalidError("a key must have project_key and session_id", argument="key")
    labels = [*cast("list[str]", parts), *([key["subpath"]] if key.get("subpath") else [])]
    return log_name(*labels)


def _folder(key: Mapping[str, str]) -> tuple[str, str]:
    return FOLDER, key["project_key"]


def _identity(entry: Mapping[str, Any]) -> str | None:
    """Return the uuid of an entry; a digest of one that no label can be."""
    uuid = entry.get("uuid")
    if not isinstance(uuid, str) or not uuid:
        return None
    return item_key(uuid)


def _summary(kept: Any) -> dict[str, Any]:
    mtime = int(kept.updated_at.timestamp() * 1000)
    return {"session_id": kept.key, "mtime": mtime, "data": kept.value}


def _session_of(event: Mapping[str, Any]) -> str | None:
    """Return the name of the session that a hook is called in, by the place of its transcript."""
    try:
        return session_name(
            {
                "project_key": Path(str(event["transcript_path"])).parent.name,
                "session_id": event["session_id"],
            }
        )
    except (KeyError, BethinkError):
        return None
