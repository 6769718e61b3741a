"""Derive events from what the store records, and queue them for subscribers (outbox)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import BethinkError
from bethink.ids import to_number, to_text
from bethink.notes import transactions as note_log
from bethink.notes.rows import number_of
from bethink.notes.values import WAITING
from bethink.scope import shares
from bethink.scope.access import has_right
from bethink.scope.namespace import Namespace
from bethink.scope.tombstones import erasures_since, of_namespace, of_user
from bethink.scope.transactions import digest, events_since, from_columns, lock_scope
from bethink.server.webhooks import queries
from bethink.server.webhooks.values import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bethink.notes.values import Note
    from bethink.scope.transactions import ScopeRow
    from bethink.server.delegation import Delegation
    from bethink.server.webhooks.queries import ScopeNewsRow
    from bethink.server.webhooks.values import EventKind, SubscriptionSpec
    from bethink.storage.work import Work

NOWHERE: Final = 0  #: the scope of what happened to a scope that is no more
OVERLAP_MICROS: Final = (
    3_600 * 1_000_000
)  #: clocks of servers differ, so erasures are looked for a little back
_KINDS: Final[dict[str, EventKind]] = {
    "note.forgotten": "note.forgotten",
    "note.rejected": "note.forgotten",
    "note.erased": "erased",
    "plan.applied": "plan.applied",
    "plan.undone": "plan.undone",
    "session.deleted": "session.deleted",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Somebody who wants to be told: a subscriber, or a task that begins by events."""

    word: str
    delegation: Delegation
    spec: SubscriptionSpec
    since: int  #: microseconds; no erasure from before is told
    task: bool = False
    deaf: tuple[str, int, int] | None = None  #: a namespace and a stretch of time that a task itself wrote in


def changed_scopes(tenant: str, *, limit: int) -> Work[list[ScopeNewsRow]]:
    """List the scopes that were written since they were listened to."""
    return (yield from queries.scopes_with_news(tenant=tenant, limit=limit))


def collect_events(
    tenant: str, row: ScopeNewsRow, targets: Sequence[Target], *, fresh: Callable[[], int], now: int
) -> Work[set[str]]:
    """Queue what happened in one scope; return the words of the targets that something was queued for."""
    scope = row.scope_id
    namespace = from_columns(tenant, row)
    found = yield from queries.find_mark(tenant=tenant, scope=scope)
    since = found[0] if found else 0
    place = yield from lock_scope(tenant, scope)  # nobody writes to it until this is done
    if place is None:
        return set()  # it was erased since it was listed
    receivers = yield from _receivers(namespace, targets)
    woken: set[str] = set()
    if receivers:
        for each in (yield from _events_since(namespace, place, since)):
            woken |= yield from _queue(tenant, scope, namespace, each, receivers, fresh=fresh, now=now)
    yield from queries.put_mark(tenant=tenant, scope=scope, revision=place.revision)
    return woken


def collect_erasures(
    tenant: str, targets: Sequence[Target], *, fresh: Callable[[], int], now: int
) -> Work[set[str]]:
    """Queue what was erased as a whole: by a digest, since nothing else of it is known any more."""
    found = yield from queries.find_mark(tenant=tenant, scope=NOWHERE)
    since = found[0] if found else now
    woken: set[str] = set()
    erasures = yield from erasures_since(tenant, since - OVERLAP_MICROS)
    shared = (yield from _shared(tenant)) if erasures else {}
    for row in erasures:
        event = Event(
            kind="erased",
            event=_event(row.kind, row.digest, str(row.at)),
            at=row.at,
            subject={"subject": row.kind, "digest": row.digest},
        )
        receivers = yield from _receivers_of_erasure(
            event, targets, tenant, row.audience, shared.get(row.digest)
        )
        woken |= yield from _queue(tenant, NOWHERE, None, event, receivers, fresh=fresh, now=now)
    yield from queries.put_mark(tenant=tenant, scope=NOWHERE, revision=now)
    return woken


def _receivers_of_erasure(
    event: Event, targets: Sequence[Target], tenant: str, audience: str, shared: Namespace | None
) -> Work[list[Target]]:
    found: list[Target] = []
    for each in targets:
        if event.at < each.since:
            continue
        if (yield from _receives_erasure(each, tenant, event.subject["digest"], audience, shared)):
            found.append(each)
    return found


def _shared(tenant: str) -> Work[dict[str, Namespace]]:
    """Return the pools and teams of a tenant by the digests that their erasure would have."""
    return {of_namespace(namespace): namespace for namespace in (yield from shares.all_shares(tenant))}


