"""What all handles of one memory share: store, clock, principal, and replaceable engines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

from bethink.scope.access import require_right
from bethink.scope.overdue import due_scopes, is_due
from bethink.scope.transactions import Writing, find
from bethink.sessions.expiry import OVERDUE, purge, unless_overdue
from bethink.times import to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from bethink.lifecycle.engines import Engines
    from bethink.lifecycle.guard.cached_guard import CachedGuard
    from bethink.lifecycle.service import Run
    from bethink.memory.background_index import BackgroundIndex
    from bethink.memory.mirror import AsyncMirror
    from bethink.recall.index_cache import Indexes
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.scope.values import Principal, Right
    from bethink.sessions.log_append import NewItem
    from bethink.sessions.recent_items_cache import RecentItemsCache
    from bethink.settings import Settings
    from bethink.state.schema import ProfileSchema
    from bethink.storage.stores import Store
    from bethink.storage.work import Work

T = TypeVar("T")
P = ParamSpec("P")


class TurnUnderWay(Protocol):
    """What is said in a turn that is not stored yet, as notes that a model hands in are compared with it."""

    @property
    def namespace(self) -> Namespace:
        """Return where its session lives."""
        ...

    @property
    def session_id(self) -> str:
        """Return the id of its session."""
        ...

    @property
    def pending(self) -> Sequence[NewItem]:
        """Return what was said in it so far."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Runtime:
    """The parts of one opened memory, as its handles see them."""

    store: Store
    tenant: str
    principal: Principal | None
    clock: Callable[[], datetime]
    fresh: Callable[[], int]
    count_tokens: Callable[[str], int]
    settings: Settings
    indexes: Indexes
    background: BackgroundIndex
    recent: RecentItemsCache
    guard: CachedGuard
    engines: Engines
    schema: ProfileSchema
    mirrors: list[AsyncMirror] = field(default_factory=list["AsyncMirror"])  #: shared by all handles
    turns: list[TurnUnderWay] = field(
        default_factory=list["TurnUnderWay"]
    )  #: under way in this process, and not stored yet
    waiting: set[Namespace] = field(
        default_factory=set["Namespace"]
    )  #: scopes in which this process keeps notes that wait for the user's word

    def close(self) -> None:
        """Finish what was accepted, and let go of the database."""
        self.background.close()
        self.indexes.wait()
        self.store.driver.close()
        self.indexes.leave()
        self.recent.drop()

    def let_go(self, namespace: Namespace | None = None) -> None:
        """Let go of what this process holds of a namespace, or of all, since it was erased."""
        from bethink.lifecycle.text_caches import forget_texts  # here, since few verbs need the lifecycle

        self.indexes.drop(namespace)
        self.recent.drop(namespace)
        self.guard.forget()
        forget_texts()

    def now(self) -> int:
        """Return the present instant, in microseconds."""
        return to_micros(self.clock(), "clock")

    def writing(self) -> Writing:
        """Return what a write carries with it: the present instant, and who is noted as its author."""
        actor = "application" if self.principal is None else self.principal.id
        return Writing(now=self.now(), fresh=self.fresh, actor=actor)

    def lifecycle(self, namespace: Namespace, writing: Writing) -> Run:
        """Return what a distillation or a consolidation of a namespace runs with."""
        from bethink.lifecycle.service import Run

        return Run(
            store=self.store,
            namespace=namespace,
            engines=self.engines,
            guard=self.guard,
            writing=writing,
            daily_tokens=self.settings.daily_tokens,
            schema=self.schema,
        )

    async def check(self, right: Right, namespace: Namespace) -> None:
        """Make sure that the principal has a right; pools and teams are looked up in the register.

        Raises:
            DeniedError: it has not.
            NotFoundError: the pool or team is not registered.
        """
        if namespace.kind == "agent":
            require_right(self.principal, right, namespace, tenant=self.tenant)
        else:
            from bethink.scope.shares import check_share

            await self.store.read(check_share, self.principal, right, namespace)

    async def write(
        self,
        right: Right,
        work: Callable[Concatenate[Namespace, P], Work[T]],
        namespace: Namespace,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a unit that writes to a namespace, if the principal has the right."""
        done = await self.store.write(*self._checked(right, work, namespace), *args, **kwargs)
        self.background.later(namespace)
        return done

    async def write_few(
        self,
        right: Right,
        work: Callable[Concatenate[Namespace, P], Work[T]],
        namespace: Namespace,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do what `write` does for a unit that writes a few rows: others of its tenant may be committed with it."""
        done = await self.store.write_few(*self._checked(right, work, namespace), *args, **kwargs)
        self.background.later(namespace)
        return done

    async def answer(
        self,
        right: Right,
        work: Callable[Concatenate[Namespace, P], Work[T]],
        namespace: Namespace,
        withheld: Callable[[T], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do what `write` does for a unit whose answer says what is kept: who may not read gets it `withheld`."""
        if namespace.kind == "agent":  # who may write to what is private may read it
            return await self.write(right, work, namespace, *args, **kwargs)
        from bethink.scope.shares import with_right_and_read

        unit: Any = with_right_and_read
        found, readable = await self.store.write(
            unit, self.principal, right, self.tenant, work, namespace, *args, **kwargs
        )
        return found if readable else withheld(found)

    async def write_inline(
        self,
        right: Right,
        work: Callable[Concatenate[Namespace, P], Work[T]],
        namespace: Namespace,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a unit that writes a few rows to a namespace, if the principal has the right."""
        done = await self.store.write_inline(*self._checked(right, work, namespace), *args, **kwargs)
        self.background.later(namespace)
        return done

    async def read(
        self,
        work: Callable[Concatenate[Namespace, P], Work[T]],
        namespace: Namespace,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a unit that reads a namespace, if the principal may."""
        return await self.store.read(*self._checked("read", work, namespace), *args, **kwargs)

    async def read_inline(
        self,
        work: Callable[Concatenate[Namespace, P], Work[T]],
        namespace: Namespace,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a unit that reads a few rows of a namespace, if the principal may."""
        return await self.store.read_inline(*self._checked("read", work, namespace), *args, **kwargs)

    async def read_log(
        self,
        work: Callable[Concatenate[Namespace, P], Work[T]],
        namespace: Namespace,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do what `read` does for a unit that reads what was said: what is overdue is removed before."""
        return await self._timely(self.store.read, work, namespace, *args, **kwargs)

    async def read_log_inline(
        self,
        work: Callable[Concatenate[Namespace, P], Work[T]],
        namespace: Namespace,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do what `read_inline` does for a unit that reads what was said: what is overdue is removed before."""
        return await self._timely(self.store.read_inline, work, namespace, *args, **kwargs)

    async def _timely(self, read: Any, work: Any, namespace: Namespace, *args: Any, **kwargs: Any) -> Any:
        checked = self._checked("read", work, namespace)
        found = await read(unless_overdue, self.now(), namespace, *checked, *args, **kwargs)
        if found is OVERDUE:
            await self._purge(namespace, self.writing())
            found = await read(*checked, *args, **kwargs)
        return found

    async def on_time(self, *namespaces: Namespace, writing: Writing | None = None) -> None:
        """Remove what is overdue in some namespaces, before what was said there is read or changed.

        `writing` has the instant of the operation that this is a part of.
        """
        writing = writing or self.writing()
        for namespace in namespaces:
            if await self.store.read_inline(is_due, namespace, now=writing.now):
                await self._purge(namespace, writing)

    async def place_on_time(self, namespace: Namespace, writing: Writing) -> ScopeRow | None:
        """Do what `on_time` does, and return where a namespace stands then: one look at the store tells both."""
        found = await self.store.read_inline(unless_overdue, writing.now, namespace, find, namespace)
        if found is OVERDUE:
            await self._purge(namespace, writing)
            found = await self.store.read_inline(find, namespace)
        return cast("ScopeRow | None", found)

    async def all_on_time(self) -> int:
        """Remove what is overdue in every namespace of the tenant; return in how many something was."""
        writing = self.writing()
        due = await self.store.read(due_scopes, self.tenant, now=writing.now)
        return sum([await self._purge(namespace, writing) for namespace in due])

    async def _purge(self, namespace: Namespace, writing: Writing) -> bool:
        """Remove what is overdue in a namespace; tell whether anything was."""
        changed = await self.store.write(purge, namespace, writing=writing._replace(actor="expiry"))
        for name in changed:
            self.recent.drop(namespace, name)
            for mirror in self.mirrors:
                mirror._written(namespace, name)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            self.background.later(namespace)
        return bool(changed)

    def _checked(self, right: Right, work: Callable[..., Any], namespace: Namespace) -> tuple[Any, ...]:
        """Return a unit and its namespace, once the right is known; for pools and teams the unit looks it up first."""
        if namespace.kind == "agent":
            require_right(self.principal, right, namespace, tenant=self.tenant)
            return work, namespace
        from bethink.scope.shares import with_right

        return with_right, self.principal, right, self.tenant, work, namespace
