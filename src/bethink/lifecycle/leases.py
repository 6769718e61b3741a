"""Leases: claim a scope's work so that no two workers do it at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.errors import ConflictError
from bethink.lifecycle import queries
from bethink.scope.transactions import find, touch
from bethink.storage.lease_holders import holder_name, is_gone
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.lifecycle.queries import LeaseRow
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.stores import Store
    from bethink.storage.work import Work


def take_lease(
    namespace: Namespace, name: str, holder: str, until: int, *, writing: Writing
) -> Work[LeaseRow | None]:
    """Take a piece of work; return who is at it, and until when at most, where that is another holder."""
    place = yield from touch(namespace, writing)
    now = writing.now
    while not (yield from queries.take_lease(**place.keys, name=name, holder=holder, until=until, now=now)):
        rows = yield from queries.find_lease(**place.keys, name=name)
        if rows:  # else it was let go of between the two
            return rows[0]
    return None


def drop_lease(namespace: Namespace, name: str, holder: str) -> Work[None]:
    """Let go of a piece of work."""
    place = yield from find(namespace)
    if place is not None:
        yield from let_go(place, name, holder)


def let_go(place: ScopeRow, name: str, holder: str) -> Work[None]:
    """Do what `drop_lease` does within a write that is under way."""
    yield from queries.drop_lease(**place.keys, name=name, holder=holder)


async def claim(
    store: Store, namespace: Namespace, name: str, *, seconds: int, refusal: str, writing: Writing
) -> str:
    """Take a piece of work for some seconds; return who holds it now, for `drop_lease`.

    A holder whose process has ended on this machine, as by a kill, loses the work at once.

    Raises:
        ConflictError: somebody else is at it; `until` says how long at most.
    """
    holder = holder_name(str(writing.fresh()))
    until = writing.now + seconds * 1_000_000
    held = await store.write(take_lease, namespace, name, holder, until, writing=writing)
    if held is not None and await store.call(is_gone, held.holder):
        await store.write(drop_lease, namespace, name, held.holder)
        held = await store.write(take_lease, namespace, name, holder, until, writing=writing)
    if held is None:
        return holder
    ends = to_datetime(held.until)
    raise ConflictError(
        f"{refusal}; its lease ends by {ends:%Y-%m-%d %H:%M:%S} UTC at the latest",
        reason="leased",
        until=ends,
    )
