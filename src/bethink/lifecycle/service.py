"""The lifecycle service: distill and consolidate; read, propose, guard, then write once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import ConflictError, RefusedError
from bethink.ids import note_id, plan_id
from bethink.lifecycle import consolidation_input, plan_application
from bethink.lifecycle.admission.coverage import is_about
from bethink.lifecycle.admission.memory_tools import submitted_notes
from bethink.lifecycle.admission.note_status import (
    Origin,
    TurnLog,
    confirmed_notes,
    decide_status,
    log_entries,
)
from bethink.lifecycle.admission.own_words import named_as, own_words
from bethink.lifecycle.capture import activate_all, admit
from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.check import accepted
from bethink.lifecycle.consolidate.duplicates_and_conflicts import likeness
from bethink.lifecycle.daily_counts import keep_account
from bethink.lifecycle.distill.firewall import folded
from bethink.lifecycle.forget_requests import matching_notes, retirements
from bethink.lifecycle.leases import claim, drop_lease
from bethink.lifecycle.note_usage import renewals
from bethink.lifecycle.plan_application import CONSOLIDATION, Application
from bethink.lifecycle.plans import Plan, texts_of
from bethink.lifecycle.profile_promotion import promoted_fields
from bethink.lifecycle.spend_cap import Budget, left_today
from bethink.lifecycle.values import Add, Distilled, Dropped, Proposal, Retire, Revise
from bethink.notes.transactions import fresh_note
from bethink.notes.values import CONVERSATION, NewNote
from bethink.sessions.turns import starts_turn
from bethink.sessions.values import is_foreign
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bethink.lifecycle.consolidation_input import ConsolidationInput
    from bethink.lifecycle.engines import Engines
    from bethink.lifecycle.forget_requests import Matched
    from bethink.lifecycle.guard import Guard
    from bethink.lifecycle.undo import Undone
    from bethink.lifecycle.values import Candidate, Change, Forget, ModelUse
    from bethink.notes.values import Note
    from bethink.recall.values import Recall
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.sessions.distillation_marks import Undistilled
    from bethink.state.schema import ProfileSchema
    from bethink.storage.stores import Store

_NEVER: Final = datetime.min.replace(tzinfo=UTC)  #: before any note was written
_TRIES = 3  #: a plan that went stale while it was made is made anew


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Where a distillation or a consolidation takes place, and with what."""

    store: Store
    namespace: Namespace
    engines: Engines
    guard: Guard
    writing: Writing
    daily_tokens: int | None  #: what may be taken of a model
    schema: ProfileSchema

    async def budget(self) -> Budget:
        """Return what may be spent today; nothing is read where nothing costs anything."""
        if not self.engines.metered or self.daily_tokens is None:
            return Budget()
        return await left_today(self.store, self.namespace, self.daily_tokens, now=self.writing.now)

    async def account(self, used: Sequence[ModelUse]) -> None:
        """Keep what a model took, where its result is not written with it."""
        if used:
            await self.store.write(keep_account, self.namespace, used, writing=self.writing)


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedDistillation:
    """What distillation found, as session notes that are not written yet."""

    notes: tuple[Note, ...] = ()
    waiting: tuple[Note, ...] = ()  #: for a decision, or for the user's word
    distilled: Distilled
    counts: Mapping[str, int]


