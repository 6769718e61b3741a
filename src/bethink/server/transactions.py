"""Agent specs, answered requests (idempotency keys) and signed-out sessions as units of work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bethink.server import queries
from bethink.server.background.transactions import remove_tasks_of
from bethink.server.stored_specs import check_revision, find, put, spec_of_row
from bethink.server.webhooks.transactions import remove_webhooks_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.server.stored_specs import StoredSpec
    from bethink.storage.work import Work


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """What a request with an idempotency key was answered."""

    request: str  #: a digest of what was asked
    status: int
    subject: str | None  #: the id of what was made


def find_agent(tenant: str, owner: str, name: str) -> Work[StoredSpec | None]:
    """Find the spec of an agent."""
    return (yield from find(queries.find_agent, tenant, owner, name))


def list_agents(tenant: str) -> Work[list[StoredSpec]]:
    """List the specs of a tenant's agents."""
    return [
        spec_of_row(row.owner, row.name, row.spec, row)
        for row in (yield from queries.all_agents(tenant=tenant))
    ]


def count_agents(tenant: str, owner: str) -> Work[int]:
    """Count the agents of an owner."""
    (count,) = yield from queries.count_agents(tenant=tenant, owner=owner)
    return count


def put_agent(
    tenant: str, owner: str, name: str, spec: Mapping[str, Any], *, expected: int | None, now: int
) -> Work[StoredSpec]:
    """Keep a spec, in place of the one before.

    Raises:
        ConflictError: the spec was changed since the revision that was expected.
    """
    yield from check_revision(queries.find_agent, tenant, owner, name, expected)
    return (yield from put(queries.put_agent, tenant, owner, name, spec, now=now))


def remove_agent(tenant: str, owner: str, name: str, *, expected: int | None) -> Work[None]:
    """Forget a spec, with its webhooks and its tasks; what the agent remembered stays.

    Raises:
        ConflictError: the spec was changed since the revision that was expected.
    """
    yield from check_revision(queries.find_agent, tenant, owner, name, expected)
    yield from queries.remove_agent(tenant=tenant, owner=owner, name=name)
    yield from remove_webhooks_of(tenant, owner, name)
    yield from remove_tasks_of(tenant, owner, name)


def find_answered(tenant: str, caller: str, key: str, *, since: int) -> Work[StoredAnswer | None]:
    """Find what a request with this key was answered."""
    rows = yield from queries.find_answered(tenant=tenant, caller=caller, key=key, since=since)
    return (
        StoredAnswer(request=rows[0].request_digest, status=rows[0].status, subject=rows[0].subject)
        if rows
        else None
    )


def put_answered(
    tenant: str, caller: str, key: str, answered: StoredAnswer, *, now: int, before: int
) -> Work[None]:
    """Note that a request was answered; those from before `before` are forgotten."""
    yield from queries.remove_old_answered(tenant=tenant, before=before)
    yield from queries.put_answered(
        tenant=tenant,
        caller=caller,
        key=key,
        request=answered.request,
        status=answered.status,
        subject=answered.subject,
        now=now,
    )


def end_visit(tenant: str, visit: str, *, until: int, now: int) -> Work[None]:
    """Note that a browser session was ended, in every process; those that are over anyway are forgotten."""
    yield from queries.remove_old_visits(tenant=tenant, now=now)
    yield from queries.put_ended_visit(tenant=tenant, visit=visit, until=until)


def visit_ended(tenant: str, visit: str) -> Work[bool]:
    """Tell whether a browser session was ended."""
    return bool((yield from queries.find_ended_visit(tenant=tenant, visit=visit)))
