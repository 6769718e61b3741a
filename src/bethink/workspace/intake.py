"""Take in what lies in the files of a workspace: runs, removals, segments, raw memories."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bethink.errors import BethinkError
from bethink.workspace import headers, transactions
from bethink.workspace.bench import cleaned, load_held
from bethink.workspace.files import text_of
from bethink.workspace.identity import checked_slug, is_safe, slug_of
from bethink.workspace.liveness import is_ours, is_over
from bethink.workspace.notebook import MAX_REMOVALS
from bethink.workspace.rollouts import digest, gist, lines, parsed, terminal_state
from bethink.workspace.transactions import Outcome
from bethink.workspace.values import Extract, Rollout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.workspace.bench import Account, Bench


async def end_runs(bench: Bench, *, closing: bool) -> None:
    """Close the runs that a crash, or a caller who never came back, left open."""
    held = await load_held(bench)
    now = bench.writing().now
    ended = [
        (each, _cut_off(parsed([each.line])[0]))
        for each in held.running
        if is_over(each, now=now) or (closing and is_ours(each))
    ]
    if ended:
        await bench.store.write(
            transactions.end_runs, bench.namespace, bench.spot, ended, writing=bench.writing()
        )


def _cut_off(segment: dict[str, Any]) -> dict[str, Any]:
    told = dict(segment.get("terminal_metadata") or {})
    if told.get("terminal_state") in {None, "running"}:
        told["terminal_state"] = "interrupted" if segment.get("interruptions") else "cancelled"
    return {**segment, "terminal_metadata": told}


async def forget_removed(bench: Bench, seen: Mapping[str, int], account: Account) -> None:
    """Forget the conversations whose files somebody removed here, where this place had them when it was left."""
    spot = bench.spot
    folder = spot.layout.sessions_dir
    there = {f"{folder}/{name}" for name in await bench.files.names(folder)}
    held = await load_held(bench)
    gone = [
        rollout
        for rollout, each in held.rollouts.items()
        if spot.rollout(rollout) in seen and spot.rollout(rollout) not in there and not each.running
    ]
    above, _, name = folder.rpartition("/")
    if not gone or bench.generate is None or f"{name}/" not in await bench.files.names(above):
        return
    if len(gone) > MAX_REMOVALS:
        account.remarks.append(
            f"{len(gone)} files of conversations are missing from {folder}/ and are written again; to forget one, run "
            "`bethink workspace forget DIR CONVERSATION`"
        )
        return
    await bench.store.write(transactions.forget, bench.namespace, spot, gone, writing=bench.writing())
    account.forgotten += gone


async def take_in(bench: Bench, seen: Mapping[str, int], account: Account) -> None:
    """Take over what others left: segments of an earlier sandbox, and raw memories that a model made."""
    spot, files = bench.spot, bench.files
    if bench.generate is None:
        return
    held = await load_held(bench)
    barred = transactions.barred(held)
    recorded = Counter(bench.recorded)
    for name in await files.names(spot.layout.sessions_dir):
        rollout, path = name.removesuffix(".jsonl"), spot.layout.sessions_dir + "/" + name
        if not name.endswith(".jsonl") or not is_safe(rollout):
            continue
        try:
            size = await files.size(path)
            if size == seen.get(path) and rollout in held.rollouts:
                continue
            async for some in files.rows(path):
                await _take_lines(bench, rollout, some, barred, recorded)
        except BethinkError as error:
            account.remarks.append(f"{error}")
    await _adopt(bench, account)


async def _adopt(bench: Bench, account: Account) -> None:
    """Take over raw memories that somebody else made."""
    spot, files = bench.spot, bench.files
    held = await load_held(bench)
    barred = transactions.barred(held)
    adopted: list[Rollout] = []
    for name in await files.names(spot.memory("raw_memories")):
        rollout = name.removesuffix(".md")
        known = held.rollouts.get(rollout)
        if transactions.whole(rollout) in barred:
            continue
        if name.endswith(".md") and is_safe(rollout) and (known is None or known.extracted == 0):
            try:
                made = await _adopted(bench, rollout, known)
            except BethinkError as error:
                account.remarks.append(f"{error}")
                continue
            adopted += [made] if made else []
    if adopted:
        await bench.store.write(
            transactions.settle,
            bench.namespace,
            spot,
            Outcome(extracted=tuple(adopted)),
            writing=bench.writing(),
        )


async def _take_lines(
    bench: Bench, rollout: str, rows: list[bytes], barred: frozenset[str], recorded: Counter[str]
) -> None:
    """Keep the segments of a file that are not kept yet, and were not forgotten."""
    found: list[str] = []
    twice: list[str] = []
    for each in lines(b"\n".join(rows)):
        made = parsed([each])[0]
        if digest(each) in barred or terminal_state(made) == "running":
            continue
        if recorded[gist(made)] > 0:  # a run that was kept while it went on
            recorded[gist(made)] -= 1
            twice.append(digest(each))
            continue
        found.append(each)
    if found:
        await bench.store.write(
            transactions.append, bench.namespace, bench.spot, rollout, found, writing=bench.writing()
        )
    if twice:
        await bench.store.write(transactions.bar, bench.namespace, bench.spot, twice, writing=bench.writing())


async def _adopted(bench: Bench, rollout: str, known: Rollout | None) -> Rollout | None:
    """Read a raw memory that somebody else made, with its summary."""
    spot = bench.spot
    head, raw = headers.read(
        text_of(await bench.files.read(spot.memory(f"raw_memories/{rollout}.md")) or b"")
    )
    named = head.get("rollout_summary_file", "")
    if head.get("rollout_id") != rollout or not raw.strip() or "/" not in named:
        return None
    slug = checked_slug(named.rpartition("/")[2].removesuffix(".md").removeprefix(f"{rollout}_"))
    told, summary = headers.read(text_of(await _read_or_none(bench, spot.memory(named)) or b""))
    return Rollout(
        id=rollout,
        segments=known.segments if known else 0,
        extracted=known.segments if known else 0,
        updated_at=head.get("updated_at") or "unknown",
        terminal_state=head.get("terminal_state") or "unknown",
        origin=told.get("session_id") or "adopted",
        extract=Extract(
            slug=slug or slug_of(rollout),
            summary=bench.guard.mask(summary),
            raw=cleaned(bench, raw, rollout)[0],
        ),
        engine="adopted",
    )


async def _read_or_none(bench: Bench, path: str) -> bytes | None:
    try:
        return await bench.files.read(path)
    except BethinkError:
        return None
