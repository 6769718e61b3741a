"""The register of agent teams: who may use which, and where each shares its findings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bethink.errors import NotFoundError
from bethink.scope.labels import label
from bethink.scope.templates import resolve_team
from bethink.scope.values import SYSTEM
from bethink.server.agents import Agents
from bethink.server.owners import may_use, owner_for, visible_owners
from bethink.server.registration_policy import OPEN
from bethink.server.shared_names import register_if_missing
from bethink.server.teams import transactions
from bethink.server.teams.specs import TeamSpec, check_team
from bethink.server.teams.values import Team

if TYPE_CHECKING:
    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.server.agents import Agent
    from bethink.server.registration_policy import RegistrationPolicy
    from bethink.server.stored_specs import StoredSpec


class Teams:
    """The teams of a tenant, as one caller may use them."""

    def __init__(self, memory: AsyncMemory, *, creation: RegistrationPolicy = OPEN) -> None:
        self._memory = memory
        self._creation = creation
        self._runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        self.agents = Agents(memory)

    async def put(
        self, name: str, spec: TeamSpec, *, owner: str | None = None, expected: int | None = None
    ) -> Team:
        """Register a team, or describe it anew.

        Its agents and its memory must be open to whoever saves it; a memory that nobody registered is registered for
        them, and is open to nobody else until they grant it.

        Raises:
            InvalidError: the spec cannot be used.
            DeniedError: it is somebody else's, its memory may not be read, or the caller may register nothing.
            NotFoundError: an agent is not registered.
            ConflictError: it was changed since the revision that was expected.
        """
        runtime = self._runtime
        name, owner = label(name, argument="team"), owner_for(runtime.principal, owner, name=name)
        check_team(spec)
        for each in {spec.planner, *spec.workers, spec.synthesizer}:
            await self._member(owner, each)
        if await runtime.store.read(transactions.find_team, runtime.tenant, owner, name) is None:
            await self._creation.check(runtime.principal, "team", name, partial(self._owned, owner))
        shared = shared_memory(name, spec)
        if shared is not None:
            await register_if_missing(self._memory, "team", shared, creation=self._creation)
        plain = spec.model_dump(mode="json")
        found = await runtime.store.write(
            transactions.put_team, runtime.tenant, owner, name, plain, expected=expected, now=runtime.now()
        )
        return _team(found)

    async def get(self, name: str, *, owner: str | None = None) -> Team:
        """Return a team that the caller may use: the caller's own before that of the system.

        Raises:
            NotFoundError: there is none, or none for this caller.
        """
        name, runtime = label(name, argument="team"), self._runtime
        for each in visible_owners(runtime.principal, owner):
            found = await runtime.store.read(transactions.find_team, runtime.tenant, each, name)
            if found is not None and may_use(
                runtime.principal, each, (team := _team(found)).spec.shared_with
            ):
                return team
        raise NotFoundError("no such team, or it is not shared with you", kind="team", id=name)

    async def all(self) -> list[Team]:
        """Return every team that the caller may use, by name."""
        found = await self._runtime.store.read(transactions.list_teams, self._runtime.tenant)
        principal = self._runtime.principal
        return [
            team for kept in found if may_use(principal, kept.owner, (team := _team(kept)).spec.shared_with)
        ]

    async def remove(self, name: str, *, owner: str | None = None, expected: int | None = None) -> None:
        """Forget a team; what it shared stays, and so do its runs with those who asked for them.

        Raises:
            NotFoundError: there is no such team.
            DeniedError: it is somebody else's.
        """
        team, runtime = await self.get(name, owner=owner), self._runtime
        owner_for(runtime.principal, team.owner, name=name)
        await runtime.store.write(
            transactions.remove_team, runtime.tenant, team.owner, team.name, expected=expected
        )

    async def members(self, team: Team) -> dict[str, Agent]:
        """Return the agents of a team, by name, as the caller may use them.

        Raises:
            NotFoundError: one of them is not there, or not shared with the caller.
        """
        spec = team.spec
        names = dict.fromkeys((spec.planner, *spec.workers, spec.synthesizer))
        return {name: await self._member(team.owner, name) for name in names}

    async def _owned(self, owner: str) -> int:
        return await self._runtime.store.read(transactions.count_teams, self._runtime.tenant, owner)

    async def _member(self, owner: str, name: str) -> Agent:
        """Return the agent that a team's spec means: its owner's, and else the system's."""
        try:
            return await self.agents.get(name, owner=owner)
        except NotFoundError:
            if owner == SYSTEM:
                raise
            return await self.agents.get(name, owner=SYSTEM)

    def scope(self, team: Team) -> AsyncScope:
        """Return where the team's runs for the caller are kept, each as a session."""
        principal = self._runtime.principal
        user = None if principal is None else principal.id
        return self._memory.scope(agent=f"team.{team.name}", user=user, owner=team.owner)


def shared_memory(name: str, spec: TeamSpec) -> str | None:
    """Return the name of the team memory that a spec asks for."""
    template = spec.shared_memory_namespace
    return None if template is None else resolve_team(template, team=name).name


def _team(found: StoredSpec) -> Team:
    return Team(
        name=found.name,
        owner=found.owner,
        spec=TeamSpec.model_validate(found.spec),
        revision=found.revision,
        created_at=found.created_at,
        updated_at=found.updated_at,
    )
