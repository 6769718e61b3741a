"""Begin to listen to what happens in a tenant, and stop when nobody wants to be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.server.background import units as jobs
from bethink.server.webhooks.happenings import NOWHERE
from bethink.server.webhooks.units import sql

if TYPE_CHECKING:
    from bethink.storage.work import Work

DELIVER = "deliver"  #: the job that listens and delivers


def begin(tenant: str, *, now: int) -> Work[None]:
    """Listen from now on, unless somebody does already; what happened before is no news."""
    if not (yield sql.find_mark(tenant=tenant, scope=NOWHERE)):
        yield sql.begin_marks(tenant=tenant)
        yield sql.put_mark(tenant=tenant, scope=NOWHERE, revision=now)
    yield from jobs.plan_job(tenant, DELIVER, now)


def listening(tenant: str) -> Work[bool]:
    """Tell whether somebody listens."""
    return bool((yield sql.find_mark(tenant=tenant, scope=NOWHERE)))


def end(tenant: str) -> Work[None]:
    """Stop: nobody wants to be told any more."""
    yield sql.end_marks(tenant=tenant)
