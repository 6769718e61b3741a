"""Inject before a run and learn after it: what the integrations of all frameworks share."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bethink.errors import ConflictError, InvalidError, ModelError, NotFoundError, StorageError
from bethink.lifecycle.consolidation_input import has_unprocessed

if TYPE_CHECKING:
    from collections.abc import Generator
    from logging import Logger

    from bethink.memory.scope import AsyncScope

IDLE = timedelta(minutes=30)  #: for how long nobody wrote to a session that is consolidated
MAX_QUERY = 4_000  #: characters of the latest message that memory is searched by


def run_user(user: str | None, key: str | None, given: object, where: str) -> str | None:
    """Return whose memory a run is about: the user that was given, else what the run says; None if neither is asked.

    Raises:
        InvalidError: the run names no user; `where` says where it would.
    """
    if user is not None or key is None:
        return user
    if given is None or given == "":
        raise InvalidError(f"whose memory is it? name the user of the run: {where}", argument=key)
    return str(given)


async def context_text(
    scope: AsyncScope, log: Logger, *, session: str | None, query: str | None, **options: Any
) -> str:
    """Return what is remembered, as text for a model; nothing where the store or a model does not answer."""
    words = query.encode("utf-8", "replace").decode().replace("\x00", " ").strip() if query else ""
    try:
        found = await scope.context(session=session, query=words[-MAX_QUERY:] or None, **options)
    except (StorageError, ModelError) as error:
        log.warning("the request goes without memories (%s)", type(error).__name__)
        return ""
    return found.text


@contextmanager
def ignoring_silence() -> Generator[None]:
    """Learn nothing, without an error, of a session that is not there: nothing was said in it."""
    try:
        yield
    except NotFoundError as missing:
        if missing.kind != "session":
            raise


async def learn_from(scope: AsyncScope, log: Logger, session: str, idle: timedelta) -> None:
    """Note what is worth keeping in a session; with no time to wait, make it the user's memory at once."""
    try:
        with ignoring_silence():
            if idle > timedelta(0):
                await scope.distill(session)
            else:
                await scope.consolidate(session=session)
    except ConflictError:
        return  # another worker is at it
    except ModelError as error:
        log.warning("nothing was learned from this run (%s): the next one comes back to it", error.reason)


async def consolidate_left(scope: AsyncScope, idle: timedelta) -> None:
    """Consolidate the sessions of a scope that nobody wrote to for a while; where nothing was left, nothing is written.

    A session that another worker is at is left to that worker.
    """
    runtime = scope._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    since = runtime.now() - int(idle.total_seconds() * 1_000_000)
    if not await runtime.read(has_unprocessed, scope.namespace, idle_since=since):
        return
    try:
        await scope._consolidate_idle(since)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    except ConflictError:
        return
