"""Erase what acts for a user while they are absent: webhooks, tasks, subscriptions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bethink.ids import to_text
from bethink.lifecycle.erase import queries

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.lifecycle.erase.erased import Erased
    from bethink.storage.work import Work


def erase_delegations(tenant: str, erased: Erased, gone: Callable[[set[str], int], bool]) -> Work[None]:
    """Destroy what acts for somebody who is gone: `gone` is told for whom and whose agents, and since when."""
    for webhook in (yield from queries.every_webhook(tenant=tenant)):
        if gone({webhook.principal, webhook.agent_owner}, webhook.created_at):
            yield from queries.erase_webhook(tenant=tenant, number=webhook.webhook_id)
            word = to_text("w", webhook.webhook_id)
            yield from _account(tenant, erased, "webhooks", word, json.loads(webhook.spec)["description"])
    for task in (yield from queries.every_task(tenant=tenant)):
        if gone({task.principal, task.agent_owner}, task.created_at):
            yield from queries.erase_task(tenant=tenant, number=task.task_id)
            word = to_text("t", task.task_id)
            yield from queries.erase_job(tenant=tenant, name=word)
            yield from _account(tenant, erased, "tasks", word, json.loads(task.spec)["prompt"])
    for each in (yield from queries.every_subscription(tenant=tenant)):
        if gone({each.principal}, each.created_at):
            yield from queries.erase_subscription(tenant=tenant, number=each.subscription_id)
            word = to_text("s", each.subscription_id)
            texts = (json.loads(each.spec)["description"], each.url)
            yield from _account(tenant, erased, "subscriptions", word, *texts)


def _account(tenant: str, erased: Erased, table: str, word: str, *written: str) -> Work[None]:
    """Keep account of what was destroyed and of what somebody wrote in it, and destroy the news for it."""
    erased.count(table, 1)
    erased.add_plain(*written)
    erased.count("deliveries", (yield from queries.erase_deliveries_to(tenant=tenant, target=word)))
