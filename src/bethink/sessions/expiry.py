"""TTL of items: retention periods, and removal of expired items, as units of work.

A scope has the instant before which none of its items is overdue. Whoever reads what was said looks at it first, and
has what is overdue removed: so no reader, and nothing made of the log, ever shows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from bethink.scope.overdue import find_due, is_due, put_off, set_due
from bethink.scope.transactions import find, note_event, touch
from bethink.sessions import queries
from bethink.sessions.log_lookup import find_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.sessions.log_lookup import SessionKeys
    from bethink.storage.work import Work

T = TypeVar("T")
OVERDUE: Final = object()  #: the answer of a read that has to wait until what is overdue is gone


def unless_overdue(
    now: int, due: Namespace, work: Callable[..., Work[T]], *args: object, **kwargs: object
) -> Work[T | object]:
    """Do what a unit does, unless something in a namespace is overdue: then answer `OVERDUE`."""
    if (yield from is_due(due, now=now)):
        return OVERDUE
    return (yield from work(*args, **kwargs))


def keep_for(namespace: Namespace, name: str, ttl: int | None, *, writing: Writing) -> Work[None]:
    """Say for how long the items of a session are kept, in microseconds; None: for ever. It is made where it is new."""
    place = yield from touch(namespace, writing)
    log = yield from find_in(place, name)
    if log is None:
        yield from queries.advance_session(
            tenant=place.tenant,
            scope=place.scope,
            fresh=writing.fresh(),
            name=name,
            added=0,
            revision=place.revision,
            now=writing.now,
        )
        log = yield from find_in(place, name)
    if log is not None:
        yield from queries.put_ttl(**log.keys, ttl=ttl)
        yield from queries.mark_session(**log.keys, revision=place.revision, now=log.updated_at)
        yield from note_event(place, writing, "expiry.set", {"session": log.session, "ttl": ttl})
    yield from update_due(place, now=writing.now)


def purge(namespace: Namespace, *, writing: Writing) -> Work[list[str]]:
    """Remove the items of a scope that are overdue, with what was made of them; return the sessions that had any.

    Keys and operation ids stay: an append that is repeated late must not bring back what was kept for its time.
    """
    place = yield from find(namespace)
    if place is None:
        return []
    was = yield from find_due(place)
    due = yield from _next_due(place, writing.now)
    if due is None or due > writing.now:
        yield from put_off(place, due, was=was)
        return []
    place = yield from touch(namespace, writing)
    changed: list[str] = []
    for session, name, ttl, created_at in (yield from queries.list_ttls(**place.keys)):
        keys: SessionKeys = {"tenant": place.tenant, "scope": place.scope, "session": session}
        created, before = created_at, writing.now - ttl
        gone = yield from queries.overdue_items(**keys, created=created, before=before)
        yield from queries.remove_overdue_versions(**keys, created=created, before=before)
        if not gone:
            continue
        changed.append(name)
        yield from queries.remove_overdue(**keys, created=created, before=before)
        yield from queries.remove_orphaned_versions(**keys)
        yield from queries.remove_summaries_from(**keys, last=gone[-1])
        for first, last in _runs(gone):
            place = yield from touch(namespace, writing)  # a revision has one event
            detail = {"session": session, "from": first, "to": last, "items": last - first + 1}
            yield from note_event(place, writing, "session.expired", detail)
        yield from queries.shrink_session(**keys, removed=len(gone), revision=place.revision, now=writing.now)
    yield from update_due(place, now=writing.now)
    return changed


def update_due(place: ScopeRow, *, now: int) -> Work[None]:
    """Note from when on something in a scope may be overdue."""
    yield from set_due(place, (yield from _next_due(place, now)))


def _next_due(place: ScopeRow, now: int) -> Work[int | None]:
    """Return an instant before which nothing in a scope is overdue; None where everything is kept for ever."""
    due: int | None = None
    for session, _, ttl, created_at in (yield from queries.list_ttls(**place.keys)):
        keys: SessionKeys = {"tenant": place.tenant, "scope": place.scope, "session": session}
        oldest = [
            *(yield from queries.earliest_item(**keys, created=created_at)),
            *(yield from queries.earliest_version(**keys, created=created_at)),
        ]
        first = min([now, *(at for at in oldest if at is not None)])
        due = first + ttl if due is None else min(due, first + ttl)
    return due


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the runs of numbers that follow one another: their first and their last."""
    first = last = None
    for each in numbers:
        if last is not None and each == last + 1:
            last = each
            continue
        if first is not None and last is not None:
            yield first, last
        first = last = each
    if first is not None and last is not None:
        yield first, last
