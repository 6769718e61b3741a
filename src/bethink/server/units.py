"""The specs of agents and the requests that were answered, as units of work."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bethink.errors import ConflictError
from bethink.server.background.units import remove_tasks_of
from bethink.server.webhooks.units import remove_webhooks_of
from bethink.storage.statements import statements
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from bethink.storage.work import Work

sql = statements("bethink.server")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The spec of an agent as the store has it."""

    owner: str
    name: str
    spec: Mapping[str, Any]
    revision: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What a request with an idempotency key was answered."""

    request: str  #: a digest of what was asked
    status: int
    subject: str | None  #: the id of what was made


def find_agent(tenant: str, owner: str, name: str) -> Work[Kept | None]:
    """Find the spec of an agent."""
    rows = yield sql.find_agent(tenant=tenant, owner=owner, name=name)
    return kept(owner, name, *rows[0]) if rows else None


def list_agents(tenant: str) -> Work[list[Kept]]:
    """List the specs of a tenant's agents."""
    return [kept(*row) for row in (yield sql.all_agents(tenant=tenant))]


def put_agent(
    tenant: str, owner: str, name: str, spec: Mapping[str, Any], *, expected: int | None, now: int
) -> Work[Kept]:
    """Keep a spec, in place of the one before.

    Raises:
        ConflictError: the spec was changed since the revision that was expected.
    """
    yield from _check_revision(tenant, owner, name, expected)
    text = json.dumps(spec)
    rows = yield sql.put_agent(tenant=tenant, owner=owner, name=name, spec=text, now=now)
    return kept(owner, name, text, *rows[0])


def remove_agent(tenant: str, owner: str, name: str, *, expected: int | None) -> Work[None]:
    """Forget a spec, with its webhooks and its tasks; what the agent remembered stays.

    Raises:
        ConflictError: the spec was changed since the revision that was expected.
    """
    yield from _check_revision(tenant, owner, name, expected)
    yield sql.remove_agent(tenant=tenant, owner=owner, name=name)
    yield from remove_webhooks_of(tenant, owner, name)
    yield from remove_tasks_of(tenant, owner, name)


def find_answered(tenant: str, caller: str, key: str, *, since: int) -> Work[Answered | None]:
    """Find what a request with this key was answered."""
    rows = yield sql.find_answered(tenant=tenant, caller=caller, key=key, since=since)
    return Answered(request=rows[0][0], status=rows[0][1], subject=rows[0][2]) if rows else None


def put_answered(
    tenant: str, caller: str, key: str, answered: Answered, *, now: int, before: int
) -> Work[None]:
    """Note that a request was answered; those from before `before` are forgotten."""
    yield sql.remove_old_answered(tenant=tenant, before=before)
    yield sql.put_answered(
        tenant=tenant,
        caller=caller,
        key=key,
        request=answered.request,
        status=answered.status,
        subject=answered.subject,
        now=now,
    )


def _check_revision(tenant: str, owner: str, name: str, expected: int | None) -> Work[None]:
    if expected is None:
        return
    found = yield from find_agent(tenant, owner, name)
    actual = found.revision if found else 0
    if actual != expected:
        raise ConflictError(
            "the spec was changed since: read it again", expected=expected, actual=actual, name=name
        )


def kept(owner: str, name: str, spec: str, revision: int, created_at: int, updated_at: int) -> Kept:
    """Return a row as the spec that it keeps."""
    return Kept(
        owner=owner,
        name=name,
        spec=json.loads(spec),
        revision=revision,
        created_at=to_datetime(created_at),
        updated_at=to_datetime(updated_at),
    )
