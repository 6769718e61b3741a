"""Webhooks, subscriptions and deliveries as rows of the store and as values."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from bethink.server.mandates import Mandate
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

    from bethink.storage.work import Row


def webhook(row: Row) -> Webhook:
    """Return the webhook of a row."""
    number, owner, agent, principal, groups, spec, secrets, revision, created_at, updated_at = row
    told = json.loads(spec)
    for name in ("sessions", "addresses"):
        told[name] = None if told[name] is None else tuple(told[name])
    return Webhook(
        id=number,
        owner=owner,
        agent=agent,
        mandate=Mandate.read(principal, groups),
        spec=WebhookSpec(**told),
        secrets=read_secrets(secrets),
        revision=revision,
        created_at=to_datetime(created_at),
        updated_at=to_datetime(updated_at),
    )


def subscription(row: Row) -> Subscription:
    """Return the subscription of a row."""
    number, principal, groups, url, spec, secrets, state, revision, created_at, updated_at = row
    told = json.loads(spec)
    told["events"] = tuple(told["events"])
    return Subscription(
        id=number,
        mandate=Mandate.read(principal, groups),
        url=url,
        spec=SubscriptionSpec(**told),
        secrets=read_secrets(secrets),
        state=state,
        revision=revision,
        created_at=to_datetime(created_at),
        updated_at=to_datetime(updated_at),
    )


def delivery(row: Row) -> Delivery:
    """Return the delivery of a row."""
    names = [field.name for field in dataclasses.fields(Delivery)]
    fields = dict(zip(names, row, strict=True))
    return Delivery(**{**fields, "subject": json.loads(fields["subject"])})


def spec_text(spec: WebhookSpec | SubscriptionSpec) -> str:
    """Return a spec as it is stored."""
    return json.dumps(dataclasses.asdict(spec))


def secrets_text(secrets: Iterable[Secret]) -> str:
    """Return secrets as they are stored."""
    return json.dumps([dataclasses.asdict(each) for each in secrets])


def read_secrets(text: str) -> tuple[Secret, ...]:
    """Return stored secrets."""
    told: list[dict[str, Any]] = json.loads(text)
    return tuple(Secret(**each) for each in told)
