"""Begin an agent's run: its session history, or the context of a new conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from bethink.scope.children import is_child
from bethink.scope.namespace import actor_text

if TYPE_CHECKING:
    from datetime import datetime

    from bethink.lifecycle.inject.values import Context
    from bethink.memory.scope import AsyncScope
    from bethink.server.agents import Agent, Agents

SHOWN = 50  #: notes a namespace
SHORT = 200  #: characters of each


class Begun(TypedDict):
    """How a run begins: with the history of its session, or with what is remembered, where there is any."""

    actor: str
    namespace: str
    session: str
    history: list[dict[str, Any]]
    context: Context | None


class Excerpted(TypedDict):
    """The beginning of a note."""

    id: str
    key: str | None
    content: str
    updated_at: datetime


class Shelf(TypedDict):
    """A namespace with its newest notes."""

    namespace: str
    memory_count: int
    memories: list[Excerpted]


class Panel(TypedDict):
    """What an agent has for a caller."""

    agent_name: str
    memory_enabled: bool
    namespace: str
    pools: list[str]
    team: str | None
    stores: list[Shelf]


async def begin(
    agents: Agents, agent: Agent, session: str, query: str | None, tokens: int | None, messages: int | None
) -> Begun:
    """Return the window of a session, and a context only where there was nothing to load."""
    scope = agents.scope(agent)
    history: list[Any] = []
    if agent.spec.hooks.auto_memory:
        history = await scope.session(session).window(messages=messages)
    injected = None
    if not history and agent.spec.primitives.memory.enabled:
        injected = await scope.context(session=session, query=query, tokens=tokens)
    namespace = scope.namespace
    return {
        "actor": actor_text(agent.owner, agent.name, namespace.user),
        "namespace": str(namespace),
        "session": session,
        "history": history,
        "context": injected,
    }


async def panel(agents: Agents, agent: Agent) -> Panel:
    """Return the agent's namespaces for the caller: the private one and those below it, its pools, its team."""
    reach = agents.reach(agent)
    own, seen = agents.scope(agent), await agents.scopes()
    shared = {("pool", name) for name in reach.pools}
    if reach.team:
        shared.add(("team", reach.team))
    stores: list[AsyncScope] = [
        own,
        *(scope for scope in seen if is_child(own.namespace, scope.namespace)),
        *(scope for scope in seen if (scope.namespace.kind, scope.namespace.name) in shared),
    ]
    return {
        "agent_name": agent.name,
        "memory_enabled": agent.spec.primitives.memory.enabled,
        "namespace": str(own.namespace),
        "pools": list(reach.pools),
        "team": reach.team,
        "stores": [await _store(scope) for scope in stores],
    }


async def _store(scope: AsyncScope) -> Shelf:
    notes = await scope.notes(limit=SHOWN)
    return {
        "namespace": str(scope.namespace),
        "memory_count": notes.total,
        "memories": [
            {"id": note.id, "key": note.key, "content": note.text[:SHORT], "updated_at": note.updated_at}
            for note in notes
        ],
    }
