"""Commit a settled workspace and rewrite its files."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from bethink.errors import BethinkError
from bethink.workspace import file_snapshots as places
from bethink.workspace import transactions
from bethink.workspace.foreign_files import foreign_files
from bethink.workspace.values import Report
from bethink.workspace.workspace_context import BASE, EDITED, MADE, MAX_KEPT, load_held

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.workspace.transactions import Outcome, StoredWorkspace
    from bethink.workspace.values import Location
    from bethink.workspace.workspace_context import ReportBuilder, WorkspaceContext


async def write_files(
    workspace: WorkspaceContext,
    held: StoredWorkspace,
    outcome: Outcome,
    files: dict[str, str],
    account: ReportBuilder,
    seen: Mapping[str, int],
    *,
    archive: bool,
) -> Report:
    """Commit first, then write the files: whatever is lost of them is written at the next open."""
    location = workspace.location
    theirs, gone_theirs = await foreign_files(workspace, held, account, seen)
    for path in gone_theirs:
        files.pop(path, None)
    files |= theirs
    stored = {path: text if _is_truth(location, path, theirs) else None for path, text in files.items()}
    logs = [each.id for each in held.rollouts.values() if each.id not in outcome.dropped and each.segments]
    paths = {location.rollout(each) for each in logs}
    bases = {location.memory(f"{BASE}/{name}"): files[location.memory(name)] for name in EDITED}
    stored |= dict.fromkeys((*paths, *bases, location.memory(f"{BASE}/lock"), location.memory(places.SEEN)))
    stored |= {path: content for path, content in held.files.items() if path.startswith(f"{BASE}/")}
    stale = [
        path
        for path in held.files
        if path not in stored
        and path not in account.left
        and not path.startswith(location.memory("archive/"))
    ]
    counts = Counter(
        workspace_learned=len(account.learned),
        workspace_forgotten=len(account.forgotten),
        workspace_caught=len(account.caught),
    )
    outcome = replace(
        outcome,
        files=stored | dict(account.kept),
        gone=tuple(stale),
        counts={name: value for name, value in counts.items() if value},
        used=tuple(account.used),
        lessons=account.lessons,
    )
    await workspace.store.write(
        transactions.settle, workspace.namespace, location, outcome, writing=workspace.writing()
    )
    hands_off = account.left | set(theirs) - set(gone_theirs) - places.deleted_files(theirs, account.there)
    written: list[str] = []
    for path, text in files.items():
        if path not in hands_off and await _put(workspace, path, text.encode("utf-8", "replace"), account):
            written.append(path)
    for path, text in bases.items():
        await _put(workspace, path, text.encode("utf-8", "replace"), account)
    under_way = {each.line for each in (await load_held(workspace)).running}
    for each in logs:
        written += [location.rollout(each)] if await _put_log(workspace, each, under_way, account) else []
    gone = {*stale, *(location.rollout(each) for each in (*outcome.dropped, *account.forgotten))} - set(paths)
    if archive:
        gone -= {location.rollout(each) for each in account.forgotten}
    gone |= await _copies(workspace, held) - set(files) - set(paths)
    removed = [path for path in sorted(gone - account.left) if await _remove(workspace, path, account)]
    await places.take_snapshot(workspace)
    return Report(
        learned=tuple(dict.fromkeys(account.learned)),
        passed=tuple(dict.fromkeys(account.passed)),
        forgotten=tuple(dict.fromkeys(account.forgotten)),
        notes=tuple(account.notes),
        dropped=tuple(account.dropped),
        undo=account.undo,
        written=tuple(written),
        removed=tuple(removed),
        caught=tuple(dict.fromkeys(account.caught)),
        engine=account.engine,
        remarks=tuple(dict.fromkeys(account.remarks)),
        used=tuple(account.used),
    )


async def _copies(workspace: WorkspaceContext, held: StoredWorkspace) -> set[str]:
    """Return what a copy of this workspace still has of conversations that were forgotten."""
    location, barred = workspace.location, transactions.barred_segments(held)
    if not barred:
        return set()
    found: set[str] = set()
    for folder in (
        location.layout.sessions_dir,
        location.memory("raw_memories"),
        location.memory("rollout_summaries"),
    ):
        for name in await workspace.files.names(folder):
            rollout = name.removesuffix(".jsonl").removesuffix(".md")
            if (
                transactions.whole_mark(rollout) in barred
                or transactions.whole_mark(rollout.rpartition("_")[0]) in barred
            ):
                found.add(f"{folder}/{name}")
    return found


def _is_truth(location: Location, path: str, theirs: Mapping[str, str]) -> bool:
    """Tell whether the store keeps a file's text, because no other row makes it."""
    made = tuple(location.memory(f"{name}/") for name in MADE)
    return path in theirs or not (path.startswith(made) or path == location.memory("raw_memories.md"))


async def _put(workspace: WorkspaceContext, path: str, data: bytes, account: ReportBuilder) -> bool:
    """Write a file where it is not so already; one that was saved since it was read is left for another round."""
    try:
        before = await workspace.files.read(path)
        if before == data:
            return False
        if path in account.edited and before != account.edited[path]:
            account.raced = True
            return False
        if not await workspace.files.write_if(path, data, before):
            account.raced = True
            return False
    except BethinkError as error:
        account.remarks.append(f"{error}")
        return False
    account.edited.pop(path, None)
    return True


async def _put_log(
    workspace: WorkspaceContext, rollout: str, under_way: set[str], account: ReportBuilder
) -> bool:
    """Write the file of a conversation; lines that only the file has were taken in before."""
    path = workspace.location.rollout(rollout)
    texts = await workspace.store.read(
        transactions.segments, workspace.namespace, workspace.location, rollout
    )
    data = "".join(f"{text}\n" for text in texts if text not in under_way).encode()
    try:
        size = await workspace.files.size(path)
        same = size == len(data)
        if not data or (same and (len(data) > MAX_KEPT or await workspace.files.read(path) == data)):
            return False
        await workspace.files.write(path, data)
    except BethinkError as error:
        account.remarks.append(f"{error}")
        return False
    return True


async def _remove(workspace: WorkspaceContext, path: str, account: ReportBuilder) -> bool:
    try:
        if await workspace.files.size(path) is None:
            return False
        await workspace.files.remove(path)
    except BethinkError as error:
        account.remarks.append(f"{error}")
        return False
    return True