def stage(
    material: ConsolidationInput,
    engines: Engines,
    guard: Guard,
    *,
    now: datetime,
    fresh: Callable[[], int],
    budget: Budget,
    user: str | None = None,
) -> StagedDistillation:
    """Distill the new part of each session; the guard decides what may be kept of it."""
    used: list[ModelUse] = []
    remarks: list[str] = []
    engine = "rules"
    counts: Counter[str] = Counter()
    notes: list[Note] = []
    waiting: list[Note] = []
    found_worth: list[Candidate] = []
    dropped: list[Dropped] = []
    forgets: list[Forget] = []
    standing = (*_drawn(material), *material.staged)
    for log, foreign in _parts(material.sessions):
        known = [*standing, *notes]
        by_tools = _kept_by_tools(log, (*material.settled, *material.staged))
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
            candidate = replace(each, source="tool") if foreign or _is_anothers(each, log, user) else each
            texts = (text for item in candidate.sources for text in by_tools.get(item, ()))
            if any(is_about(text, candidate.text) for text in texts):
                dropped.append(
                    Dropped(reason="kept by a tool", sources=candidate.sources, text=candidate.text)
                )
                continue
            note, refused = _judged(candidate, log, guard, now=now, number=note_id(fresh()))
            if note is None:
                counts["blocked"] += 1
                dropped.append(Dropped(reason=f"blocked: {refused}", sources=candidate.sources))
                continue
            found_worth.append(candidate)
            counts["written"] += 1
            if note.status != "active":
                counts[note.status] += 1
                waiting.append(note)
            else:
                notes.append(note)
    return StagedDistillation(
        notes=tuple(notes),
        waiting=tuple(waiting),
        distilled=Distilled(
            kept=tuple(found_worth),
            dropped=tuple(dropped),
            forgets=tuple(forgets),
            engine=engine,
            remarks=tuple(dict.fromkeys(remarks)),
            used=tuple(used),
        ),
        counts=dict(+counts),
    )


def _drawn(material: ConsolidationInput) -> Iterator[Note]:
    """Yield the global notes; those of the sessions at hand with the items that they were drawn from."""
    names = {log.name for log in material.sessions}
    past = {note.id: note for note in material.past if note.session in names}
    for note in material.settled:
        items = {item for each in note.sources if each in past for item in past[each].sources}
        yield replace(note, sources=(*note.sources, *sorted(items))) if items else note


def _kept_by_tools(log: Undistilled, standing: Sequence[Note]) -> dict[str, list[str]]:
    """Return what an agent's tools kept while a session went on, by the item that began the turn.

    It is not distilled a second time.
    """
    texts = {folded(note.text) for note in standing}
    found: dict[str, list[str]] = {}
    turn: list[str] = []
    for item in log.items:
        if starts_turn(item.body):
            turn = found.setdefault(item.id, [])
        turn += [text for text in submitted_notes(item.body) if folded(text) in texts]
    for note in standing:
        for item in note.sources:
            if item in found and note.metadata.get("kind") is None:  # no candidate of a distiller
                found[item].append(note.text)
    return found


def _is_anothers(candidate: Candidate, log: Undistilled, user: str | None) -> bool:
    """Tell whether somebody else said it in a talk in which the user is named, too."""
    if candidate.speaker is None or user is None:
        return False
    own = named_as({item.speaker for item in log.items if item.speaker is not None}, user)
    return bool(own) and candidate.speaker not in own


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
    metadata: dict[str, Any] = {
        "kind": candidate.kind,
        **({"mends": True} if candidate.mends else {}),
        "durable": candidate.durable,
        "language": candidate.language,
        "salience": candidate.salience,
    }
    if candidate.review:
        metadata["review"] = "it acts on others"
    new = NewNote(
        text=_storable(candidate.text),
        context=candidate.context and _storable(candidate.context),
        speaker=candidate.speaker,
        category=CONVERSATION,
        keywords=candidate.keywords,
        session=log.name,
        status="quarantined" if candidate.review else "active",
        source=candidate.source,
        sources=candidate.sources,
        confidence=candidate.confidence,
        valid_from=_stated_at(candidate, log) or now,
        expires_at=candidate.expires_at,
        metadata=metadata,
    )
    try:
        admitted = admit(new, guard)
    except RefusedError as refused:
        return None, ", ".join(refused.verdict.reasons)
    if candidate.source != "user":  # what others wrote into a session, and what its tools show, nobody said
        origin = Origin(door="distill", family="notes", session=log.name)
        turn = TurnLog(turn=candidate.sources)
        admitted = decide_status(admitted, "covered", turn, origin)
    return fresh_note(admitted, number, now), ""


