"""The workspace service: settle a workspace (intake, phase one, phase two, files)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import InvalidError, NotFoundError
from bethink.workspace import file_snapshots as places
from bethink.workspace import transactions
from bethink.workspace.files import text_of
from bethink.workspace.hand_edits import take_edits
from bethink.workspace.intake import end_runs, forget_removed, take_in
from bethink.workspace.lease import Lease
from bethink.workspace.phases import phase_one, phase_two
from bethink.workspace.rollouts import line
from bethink.workspace.transactions import Outcome
from bethink.workspace.truncation import SUMMARY_TOKENS, middle_out
from bethink.workspace.values import Report
from bethink.workspace.workspace_context import BASE, ReportBuilder, load_held

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.lifecycle.spend_cap import Budget
    from bethink.notes.values import Source
    from bethink.workspace.workspace_context import WorkspaceContext

MAX_CALLS: Final = 1_000  #: of models, in one settling: as many conversations may wait
ROUNDS: Final = 3  #: in one settling, where somebody saves a file meanwhile


async def settle(workspace: WorkspaceContext, *, source: Source, closing: bool) -> Report:
    """Bring store and files together, and make memory of what no phase has read yet.

    Nothing depends on how the last settling ended: it may be run again at any time. `source` says who is believed
    to have edited the files. `closing` ends the runs of this process too that are still under way; those of a process
    that is gone are ended in any case. What cannot be read is left alone and named, and the rest goes on. What only
    reads writes nothing.

    Raises:
        ConflictError: another process is at work in this workspace.
        InvalidError: a workspace of this scope has one of the two folders of this layout, and not the other.
    """
    if workspace.read_only:
        return Report()
    location = workspace.location
    await _check_layout(workspace)
    async with workspace.files.locked(location.memory(f"{BASE}/lock")), Lease(workspace):
        account = ReportBuilder()
        await end_runs(workspace, closing=closing)
        report = await _round(workspace, account, source)
        for _ in range(ROUNDS - 1):
            if not account.raced:
                break
            account.raced = False
            report = await _round(workspace, account, source)
        return report


async def _round(workspace: WorkspaceContext, account: ReportBuilder, source: Source) -> Report:
    """Take in, make memory and write once; what somebody saves meanwhile is taken in by another round."""
    seen = await places.last_snapshot(workspace)
    await forget_removed(workspace, seen, account)
    await take_in(workspace, seen, account)
    held = await load_held(workspace)
    suppressed = await take_edits(workspace, held, account, source)
    held = await load_held(workspace)
    suppressed |= held.known_lessons.removed
    outcome = Outcome(directory=workspace.files.directory)
    workspace = replace(workspace, phases=workspace.phases.within(await _budget(workspace)))
    if workspace.generate is not None:
        extracted = await phase_one(workspace, held, account)
        held = replace(held, rollouts={**held.rollouts, **{each.id: each for each in extracted}})
        outcome = replace(outcome, extracted=tuple(extracted))
    return await phase_two(workspace, held, outcome, suppressed, account, seen)


async def _budget(workspace: WorkspaceContext) -> Budget:
    """Return what the models of the phases may still take today."""
    from bethink.lifecycle.spend_cap import left_today

    left = await left_today(
        workspace.store, workspace.namespace, workspace.daily_tokens, now=workspace.writing().now
    )
    return replace(left, calls=MAX_CALLS)


async def _check_layout(workspace: WorkspaceContext) -> None:
    location = workspace.location
    mine = [location.layout.memories_dir, location.layout.sessions_dir]
    for key, _ in await workspace.store.read(transactions.workspaces, workspace.namespace):
        name, memories, sessions = json.loads(key)
        if name != location.name or [memories, sessions] == mine:
            continue
        for kind, theirs, ours in (("memories_dir", memories, mine[0]), ("sessions_dir", sessions, mine[1])):
            if theirs == ours:
                raise InvalidError(
                    f"Sandbox session already has a Memory generation capability for {kind}={ours!r}. Use a "
                    f"different {kind} for isolated memories, or the same layout to share memory.",
                    argument=kind,
                )


async def record(
    workspace: WorkspaceContext,
    rollout: str,
    segment: Mapping[str, Any],
    *,
    run: str = "",
    under_way: bool = False,
    origin: str = "",
) -> None:
    """Keep a run: it is durable in the store first, then in the file, where that lies on this machine."""
    text = line(segment)
    await workspace.store.write(
        transactions.append,
        workspace.namespace,
        workspace.location,
        rollout,
        [text],
        run=run,
        under_way=under_way,
        origin=origin,
        writing=workspace.writing(),
    )
    if not under_way and workspace.files.directory is not None:
        async with workspace.files.locked(workspace.location.memory(f"{BASE}/lock")):
            path = workspace.location.rollout(rollout)
            await workspace.files.append(path, text.encode() + b"\n")
            await workspace.store.write(
                transactions.put_files,
                workspace.namespace,
                workspace.location,
                {path: None},
                (),
                directory=workspace.files.directory,
                writing=workspace.writing(),
            )


async def forget(workspace: WorkspaceContext, rollout: str) -> Report:
    """Forget one conversation with all that was drawn from it, and write the files without it.

    Raises:
        NotFoundError: there is no such conversation.
    """
    if rollout not in (await load_held(workspace)).rollouts:
        raise NotFoundError(
            "no such conversation in this workspace; conversations are named like the files in its "
            "folder of sessions",
            kind="conversation",
            id=rollout,
        )
    await workspace.store.write(
        transactions.forget, workspace.namespace, workspace.location, [rollout], writing=workspace.writing()
    )
    async with workspace.files.locked(workspace.location.memory(f"{BASE}/lock")):
        await workspace.files.remove(workspace.location.rollout(rollout))
    report = await settle(workspace, source="user", closing=False)
    return replace(report, forgotten=tuple(dict.fromkeys((rollout, *report.forgotten))))


async def summary(workspace: WorkspaceContext) -> str:
    """Return what is injected: the summary, at most 15,000 tokens of it; empty where there is none."""
    path = workspace.location.memory("memory_summary.md")
    found = await workspace.files.read(path)
    text = (
        text_of(found or b"").strip()
        if found is not None
        else ((await load_held(workspace)).files.get(path) or "")
    )
    return middle_out(workspace.guard.mask(text), SUMMARY_TOKENS) if text else ""
