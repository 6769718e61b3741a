"""The specs of teams as units of work."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bethink.errors import ConflictError
from bethink.server.units import Kept, kept
from bethink.storage.statements import statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.storage.work import Work

sql = statements("bethink.server.teams")


def find_team(tenant: str, owner: str, name: str) -> Work[Kept | None]:
    """Find the spec of a team."""
    rows = yield sql.find_team(tenant=tenant, owner=owner, name=name)
    return kept(owner, name, *rows[0]) if rows else None


def put_team(
    tenant: str, owner: str, name: str, spec: Mapping[str, Any], *, expected: int | None, now: int
) -> Work[Kept]:
    """Keep a spec, in place of the one before.

    Raises:
        ConflictError: the spec was changed since the revision that was expected.
    """
    yield from _check_revision(tenant, owner, name, expected)
    text = json.dumps(spec)
    rows = yield sql.put_team(tenant=tenant, owner=owner, name=name, spec=text, now=now)
    return kept(owner, name, text, *rows[0])


def remove_team(tenant: str, owner: str, name: str, *, expected: int | None) -> Work[None]:
    """Forget a spec; what the team shared stays.

    Raises:
        ConflictError: the spec was changed since the revision that was expected.
    """
    yield from _check_revision(tenant, owner, name, expected)
    yield sql.remove_team(tenant=tenant, owner=owner, name=name)


def _check_revision(tenant: str, owner: str, name: str, expected: int | None) -> Work[None]:
    if expected is None:
        return
    found = yield from find_team(tenant, owner, name)
    actual = found.revision if found else 0
    if actual != expected:
        raise ConflictError(
            "the spec was changed since: read it again", expected=expected, actual=actual, name=name
        )