def _storable(text: str) -> str:
    """Return a text without NUL, and with a mark for each lone surrogate: no store takes these in a note."""
    return text.replace("\0", " ").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _stated_at(candidate: Candidate, log: Undistilled) -> datetime | None:
    times = [item.at for item in log.items if item.id in candidate.sources and item.at is not None]
    return max(times, default=None)


async def distill(run: Run, session: str, *, dry_run: bool = False) -> Distilled:
    """Distill one session since its last mark, and keep what was found as session notes.

    With `dry_run` the whole session is read, and nothing is written.

    Raises:
        NotFoundError: there is no such session.
        ConflictError: somebody else distilled the session at the same time.
    """
    if not dry_run:
        await run.store.read(consolidation_input.require_session, run.namespace, session)
    material = await _material(run, session, dry_run=dry_run, whole=dry_run)
    staging, forgotten = await run.store.call(_staged, run, material, await run.budget())
    used = staging.distilled.used
    if dry_run:
        await run.account(used)
        return staging.distilled
    try:
        await run.store.write(
            plan_application.store_distilled,
            run.namespace,
            (*staging.notes, *staging.waiting),
            material.sessions,
            staging.counts,
            used,
            forgotten,
            writing=run.writing,
        )
    except ConflictError:
        await run.account(used)
        raise
    return staging.distilled


def _staged(
    run: Run, material: ConsolidationInput, budget: Budget
) -> tuple[StagedDistillation, list[Retire]]:
    """Return what is found in the new part of sessions, and the changes that forget what is asked to be forgotten."""
    staging = stage(
        material,
        run.engines,
        run.guard,
        now=to_datetime(run.writing.now),
        fresh=run.writing.fresh,
        budget=budget,
        user=run.namespace.user,
    )
    staging, found = _forgotten(_without_forgotten(staging, material), material)
    return staging, retirements(found, material.known) if found else []


async def _material(
    run: Run, session: str | None, *, dry_run: bool, idle_since: int | None = None, whole: bool = False
) -> ConsolidationInput:
    """Read what there is to work on, once notes stand that waited for the user's word and have it by now."""
    unit = partial(
        consolidation_input.read_input,
        run.namespace,
        session,
        idle_since=idle_since,
        whole=whole,
        profile=run.schema.model is not None,
    )
    material = await run.store.read(unit)
    if material.waiting and not dry_run and await _confirm(run, material):
        material = await run.store.read(unit)
    return material


async def _confirm(run: Run, material: ConsolidationInput) -> bool:
    """Let notes stand that wait for the user's word, where the new part of a session carries them."""
    found: dict[str, tuple[str, ...]] = {}
    for log in material.sessions:
        statements = own_words(log_entries(log.items), run.namespace.user)
        found |= await run.store.call(confirmed_notes, material.waiting, statements)
    if found:
        await run.store.write(activate_all, run.namespace, found, writing=run.writing)
    return bool(found)


def _without_forgotten(staging: StagedDistillation, material: ConsolidationInput) -> StagedDistillation:
    """Leave out what says the same as a note that was forgotten after it was said."""
    if not material.forgotten or not staging.notes:
        return staging
    stated_at = {item.id: item.at for log in material.sessions for item in log.items if item.at is not None}
    first = min(
        (stated_at[each] for note in staging.notes for each in note.sources if each in stated_at),
        default=None,
    )
    since = [note for note in material.forgotten if first is not None and first <= note.updated_at]
    forgotten = [(read(note.text), note.updated_at) for note in since]

    def is_over(note: Note) -> bool:
        at = max((stated_at[each] for each in note.sources if each in stated_at), default=None)
        later = [reading for reading, ended in forgotten if at is not None and at <= ended]
        return bool(later) and any(likeness(read(note.text), each) for each in later)

    over = [note for note in staging.notes if is_over(note)]
    if not over:
        return staging
    dropped = [
        Dropped(reason="forgotten since it was said", sources=note.sources, text=note.text) for note in over
    ]
    left_out = {(note.text, note.sources) for note in over}
    kept = tuple(each for each in staging.distilled.kept if (each.text, each.sources) not in left_out)
    distilled = replace(staging.distilled, kept=kept, dropped=(*staging.distilled.dropped, *dropped))
    notes = tuple(note for note in staging.notes if note not in over)
    counts = Counter(staging.counts)
    counts["written"] -= len(over)
    return replace(staging, notes=notes, distilled=distilled, counts=dict(+counts))


