"""Run the travel-concierge demo for a visitor, in a scope of its own.

It is played into the memory that an agent of its own has of whoever asks: nobody else sees it, nothing real is mixed
with it, and one button destroys all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from bethink.errors import NotFoundError
from bethink.scope.transactions import digest
from bethink.server.dashboard import urls as to
from bethink.server.dashboard.dependencies import away
from bethink.server.dashboard.export_and_erase import shown_receipt
from bethink.server.demo_script import LINES, OLD_NOTES, PROFILE, TRIP
from bethink.server.dependencies import Memory, Registered
from bethink.server.owners import owner_for
from bethink.server.specs import AgentSpec

if TYPE_CHECKING:
    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.server.agents import Agent, Agents

router = APIRouter(prefix="/demo")
NAME: Final = to.DEMO
DESCRIPTION: Final = (
    "A demo: plans trips, and remembers how a traveler likes to travel. Nothing here is real."
)
TITLE: Final = "The demo: a trip to Paris"


@router.post("")
async def begin(request: Request, memory: Memory, agents: Registered) -> Response:
    """Register the concierge, play what it is told, and lead to the conversation; played once, it is only shown."""
    agent = await _agent(memory, agents)
    if agent is None:
        spec = AgentSpec(description=DESCRIPTION)
        agent = await agents.put(NAME, spec, expected=0)
        await _play(agents.scope(agent))
    return away(request, to.talk(agent, TRIP))


@router.post("/erase")
async def remove(request: Request, memory: Memory, agents: Registered) -> Response:
    """Destroy everything that the demo has of the caller, the agent included, and show the receipt."""
    agent = await _agent(memory, agents)
    if agent is None:
        raise NotFoundError("no such demo; it may have been removed", kind="agent", id=NAME)
    scope = agents.scope(agent)
    receipt = await scope.erase()
    await agents.remove(agent.name, owner=agent.owner)
    return shown_receipt(request, receipt, place_of=str(scope.namespace), place=None)


async def _agent(memory: AsyncMemory, agents: Agents) -> Agent | None:
    """Return the demo's agent of the caller; None where there is none."""
    principal = memory._runtime.principal  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    try:
        return await agents.get(NAME, owner=owner_for(principal, None, name=NAME))
    except NotFoundError:
        return None


async def _play(scope: AsyncScope) -> None:
    """Tell the concierge what the script says; what it learns from that, it finds by itself."""
    await scope.profile.update(PROFILE)
    for old in OLD_NOTES:
        await scope.remember(old.text, key=old.key, keywords=old.keywords, valid_from=old.since)
    session = scope.session(TRIP)
    for number, line in enumerate(LINES):
        messages = [{"role": "user", "content": line}]
        await session.append(messages, operation=f"demo-{number}-{digest(line)}")
    await session.rename(TITLE)
    await scope.consolidate(session=TRIP)
