"""Leases: claim a scope's work so that no two workers do it at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.errors import ConflictError
from bethink.lifecycle import queries
from bethink.scope.transactions import find, touch
from bethink.storage.lease_holders import is_gone, named
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.storage.stores import Store
    from bethink.storage.work import Work


def take_lease(namespace: Namespace, name: str, holder: str, until: int, *, writing: Writing) -> Work[bool]:
    """Take a piece of work; False where another holder is at it."""
    place = yield from touch(namespace, writing)
    rows = yield from queries.take_lease(
        tenant=place.tenant, scope=place.scope, name=name, holder=holder, until=until, now=writing.now
    )
    return bool(rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A piece of work that somebody else is at."""

    holder: str
    until: int  #: microseconds


def take_or_see(
    namespace: Namespace, name: str, holder: str, until: int, *, writing: Writing
) -> Work[Held | None]:
    """Take a piece of work; return who is at it where another holder is."""
    if (yield from take_lease(namespace, name, holder, until, writing=writing)):
        return None
    place = yield from find(namespace)
    rows = (
        []
        if place is None
        else (yield from queries.find_lease(tenant=place.tenant, scope=place.scope, name=name))
    )
    return Held(holder=rows[0].holder, until=rows[0].until) if rows else None


def drop_lease(namespace: Namespace, name: str, holder: str) -> Work[None]:
    """Let go of a piece of work."""
    place = yield from find(namespace)
    if place is not None:
        yield from queries.drop_lease(tenant=place.tenant, scope=place.scope, name=name, holder=holder)


async def claim(
    store: Store, namespace: Namespace, name: str, *, seconds: int, refusal: str, writing: Writing
) -> str:
    """Take a piece of work for some seconds; return who holds it now, for `drop_lease`.

    A holder whose process has ended on this machine, as by a kill, loses the work at once.

    Raises:
        ConflictError: somebody else is at it; `until` says how long at most.
    """
    holder = named(str(writing.fresh()))
    until = writing.now + seconds * 1_000_000
    held = await store.write(take_or_see, namespace, name, holder, until, writing=writing)
    if held is not None and await store.call(is_gone, held.holder):
        await store.write(drop_lease, namespace, name, held.holder)
        held = await store.write(take_or_see, namespace, name, holder, until, writing=writing)
    if held is None:
        return holder
    ends = to_datetime(held.until)
    raise ConflictError(
        f"{refusal}; its lease ends by {ends:%Y-%m-%d %H:%M:%S} UTC at the latest",
        reason="leased",
        until=ends,
    )
