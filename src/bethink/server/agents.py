"""The register of agents: who may use which, and what memory each reaches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bethink.errors import NotFoundError
from bethink.memory.scope import AsyncScope
from bethink.scope.labels import label
from bethink.scope.templates import resolve_pool, resolve_private
from bethink.server import transactions
from bethink.server.owners import may_use, owner_for, visible_owners
from bethink.server.registration_policy import OPEN
from bethink.server.shared_names import register_if_missing
from bethink.server.specs import AgentSpec, check_spec, families_of, read_spec
from bethink.tools.registry import tools
from bethink.tools.values import Reach, Tool

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bethink.memory.memory import AsyncMemory
    from bethink.memory.runtime import Runtime
    from bethink.scope.namespace import Namespace
    from bethink.scope.values import Principal
    from bethink.server.registration_policy import RegistrationPolicy
    from bethink.server.stored_specs import StoredSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """An agent, registered."""

    name: str
    owner: str
    spec: AgentSpec
    revision: int
    created_at: datetime
    updated_at: datetime


class Agents:
    """The agents of a tenant, as one caller may use them."""

    def __init__(
        self,
        memory: AsyncMemory,
        *,
        entrusted: tuple[str, str] | None = None,
        creation: RegistrationPolicy = OPEN,
    ) -> None:
        self._memory = memory
        self._creation = creation
        self._entrusted = entrusted  #: owner and name of one that may be used in any case
        self._runtime: Runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    @property
    def tenant(self) -> str:
        """Return whose agents they are."""
        return self._runtime.tenant

    @property
    def fresh(self) -> Callable[[], int]:
        """Return what makes new numbers."""
        return self._runtime.fresh

    async def put(
        self, name: str, spec: AgentSpec, *, owner: str | None = None, expected: int | None = None
    ) -> Agent:
        """Register an agent, or replace its spec.

        Its pools and its team must be open to whoever saves it; those that nobody registered are registered for
        them, and are open to nobody else until they grant it.

        Raises:
            InvalidError: the spec cannot be used.
            DeniedError: it is somebody else's, the caller may not read a pool that it names, or may register nothing.
            ConflictError: it was changed since the revision that was expected.
        """
        name, owner = label(name, argument="agent"), owner_for(self._runtime.principal, owner, name=name)
        check_spec(spec)
        runtime = self._runtime
        if await runtime.store.read(transactions.find_agent, runtime.tenant, owner, name) is None:
            await self._creation.check(runtime.principal, "agent", name, partial(self._owned, owner))
        for pool in _pools(runtime.tenant, owner, name, spec):
            await register_if_missing(self._memory, "pool", pool, creation=self._creation)
        if spec.primitives.memory.team is not None:
            await register_if_missing(
                self._memory, "team", spec.primitives.memory.team, creation=self._creation
            )
        kept = await self._runtime.store.write(
            transactions.put_agent,
            self._runtime.tenant,
            owner,
            name,
            spec.model_dump(mode="json"),
            expected=expected,
            now=self._runtime.now(),
        )
        return _agent(kept)

    async def get(self, name: str, *, owner: str | None = None) -> Agent:
        """Return an agent that the caller may use: the caller's own before that of the system.

        Raises:
            NotFoundError: there is none, or none for this caller.
        """
        name = label(name, argument="agent")
        for each in visible_owners(self._runtime.principal, owner):
            kept = await self._runtime.store.read(transactions.find_agent, self._runtime.tenant, each, name)
            if kept is not None and self._may_use(agent := _agent(kept)):
                return agent
        raise NotFoundError("no such agent, or it is not shared with you", kind="agent", id=name)

    async def again(self, agent: Agent) -> Agent:
        """Return an agent as it is described now; one that was never registered is as it was given.

        Raises:
            NotFoundError: it is there no more, or the caller may not use it any more.
        """
        return await self.get(agent.name, owner=agent.owner) if agent.revision else agent

    async def owned(self, name: str, *, owner: str | None = None) -> Agent:
        """Return an agent whose owner the caller is, or an admin.

        Raises:
            NotFoundError: there is no such agent, or none for this caller.
            DeniedError: it is somebody else's.
        """
        agent = await self.get(name, owner=owner)
        owner_for(self._runtime.principal, agent.owner, name=name)
        return agent

    async def all(self) -> list[Agent]:
        """Return every agent that the caller may use."""
        found = await self._runtime.store.read(transactions.list_agents, self._runtime.tenant)
        return [agent for kept in found if self._may_use(agent := _agent(kept))]

    async def remove(self, name: str, *, owner: str | None = None, expected: int | None = None) -> None:
        """Forget an agent; what it remembered stays with those whose memory it is.

        Raises:
            NotFoundError: there is no such agent.
            DeniedError: it is somebody else's.
        """
        agent = await self.owned(name, owner=owner)
        await self._runtime.store.write(
            transactions.remove_agent, self._runtime.tenant, agent.owner, name, expected=expected
        )

    def namespace(self, agent: Agent, *, session: str | None = None) -> Namespace:
        """Return where the agent keeps what it learns of the caller."""
        return namespace_of(agent, self._runtime.principal, tenant=self._runtime.tenant, session=session)

    def scope(self, agent: Agent) -> AsyncScope:
        """Return the memory that the agent has of the caller."""
        return AsyncScope(self._runtime, self.namespace(agent))

    async def scopes(self) -> list[AsyncScope]:
        """Return every scope of the tenant that the caller may read."""
        return await self._memory.scopes()

    def reach(self, agent: Agent, session: str | None = None) -> Reach:
        """Return what the agent's tools work on for the caller."""
        return Reach(
            scope=self.scope(agent),
            session=session,
            memory=self._memory,
            pools=_pools(self._runtime.tenant, agent.owner, agent.name, agent.spec),
            team=agent.spec.primitives.memory.team,
        )

    async def _owned(self, owner: str) -> int:
        return await self._runtime.store.read(transactions.count_agents, self._runtime.tenant, owner)

    def _may_use(self, agent: Agent) -> bool:
        entrusted = (agent.owner, agent.name) == self._entrusted
        return entrusted or may_use(self._runtime.principal, agent.owner, agent.spec.shared_with)


def namespace_of(
    agent: Agent, principal: Principal | None, *, tenant: str, session: str | None = None
) -> Namespace:
    """Return where an agent keeps what it learns of somebody."""
    return resolve_private(
        agent.spec.primitives.memory.namespace,
        agent=agent.name,
        principal=principal,
        owner=agent.owner,
        tenant=tenant,
        session=session,
    )


def tools_of(agent: Agent) -> list[Tool]:
    """Return the tools that an agent is offered."""
    memory = agent.spec.primitives.memory
    offered = tools(families_of(memory))
    return offered if memory.tools is None else [tool for tool in offered if tool.name in memory.tools]


def _pools(tenant: str, owner: str, name: str, spec: AgentSpec) -> tuple[str, ...]:
    return tuple(
        resolve_pool(template, agent=name, owner=owner, tenant=tenant).name
        for template in spec.primitives.memory.shared_namespaces
    )


def _agent(kept: StoredSpec) -> Agent:
    return Agent(
        name=kept.name,
        owner=kept.owner,
        spec=read_spec(kept.spec),
        revision=kept.revision,
        created_at=kept.created_at,
        updated_at=kept.updated_at,
    )
