"""Begin to listen to what happens in a tenant, and stop when nobody wants to be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.server.background import transactions as jobs
from bethink.server.webhooks import queries
from bethink.server.webhooks.events import NOWHERE

if TYPE_CHECKING:
    from bethink.storage.work import Work

DELIVER = "deliver"  #: the job that listens and delivers


def begin(tenant: str, *, now: int) -> Work[None]:
    """Listen from now on, unless somebody does already; what happened before is no news."""
    if not (yield from queries.find_mark(tenant=tenant, scope=NOWHERE)):
        yield from queries.begin_marks(tenant=tenant)
        yield from queries.put_mark(tenant=tenant, scope=NOWHERE, revision=now)
    yield from jobs.plan_job(tenant, DELIVER, now)


def listening(tenant: str) -> Work[bool]:
    """Tell whether somebody listens."""
    return bool((yield from queries.find_mark(tenant=tenant, scope=NOWHERE)))


def end(tenant: str) -> Work[None]:
    """Stop: nobody wants to be told any more."""
    yield from queries.end_marks(tenant=tenant)