def _forgotten(
    staging: StagedDistillation, material: ConsolidationInput
) -> tuple[StagedDistillation, list[Matched]]:
    """Return what was found without what the user asked to forget in the same breath, and the notes that are meant."""
    found: list[Matched] = []
    notes, remarks = list(staging.notes), list(staging.distilled.remarks)
    for each in staging.distilled.forgets:
        told = notes if each.named else [note for note in notes if set(each.sources).isdisjoint(note.sources)]
        matched = matching_notes(each, (*material.settled, *material.staged, *told))
        fresh = {note.id for note in notes} & {note.id for note in matched.notes}
        notes = [note for note in notes if note.id not in fresh]
        matched = replace(matched, notes=tuple(note for note in matched.notes if note.id not in fresh))
        if matched.notes:
            found.append(matched)
        elif not fresh and matched.remark:
            remarks.append(matched.remark)
    distilled = replace(staging.distilled, remarks=tuple(dict.fromkeys(remarks)))
    return replace(staging, notes=tuple(notes), distilled=distilled), found


async def rerank(run: Run, found: Recall, limit: int) -> Recall:
    """Order what was recalled by a model; where it cannot, the answer says so and keeps its order."""
    reranker = run.engines.within(await run.budget()).reranker
    if reranker is None:
        return replace(found, hits=found.hits[:limit])
    ordered = await run.store.call(reranker.rerank, found.query, found.hits)
    await run.account(ordered.used)
    degraded = (*found.degraded, ordered.remark) if ordered.remark else found.degraded
    return replace(found, hits=ordered.hits[:limit], degraded=degraded)


async def consolidate(run: Run, session: str | None, *, dry_run: bool, idle_since: int | None = None) -> Plan:
    """Distill what is new, then decide what becomes of the session notes; write everything in one transaction.

    The work is claimed by a lease, so that two workers never do it twice; a crash in the middle changes nothing.

    Raises:
        NotFoundError: there is no such session.
        ConflictError: another worker is at it, and `until` says how long at most; or the notes kept changing while
            the plan was made.
    """
    if session is not None:
        await run.store.read(consolidation_input.require_session, run.namespace, session)
    if dry_run:
        application = await _decide(run, session, dry_run=True, idle_since=idle_since)
        await run.account(application.used)
        return replace(application.plan, namespace=str(run.namespace))
    holder = await claim(
        run.store,
        run.namespace,
        CONSOLIDATION,
        seconds=run.engines.lease_seconds,
        refusal="another worker is consolidating this scope; try again when it is done",
        writing=run.writing,
    )
    try:
        return await _apply(run, session, holder, idle_since)
    except BaseException:
        await run.store.write(drop_lease, run.namespace, CONSOLIDATION, holder)
        raise


async def _apply(run: Run, session: str | None, holder: str, idle_since: int | None) -> Plan:
    """Make a plan and write it, with which the lease ends; one that went stale meanwhile is made again."""
    attempt = 1
    while True:
        application = await _decide(run, session, dry_run=False, idle_since=idle_since)
        try:
            return await run.store.write(
                plan_application.apply, run.namespace, application, holder=holder, writing=run.writing
            )
        except ConflictError:
            await run.account(application.used)
            if attempt == _TRIES:
                raise
        attempt += 1


