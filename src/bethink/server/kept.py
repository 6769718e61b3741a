"""A spec as the store keeps it, whatever it describes, and how one takes the place of another."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bethink.errors import ConflictError
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from bethink.storage.work import Statement, Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The spec of an agent or a team as the store has it."""

    owner: str
    name: str
    spec: Mapping[str, Any]
    revision: int
    created_at: datetime
    updated_at: datetime


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


def find(query: Callable[..., Statement], tenant: str, owner: str, name: str) -> Work[Kept | None]:
    """Find a spec by its statement."""
    rows = yield query(tenant=tenant, owner=owner, name=name)
    return kept(owner, name, *rows[0]) if rows else None


def put(
    query: Callable[..., Statement], tenant: str, owner: str, name: str, spec: Mapping[str, Any], *, now: int
) -> Work[Kept]:
    """Keep a spec by its statement, in place of the one before."""
    text = json.dumps(spec)
    rows = yield query(tenant=tenant, owner=owner, name=name, spec=text, now=now)
    return kept(owner, name, text, *rows[0])


def check_revision(
    query: Callable[..., Statement], tenant: str, owner: str, name: str, expected: int | None
) -> Work[None]:
    """Make sure that a spec is the one that was expected.

    Raises:
        ConflictError: it was changed since.
    """
    if expected is None:
        return
    found = yield from find(query, tenant, owner, name)
    actual = found.revision if found else 0
    if actual != expected:
        raise ConflictError(
            "the spec was changed since: read it again", expected=expected, actual=actual, name=name
        )
