"""`AsyncMemory`: open a memory; the root of the asynchronous API."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from bethink.errors import ConflictError, InvalidError
from bethink.ids import Ids
from bethink.memory.background_index import BackgroundIndex
from bethink.memory.runtime import Runtime
from bethink.memory.scope import AsyncScope, SharedScopes
from bethink.memory.tenant import TenantVerbs
from bethink.recall.index_cache import Indexes
from bethink.recall.index_store_sync import Analysis
from bethink.scope.access import has_right
from bethink.scope.labels import label
from bethink.scope.namespace import Namespace
from bethink.scope.transactions import scope_numbered, scopes_of, scopes_of_user
from bethink.scope.values import SYSTEM, Principal
from bethink.sessions.recent_items_cache import RecentItemsCache
from bethink.sessions.token_counts import estimate_tokens
from bethink.settings import Settings
from bethink.state.schema import ProfileSchema
from bethink.storage.opening import open_driver
from bethink.storage.stores import AwaitedStore
from bethink.times import now

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike
    from types import TracebackType

    from pydantic import BaseModel

    from bethink.lifecycle.engines import Engines, RulesEngines
    from bethink.lifecycle.guard import Guard
    from bethink.lifecycle.plans import Plan
    from bethink.memory.mirror import AsyncMirror
    from bethink.memory.shares import AsyncShares
    from bethink.models.chat import Chat
    from bethink.models.embedding import Embedder
    from bethink.storage.jobs import Driver
    from bethink.storage.stores import Store


class _Default:
    """What stands in a signature for the embedder that is installed with the package."""

    def __repr__(self) -> str:
        return "<the embedder of the package>"


_DEFAULT: Any = _Default()


class AsyncMemory(SharedScopes, TenantVerbs):
    """An open database of memories. Getting a handle does no I/O; verbs do.

    Args:
        url: a path, `sqlite:///…`, `:memory:`, or `postgresql://…`.
        tenant: the customer of a deployment; nothing of another tenant can be reached.
        principal: who asks; None is the application itself, trusted with every scope.
        embedder: turns texts into vectors; the default needs no key and no network; None is words alone.
        chat: a model that distills, consolidates and reranks; rules stand in for it, and do it all without one.
        count_tokens: counts the tokens of a text; the default estimates.
        clock: returns the present instant, aware.
        settings: how the memory behaves where a call does not say.
        guard: judges what is captured, consolidated and injected; the default works by rules.
        engines: distill and consolidate; the default ones work by rules, without a model.

    Raises:
        StorageError: the database cannot be opened, or is newer than this version.
    """

    store_class: Callable[[Driver], Store] = AwaitedStore  #: how verbs wait for the store

    def __init__(
        self,
        url: str | PathLike[str],
        *,
        tenant: str = "default",
        principal: Principal | None = None,
        embedder: Embedder | None = _DEFAULT,
        chat: Chat | None = None,
        count_tokens: Callable[[str], int] = estimate_tokens,
        clock: Callable[[], datetime] = now,
        settings: Settings | None = None,
        guard: Guard | None = None,
        engines: Engines | None = None,
        _runtime: Runtime | None = None,
    ) -> None:
        if _runtime is None:
            from bethink.lifecycle.engines import RulesEngines
            from bethink.lifecycle.guard import RulesGuard
            from bethink.lifecycle.guard.cached_guard import CachedGuard
            from bethink.models.static import built_in

            if chat is not None and engines is not None:
                raise InvalidError("pass either chat or engines, not both", argument="chat")
            chosen = settings or Settings()
            tenant = label(tenant, argument="tenant")
            fresh = Ids()
            used = built_in() if embedder is _DEFAULT else embedder
            guard = guard or RulesGuard()
            judge = CachedGuard(guard)
            if settings is not None:
                from bethink.lifecycle.admission.admission_setting import read_admissions

                read_admissions(chosen.admission)  # a setting of another shape is said at once
            driver = open_driver(url, tenant=tenant, settings=chosen)
            indexes = Indexes(
                analysis=Analysis(used, judge.mask, _is_standing_wish, mask_once=guard.mask),
                most_bytes=chosen.index_megabytes * 1024 * 1024,
                batch=chosen.index_batch,
                at_recall=chosen.index_at_recall,
                fresh=fresh,
            )
            _runtime = Runtime(
                store=type(self).store_class(driver),
                tenant=tenant,
                principal=principal,
                clock=clock,
                fresh=fresh,
                count_tokens=count_tokens,
                settings=chosen,
                indexes=indexes,
                background=BackgroundIndex(indexes, driver, chosen.index_after_seconds),
                recent=RecentItemsCache(chosen.recent_megabytes * 1024 * 1024),
                guard=judge,
                engines=engines or _engines(RulesEngines(used), chat, judge, count_tokens),
                schema=ProfileSchema(),
            )
        super().__init__(_runtime)
        self.url = os.fspath(url)

    @property
    def pools(self) -> AsyncShares:
        """The register of pools."""
        from bethink.memory.shares import AsyncShares

        return AsyncShares(self._runtime, "pool")

    @property
    def teams(self) -> AsyncShares:
        """The register of teams."""
        from bethink.memory.shares import AsyncShares

        return AsyncShares(self._runtime, "team")

    def __repr__(self) -> str:
        shown = re.sub(r"//[^/]*@", "//", self.url)  # a password has no place in a log
        return f"<memory {shown!r}, tenant {self._runtime.tenant!r}>"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Finish accepted work and close the database. Closing twice is harmless."""
        await self._runtime.store.call(self._runtime.close)

    # ---- handles --------------------------------------------------------------------------------------------

    def scope(self, *, agent: str = "default", user: str | None = None, owner: str = SYSTEM) -> AsyncScope:
        """Return the scope of an agent's memory of a user; without a user, the agent's own scope."""
        return AsyncScope(
            self._runtime,
            Namespace(tenant=self._runtime.tenant, kind="agent", owner=owner, name=agent, user=user),
        )

    def namespace(self, text: str) -> AsyncScope:
        """Return the scope that a namespace names as text, such as `agent:concierge:u:alice`.

        Raises:
            InvalidError: the text is not a namespace.
        """
        return AsyncScope(self._runtime, Namespace.parse(text, tenant=self._runtime.tenant))

    def mirror(self, url: str) -> AsyncMirror:
        """Mirror sessions to files after each successful turn, in a directory or at any fsspec URL.

        Raises:
            DeniedError: the caller is neither the application nor an admin.
            ImportError: fsspec is not installed.
        """
        from bethink.memory.mirror import AsyncMirror, check_url

        self._check_whole()
        mirror = AsyncMirror(self._runtime, check_url(url))
        self._runtime.mirrors.append(mirror)
        return mirror

    def acting_as(self, principal: Principal) -> AsyncMemory:
        """Return the same memory, limited to a principal's rights.

        Raises:
            InvalidError: this is already narrowed: rights are never widened.
        """
        if not isinstance(principal, Principal):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError(
                "principal must not be None; the application itself uses the memory that it opened",
                argument="principal",
            )
        if self._runtime.principal is not None and self._runtime.principal != principal:
            raise InvalidError("this memory already acts for a principal", argument="principal")
        return type(self)(self.url, _runtime=replace(self._runtime, principal=principal))

    def _of_tenant(self, tenant: str) -> AsyncMemory:
        """Return a memory of another tenant over the same connections and caches; they are closed with this one.

        Everything that is held names its tenant, so that nothing of one is ever found by another.
        """
        runtime, tenant = self._runtime, label(tenant, argument="tenant")
        store = type(self).store_class(runtime.store.driver.of(tenant))
        return type(self)(self.url, _runtime=replace(runtime, tenant=tenant, store=store, mirrors=[]))

    def profile_schema(self, model: type[BaseModel] | None, *, hidden: Iterable[str] = ()) -> None:
        """Set the schema of profiles: a pydantic model of their fields, and which of them are hidden from models.

        Hidden fields are stored, and tools may use them; they never appear in a context.
        """
        self._runtime.schema.model = model
        self._runtime.schema.hidden = frozenset(hidden)

    # ---- every scope ----------------------------------------------------------------------------------------

    async def scopes(self) -> list[AsyncScope]:
        """List the scopes that the caller may read."""
        found = await self._runtime.store.read(scopes_of, self._runtime.tenant)
        shares = {
            (kind, share.name): share
            for kind, register in (("pool", self.pools), ("team", self.teams))
            for share in await register.all()
        }
        principal, tenant = self._runtime.principal, self._runtime.tenant
        return [
            AsyncScope(self._runtime, namespace)
            for namespace, _ in found
            if (namespace.kind, namespace.name) in shares
            or (namespace.kind == "agent" and has_right(principal, "read", namespace, tenant=tenant))
        ]

    async def _scopes_of(self, user: str | None) -> list[tuple[AsyncScope, int]]:
        """Return what agents keep of one user, or of themselves, as far as the caller may read it; with its number."""
        found = await self._runtime.store.read(scopes_of_user, self._runtime.tenant, user)
        return [
            (AsyncScope(self._runtime, namespace), place.scope)
            for namespace, place in found
            if has_right(self._runtime.principal, "read", namespace, tenant=self._runtime.tenant)
        ]

    async def _scope_numbered(self, number: int) -> AsyncScope | None:
        """Return an agent's scope by its number; None where there is none, or none that the caller may read."""
        found = await self._runtime.store.read(scope_numbered, self._runtime.tenant, number)
        if found is None or found.kind != "agent":
            return None
        readable = has_right(self._runtime.principal, "read", found, tenant=self._runtime.tenant)
        return AsyncScope(self._runtime, found) if readable else None

    async def consolidate_idle(self, after: timedelta = timedelta(minutes=30)) -> list[Plan]:
        """Consolidate every scope with idle sessions, and return the plans that changed something.

        Where nothing is new and no note is over, nothing is written. A scope that another worker is at is left to
        that worker.

        Args:
            after: How long a session must have been idle.

        Raises:
            InvalidError: `after` is not a timedelta.
        """
        from bethink.lifecycle.consolidation_input import has_due

        if not isinstance(after, timedelta):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError(f"after must be a timedelta, got {type(after).__name__}", argument="after")
        runtime = self._runtime
        now = runtime.now()
        idle_since = now - int(after.total_seconds() * 1_000_000)
        plans: list[Plan] = []
        for scope in await self.scopes():
            left = await runtime.read(has_due, scope.namespace, idle_since=idle_since, now=now)
            if not left:
                continue
            try:
                plan = await scope._consolidate_idle(idle_since)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            except ConflictError:
                continue
            if plan.changes or plan.staged:
                plans.append(plan)
        return plans


@cache
def _is_standing_wish(text: str) -> bool:
    from bethink.lifecycle.inject.standing_instructions import is_standing_wish

    return is_standing_wish(text)


def _engines(
    rules: RulesEngines, chat: Chat | None, judge: Guard, count_tokens: Callable[[str], int]
) -> Engines:
    """Return engines that ask a model where there is one; no secret is shown to it."""
    if chat is None:
        return rules
    from bethink.lifecycle.model import ModelEngines

    return ModelEngines(rules, chat, count_tokens=count_tokens, mask=judge.mask)