async def _decide(run: Run, session: str | None, *, dry_run: bool, idle_since: int | None) -> Application:
    material = await _material(run, session, dry_run=dry_run, idle_since=idle_since)
    return await run.store.call(_planned, run, session, material, await run.budget())


def _planned(run: Run, session: str | None, material: ConsolidationInput, budget: Budget) -> Application:
    """Decide everything that a consolidation writes."""
    first = replace(budget, calls=budget.calls - 1)  # one call is kept for the plan itself
    staging, forgotten = _staged(run, material, first)
    gone = {change.note for change in forgotten}
    staged = tuple(note for note in (*material.staged, *staging.notes) if note.id not in gone)
    settled = tuple(note for note in material.settled if note.id not in gone)
    proposal = _proposed(run, material, staged, settled, budget.after(staging.distilled.used))
    used = _renewed(proposal, material, settled)
    proposal = _without_undone(proposal, material.undone)
    proposal = replace(proposal, changes=(*proposal.changes, *forgotten, *used))
    fields, profile = promoted_fields(run.schema, (*material.past, *staging.notes), material.profile)
    number = run.writing.fresh()
    plan = Plan(
        id=plan_id(number),
        state="proposed",
        engine=proposal.engine,
        session=session,
        changes=proposal.changes,
        fields=fields,
        texts=texts_of(proposal.changes, {**material.known, **{note.id: note for note in staging.notes}}),
        staged=tuple(note.id for note in staging.notes),
        dropped=dict(Counter(each.reason for each in staging.distilled.dropped)),
        conflicts=proposal.conflicts,
        remarks=tuple(dict.fromkeys((*staging.distilled.remarks, *proposal.remarks))),
    )
    return Application(
        plan=plan,
        number=number,
        staged=staging.notes,
        waiting=staging.waiting,
        marks=material.sessions,
        added={
            index: note_id(run.writing.fresh())
            for index, change in enumerate(plan.changes)
            if isinstance(change, Add)
        },
        read={note.id: note.revision for note in (*material.staged, *material.settled)},
        counts=_counted(staging, proposal),
        used=(*staging.distilled.used, *proposal.used),
        profile=profile,
    )


def _proposed(
    run: Run, material: ConsolidationInput, staged: Sequence[Note], settled: Sequence[Note], budget: Budget
) -> Proposal:
    """Let an engine propose what becomes of notes; drop what is not accepted, or not let through by the guard."""
    consolidator = run.engines.within(budget).consolidator
    now = to_datetime(run.writing.now)
    proposal = consolidator.propose(staged, settled, now=now, settled=material.planned or _NEVER)
    return _guarded(accepted(proposal, (*staged, *settled)), run.guard)


def _renewed(proposal: Proposal, material: ConsolidationInput, settled: Sequence[Note]) -> list[Revise]:
    """Return the changes that renew notes which answers carried, where nothing else becomes of them."""
    changed = {change.note for change in proposal.changes if isinstance(change, Revise | Retire)}
    items = [item for log in material.sessions for item in log.items]
    return [change for change in renewals(settled, items) if change.note not in changed]


def _counted(staging: StagedDistillation, proposal: Proposal) -> dict[str, int]:
    kinds = Counter(map(type, proposal.changes))
    counts = Counter(staging.counts)
    counts.update(conflicts=proposal.conflicts, consolidated=kinds[Add] + kinds[Revise], pruned=kinds[Retire])
    return dict(+counts)


def _without_undone(proposal: Proposal, undone: Undone) -> Proposal:
    """Drop the changes that were undone before."""
    if not undone.changes:
        return proposal
    kept = [(index, change) for index, change in enumerate(proposal.changes) if not undone.made(change)]
    if len(kept) == len(proposal.changes):
        return proposal
    return _renumbered(proposal, kept, set(), proposal.remarks)


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
