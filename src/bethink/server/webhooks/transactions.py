"""Webhooks, incoming messages and subscriptions as units of work."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bethink.scope.transactions import find, touch
from bethink.server.webhooks import queries, rows
from bethink.server.webhooks.values import AnsweredMessage

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.server.delegation import Delegation
    from bethink.server.webhooks.values import (
        Delivery,
        Secret,
        State,
        Subscription,
        SubscriptionSpec,
        Webhook,
        WebhookSpec,
    )
    from bethink.storage.work import Work


# ---- webhooks -----------------------------------------------------------------------------------------------


def put_webhook(
    tenant: str,
    number: int,
    agent: tuple[str, str],
    delegation: Delegation,
    spec: WebhookSpec,
    secrets: Sequence[Secret],
    *,
    now: int,
) -> Work[Webhook]:
    """Keep a webhook of an agent (its owner, its name), or change its secrets."""
    yield from queries.put_webhook(
        tenant=tenant,
        webhook=number,
        owner=agent[0],
        agent=agent[1],
        **delegation.row,
        spec=rows.spec_text(spec),
        secrets=rows.secrets_text(secrets),
        now=now,
    )
    (row,) = yield from queries.find_webhook(tenant=tenant, webhook=number)
    return rows.webhook(row)


def find_webhook(tenant: str, number: int) -> Work[Webhook | None]:
    """Find a webhook."""
    found = yield from queries.find_webhook(tenant=tenant, webhook=number)
    return rows.webhook(found[0]) if found else None


def webhooks_of(tenant: str, owner: str, agent: str) -> Work[list[Webhook]]:
    """List the webhooks of an agent, oldest first."""
    return [
        rows.webhook(row) for row in (yield from queries.webhooks_of(tenant=tenant, owner=owner, agent=agent))
    ]


def remove_webhook(tenant: str, number: int, namespace: Namespace) -> Work[None]:
    """Close a webhook, and forget what came by it into its scope."""
    yield from queries.remove_webhook(tenant=tenant, webhook=number)
    place = yield from find(namespace)
    if place is not None:
        yield from queries.remove_messages(tenant=tenant, scope=place.scope, webhook=number)


def remove_webhooks_of(tenant: str, owner: str, agent: str) -> Work[None]:
    """Close the webhooks of an agent that is no more."""
    yield from queries.remove_webhooks_of(tenant=tenant, owner=owner, agent=agent)


# ---- messages -----------------------------------------------------------------------------------------------


def claim_message(
    namespace: Namespace,
    webhook: int,
    digest: str,
    session: str,
    *,
    until: int,
    before: int,
    writing: Writing,
) -> Work[AnsweredMessage | None]:
    """Take a message in order to answer it; else say what became of it when it came first.

    One that somebody has been answering for longer than `until` is taken over; those from `before` are forgotten.
    """
    place = yield from touch(namespace, writing)
    yield from queries.remove_old_messages(**place.keys, webhook=webhook, before=before)
    taken = yield from queries.claim_message(
        **place.keys, webhook=webhook, digest=digest, session=session, until=until, now=writing.now
    )
    if taken:
        return None
    found = yield from queries.find_message(**place.keys, webhook=webhook, digest=digest)
    if not found:  # whoever answered it gave it up just now
        return AnsweredMessage(state="running", session=session, turn=None)
    return AnsweredMessage(
        state=cast('Literal["running", "done"]', found[0].state), session=found[0].session, turn=found[0].turn
    )


def record_answer(
    namespace: Namespace, webhook: int, digest: str, turn: str | None, *, now: int
) -> Work[None]:
    """Record that a message was answered."""
    place = yield from find(namespace)
    if place is not None:  # it was erased meanwhile: so is the message
        yield from queries.settle_message(
            tenant=place.tenant, scope=place.scope, webhook=webhook, digest=digest, turn=turn, now=now
        )


def release_message(namespace: Namespace, webhook: int, digest: str) -> Work[None]:
    """Forget a message that was not answered, so that it can come again."""
    place = yield from find(namespace)
    if place is not None:
        yield from queries.release_message(
            tenant=place.tenant, scope=place.scope, webhook=webhook, digest=digest
        )


# ---- subscriptions ------------------------------------------------------------------------------------------


def put_subscription(
    tenant: str,
    number: int,
    delegation: Delegation,
    url: str,
    spec: SubscriptionSpec,
    secrets: Sequence[Secret],
    *,
    state: str = "active",
    now: int,
) -> Work[Subscription]:
    """Keep a subscription, or change its secrets and whether it is still served."""
    yield from queries.put_subscription(
        tenant=tenant,
        subscription=number,
        **delegation.row,
        url=url,
        spec=rows.spec_text(spec),
        secrets=rows.secrets_text(secrets),
        state=state,
        now=now,
    )
    (row,) = yield from queries.find_subscription(tenant=tenant, subscription=number)
    return rows.subscription(row)


def find_subscription(tenant: str, number: int) -> Work[Subscription | None]:
    """Find a subscription."""
    found = yield from queries.find_subscription(tenant=tenant, subscription=number)
    return rows.subscription(found[0]) if found else None


def all_subscriptions(tenant: str) -> Work[list[Subscription]]:
    """List the subscriptions of a tenant, oldest first."""
    return [rows.subscription(row) for row in (yield from queries.all_subscriptions(tenant=tenant))]


def end_subscription(tenant: str, number: int, *, now: int) -> Work[None]:
    """Send nothing more to an address that wants nothing more."""
    yield from queries.end_subscription(tenant=tenant, subscription=number, now=now)


def remove_subscription(tenant: str, number: int, target: str) -> Work[None]:
    """End a subscription, and drop what waits for it."""
    yield from queries.remove_subscription(tenant=tenant, subscription=number)
    yield from queries.remove_deliveries_to(tenant=tenant, target=target)


# ---- deliveries ---------------------------------------------------------------------------------------------


def due_deliveries(tenant: str, *, now: int, limit: int) -> Work[list[Delivery]]:
    """List the news that are due for subscribers, those that wait longest first."""
    return [
        rows.delivery(row) for row in (yield from queries.due_deliveries(tenant=tenant, now=now, limit=limit))
    ]


def has_waiting_events(tenant: str, target: str) -> Work[bool]:
    """Tell whether news wait for a task that begins by events."""
    (count,) = yield from queries.count_heard(tenant=tenant, target=target)
    return count > 0


def next_due(tenant: str) -> Work[int | None]:
    """Find when the next news are due for a subscriber."""
    found = yield from queries.next_delivery(tenant=tenant)
    return found[0] if found else None


def deliveries_to(
    tenant: str, target: str, *, state: State | None, limit: int, below: int
) -> Work[tuple[list[Delivery], int]]:
    """List the news for a target, newest first, with the true total."""
    found = yield from queries.deliveries_to(
        tenant=tenant, target=target, state=state, limit=limit, below=below
    )
    (total,) = yield from queries.count_deliveries_to(tenant=tenant, target=target, state=state)
    return [rows.delivery(row) for row in found], total


def put_delivery(
    tenant: str,
    each: Delivery,
    state: State,
    *,
    due: int,
    status: int | None,
    error: str | None,
    now: int,
) -> Work[None]:
    """Record how a try went."""
    yield from queries.put_delivery(
        tenant=tenant,
        scope=each.scope,
        delivery=each.id,
        state=state,
        attempts=each.attempts + 1,
        due=due,
        status=status,
        error=error,
        now=now,
    )


def retry(tenant: str, target: str, delivery: int, *, now: int) -> Work[bool]:
    """Let news that were given up be tried again; False where these were not."""
    return bool((yield from queries.retry_delivery(tenant=tenant, target=target, delivery=delivery, now=now)))


def remove_received(tenant: str, each: Sequence[Delivery]) -> Work[None]:
    """Drop what a target was told."""
    for one in each:
        yield from queries.remove_told(tenant=tenant, target=one.target, scope=one.scope, delivery=one.id)


def remove_old_deliveries(tenant: str, *, delivered_before: int, dead_before: int) -> Work[int]:
    """Drop the account of news that were delivered or given up long ago; return of how many."""
    gone = yield from queries.remove_old_deliveries(tenant=tenant, state="delivered", before=delivered_before)
    dead = yield from queries.remove_old_deliveries(tenant=tenant, state="dead", before=dead_before)
    return gone + dead
