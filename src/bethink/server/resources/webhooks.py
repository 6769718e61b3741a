"""REST routes of incoming webhooks and their messages."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Header, Path, Request
from pydantic import Field
from starlette.responses import Response

from bethink.server.dependencies import Body, Label, Memory, Owner, PartOfPath, Registered
from bethink.server.json_responses import Answer, Entries, answer, nothing
from bethink.server.openapi import Router
from bethink.server.services import services
from bethink.server.webhooks.inbound import Duplicate, Noted, Replied, receive_message
from bethink.server.webhooks.register import WebhookMade, Webhooks, WebhookShown
from bethink.server.webhooks.secret_rotation import OVERLAP_SECONDS
from bethink.server.webhooks.values import Mode, Scheme, WebhookSpec

router = Router(tags=["webhooks"])
Name = PartOfPath
Address = Annotated[str, Path(max_length=512, description="The id of a webhook.")]
Short = Annotated[str, Field(max_length=256)]


class NewWebhook(Body):
    """What a webhook lets in, and where it leads."""

    mode: Mode = Field(default="turn", description="The agent answers, or the message is only noted.")
    scheme: Scheme = Field(default="standard", description="Standard Webhooks, or X-Webhook-Secret.")
    session: Short = Field(default="dashboard", description="Where a message goes that names no session.")
    sessions: Annotated[list[Short], Field(max_length=256)] | None = Field(
        default=None,
        description="Sessions that a message may name; orders-* is each that begins so; all without.",
    )
    addresses: Annotated[list[Short], Field(max_length=64)] = Field(
        default_factory=list, description="Networks that messages may come from; any without."
    )
    quiet: bool = Field(default=False, description="Whether the agent's answer is kept from the sender.")
    description: Annotated[str, Field(max_length=1_000)] = ""


class Rotation(Body):
    """How long the secrets before stay good."""

    overlap_seconds: Annotated[int, Field(ge=0, le=7 * 24 * 3_600)] = OVERLAP_SECONDS


class Left(Body):
    """What somebody else has to say."""

    message: Annotated[str, Field(min_length=1, max_length=100_000)]
    session_id: Label | None = None


async def _webhooks(request: Request, memory: Memory, agents: Registered) -> Webhooks:
    state = services(request)
    return Webhooks(memory, agents, state.seals, state.names)


Own = Annotated[Webhooks, Depends(_webhooks)]


@router.post("/agents/{name}/webhooks", status_code=201)
async def create(
    own: Own,
    name: Name,
    new: NewWebhook,
    owner: Owner = None,
) -> Answer[WebhookMade]:
    """Create a webhook for an agent; only this response contains its secret."""
    values: dict[str, Any] = new.model_dump()
    for each in ("sessions", "addresses"):
        values[each] = None if values[each] is None else tuple(values[each])
    made = await own.create(name, WebhookSpec(**values), owner=owner)
    return answer(made, 201, at=f"/v1/agents/{name}/webhooks/{made['id']}")


@router.get("/agents/{name}/webhooks")
async def listing(own: Own, name: Name, owner: Owner = None) -> Answer[Entries[WebhookShown]]:
    """List the webhooks of an agent, without their secrets."""
    found = await own.all(name, owner=owner)
    return answer({"entries": [own.show(each) for each in found]})


@router.get("/agents/{name}/webhooks/{webhook}")
async def read(own: Own, name: Name, webhook: Address, owner: Owner = None) -> Answer[WebhookShown]:
    """Return a webhook without its secrets."""
    found = await own.get(name, webhook, owner=owner)
    return answer(own.show(found), revision=found.revision)


@router.post("/agents/{name}/webhooks/{webhook}/rotate")
async def rotate(
    own: Own,
    name: Name,
    webhook: Address,
    given: Rotation,
    owner: Owner = None,
) -> Answer[WebhookMade]:
    """Rotate the secret of a webhook; earlier secrets stay valid for a while."""
    return answer(await own.rotate(name, webhook, overlap=given.overlap_seconds, owner=owner))


@router.delete("/agents/{name}/webhooks/{webhook}", status_code=204)
async def remove(own: Own, name: Name, webhook: Address, owner: Owner = None) -> Response:
    """Delete a webhook."""
    await own.remove(name, webhook, owner=owner)
    return nothing()


@router.post("/webhooks/{webhook}")
async def leave(
    request: Request,
    memory: Memory,
    webhook: Address,  # noqa: ARG001 - middleware has read it, and has verified the signature
    left: Left,
    x_session_id: Annotated[str | None, Header(min_length=1, max_length=128)] = None,
) -> Answer[Replied | Noted | Duplicate]:
    """Post a message to an agent, signed with the webhook's secret; a repeated message is answered once."""
    state = services(request)
    options = state.options
    received = await receive_message(
        state.chat,
        memory,
        request.state.webhook,
        left.message,
        left.session_id or x_session_id,
        request.headers,
        seconds=options.queue_seconds + options.turn_seconds,
    )
    return answer(received)
