"""Track when something in a scope next expires, as units of work, so that reads need not search for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.scope import queries
from bethink.scope.transactions import from_columns, scope_columns

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.storage.work import Work


def is_due(namespace: Namespace, *, now: int) -> Work[bool]:
    """Tell whether something in a scope may be overdue."""
    return bool((yield from queries.is_due(**scope_columns(namespace), now=now)))


def due_scopes(tenant: str, *, now: int) -> Work[list[Namespace]]:
    """List the scopes of a tenant in which something may be overdue."""
    rows = yield from queries.due_scopes(tenant=tenant, now=now)
    return [from_columns(tenant, row) for row in rows]


def find_due(place: ScopeRow) -> Work[int | None]:
    """Find from when on something in a scope may be overdue."""
    (due,) = yield from queries.find_due(**place.keys)
    return due


def set_due(place: ScopeRow, due: int | None) -> Work[None]:
    """Note from when on something in a scope may be overdue; None: never."""
    yield from queries.set_due(**place.keys, due=due)


def put_off(place: ScopeRow, due: int | None, *, was: int | None) -> Work[None]:
    """Note that nothing is overdue before an instant, unless somebody noted something else meanwhile."""
    yield from queries.put_off(**place.keys, due=due, was=was)


def set_due_earlier(place: ScopeRow, due: int) -> Work[None]:
    """Note that something may be overdue earlier than was known."""
    yield from queries.hasten(**place.keys, due=due)
