"""The pages of background jobs, subscriptions and deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, get_args

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from bethink.errors import InvalidError
from bethink.server.background import transactions as background
from bethink.server.background.tasks import Tasks
from bethink.server.dashboard.dependencies import Form, away, html
from bethink.server.dependencies import Cursor, Memory, Registered
from bethink.server.resources.subscriptions import Id, Own, deliveries_of
from bethink.server.resources.tasks import shown as job_shown
from bethink.server.webhooks.secret_rotation import OVERLAP_SECONDS
from bethink.server.webhooks.values import EVENTS, State, SubscriptionSpec

if TYPE_CHECKING:
    from bethink.server.agents import Agents
    from bethink.server.webhooks.subscriptions import Subscriptions

router = APIRouter(prefix="/work")
SHOWN = 50  #: deliveries at once
STATES = tuple(each for each in get_args(State) if each != "heard")  #: what a task heard is no delivery


@router.get("")
async def work(request: Request, memory: Memory, agents: Registered, own: Own) -> Response:
    """Show the jobs of the tenant to admins, the caller's tasks and the caller's subscriptions."""
    return await _page(request, memory, agents, own)


@router.post("/subscriptions")
async def subscribe(request: Request, memory: Memory, agents: Registered, own: Own, form: Form) -> Response:
    """Be told of what happens, and see the secret this once."""
    chosen: tuple[Any, ...] = tuple(each for each in EVENTS if form[each] == "yes")
    if not chosen:
        raise InvalidError("choose at least one event", argument="events")
    spec = SubscriptionSpec(
        events=chosen,
        namespace=form.word("namespace"),
        everything=form["everything"] == "yes",
        content=form["content"] == "yes",
        description=form["description"].strip(),
    )
    made = await own.create(form["url"].strip(), spec)
    return await _page(request, memory, agents, own, made=made)


@router.post("/subscriptions/{subscription}/rotate")
async def rotate(
    request: Request, memory: Memory, agents: Registered, own: Own, subscription: Id
) -> Response:
    """Sign with a new secret, seen this once; the one before is good for a day."""
    made = await own.rotate(subscription, overlap=OVERLAP_SECONDS)
    return await _page(request, memory, agents, own, made=made)


@router.post("/subscriptions/{subscription}/delete")
async def remove(request: Request, own: Own, subscription: Id) -> Response:
    """Delete a subscription; pending deliveries are dropped."""
    await own.remove(subscription)
    return away(request, "/work")


@router.get("/subscriptions/{subscription}")
async def deliveries(
    request: Request,
    own: Own,
    subscription: Id,
    state: Annotated[str, Query(max_length=32)] = "",
    cursor: Cursor = None,
) -> Response:
    """Show what was, and is to be, delivered, newest first."""
    wanted: Any = state if state in STATES else None
    found = await deliveries_of(own, subscription, wanted, SHOWN, cursor)
    shown = own.show(await own.get(subscription))
    values: Any = {"found": found, "state": wanted or "", "states": STATES}
    return html(request, "deliveries.html", subscription=shown, **values)


@router.post("/subscriptions/{subscription}/deliveries/{delivery}/retry")
async def retry(request: Request, own: Own, subscription: Id, delivery: Id) -> Response:
    """Retry a failed delivery."""
    await own.retry(subscription, delivery)
    return away(request, f"/work/subscriptions/{subscription}")


async def _page(request: Request, memory: Any, agents: Agents, own: Subscriptions, **values: Any) -> Response:
    runtime = memory._runtime  # noqa: SLF001
    principal, now = runtime.principal, runtime.now()
    jobs = None
    if principal is None or principal.admin:
        jobs = [
            job_shown(each, now) for each in await runtime.store.read(background.all_jobs, runtime.tenant)
        ]
    tasks = Tasks(memory, agents)
    mine = [
        (agent, await tasks.show(each))
        for agent in await agents.all()
        if principal is None or principal.admin or agent.owner == principal.id
        for each in await tasks.all(agent.name, owner=agent.owner)
    ]
    subscriptions = [own.show(each) for each in await own.all()]
    shown: Any = {"jobs": jobs, "tasks": mine, "subscriptions": subscriptions, "events": EVENTS, "made": None}
    return html(request, "work.html", **{**shown, **values}, admin=jobs is not None)
