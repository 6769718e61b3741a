"""Gather and render the context of a conversation; reads only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bethink.ids import note_id
from bethink.lifecycle.inject import last_gathered
from bethink.lifecycle.inject.prefix_rendering import MAX_GLOBAL, MAX_SESSION, render
from bethink.lifecycle.inject.selection import LEARNED, MAX_WISHES
from bethink.lifecycle.inject.values import Context, DroppedPart, Excerpt
from bethink.notes import transactions as notes
from bethink.notes.values import CONVERSATION, DAILY, STAYS
from bethink.recall.service import RecallRequest, recall
from bethink.scope.children import merge_children
from bethink.scope.transactions import children, find
from bethink.sessions import log_bodies
from bethink.state import transactions as state
from bethink.times import to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from bethink.lifecycle.guard import Guard
    from bethink.lifecycle.inject.values import PartKind, Strategy
    from bethink.notes.values import Note
    from bethink.recall.index_cache import Indexes
    from bethink.recall.index_store_sync import SyncedIndex
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.sessions.log_bodies import View
    from bethink.sessions.windows import Limits
    from bethink.state.values import Profile
    from bethink.storage.stores import Store
    from bethink.storage.work import Work

RELEVANT = 20  #: notes that recall may bring in for a question
FLOOR = 0.2  #: relevance threshold: notes below it are left out
QUOTED = 0.1  #: of relevance: the same of what was said (docs/context.md)
PAGE = 24  #: notes that are looked at at a time
MAX_PAGES = 12
MAX_STAGED = 100  #: notes of a session, or of one that stands in, that are looked at
EXCERPTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """What a context is asked for, checked."""

    session: str | None
    query: str | None
    tokens: int
    strategy: Strategy
    everywhere: bool  #: items of other sessions too
    limits: Limits  #: of the session's window
    policy: str | None = None
    hidden: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()  #: categories of notes that are left out
    max_global: int = MAX_GLOBAL  #: notes that are shown unasked
    max_session: int = MAX_SESSION


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextInput:
    """What a context is made of, beside what its query finds."""

    profile: Profile
    notes: list[Note]  #: the newest, and standing wishes
    staged: list[Note] | None  #: the session's, where its window lost something
    first: int  #: the oldest place in the session that its window shows
    begun: datetime | None  #: when what stands there was said
    own: bool  #: whether nothing of it is of another scope


def gather(
    namespace: Namespace, wanted: ContextRequest, standing: Sequence[int], *, now: int
) -> Work[ContextInput]:
    """Read profile, standing wishes, the newest notes, and what the session's window lost, in one view."""
    profile = yield from state.current(namespace)
    place = yield from find(namespace)
    seen: View | None = None
    if wanted.session is not None:
        seen = yield from log_bodies.view(namespace, wanted.session, **wanted.limits)
    begun = None if seen is None else seen.at
    newest: list[Note] = []
    if place is not None:
        newest = yield from _newest(place, wanted, begun, now)
        known = {note.id for note in newest}
        wishes = yield from notes.notes_among(place, standing)
        newest += [note for note in wishes.values() if note.id not in known and note.session is None]
    own = bool(newest)
    if not own:
        newest = yield from _of_children(namespace, now)
    staged: list[Note] | None = None
    if wanted.session is not None:
        of_session, _ = yield from notes.listing(namespace, now=now, session=wanted.session, limit=MAX_STAGED)
        if seen is not None and seen.lost:
            staged = of_session
        elif staying := [note for note in of_session if STAYS in note.metadata]:
            staged = staying  # kept for this session, whether or not its log still says it
    return ContextInput(
        profile=profile,
        notes=newest,
        staged=staged,
        first=0 if seen is None else seen.first,
        begun=begun,
        own=own,
    )


def _newest(place: ScopeRow, wanted: ContextRequest, begun: datetime | None, now: int) -> Work[list[Note]]:
    """Read the newest notes: so many that those which the user said before the conversation began are among them."""
    found: list[Note] = []
    before: tuple[int, int] | None = None
    for _ in range(MAX_PAGES):
        page = yield from notes.newest_global(place, now=now, limit=PAGE, before=before)
        found += page
        lasting = sum(
            note.category not in {DAILY, LEARNED} and (begun is None or note.updated_at <= begun)
            for note in found
        )
        if len(page) < PAGE or lasting >= 2 * wanted.max_global:
            break
        before = notes.place_of(page[-1])
    return found


def _of_children(namespace: Namespace, now: int) -> Work[list[Note]]:
    """Return the notes of the session stores below an empty namespace: one of each key, newest first."""
    batches: list[list[Note]] = []
    for child in (yield from children(namespace)):
        found, _ = yield from notes.listing(child, now=now, limit=MAX_STAGED)
        batches.append([note for note in found if note.category != CONVERSATION])
    return merge_children(batches, key=lambda note: note.key, newness=lambda note: note.updated_at)[
        :MAX_STAGED
    ]


