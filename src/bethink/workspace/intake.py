"""Read a workspace's files: runs, deletions, segments, raw memories."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bethink.errors import BethinkError
from bethink.workspace import memory_file_headers, transactions
from bethink.workspace.files import text_of
from bethink.workspace.notebook import MAX_REMOVALS
from bethink.workspace.rollout_ids import checked_slug, is_safe, slug_of
from bethink.workspace.rollouts import digest, lines, parse_segments, run_digest, terminal_state
from bethink.workspace.run_liveness import is_ours, is_over
from bethink.workspace.transactions import Outcome
from bethink.workspace.values import Extract, Rollout
from bethink.workspace.workspace_context import clean_text, load_held

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.workspace.workspace_context import ReportBuilder, WorkspaceContext


async def end_runs(workspace: WorkspaceContext, *, closing: bool) -> None:
    """Close the runs that a crash, or a caller who never came back, left open."""
    held = await load_held(workspace)
    now = workspace.writing().now
    ended = [
        (each, _cut_off(parse_segments([each.line])[0]))
        for each in held.running
        if is_over(each, now=now) or (closing and is_ours(each))
    ]
    if ended:
        await workspace.store.write(
            transactions.end_runs, workspace.namespace, workspace.location, ended, writing=workspace.writing()
        )


def _cut_off(segment: dict[str, Any]) -> dict[str, Any]:
    terminal = dict(segment.get("terminal_metadata") or {})
    if terminal.get("terminal_state") in {None, "running"}:
        terminal["terminal_state"] = "interrupted" if segment.get("interruptions") else "cancelled"
    return {**segment, "terminal_metadata": terminal}


async def forget_removed(
    workspace: WorkspaceContext, seen: Mapping[str, int], account: ReportBuilder
) -> None:
    """Forget the conversations whose files somebody removed here, where this place had them when it was left."""
    location = workspace.location
    folder = location.layout.sessions_dir
    there = {f"{folder}/{name}" for name in await workspace.files.names(folder)}
    held = await load_held(workspace)
    gone = [
        rollout
        for rollout, each in held.rollouts.items()
        if location.rollout(rollout) in seen and location.rollout(rollout) not in there and not each.running
    ]
    above, _, name = folder.rpartition("/")
    if not gone or workspace.generate is None or f"{name}/" not in await workspace.files.names(above):
        return
    if len(gone) > MAX_REMOVALS:
        account.remarks.append(
            f"{len(gone)} files of conversations are missing from {folder}/ and are written again; to forget one, run "
            "`bethink workspace forget DIR CONVERSATION`"
        )
        return
    await workspace.store.write(
        transactions.forget, workspace.namespace, location, gone, writing=workspace.writing()
    )
    account.forgotten += gone


async def take_in(workspace: WorkspaceContext, seen: Mapping[str, int], account: ReportBuilder) -> None:
    """Take over what others left: segments of an earlier sandbox, and raw memories that a model made."""
    location, files = workspace.location, workspace.files
    if workspace.generate is None:
        return
    held = await load_held(workspace)
    barred = transactions.barred_segments(held)
    recorded = Counter(workspace.recorded)
    for name in await files.names(location.layout.sessions_dir):
        rollout, path = name.removesuffix(".jsonl"), location.layout.sessions_dir + "/" + name
        if not name.endswith(".jsonl") or not is_safe(rollout):
            continue
        try:
            size = await files.size(path)
            if size == seen.get(path) and rollout in held.rollouts:
                continue
            async for some in files.rows(path):
                await _take_lines(workspace, rollout, some, barred, recorded)
        except BethinkError as error:
            account.remarks.append(f"{error}")
    await _adopt(workspace, account)


async def _adopt(workspace: WorkspaceContext, account: ReportBuilder) -> None:
    """Take over raw memories that somebody else made."""
    location, files = workspace.location, workspace.files
    held = await load_held(workspace)
    barred = transactions.barred_segments(held)
    adopted: list[Rollout] = []
    for name in await files.names(location.memory("raw_memories")):
        rollout = name.removesuffix(".md")
        known = held.rollouts.get(rollout)
        if transactions.whole_mark(rollout) in barred:
            continue
        if name.endswith(".md") and is_safe(rollout) and (known is None or known.extracted == 0):
            try:
                made = await _adopted(workspace, rollout, known)
            except BethinkError as error:
                account.remarks.append(f"{error}")
                continue
            adopted += [made] if made else []
    if adopted:
        await workspace.store.write(
            transactions.settle,
            workspace.namespace,
            location,
            Outcome(extracted=tuple(adopted)),
            writing=workspace.writing(),
        )


async def _take_lines(
    workspace: WorkspaceContext,
    rollout: str,
    rows: list[bytes],
    barred: frozenset[str],
    recorded: Counter[str],
) -> None:
    """Keep the segments of a file that are not kept yet, and were not forgotten."""
    found: list[str] = []
    twice: list[str] = []
    for each in lines(b"\n".join(rows)):
        made = parse_segments([each])[0]
        if digest(each) in barred or terminal_state(made) == "running":
            continue
        if recorded[run_digest(made)] > 0:  # a run that was kept while it went on
            recorded[run_digest(made)] -= 1
            twice.append(digest(each))
            continue
        found.append(each)
    if found:
        await workspace.store.write(
            transactions.append,
            workspace.namespace,
            workspace.location,
            rollout,
            found,
            writing=workspace.writing(),
        )
    if twice:
        await workspace.store.write(
            transactions.bar_segments,
            workspace.namespace,
            workspace.location,
            twice,
            writing=workspace.writing(),
        )


async def _adopted(workspace: WorkspaceContext, rollout: str, known: Rollout | None) -> Rollout | None:
    """Read a raw memory that somebody else made, with its summary."""
    location = workspace.location
    head, raw = memory_file_headers.read(
        text_of(await workspace.files.read(location.memory(f"raw_memories/{rollout}.md")) or b"")
    )
    named = head.get("rollout_summary_file", "")
    if head.get("rollout_id") != rollout or not raw.strip() or "/" not in named:
        return None
    slug = checked_slug(named.rpartition("/")[2].removesuffix(".md").removeprefix(f"{rollout}_"))
    header, summary = memory_file_headers.read(
        text_of(await _read_or_none(workspace, location.memory(named)) or b"")
    )
    return Rollout(
        id=rollout,
        segments=known.segments if known else 0,
        extracted=known.segments if known else 0,
        updated_at=head.get("updated_at") or "unknown",
        terminal_state=head.get("terminal_state") or "unknown",
        origin=header.get("session_id") or "adopted",
        extract=Extract(
            slug=slug or slug_of(rollout),
            summary=workspace.guard.mask(summary),
            raw=clean_text(workspace, raw, rollout)[0],
        ),
        engine="adopted",
    )


async def _read_or_none(workspace: WorkspaceContext, path: str) -> bytes | None:
    try:
        return await workspace.files.read(path)
    except BethinkError:
        return None
