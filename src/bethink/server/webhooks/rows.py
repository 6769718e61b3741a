"""Convert webhooks, subscriptions and deliveries between rows and values."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any, cast

from bethink.server.delegation import Delegation
from bethink.server.webhooks.values import (
    Delivery,
    Secret,
    Subscription,
    SubscriptionSpec,
    Webhook,
    WebhookSpec,
)
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from bethink.server.webhooks.queries import DeliveryRow, SubscriptionRow, WebhookRow
    from bethink.server.webhooks.values import EventKind, State


def webhook(row: WebhookRow) -> Webhook:
    """Return the webhook of a row."""
    spec = json.loads(row.spec)
    for name in ("sessions", "addresses"):
        spec[name] = None if spec[name] is None else tuple(spec[name])
    return Webhook(
        id=row.webhook_id,
        owner=row.agent_owner,
        agent=row.agent,
        delegation=Delegation.read(row.principal, row.principal_groups),
        spec=WebhookSpec(**spec),
        secrets=read_secrets(row.secrets),
        revision=row.revision,
        created_at=to_datetime(row.created_at),
        updated_at=to_datetime(row.updated_at),
    )


def subscription(row: SubscriptionRow) -> Subscription:
    """Return the subscription of a row."""
    spec = json.loads(row.spec)
    spec["events"] = tuple(spec["events"])
    return Subscription(
        id=row.subscription_id,
        delegation=Delegation.read(row.principal, row.principal_groups),
        url=row.url,
        spec=SubscriptionSpec(**spec),
        secrets=read_secrets(row.secrets),
        state=cast('Literal["active", "gone"]', row.state),
        revision=row.revision,
        created_at=to_datetime(row.created_at),
        updated_at=to_datetime(row.updated_at),
    )


def delivery(row: DeliveryRow) -> Delivery:
    """Return the delivery of a row."""
    return Delivery(
        scope=row.scope_id,
        id=row.delivery_id,
        target=row.target,
        event=row.event,
        kind=cast("EventKind", row.kind),
        note=row.note_id,
        subject=json.loads(row.subject),
        state=cast("State", row.state),
        attempts=row.attempts,
        due_at=row.due_at,
        status=row.status,
        error=row.error,
        at=row.at,
        updated_at=row.updated_at,
    )


def spec_text(spec: WebhookSpec | SubscriptionSpec) -> str:
    """Return a spec as it is stored."""
    return json.dumps(dataclasses.asdict(spec))


def secrets_text(secrets: Iterable[Secret]) -> str:
    """Return secrets as they are stored."""
    return json.dumps([dataclasses.asdict(each) for each in secrets])


def read_secrets(text: str) -> tuple[Secret, ...]:
    """Return stored secrets."""
    stored: list[dict[str, Any]] = json.loads(text)
    return tuple(Secret(**each) for each in stored)
