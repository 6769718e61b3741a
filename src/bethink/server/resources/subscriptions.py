"""REST routes of subscriptions (outgoing webhooks) and their deliveries."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, TypedDict

from fastapi import Depends, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from bethink.ids import note_id, to_text
from bethink.pages import Page, from_cursor, to_cursor
from bethink.server.dependencies import Body, Cursor, Limit, Memory, Word
from bethink.server.json_responses import Answer, Entries, answer, nothing, page
from bethink.server.openapi import Router
from bethink.server.resources.webhooks import Rotation
from bethink.server.services import services
from bethink.server.webhooks.subscriptions import END, SubscriptionMade, Subscriptions, SubscriptionShown
from bethink.server.webhooks.values import EVENTS, Delivery, EventKind, State, SubscriptionSpec
from bethink.times import to_datetime

router = Router(prefix="/subscriptions", tags=["subscriptions"])
Id = Annotated[str, Path(max_length=64)]


class NewSubscription(Body):
    """What is told, and where."""

    url: Annotated[str, Field(max_length=2_048, description="Of https, at a public address.")]
    events: Annotated[list[EventKind], Field(min_length=1, max_length=len(EVENTS))] = Field(
        default_factory=lambda: list(EVENTS)
    )
    namespace: Word | None = Field(default=None, description="Of this one alone.")
    everything: bool = Field(default=False, description="Of every scope of the tenant; an admin's alone.")
    content: bool = Field(default=False, description="With the text of notes, as it is when they are sent.")
    description: Annotated[str, Field(max_length=1_000)] = ""


class DeliveryShown(TypedDict):
    """News on their way, or told, or given up."""

    id: str
    event: str
    kind: EventKind
    note: str | None
    state: State
    attempts: int
    next_at: datetime | None
    status: int | None
    error: str | None
    at: datetime
    updated_at: datetime


class Again(TypedDict):
    """News that are tried again."""

    id: str
    state: State


async def _subscriptions(request: Request, memory: Memory) -> Subscriptions:
    return Subscriptions(memory, services(request).seals, private=services(request).options.work.private)


Own = Annotated[Subscriptions, Depends(_subscriptions)]


@router.post("", status_code=201)
async def create(own: Own, new: NewSubscription) -> Answer[SubscriptionMade]:
    """Subscribe to events; only this response contains the signing secret."""
    values: dict[str, Any] = new.model_dump(exclude={"url", "events"})
    spec = SubscriptionSpec(events=tuple(dict.fromkeys(new.events)), **values)
    made = await own.create(new.url, spec)
    return answer(made, 201, at=f"/v1/subscriptions/{made['id']}")


@router.get("")
async def listing(own: Own) -> Answer[Entries[SubscriptionShown]]:
    """List the caller's subscriptions, without their secrets."""
    found = await own.all()
    return answer({"entries": [own.show(each) for each in found]})


@router.get("/{subscription}")
async def read(own: Own, subscription: Id) -> Answer[SubscriptionShown]:
    """Return a subscription without its secrets."""
    found = await own.get(subscription)
    return answer(own.show(found), revision=found.revision)


@router.delete("/{subscription}", status_code=204)
async def remove(own: Own, subscription: Id) -> Response:
    """Delete a subscription; pending deliveries are dropped."""
    await own.remove(subscription)
    return nothing()


@router.post("/{subscription}/rotate")
async def rotate(
    own: Own,
    subscription: Id,
    given: Rotation,
) -> Answer[SubscriptionMade]:
    """Rotate the signing secret; deliveries are also signed with earlier secrets for a while."""
    return answer(await own.rotate(subscription, overlap=given.overlap_seconds))


@router.get("/{subscription}/deliveries")
async def deliveries(
    own: Own,
    subscription: Id,
    state: Annotated[State | None, Query(description="pending, delivered, or dead: given up.")] = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Answer[Page[DeliveryShown]]:
    """List past and pending deliveries, newest first."""
    return page(await deliveries_of(own, subscription, state, limit, cursor))


@router.post("/{subscription}/deliveries/{delivery}/retry", status_code=202)
async def retry(own: Own, subscription: Id, delivery: Id) -> Answer[Again]:
    """Retry a failed delivery."""
    await own.retry(subscription, delivery)
    return answer({"id": delivery, "state": "pending"}, 202)


async def deliveries_of(
    own: Subscriptions, subscription: str, state: State | None, limit: int, cursor: str | None
) -> Page[DeliveryShown]:
    """Return what was, and is to be, delivered to a subscriber, newest first."""
    below = from_cursor(cursor, int)[0] if cursor else END
    found, total = await own.deliveries(subscription, state=state, limit=limit + 1, below=below)
    more = to_cursor(found[limit - 1].id) if len(found) > limit else None
    return Page(tuple(map(_shown, found[:limit])), total, more)


def _shown(each: Delivery) -> DeliveryShown:
    """Return what is seen of news: where they stand, and no word of them."""
    return {
        "id": to_text("d", each.id),
        "event": each.event,
        "kind": each.kind,
        "note": None if each.note is None else note_id(each.note),
        "state": each.state,
        "attempts": each.attempts,
        "next_at": to_datetime(each.due_at) if each.state == "pending" else None,
        "status": each.status,
        "error": each.error,
        "at": to_datetime(each.at),
        "updated_at": to_datetime(each.updated_at),
    }
