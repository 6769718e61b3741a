"""Distill and consolidate: read, let the engines propose, let the guard decide, write once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bethink.errors import ConflictError
from bethink.ids import note_id, plan_id
from bethink.lifecycle import units
from bethink.lifecycle.budget import Budget
from bethink.lifecycle.capture import beside
from bethink.lifecycle.consolidate.check import accepted
from bethink.lifecycle.fields import promoted
from bethink.lifecycle.forgetting import meant, retirements
from bethink.lifecycle.leases import claim
from bethink.lifecycle.plans import Plan, texts_of
from bethink.lifecycle.spending import left_today
from bethink.lifecycle.units import Application
from bethink.lifecycle.usage import renewed
from bethink.lifecycle.values import Add, Distilled, Dropped, Proposal, Retire, Revise
from bethink.notes.values import CONVERSATION, Note
from bethink.sessions.origins import is_foreign
from bethink.sessions.turns import starts_turn
from bethink.state.schema import ProfileSchema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from bethink.lifecycle.engines import Engines
    from bethink.lifecycle.forgetting import Meant
    from bethink.lifecycle.guard import Guard
    from bethink.lifecycle.units import Material, Undistilled
    from bethink.lifecycle.values import Candidate, Change, Forget, ModelUse
    from bethink.recall.values import Recall
    from bethink.scope.namespace import Namespace
    from bethink.scope.units import Writing
    from bethink.storage.stores import Store

_TRIES = 3  #: a plan that went stale while it was made is made anew


@dataclass(frozen=True, slots=True, kw_only=True)
class Staging:
    """What distillation found, as session notes that are not written yet."""

    notes: tuple[Note, ...] = ()
    quarantined: tuple[Note, ...] = ()
    distilled: Distilled
    counts: Mapping[str, int]


def stage(
    material: Material,
    engines: Engines,
    guard: Guard,
    *,
    now: datetime,
    fresh: Callable[[], int],
    budget: Budget,
) -> Staging:
    """Distill the new part of each session; the guard decides what may be kept of it."""
    used: list[ModelUse] = []
    remarks: list[str] = []
    engine = "rules"
    counts: Counter[str] = Counter()
    notes: list[Note] = []
    quarantined: list[Note] = []
    kept: list[Candidate] = []
    dropped: list[Dropped] = []
    forgets: list[Forget] = []
    for log, foreign in _parts(material.sessions):
        known = [*material.settled, *material.staged, *notes]
        distiller = engines.within(budget.after(used)).distiller
        found = distiller.distill(log.items, known=known, today=now.date())
        used += found.used
        remarks += found.remarks
        engine = found.engine if engine == "rules" else engine
        counts["turns"] += sum(starts_turn(item.body) for item in log.items)
        counts["feedback_loops"] += sum(each.reason == "injected" for each in found.dropped)
        dropped += found.dropped
        forgets += [] if foreign else found.forgets
        for each in found.kept:
            # What others wrote into the session are no statements of its user.
            candidate = replace(each, source="tool") if foreign else each
            note, refused = _judged(candidate, log, guard, now=now, number=note_id(fresh()))
            if note is None:
                counts["blocked"] += 1
                dropped.append(Dropped(reason=f"blocked: {refused}", sources=candidate.sources))
                continue
            kept.append(candidate)
            counts["written"] += 1
            if note.status == "quarantined":
                counts["quarantined"] += 1
                quarantined.append(note)
            else:
                notes.append(note)
    return Staging(
        notes=tuple(notes),
        quarantined=tuple(quarantined),
        distilled=Distilled(
            kept=tuple(kept),
            dropped=tuple(dropped),
            forgets=tuple(forgets),
            engine=engine,
            remarks=tuple(dict.fromkeys(remarks)),
            used=tuple(used),
        ),
        counts={name: value for name, value in counts.items() if value},
    )


def _parts(logs: Sequence[Undistilled]) -> Iterator[tuple[Undistilled, bool]]:
    """Part what others wrote into a session from the rest, which comes first; say of each part whether it is that."""
    for log in logs:
        own = tuple(item for item in log.items if not is_foreign(item.origin))
        yield (log if len(own) == len(log.items) else replace(log, items=own)), False
        if len(own) < len(log.items):
            yield replace(log, items=tuple(item for item in log.items if is_foreign(item.origin))), True


def _judged(
    candidate: Candidate, log: Undistilled, guard: Guard, *, now: datetime, number: str
) -> tuple[Note | None, str]:
    text = _storable(candidate.text)
    verdict = guard.judge(text, source=candidate.source, stage="capture")
    if verdict.action == "block":
        return None, ", ".join(verdict.reasons)
    words = guard.judge_keywords(candidate.keywords, source=candidate.source, stage="capture")
    # What tools and agents say is a candidate of low trust: a person decides.
    trusted = verdict.action != "quarantine" and candidate.source == "user" and not candidate.review
    metadata = {
        "kind": candidate.kind,
        "durable": candidate.durable,
        "language": candidate.language,
        "salience": candidate.salience,
    }
    note = Note(
        id=number,
        text=verdict.text,
        context=beside(candidate.context and _storable(candidate.context), candidate.source, guard),
        speaker=candidate.speaker,
        category=CONVERSATION,
        keywords=tuple(word for word in candidate.keywords if words[word].action == "allow"),
        session=log.name,
        status="active" if trusted else "quarantined",
        source=candidate.source,
        sources=candidate.sources,
        confidence=candidate.confidence,
        created_at=now,
        updated_at=now,
        valid_from=_said_at(candidate, log) or now,
        expires_at=candidate.expires_at,
        metadata={**metadata, "review": "it acts on others"} if candidate.review else metadata,
    )
    return note, ""


def _storable(text: str) -> str:
    """Return a text without NUL, and with a mark for each lone surrogate: no store takes these in a note."""
    return text.replace("\0", " ").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _said_at(candidate: Candidate, log: Undistilled) -> datetime | None:
    times = [item.at for item in log.items if item.id in candidate.sources and item.at is not None]
    return max(times, default=None)


async def distill(
    store: Store,
    namespace: Namespace,
    session: str,
    *,
    engines: Engines,
    guard: Guard,
    writing: Writing,
    now: datetime,
    daily_tokens: int | None = None,
    dry_run: bool = False,
) -> tuple[Distilled, list[Note]]:
    """Distill one session since its last mark, and keep what was found as session notes.

    With `dry_run` the whole session is read, and nothing is written.

    Raises:
        NotFoundError: with `dry_run`, there is no such session.
        ConflictError: somebody else distilled the session at the same time.
    """
    material = await store.read(units.material, namespace, session, whole=dry_run)
    budget = await _budget(store, namespace, engines, daily_tokens, writing)
    staging = await store.call(stage, material, engines, guard, now=now, fresh=writing.fresh, budget=budget)
    staging, found = _forgotten(staging, material)
    used = staging.distilled.used
    if dry_run:
        await _account(store, namespace, used, writing)
        return staging.distilled, [*staging.notes, *staging.quarantined]
    known = {note.id: note for note in (*material.past, *material.staged, *material.settled)}
    try:
        notes = await store.write(
            units.stage,
            namespace,
            (*staging.notes, *staging.quarantined),
            material.sessions,
            staging.counts,
            used,
            retirements(found, known),
            writing=writing,
        )
    except ConflictError:
        await _account(store, namespace, used, writing)
        raise
    return staging.distilled, notes


def _forgotten(staging: Staging, material: Material) -> tuple[Staging, list[Meant]]:
    """Return what was found without what the user asked to forget in the same breath, and the notes that are meant."""
    found: list[Meant] = []
    notes, remarks = list(staging.notes), list(staging.distilled.remarks)
    for each in staging.distilled.forgets:
        told = meant(each, (*material.settled, *material.staged, *notes))
        fresh = {note.id for note in notes} & {note.id for note in told.notes}
        notes = [note for note in notes if note.id not in fresh]
        told = replace(told, notes=tuple(note for note in told.notes if note.id not in fresh))
        if told.notes:
            found.append(told)
        elif not fresh:
            remarks.append(told.remark)
    distilled = replace(staging.distilled, remarks=tuple(dict.fromkeys(remarks)))
    return replace(staging, notes=tuple(notes), distilled=distilled), found


async def rerank(
    store: Store,
    namespace: Namespace,
    found: Recall,
    limit: int,
    *,
    engines: Engines,
    writing: Writing,
    daily_tokens: int | None = None,
) -> Recall:
    """Order what was recalled by a model; where it cannot, the answer says so and keeps its order."""
    budget = await _budget(store, namespace, engines, daily_tokens, writing)
    reranker = engines.within(budget).reranker
    if reranker is None:
        return replace(found, hits=found.hits[:limit])
    ordered = await store.call(reranker.rerank, found.query, found.hits)
    await _account(store, namespace, ordered.used, writing)
    degraded = (*found.degraded, ordered.remark) if ordered.remark else found.degraded
    return replace(found, hits=ordered.hits[:limit], degraded=degraded)


async def _budget(
    store: Store, namespace: Namespace, engines: Engines, daily_tokens: int | None, writing: Writing
) -> Budget:
    """Return what may be spent today; nothing is read where nothing costs anything."""
    if not engines.metered or daily_tokens is None:
        return Budget()
    return await left_today(store, namespace, daily_tokens, now=writing.now)


async def _account(store: Store, namespace: Namespace, used: Sequence[ModelUse], writing: Writing) -> None:
    """Keep what a model took, where its result is not written with it."""
    if used:
        await store.write(units.keep_account, namespace, used, writing=writing)


async def consolidate(
    store: Store,
    namespace: Namespace,
    session: str | None,
    *,
    engines: Engines,
    guard: Guard,
    writing: Writing,
    now: datetime,
    dry_run: bool,
    idle_since: int | None = None,
    daily_tokens: int | None = None,
    schema: ProfileSchema | None = None,
) -> Plan:
    """Distill what is new, then decide what becomes of the session notes; write everything in one transaction.

    The work is claimed by a lease, so that two workers never do it twice; a crash in the middle changes nothing.

    Raises:
        ConflictError: another worker is at it, and `until` says how long at most; or the notes kept changing while
            the plan was made.
    """

    async def decide() -> Application:
        material = await store.read(units.material, namespace, session, idle_since=idle_since)
        budget = await _budget(store, namespace, engines, daily_tokens, writing)
        return await store.call(
            _decide,
            material,
            session,
            engines,
            guard,
            now=now,
            fresh=writing.fresh,
            budget=budget,
            schema=schema,
        )

    if dry_run:
        application = await decide()
        await _account(store, namespace, application.used, writing)
        return application.plan
    holder = await claim(
        store,
        namespace,
        "consolidate",
        seconds=engines.lease_seconds,
        refusal="another worker consolidates this scope: wait for it, or look at plans()",
        writing=writing,
    )
    try:
        for attempt in range(_TRIES):
            application = await decide()
            try:
                return await store.write(units.apply, namespace, application, writing=writing)
            except ConflictError:
                await _account(store, namespace, application.used, writing)
                if attempt == _TRIES - 1:
                    raise
        raise AssertionError("unreachable")
    finally:
        await store.write(units.drop_lease, namespace, "consolidate", holder)


def _decide(
    material: Material,
    session: str | None,
    engines: Engines,
    guard: Guard,
    *,
    now: datetime,
    fresh: Callable[[], int],
    budget: Budget,
    schema: ProfileSchema | None,
) -> Application:
    first = replace(budget, calls=budget.calls - 1)  # one call is kept for the plan itself
    staging = stage(material, engines, guard, now=now, fresh=fresh, budget=first)
    staging, found = _forgotten(staging, material)
    known = {note.id: note for note in (*material.past, *material.staged, *material.settled)}
    forgotten = retirements(found, known)
    gone = {change.note for change in forgotten}
    staged = tuple(note for note in (*material.staged, *staging.notes) if note.id not in gone)
    settled = tuple(note for note in material.settled if note.id not in gone)
    consolidator = engines.within(budget.after(staging.distilled.used)).consolidator
    notes = {note.id: note for note in (*staged, *settled)}
    proposal = _guarded(
        accepted(
            consolidator.propose(staged, settled, now=now, settled=material.planned), tuple(notes.values())
        ),
        guard,
    )
    changed = {change.note for change in proposal.changes if isinstance(change, Revise | Retire)}
    spoken = [item for log in material.sessions for item in log.items]
    used = [change for change in renewed(settled, spoken) if change.note not in changed]
    proposal = replace(proposal, changes=(*proposal.changes, *forgotten, *used))
    fields, profile = promoted(schema or ProfileSchema(), (*material.past, *staging.notes), material.profile)
    number = fresh()
    added = {
        index: note_id(fresh()) for index, change in enumerate(proposal.changes) if isinstance(change, Add)
    }
    counts = Counter(staging.counts)
    counts.update(
        conflicts=proposal.conflicts,
        consolidated=len(added) + sum(isinstance(change, Revise) for change in proposal.changes),
        pruned=sum(isinstance(change, Retire) for change in proposal.changes),
    )
    plan = Plan(
        id=plan_id(number),
        state="proposed",
        engine=proposal.engine,
        session=session,
        changes=proposal.changes,
        fields=fields,
        texts=texts_of(proposal, {**known, **notes}),
        staged=tuple(note.id for note in staging.notes),
        dropped=_reasons(staging.distilled.dropped),
        conflicts=proposal.conflicts,
        remarks=tuple(dict.fromkeys((*staging.distilled.remarks, *proposal.remarks))),
    )
    return Application(
        plan=plan,
        number=number,
        staged=staging.notes,
        quarantined=staging.quarantined,
        marks=material.sessions,
        added=added,
        read={note.id: note.revision for note in (*material.staged, *material.settled)},
        counts={name: value for name, value in counts.items() if value},
        used=(*staging.distilled.used, *proposal.used),
        profile=profile,
    )


def _guarded(proposal: Proposal, guard: Guard) -> Proposal:
    """Drop what the guard does not let through; a session note whose successor is dropped stays open."""
    kept: list[tuple[int, Change]] = []
    refused: set[int | str] = set()
    remarks = list(proposal.remarks)
    for index, change in enumerate(proposal.changes):
        if not isinstance(change, Add | Revise):
            kept.append((index, change))
            continue
        verdict = guard.judge(change.text, source="user", stage="consolidation")
        if verdict.action in {"block", "quarantine"}:
            refused.add(index if isinstance(change, Add) else change.note)
            remarks.append(f"the guard held back a change: {', '.join(verdict.reasons)}")
        else:
            kept.append((index, replace(change, text=verdict.text)))
    if not refused:
        return replace(proposal, changes=tuple(change for _, change in kept))
    return _renumbered(proposal, kept, refused, tuple(remarks))


def _renumbered(
    proposal: Proposal,
    kept: Sequence[tuple[int, Change]],
    refused: set[int | str],
    remarks: tuple[str, ...],
) -> Proposal:
    """Return a proposal without what was refused; successors are named by their new places."""
    staying = [
        (index, change)
        for index, change in kept
        if not (isinstance(change, Retire) and change.successor is not None and change.successor in refused)
    ]
    places = {index: place for place, (index, _) in enumerate(staying)}
    changes = [
        replace(change, successor=places[change.successor])
        if isinstance(change, Retire) and isinstance(change.successor, int)
        else change
        for _, change in staying
    ]
    return replace(proposal, changes=tuple(changes), remarks=remarks)


def _reasons(dropped: Sequence[Dropped]) -> dict[str, int]:
    return dict(Counter(each.reason for each in dropped))