async def context(
    store: Store,
    indexes: Indexes,
    namespace: Namespace,
    wanted: ContextRequest,
    *,
    guard: Guard,
    now: datetime,
    count_tokens: Callable[[str], int],
    place: ScopeRow | None = None,
) -> Context:
    """Return what to put before a conversation; `place` is given where the caller has just looked at it."""
    micros = to_micros(now)
    held = await indexes.current(store, namespace, place)
    standing = [] if held is None else held.index.standing(2 * MAX_WISHES)
    gathered = await _gathered(store, namespace, wanted, held, standing, micros)
    found, relevance, excerpts = list(gathered.notes), dict[str, float](), list[Excerpt]()
    irrelevant: set[str] = set()
    if wanted.query is not None:
        ask = RecallRequest(query=wanted.query, limit=RELEVANT, notes=True, items=False, reasons=False)
        recalled = await recall(indexes, store, namespace, ask, now=micros, held=held)
        for hit in recalled:
            if hit.note is not None and hit.relevance >= FLOOR:
                relevance[hit.note.id] = hit.score
            elif hit.note is not None:
                irrelevant.add(hit.note.id)
        known = {note.id for note in found}
        found += [hit.note for hit in recalled if hit.note is not None and hit.note.id not in known]
        if wanted.everywhere or gathered.staged is not None:
            excerpts = await _excerpts(store, indexes, namespace, wanted, gathered.first, micros, held)
    without = wanted.without | ({CONVERSATION} if namespace.session is None else frozenset[str]())
    found = [note for note in found if note.category not in without]
    checked, refused = _checked(guard, found, "global")
    kept, held_back = (None, []) if gathered.staged is None else _checked(guard, gathered.staged, "session")
    made = render(
        replace(gathered.profile, hidden=gathered.profile.hidden | wanted.hidden),
        checked,
        kept,
        excerpts,
        now=now,
        tokens=wanted.tokens,
        count_tokens=count_tokens,
        strategy=wanted.strategy,
        relevance=None if wanted.query is None else relevance,
        policy=wanted.policy,
        user=namespace.user,
        max_global=wanted.max_global,
        max_session=wanted.max_session,
        standing={note_id(number) for number in standing},
        irrelevant=irrelevant,
        begun=gathered.begun,
        listed={note.id for note in gathered.notes},
    )
    return replace(made, dropped=(*made.dropped, *refused, *held_back))


async def _gathered(
    store: Store,
    namespace: Namespace,
    wanted: ContextRequest,
    held: SyncedIndex | None,
    standing: Sequence[int],
    now: int,
) -> ContextInput:
    """Read what `gather` reads, unless it is known."""
    known = last_gathered.known(held, wanted, standing, now)
    if known is not None:
        return known
    place = None if held is None or held.partial is not None else held.place
    gathered = await store.read_inline(gather, namespace, wanted, standing, now=now)
    if held is not None and place is not None:
        last_gathered.keep(held, place, wanted, standing, gathered, now)
    return gathered


async def _excerpts(
    store: Store,
    indexes: Indexes,
    namespace: Namespace,
    wanted: ContextRequest,
    first: int,
    micros: int,
    held: SyncedIndex | None,
) -> list[Excerpt]:
    """Find what was said about the question: in this session before its window, and elsewhere if asked for."""
    ask = RecallRequest(
        query=wanted.query or "",
        limit=EXCERPTS,
        notes=False,
        items=True,
        reasons=False,
        session=None if wanted.everywhere else wanted.session,
        seen=None if wanted.session is None else (wanted.session, first),
    )
    found = await recall(indexes, store, namespace, ask, now=micros, held=held)
    return [
        Excerpt(id=hit.item.id, text=hit.text, at=hit.item.at, speaker=hit.item.speaker)
        for hit in found
        if hit.item is not None and hit.relevance >= QUOTED
    ]


def _checked(guard: Guard, found: Sequence[Note], kind: PartKind) -> tuple[list[Note], list[DroppedPart]]:
    """Judge notes once more before a model reads them: rules may have become stricter since they were kept."""
    kept: list[Note] = []
    dropped: list[DroppedPart] = []
    for note in found:
        verdict = guard.judge(note.text, source=note.source, stage="injection")
        if verdict.action == "block" or (verdict.action == "quarantine" and note.outcome != "approved"):
            dropped.append(DroppedPart(kind=kind, id=note.id, reason="quarantined"))
        else:
            kept.append(
                note if verdict.text == note.text or not verdict.text else replace(note, text=verdict.text)
            )
    return kept, dropped
