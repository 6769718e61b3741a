"""Gather what a model should be told before it answers: reading writes nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bethink.lifecycle.inject.rules import render
from bethink.lifecycle.inject.selection import is_learned
from bethink.lifecycle.inject.values import Context, DroppedPart, Excerpt
from bethink.notes import units as notes
from bethink.notes.values import CONVERSATION, CORE, STAYS
from bethink.recall.service import Ask, recall
from bethink.scope.children import merge_children
from bethink.scope.units import children
from bethink.sessions import units as sessions
from bethink.state import units as state

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from bethink.lifecycle.guard import Guard
    from bethink.lifecycle.inject.values import PartKind, Strategy
    from bethink.notes.values import Note
    from bethink.recall.indexes import Indexes
    from bethink.scope.namespace import Namespace
    from bethink.sessions.windows import Limits
    from bethink.state.values import Profile
    from bethink.storage.stores import Store
    from bethink.storage.work import Work

RELEVANT = 50  #: notes that recall may bring in for a question
NEWEST = 100  #: notes that are looked at without one
EXCERPTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
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


def gather(
    namespace: Namespace, session: str | None, limits: Limits, *, now: int
) -> Work[tuple[Profile, list[Note], list[Note] | None, int]]:
    """Read profile, newest notes, and the session's notes where its window lost something, in one view."""
    profile = yield from state.current(namespace)
    newest, _ = yield from notes.listing(namespace, now=now, limit=NEWEST)
    if len(newest) == NEWEST and any(
        map(is_learned, newest)
    ):  # what workspaces learn must not push out what the user said
        said, _ = yield from notes.listing(namespace, now=now, category=CORE, limit=NEWEST)
        known = {note.id for note in newest}
        newest += [note for note in said if note.id not in known]
    if not newest:
        newest = yield from _of_children(namespace, now)
    if session is None:
        return profile, newest, None, 0
    staged: list[Note] | None = None
    of_session, _ = yield from notes.listing(namespace, now=now, session=session, limit=NEWEST)
    if (yield from sessions.trimmed(namespace, session, **limits)):
        staged = of_session
    elif staying := [note for note in of_session if STAYS in note.metadata]:
        staged = staying  # kept for this session, whether or not its log still says it
    first = yield from sessions.first_visible(namespace, session, **limits)
    return profile, newest, staged, first


def _of_children(namespace: Namespace, now: int) -> Work[list[Note]]:
    """Return the notes of the session stores below an empty namespace: one of each key, newest first (seed 002)."""
    batches: list[list[Note]] = []
    for child in (yield from children(namespace)):
        found, _ = yield from notes.listing(child, now=now, limit=NEWEST)
        batches.append([note for note in found if note.category != CONVERSATION])
    return merge_children(batches, key=lambda note: note.key, newness=lambda note: note.updated_at)[:NEWEST]


async def context(
    store: Store,
    indexes: Indexes,
    namespace: Namespace,
    wanted: Wanted,
    *,
    guard: Guard,
    now: datetime,
    micros: int,
    count_tokens: Callable[[str], int],
) -> Context:
    """Return what to put before a conversation."""
    profile, newest, staged, first = await store.read(
        gather, namespace, wanted.session, wanted.limits, now=micros
    )
    found, relevance, excerpts = list(newest), dict[str, float](), list[Excerpt]()
    if wanted.query is not None:
        recalled = await recall(
            indexes,
            store,
            namespace,
            Ask(query=wanted.query, limit=RELEVANT, notes=True, items=False),
            now=micros,
        )
        relevance = {hit.note.id: hit.score for hit in recalled if hit.note is not None}
        known = {note.id for note in newest}
        found += [hit.note for hit in recalled if hit.note is not None and hit.note.id not in known]
        excerpts = await _excerpts(store, indexes, namespace, wanted, first, micros)
    without = wanted.without | ({CONVERSATION} if namespace.session is None else frozenset())
    found = [note for note in found if note.category not in without]
    checked, refused = _checked(guard, found, "global")
    kept, held_back = (None, []) if staged is None else _checked(guard, staged, "session")
    made = render(
        replace(profile, hidden=profile.hidden | wanted.hidden),
        checked,
        kept,
        excerpts,
        now=now,
        tokens=wanted.tokens,
        count_tokens=count_tokens,
        strategy=wanted.strategy,
        relevance=relevance,
        policy=wanted.policy,
        user=namespace.user,
    )
    return replace(made, dropped=(*made.dropped, *refused, *held_back))


async def _excerpts(
    store: Store, indexes: Indexes, namespace: Namespace, wanted: Wanted, first: int, micros: int
) -> list[Excerpt]:
    """Find what was said about the question: in this session before its window, and elsewhere if asked for."""
    if wanted.session is None and not wanted.everywhere:
        return []
    found = await recall(
        indexes,
        store,
        namespace,
        Ask(
            query=wanted.query or "",
            limit=4 * EXCERPTS,
            notes=False,
            items=True,
            session=None if wanted.everywhere else wanted.session,
        ),
        now=micros,
    )
    return [
        Excerpt(id=hit.item.id, text=hit.text, at=hit.item.at, speaker=hit.item.speaker)
        for hit in found
        if hit.item is not None and not (hit.item.session == wanted.session and hit.item.seq >= first)
    ][:EXCERPTS]


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
