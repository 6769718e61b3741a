"""The pages of an agent's webhooks and scheduled tasks."""

from __future__ import annotations

from typing import Any, get_args

from fastapi import APIRouter, Request
from starlette.responses import Response

from bethink.errors import InvalidError
from bethink.server.background.tasks import Tasks
from bethink.server.background.values import Cron, Every, On, Schedule, TaskSpec
from bethink.server.dashboard import urls as to
from bethink.server.dashboard.dependencies import Chosen, Fields, Form, away, html
from bethink.server.dependencies import Memory, Registered
from bethink.server.services import services
from bethink.server.webhooks.register import Webhooks
from bethink.server.webhooks.secret_rotation import OVERLAP_SECONDS
from bethink.server.webhooks.values import EVENTS, Mode, WebhookSpec
from bethink.sessions.values import DEFAULT_SESSION

router = APIRouter(prefix="/agents/{owner}/{name}/doors")


@router.get("")
async def webhooks_and_tasks(request: Request, memory: Memory, agents: Registered, agent: Chosen) -> Response:
    """Show the webhooks and the tasks of an agent, to its owner."""
    return await _page(request, memory, agents, agent)


@router.post("/webhooks")
async def open_webhook(
    request: Request, memory: Memory, agents: Registered, agent: Chosen, form: Form
) -> Response:
    """Open a webhook, and show its secret this once."""
    session, mode = form.word("session") or DEFAULT_SESSION, form["mode"]
    if mode not in get_args(Mode):
        raise InvalidError("mode must be turn or append", argument="mode")
    spec = WebhookSpec(
        mode=mode,  # pyright: ignore[reportArgumentType] - it was looked at
        session=session,
        sessions=(session,) if form["only"] == "yes" else None,
        quiet=form["quiet"] == "yes",
        description=form["description"].strip(),
    )
    made = await _webhooks(request, memory, agents).create(agent.name, spec, owner=agent.owner)
    return await _page(request, memory, agents, agent, made=made)


@router.post("/webhooks/{webhook}/rotate")
async def rotate(
    request: Request, memory: Memory, agents: Registered, agent: Chosen, webhook: str
) -> Response:
    """Give a webhook a new secret, and show it this once; the one before is good for a day."""
    register = _webhooks(request, memory, agents)
    made = await register.rotate(agent.name, webhook, overlap=OVERLAP_SECONDS, owner=agent.owner)
    return await _page(request, memory, agents, agent, made=made)


@router.post("/webhooks/{webhook}/delete")
async def close_webhook(
    request: Request, memory: Memory, agents: Registered, agent: Chosen, webhook: str
) -> Response:
    """Delete a webhook."""
    await _webhooks(request, memory, agents).remove(agent.name, webhook, owner=agent.owner)
    return away(request, to.agent(agent, "doors"))


@router.post("/tasks")
async def put_task(
    request: Request, memory: Memory, agents: Registered, agent: Chosen, form: Form
) -> Response:
    """Let an agent do something by itself."""
    if not form["prompt"].strip():
        raise InvalidError("enter what the agent should do", argument="prompt")
    spec = TaskSpec(prompt=form["prompt"], schedule=_schedule(form), keep_text=form["keep_text"] == "yes")
    await Tasks(memory, agents).put(agent.name, form["task"].strip(), spec, owner=agent.owner)
    return away(request, to.agent(agent, "doors"))


@router.post("/tasks/{task}/run")
async def run_task(
    request: Request, memory: Memory, agents: Registered, agent: Chosen, task: str
) -> Response:
    """Run a task as soon as a worker is free."""
    name = to.label_of(task, argument="task")
    await Tasks(memory, agents).run(agent.name, name, owner=agent.owner)
    return away(request, to.agent(agent, "doors"))


@router.post("/tasks/{task}/delete")
async def remove_task(
    request: Request, memory: Memory, agents: Registered, agent: Chosen, task: str
) -> Response:
    """Forget a task."""
    name = to.label_of(task, argument="task")
    await Tasks(memory, agents).remove(agent.name, name, owner=agent.owner)
    return away(request, to.agent(agent, "doors"))


async def _page(request: Request, memory: Any, agents: Any, agent: Any, *, made: Any = None) -> Response:
    register, tasks = _webhooks(request, memory, agents), Tasks(memory, agents)
    webhooks = [register.show(each) for each in await register.all(agent.name, owner=agent.owner)]
    shown = [await tasks.show(each) for each in await tasks.all(agent.name, owner=agent.owner)]
    return html(request, "doors.html", agent=agent, webhooks=webhooks, tasks=shown, made=made, events=EVENTS)


def _webhooks(request: Request, memory: Any, agents: Any) -> Webhooks:
    state = services(request)
    return Webhooks(memory, agents, state.seals, state.names)


def _schedule(form: Fields) -> Schedule:
    """Return when a task is due, by the kind that was chosen."""
    match form["kind"]:
        case "every":
            minutes = form.number("minutes")
            if not minutes:
                raise InvalidError("minutes must be a number of 1 or more", argument="minutes")
            return Every(seconds=60 * minutes)
        case "cron":
            return Cron(expression=form["cron"].strip(), timezone=form.word("timezone") or "UTC")
        case _:
            names = list[str](EVENTS)
            if form["event"] not in names:
                raise InvalidError(f"event must be one of {', '.join(names)}", argument="event")
            return On(events=(EVENTS[names.index(form["event"])],))
