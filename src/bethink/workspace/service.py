"""Settle a workspace: take in what lies in its files, run the two phases, and write the files anew."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import InvalidError, NotFoundError
from bethink.workspace import presence as places
from bethink.workspace import transactions
from bethink.workspace.bench import BASE, Account, load_held
from bethink.workspace.files import text_of
from bethink.workspace.hand_edits import take_edits
from bethink.workspace.intake import end_runs, forget_removed, take_in
from bethink.workspace.lease import Lease
from bethink.workspace.phases import phase_one, phase_two
from bethink.workspace.rollouts import line
from bethink.workspace.transactions import Outcome
from bethink.workspace.truncation import SUMMARY_TOKENS, middle_out
from bethink.workspace.values import Report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.lifecycle.spend_cap import Budget
    from bethink.notes.values import Source
    from bethink.workspace.bench import Bench

MAX_CALLS: Final = 1_000  #: of models, in one settling: as many conversations may wait
ROUNDS: Final = 3  #: in one settling, where somebody saves a file meanwhile


async def settle(bench: Bench, *, source: Source, closing: bool) -> Report:
    """Bring store and files together, and make memory of what no phase has read yet.

    Nothing depends on how the last settling ended: it may be run again at any time. `source` says who is believed
    to have edited the files. `closing` ends the runs of this process too that are still under way; those of a process
    that is gone are ended in any case. What cannot be read is left alone and named, and the rest goes on. What only
    reads writes nothing.

    Raises:
        ConflictError: another process is at work in this workspace.
        InvalidError: a workspace of this scope has one of the two folders of this layout, and not the other.
    """
    if bench.read_only:
        return Report()
    spot = bench.spot
    await _check_layout(bench)
    async with bench.files.locked(spot.memory(f"{BASE}/lock")), Lease(bench):
        account = Account()
        await end_runs(bench, closing=closing)
        report = await _round(bench, account, source)
        for _ in range(ROUNDS - 1):
            if not account.raced:
                break
            account.raced = False
            report = await _round(bench, account, source)
        return report


async def _round(bench: Bench, account: Account, source: Source) -> Report:
    """Take in, make memory and write once; what somebody saves meanwhile is taken in by another round."""
    seen = await places.seen(bench)
    await forget_removed(bench, seen, account)
    await take_in(bench, seen, account)
    held = await load_held(bench)
    suppressed = await take_edits(bench, held, account, source)
    held = await load_held(bench)
    suppressed |= held.taught.removed
    outcome = Outcome(directory=bench.files.directory)
    bench = replace(bench, phases=bench.phases.within(await _budget(bench)))
    if bench.generate is not None:
        extracted = await phase_one(bench, held, account)
        held = replace(held, rollouts={**held.rollouts, **{each.id: each for each in extracted}})
        outcome = replace(outcome, extracted=tuple(extracted))
    return await phase_two(bench, held, outcome, suppressed, account, seen)


async def _budget(bench: Bench) -> Budget:
    """Return what the models of the phases may still take today."""
    from bethink.lifecycle.spend_cap import left_today

    left = await left_today(bench.store, bench.namespace, bench.daily_tokens, now=bench.writing().now)
    return replace(left, calls=MAX_CALLS)


async def _check_layout(bench: Bench) -> None:
    spot = bench.spot
    mine = [spot.layout.memories_dir, spot.layout.sessions_dir]
    for key, _ in await bench.store.read(transactions.workspaces, bench.namespace):
        name, memories, sessions = json.loads(key)
        if name != spot.name or [memories, sessions] == mine:
            continue
        for kind, theirs, ours in (("memories_dir", memories, mine[0]), ("sessions_dir", sessions, mine[1])):
            if theirs == ours:
                raise InvalidError(
                    f"Sandbox session already has a Memory generation capability for {kind}={ours!r}. Use a "
                    f"different {kind} for isolated memories, or the same layout to share memory.",
                    argument=kind,
                )


async def record(
    bench: Bench,
    rollout: str,
    segment: Mapping[str, Any],
    *,
    run: str = "",
    under_way: bool = False,
    origin: str = "",
) -> None:
    """Keep a run: it is durable in the store first, then in the file, where that lies on this machine."""
    text = line(segment)
    await bench.store.write(
        transactions.append,
        bench.namespace,
        bench.spot,
        rollout,
        [text],
        run=run,
        under_way=under_way,
        origin=origin,
        writing=bench.writing(),
    )
    if not under_way and bench.files.directory is not None:
        async with bench.files.locked(bench.spot.memory(f"{BASE}/lock")):
            path = bench.spot.rollout(rollout)
            await bench.files.append(path, text.encode() + b"\n")
            await bench.store.write(
                transactions.put_files,
                bench.namespace,
                bench.spot,
                {path: None},
                (),
                directory=bench.files.directory,
                writing=bench.writing(),
            )


async def forget(bench: Bench, rollout: str) -> Report:
    """Forget one conversation with all that was drawn from it, and write the files without it.

    Raises:
        NotFoundError: there is no such conversation.
    """
    if rollout not in (await load_held(bench)).rollouts:
        raise NotFoundError(
            "no such conversation in this workspace; conversations are named like the files in its "
            "folder of sessions",
            kind="conversation",
            id=rollout,
        )
    await bench.store.write(
        transactions.forget, bench.namespace, bench.spot, [rollout], writing=bench.writing()
    )
    async with bench.files.locked(bench.spot.memory(f"{BASE}/lock")):
        await bench.files.remove(bench.spot.rollout(rollout))
    report = await settle(bench, source="user", closing=False)
    return replace(report, forgotten=tuple(dict.fromkeys((rollout, *report.forgotten))))


async def summary(bench: Bench) -> str:
    """Return what is injected: the summary, at most 15,000 tokens of it; empty where there is none."""
    path = bench.spot.memory("memory_summary.md")
    found = await bench.files.read(path)
    text = (
        text_of(found or b"").strip()
        if found is not None
        else ((await load_held(bench)).files.get(path) or "")
    )
    return middle_out(bench.guard.mask(text), SUMMARY_TOKENS) if text else ""
