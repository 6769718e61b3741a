"""The handle of a mirror: sessions as files beside the database, which remains the source of truth."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from bethink.errors import InvalidError
from bethink.scope.namespace import Namespace
from bethink.scope.transactions import scopes_of
from bethink.sessions import log_lookup, mirror
from bethink.sessions.mirror_files import MirrorFiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.memory.runtime import Runtime

LOGGER = "bethink.mirror"


class AsyncMirror:
    """Copies of sessions at `<root>/<tenant>/<actor>/state/sessions/<session>.json`, one file each.

    A session is copied after each turn that succeeded (`session.turn()`), and its file goes when it is deleted or
    erased. What was written without a turn (`append`, `undo` …) waits for `flush`, which a server calls after each
    request. What could not be copied is counted in `failures`, and copied by the next `flush` or `sync`.
    """

    def __init__(self, runtime: Runtime, url: str) -> None:
        self._runtime = runtime
        self._files = MirrorFiles(url, runtime.fresh)
        self.url = url
        self.failures = 0  #: copies that did not succeed
        self._waiting: dict[tuple[Namespace, str], None] = {}

    def __repr__(self) -> str:
        return f"<mirror {self.url!r}>"

    async def restore(self) -> int:
        """Restore sessions that are missing from the database, and return how many.

        Existing sessions are unchanged; sessions deleted or erased after their file was written are not restored.
        """
        tenant = self._runtime.tenant
        restored = 0
        for file in await self._runtime.store.call(lambda: list(self._files.documents(tenant))):
            outcome = await self._runtime.store.write(
                mirror.restore,
                Namespace.parse(file["namespace"], tenant=tenant),
                file,
                writing=self._runtime.writing(),
            )
            restored += outcome == "restored"
        return restored

    async def sync(self) -> int:
        """Copy every session whose file is missing or older, and return how many were copied."""
        copied = 0
        await self._runtime.all_on_time()
        for namespace, _ in await self._runtime.store.read(scopes_of, self._runtime.tenant):
            before = (log_lookup.END, log_lookup.END)
            while True:
                found, _, more = await self._runtime.store.read(
                    log_lookup.listing, namespace, limit=100, before=before
                )
                for info in found:
                    copied += await self._copy(namespace, info.id)
                if more is None:
                    break
                before = more
        return copied

    @property
    def waiting(self) -> int:
        """Count the sessions that changed since their last copy."""
        return len(self._waiting)

    async def flush(self) -> int:
        """Copy the sessions that changed since their last copy, and return how many.

        A session that cannot be copied is tried again later.
        """
        await self._runtime.all_on_time()
        copied, waiting = 0, list(self._waiting)
        for namespace, name in waiting:
            self._waiting.pop(
                (namespace, name), None
            )  # before, so that what is written meanwhile waits again
            try:
                copied += await self._copy(namespace, name)
            except OSError as error:
                self._waiting[namespace, name] = None
                self._failed(error, "flush() or sync() does it later")
        return copied

    def _written(self, namespace: Namespace, name: str) -> None:
        self._waiting[namespace, name] = None

    async def _copy(self, namespace: Namespace, name: str) -> bool:
        store = self._runtime.store
        document = await store.read(mirror.document, namespace, name)
        if document is None:
            return False

        def current() -> int | None:
            return store.driver.read(lambda: mirror.revision(namespace, name))

        return await store.call(self._files.put, document, current)

    async def _after_turn(self, namespace: Namespace, name: str) -> None:
        try:
            await self._copy(namespace, name)
        except OSError as error:  # the turn is stored: the mirror is no reason to say that it failed
            self._written(namespace, name)
            self._failed(error, "sync() does it later")

    def _failed(self, error: OSError, later: str) -> None:
        self.failures += 1
        logging.getLogger(LOGGER).warning("a session was not mirrored (%s): %s", type(error).__name__, later)

    async def _forget(self, namespace: Namespace, name: str) -> bool:
        return await self._runtime.store.call(self._files.remove, namespace.tenant, str(namespace), name)

    async def _forget_where(self, gone: Callable[[Namespace], bool]) -> int:
        """Remove the files of every scope that is gone."""
        tenant = self._runtime.tenant
        files = await self._runtime.store.call(lambda: list(self._files.documents(tenant)))
        removed = 0
        for file in files:
            namespace = Namespace.parse(file["namespace"], tenant=tenant)
            if gone(namespace):
                removed += await self._forget(namespace, file["session"])
        return removed


def check_url(url: str) -> str:
    """Return the address of a mirror.

    Raises:
        InvalidError: it is none.
    """
    if not isinstance(url, str) or not url.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError("url must be a folder, or a URL that fsspec knows", argument="url")
    return url
