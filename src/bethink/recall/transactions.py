"""Read passages and blocks from the store and write blocks, as units of work."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from bethink.notes.transactions import filter_fields, place_of, rows_among, written_after
from bethink.recall import queries
from bethink.recall.values import FilterFields
from bethink.scope.transactions import ScopeRow, events_since, find, lock_scope
from bethink.sessions.log_items import entries_after, items_among, one_entry, to_entries
from bethink.sessions.log_lookup import END, changed_sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bethink.notes.queries import NoteRow
    from bethink.notes.values import Note
    from bethink.recall.queries import BlockRow
    from bethink.scope.namespace import Namespace
    from bethink.sessions.values import Body, Entry, Item
    from bethink.storage.work import Work
_STEP = 256  #: items that one statement reads
_CALLS_BEFORE = 64  #: items before a result among which its call is looked for


class Removal(NamedTuple):
    """Items of a session, or a whole session, that are gone from the log."""

    session: int
    first: int
    last: int


@dataclass(slots=True, kw_only=True)
class ScopeChanges:
    """What was written to a scope since a revision."""

    place: ScopeRow
    notes: list[Note] = field(default_factory=list["Note"])
    items: list[tuple[int, Entry]] = field(
        default_factory=list["tuple[int, Entry]"]
    )  #: with the session's number
    removed: list[Removal] = field(default_factory=list["Removal"])
    replaced: list[tuple[int, Entry]] = field(default_factory=list["tuple[int, Entry]"])
    before: dict[tuple[int, int], list[Body]] = field(
        default_factory=dict["tuple[int, int]", "list[Body]"]
    )  #: what stands before results whose calls are not among the items, by the place of the first of them
    erased: list[str] = field(default_factory=list[str])  #: ids of notes that are gone for good
    noted: tuple[int, int] = (0, 0)  #: revision and number of the last note that was read
    whole: bool = True  #: whether there is nothing more of it


class ReadProgress(NamedTuple):
    """How far a caller has come that reads what is new in pieces."""

    heard: int = 0  #: the revision up to which it knows what was removed
    noted: tuple[int, int] = (0, 0)  #: revision and number of the last note that it has
    most: int = END  #: notes and items at once
    most_characters: int = END


def changes_since(
    namespace: Namespace, known: ScopeRow | None, heads: Mapping[int, int], seen: ReadProgress | None = None
) -> Work[ScopeChanges | None]:
    """Return what is new in a scope; None where nothing was ever written to it.

    `known` is what the caller has seen of it wholly, `heads` the newest place seen of each session. A scope that was
    erased and written anew has another number: then everything is new. With `seen` it is a piece, whose items
    continue those that the caller has.
    """
    place = yield from find(namespace)
    if place is None:
        return None
    found = ScopeChanges(place=place)
    same = known is not None and known.scope == place.scope
    since = known.revision if known is not None and same else 0
    if since == place.revision:
        return found
    seen = seen or ReadProgress()
    seen = seen if same else seen._replace(heard=0, noted=(0, 0))
    since_revision = max(seen.heard, since)
    noted = max(seen.noted, (since, END))
    found.notes = yield from written_after(place, noted, seen.most)
    found.noted = place_of(found.notes[-1]) if len(found.notes) == seen.most else (place.revision, END)
    if since_revision:
        for event in (yield from events_since(place, since_revision)):
            _apply_event(found, event.kind, json.loads(event.subject))
            if event.kind == "session.replaced":
                yield from _replaced(place, json.loads(event.subject), found)
    room = seen.most - len(found.notes)
    characters = seen.most_characters
    for log in (yield from changed_sessions(place, since)):
        after = heads.get(log.session_id, 0) if same else 0
        while after < log.head:
            if room <= 0 or characters <= 0:
                found.whole = False
                return found
            limit = min(room, _STEP)
            items = yield from entries_after(place, log.session_id, after, limit)
            fresh = to_entries(items)
            yield from _look_before(found, log.session_id, fresh[:1])
            found.items += [(log.session_id, item) for item in fresh]
            room -= len(items)
            characters -= sum(len(item.body) for item in items)
            if len(items) < limit:
                break
            after = items[-1].seq
    found.whole = len(found.notes) < seen.most
    return found


def _replaced(place: ScopeRow, subject: dict[str, Any], found: ScopeChanges) -> Work[None]:
    """Read an item that took the place of another one."""
    item = yield from one_entry(place, subject["session"], subject["from"])
    if item is not None:
        found.replaced.append((subject["session"], item))
        yield from _look_before(found, subject["session"], [item])


def _look_before(found: ScopeChanges, session: int, items: Sequence[Entry]) -> Work[None]:
    """Read what stands before a result, as far back as the call that it may answer."""
    from bethink.sessions.item_kinds import classify

    for item in items:
        if classify(item.body).kind != "result":
            continue
        from bethink.sessions.log_bodies import bodies_before

        bodies = yield from bodies_before(found.place, session, item.seq, _CALLS_BEFORE)
        found.before[session, item.seq] = bodies


def _apply_event(found: ScopeChanges, kind: str, subject: dict[str, Any]) -> None:
    if kind.startswith("session.") and "session" in subject:
        found.removed.append(Removal(session=subject["session"], first=subject["from"], last=subject["to"]))
    elif kind in {"note.erased", "plan.undone"}:
        found.erased += subject["notes"]


def blocks(namespace: Namespace) -> Work[tuple[ScopeRow, list[BlockRow], dict[int, FilterFields]] | None]:
    """Return the packed passages of a scope, with what filters ask of its notes, where these are not plain."""
    place = yield from find(namespace)
    if place is None:
        return None
    rows = yield from queries.list_blocks(tenant=place.tenant, scope=place.scope)
    noted = {
        mark.note_id: FilterFields(mark.category, mark.expires_at, mark.metadata)
        for mark in (yield from filter_fields(place))
    }
    return place, rows, noted


def keep_block(
    place: ScopeRow,
    *,
    after: int,
    block: int,
    embedder: str,
    passages: int,
    payload: bytes,
    without: Callable[[bytes], tuple[bytes | None, int] | None] | None,
    seen: int | None = None,
    blocks: int | None = None,
) -> Work[bool]:
    """Add a block that continues those up to the revision `after`; False where another process was first.

    `without` rewrites an older block that holds what is gone by now: it answers the new payload with its number
    of passages, or None where there is nothing to rewrite. `seen` is the revision at which the passages were read:
    False, too, where something was removed since; nothing is kept of what was erased in between. `blocks` is how many
    there have to be.
    """
    held = yield from lock_scope(place.tenant, place.scope)
    if held is None:
        return False
    if seen is not None and held.revision > seen:
        later = ScopeChanges(place=place)
        for event in (yield from events_since(place, seen)):
            _apply_event(later, event.kind, json.loads(event.subject))
        if later.removed or later.erased:
            return False
    (newest,) = yield from queries.newest_block(**place.keys)
    if newest.revision != after or (blocks is not None and newest.blocks != blocks):
        return False
    if without is not None:
        yield from rewrite(place, without)
    if passages:
        yield from queries.add_block(
            **place.keys,
            block=block,
            embedder=embedder,
            revision=place.revision,
            passages=passages,
            payload=payload,
        )
    return True


def count_blocks(namespace: Namespace) -> Work[tuple[int, int]]:
    """Return how many blocks a scope has, and how many passages are in them."""
    place = yield from find(namespace)
    if place is None:
        return 0, 0
    (counted,) = yield from queries.count_blocks(**place.keys)
    return counted.blocks, counted.passages


def join_blocks(
    place: ScopeRow,
    *,
    joined: Sequence[int],
    blocks: int,
    block: int,
    embedder: str,
    passages: int,
    payload: bytes,
) -> Work[bool]:
    """Put one block in the place of several, of which it holds the same; False where they changed meanwhile."""
    held = yield from lock_scope(place.tenant, place.scope)
    (newest,) = yield from queries.newest_block(**place.keys)
    if held is None or held.revision != place.revision or newest.blocks != blocks:
        return False
    for number in joined:
        yield from queries.remove_block(**place.keys, block=number)
    yield from queries.add_block(
        **place.keys,
        block=block,
        embedder=embedder,
        revision=newest.revision,
        passages=passages,
        payload=payload,
    )
    return True


def rewrite(place: ScopeRow, without: Callable[[bytes], tuple[bytes | None, int] | None]) -> Work[int]:
    """Rewrite the blocks of a scope without what is gone; return how many were."""
    changed = 0
    for row in (yield from queries.list_blocks(**place.keys)):
        after = without(bytes(row.payload))
        if after is None:
            continue
        changed += 1
        if after[0] is None:
            yield from queries.remove_block(**place.keys, block=row.block_id)
        else:
            yield from queries.put_block(
                **place.keys, block=row.block_id, payload=after[0], passages=after[1]
            )
    return changed


def remove_blocks(namespace: Namespace) -> Work[None]:
    """Remove every block of a scope."""
    place = yield from find(namespace)
    if place is not None:
        yield from queries.remove_blocks(tenant=place.tenant, scope=place.scope)


def has_other_vectors(namespace: Namespace, identity: str) -> Work[bool]:
    """Tell whether another embedder made vectors of a scope."""
    place = yield from find(namespace)
    return place is not None and bool((yield from queries.other_embedder(**place.keys, embedder=identity)))


def fetch(
    place: ScopeRow, notes: Sequence[int], items: Sequence[tuple[int, int]], names: Mapping[int, str]
) -> Work[tuple[dict[int, NoteRow], dict[tuple[int, int], Item]]]:
    """Read what was found, by its keys: a statement for every sixteen of them.

    What is gone by now is not among it, nor anything of a scope that was erased: its number is not given out again.
    `names` are those of sessions that the caller knows.
    """
    found_notes = yield from rows_among(place, notes)
    return found_notes, (yield from items_among(place, items, names))