def _receives_erasure(
    target: Target, tenant: str, mark: str, audience: str, shared: Namespace | None
) -> Work[bool]:
    """Tell whether an erasure is for a target: of what they could have read, and of nothing else.

    An admin's that hears of everything hears of all; others of their own memory, and of pools and teams that they
    may read; what names a namespace, of that one, where its owner may read it.
    """
    spec, who = target.spec, target.delegation.who
    if spec.namespace is not None:
        named = Namespace.parse(spec.namespace, tenant=tenant)
        return mark == of_namespace(named) and (spec.everything or (yield from may_read(target, named)))
    if spec.everything or who is None:
        return True
    if shared is not None:
        return (yield from may_read(target, shared))
    own = of_user(tenant, who.id)
    return own in {mark, audience}


def _receivers(namespace: Namespace, targets: Sequence[Target]) -> Work[list[Target]]:
    """Return who may read a scope and wants to hear of it."""
    found: list[Target] = []
    for each in targets:
        if each.spec.namespace not in {None, str(namespace)}:
            continue
        if each.spec.everything or (yield from may_read(each, namespace)):
            found.append(each)
    return found


def may_read(target: Target, namespace: Namespace) -> Work[bool]:
    """Tell whether a target may read a scope now."""
    who = target.delegation.who
    if namespace.kind == "agent":
        return has_right(who, "read", namespace, tenant=namespace.tenant)
    try:
        yield from shares.check_share(who, "read", namespace)
    except BethinkError:  # denied, or no longer registered
        return False
    return True


def _events_since(namespace: Namespace, place: ScopeRow, since: int) -> Work[list[Event]]:
    found: list[Event] = []
    for event in (yield from events_since(place, since)):
        known = _KINDS.get(event.kind)
        if known is not None:
            found += _event_data(namespace, known, event.revision, json.loads(event.subject), event.at)
    notes = yield from note_log.written_since(place, since)
    firsts = yield from note_log.first_versions(place, notes)
    for note in notes:
        found += _noted(namespace, note, firsts.get(note.id, note), since)
    return sorted(found, key=lambda each: each.at)


def _event_data(
    namespace: Namespace, kind: EventKind, revision: int, subject: dict[str, Any], at: int
) -> list[Event]:
    """Return what an event of the store says to others."""
    match kind:
        case "plan.applied":
            if not (subject["changes"] or subject["created"]):
                return []
            facts: dict[str, Any] = {"plan": subject["plan"], "changes": subject["changes"]}
        case "plan.undone":
            facts = {"plan": subject["plan"]}
        case "session.deleted":
            facts = {"session": to_text("i", subject["session"])}
        case _:
            facts = {"note": subject["notes"][0], "subject": "note"} if kind == "erased" else {}
    note = None
    if kind == "note.forgotten":
        note = to_number("n", subject["notes"][0])
    event = _event(kind, str(namespace), str(revision))
    return [Event(kind=kind, event=event, at=at, note=note, subject=facts)]


def _noted(namespace: Namespace, note: Note, first: Note, since: int) -> list[Event]:
    """Return that a note is new; of one that was there before, its events tell."""
    if first.revision <= since:
        return []
    kind: EventKind = "note.quarantined" if first.status in WAITING else "note.added"
    return [
        Event(
            kind=kind,
            event=_event(kind, str(namespace), note.id),
            at=round(first.created_at.timestamp() * 1_000_000),
            note=number_of(note),
            subject={"category": first.category, "source": first.source, "staged": first.session is not None},
        )
    ]


def _queue(
    tenant: str,
    scope: int,
    namespace: Namespace | None,
    event: Event,
    targets: Sequence[Target],
    *,
    fresh: Callable[[], int],
    now: int,
) -> Work[set[str]]:
    woken: set[str] = set()
    facts = dict(event.subject)
    if namespace is not None:
        facts |= {"namespace": str(namespace), "digest": of_namespace(namespace)}
    for target in targets:
        if event.kind not in target.spec.events or _own(target, facts, event):
            continue
        queued = yield from queries.add_delivery(
            tenant=tenant,
            scope=scope,
            delivery=fresh(),
            target=target.word,
            event=event.event,
            kind=event.kind,
            note=event.note,
            subject=json.dumps(facts),
            state="heard" if target.task else "pending",
            at=event.at,
            now=now,
        )
        if queued:
            woken.add(target.word)
    return woken


def _own(target: Target, facts: dict[str, Any], event: Event) -> bool:
    """Tell whether a task did this itself: else it would begin again by what it has just done."""
    if target.deaf is None:
        return False
    namespace, first, last = target.deaf
    return facts.get("namespace") == namespace and first <= event.at <= last


def _event(*parts: str) -> str:
    return "evt_" + digest("event", *parts)


def fingerprint(*parts: str) -> str:
    """Return a digest of what a sender called a message."""
    return hashlib.blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
