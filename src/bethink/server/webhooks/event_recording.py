"""Start and stop recording events of a tenant, depending on whether it has subscriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.scope.tombstones import erasures_since
from bethink.server.background import transactions as jobs
from bethink.server.webhooks import queries
from bethink.server.webhooks.events import NOWHERE, changed_scopes
from bethink.server.webhooks.transactions import next_due

if TYPE_CHECKING:
    from bethink.storage.work import Work

DELIVER = "deliver"  #: the job that listens and delivers


def begin(tenant: str, *, now: int) -> Work[None]:
    """Listen from now on, unless somebody does already; what happened before is no news."""
    if not (yield from queries.find_mark(tenant=tenant, scope=NOWHERE)):
        yield from queries.begin_marks(tenant=tenant)
        yield from queries.put_mark(tenant=tenant, scope=NOWHERE, revision=now)
    yield from jobs.plan_job(tenant, DELIVER, now)


def is_recording(tenant: str) -> Work[bool]:
    """Tell whether somebody listens."""
    return bool((yield from queries.find_mark(tenant=tenant, scope=NOWHERE)))


def has_nothing_due(tenant: str, now: int) -> Work[bool]:
    """Tell whether nothing happened that somebody is to be told, and nothing waits to be delivered by now."""
    if (yield from changed_scopes(tenant, limit=1)):
        return False
    soonest = yield from next_due(tenant)
    if soonest is not None and soonest <= now:
        return False
    mark = yield from queries.find_mark(tenant=tenant, scope=NOWHERE)
    return not mark or not (yield from erasures_since(tenant, mark[0]))


def end(tenant: str) -> Work[None]:
    """Stop: nobody wants to be told any more."""
    yield from queries.end_marks(tenant=tenant)
