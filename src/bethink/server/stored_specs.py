"""Store specs of any kind as JSON, with revisions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from bethink.errors import ConflictError
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from bethink.storage.work import Work


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSpec:
    """The spec of an agent or a team as the store has it."""

    owner: str
    name: str
    spec: Mapping[str, Any]
    revision: int
    created_at: datetime
    updated_at: datetime


class Stored(Protocol):
    """What a row says of a spec that was stored."""

    @property
    def revision(self) -> int:
        """Of the newest write."""
        ...

    @property
    def created_at(self) -> int:
        """In microseconds."""
        ...

    @property
    def updated_at(self) -> int:
        """In microseconds."""
        ...


class SpecRow(Stored, Protocol):
    """A row with a spec."""

    @property
    def spec(self) -> str:
        """As JSON."""
        ...


class FindSpec(Protocol):
    """The query that finds a spec of one kind."""

    def __call__(self, *, tenant: str, owner: str, name: str) -> Work[Sequence[SpecRow]]:
        """Return the row, if there is one."""
        ...


class PutSpec(Protocol):
    """The query that stores a spec of one kind."""

    def __call__(self, *, tenant: str, owner: str, name: str, spec: str, now: int) -> Work[Sequence[Stored]]:
        """Return the row that was written."""
        ...


def spec_of_row(owner: str, name: str, spec: str, row: Stored) -> StoredSpec:
    """Return a row as the spec that it keeps."""
    return StoredSpec(
        owner=owner,
        name=name,
        spec=json.loads(spec),
        revision=row.revision,
        created_at=to_datetime(row.created_at),
        updated_at=to_datetime(row.updated_at),
    )


def find(query: FindSpec, tenant: str, owner: str, name: str) -> Work[StoredSpec | None]:
    """Find a spec by its statement."""
    rows = yield from query(tenant=tenant, owner=owner, name=name)
    return spec_of_row(owner, name, rows[0].spec, rows[0]) if rows else None


def put(
    query: PutSpec, tenant: str, owner: str, name: str, spec: Mapping[str, Any], *, now: int
) -> Work[StoredSpec]:
    """Keep a spec by its statement, in place of the one before."""
    text = json.dumps(spec)
    (row,) = yield from query(tenant=tenant, owner=owner, name=name, spec=text, now=now)
    return spec_of_row(owner, name, text, row)


def check_revision(query: FindSpec, tenant: str, owner: str, name: str, expected: int | None) -> Work[None]:
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
            "the spec has changed since it was read; read it again",
            expected=expected,
            actual=actual,
            name=name,
        )
