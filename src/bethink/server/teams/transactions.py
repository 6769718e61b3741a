"""Team specs as units of work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.server.stored_specs import check_revision, find, put, spec_of_row
from bethink.server.teams import queries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.server.stored_specs import StoredSpec
    from bethink.storage.work import Work


def find_team(tenant: str, owner: str, name: str) -> Work[StoredSpec | None]:
    """Find the spec of a team."""
    return (yield from find(queries.find_team, tenant, owner, name))


def list_teams(tenant: str) -> Work[list[StoredSpec]]:
    """List the specs of the teams of a tenant."""
    return [
        spec_of_row(row.owner, row.name, row.spec, row)
        for row in (yield from queries.all_teams(tenant=tenant))
    ]


def count_teams(tenant: str, owner: str) -> Work[int]:
    """Count the specs of an owner."""
    (count,) = yield from queries.count_teams(tenant=tenant, owner=owner)
    return count


def put_team(
    tenant: str, owner: str, name: str, spec: Mapping[str, Any], *, expected: int | None, now: int
) -> Work[StoredSpec]:
    """Keep a spec, in place of the one before.

    Raises:
        ConflictError: the spec was changed since the revision that was expected.
    """
    yield from check_revision(queries.find_team, tenant, owner, name, expected)
    return (yield from put(queries.put_team, tenant, owner, name, spec, now=now))


def remove_team(tenant: str, owner: str, name: str, *, expected: int | None) -> Work[None]:
    """Forget a spec; what the team shared stays.

    Raises:
        ConflictError: the spec was changed since the revision that was expected.
    """
    yield from check_revision(queries.find_team, tenant, owner, name, expected)
    yield from queries.remove_team(tenant=tenant, owner=owner, name=name)
