"""Settle a workspace: take in what lies in its files, run the two phases, and write the files anew."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import BethinkError, ConflictError, InvalidError, NotFoundError
from bethink.workspace import headers, selection, transactions
from bethink.workspace import presence as places
from bethink.workspace.edits import (
    SUPPRESSED,
    by_hand,
    is_suppressed,
    read_suppressed,
    taken,
    write_suppressed,
)
from bethink.workspace.files import text_of
from bethink.workspace.identity import checked_slug, is_safe, slug_of
from bethink.workspace.lesson_notes import teachings
from bethink.workspace.lines import compare, nearest
from bethink.workspace.liveness import is_ours, is_over
from bethink.workspace.markdown import decoded
from bethink.workspace.notebook import MAX_REMOVALS
from bethink.workspace.rollouts import digest, gist, line, lines, parsed, terminal_state
from bethink.workspace.transactions import Held, Outcome
from bethink.workspace.truncation import SUMMARY_TOKENS, middle_out
from bethink.workspace.values import Caught, Extract, Generate, Report, Rollout

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from bethink.lifecycle.guard import Guard
    from bethink.lifecycle.token_budget import Budget
    from bethink.lifecycle.values import ModelUse
    from bethink.notes.values import Admission, Source
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.storage.stores import Store
    from bethink.workspace.files import Files
    from bethink.workspace.lesson_notes import Teaching
    from bethink.workspace.phases import Extracted, Phases
    from bethink.workspace.values import Spot

EDITED: Final = ("MEMORY.md", "memory_summary.md")  #: what people and agents may change
BASE: Final = ".bethink"  #: where the last state of those lies, beside them, and the lock
MERGED: Final = ".bethink/merged.json"  #: where the store keeps of what the memory was made
LESSONS: Final = ".bethink/lessons.json"  #: and what a model found in each conversation
LEASE_SECONDS: Final = 30
MAX_TRIES: Final = 3  #: of a model, for one conversation
MAX_CALLS: Final = 1_000  #: of models, in one settling: as many conversations may wait
MAX_KEPT: Final = 1024 * 1024  #: bytes of a file that somebody else put beside ours
ROUNDS: Final = 3  #: in one settling, where somebody saves a file meanwhile
_MADE: Final = ("raw_memories", "rollout_summaries", "archive", BASE)


@dataclass(frozen=True, kw_only=True)
class Bench:
    """What a workspace is worked on with."""

    store: Store
    namespace: Namespace
    spot: Spot
    files: Files
    guard: Guard
    phases: Phases
    generate: Generate | None
    daily_tokens: int | None
    admission: Admission = "active"  #: what lessons may do at once
    origin: str = ""  #: the sandbox session that summaries name
    read_only: bool = False
    recorded: Mapping[str, int] = field(
        default_factory=dict[str, int]
    )  #: runs that are kept already, by their gist
    writing: Callable[[], Writing]
    clock: Callable[[], datetime]


@dataclass(slots=True)
class _Account:
    """What comes together on the way to a report."""

    learned: list[str] = field(default_factory=list[str])
    passed: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    dropped: list[str] = field(default_factory=list[str])
    caught: list[Caught] = field(default_factory=list[Caught])
    remarks: list[str] = field(default_factory=list[str])
    used: list[ModelUse] = field(default_factory=list["ModelUse"])
    engine: str = "rules"
    undo: str = ""
    raced: bool = False  #: somebody saved a file while this went on
    forgotten: list[str] = field(default_factory=list[str])
    edited: dict[str, bytes | None] = field(default_factory=dict[str, "bytes | None"])  #: as they were read
    left: set[str] = field(default_factory=set[str])  #: files that are not touched
    there: set[str] = field(default_factory=set[str])  #: files of others that lie there
    kept: dict[str, str] = field(default_factory=dict[str, str])  #: what the phases keep for the next time
    lessons: tuple[Teaching, ...] | None = None  #: None: they are what they were


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
    async with bench.files.locked(spot.memory(f"{BASE}/lock")), _Lease(bench):
        account = _Account()
        await _end_runs(bench, closing=closing)
        report = await _round(bench, account, source)
        for _ in range(ROUNDS - 1):
            if not account.raced:
                break
            account.raced = False
            report = await _round(bench, account, source)
        return report


async def _round(bench: Bench, account: _Account, source: Source) -> Report:
    """Take in, make memory and write once; what somebody saves meanwhile is taken in by another round."""
    seen = await places.seen(bench)
    await _forget_removed(bench, seen, account)
    await _take_in(bench, seen, account)
    held = await _held(bench)
    suppressed = await _take_edits(bench, held, account, source)
    held = await _held(bench)
    suppressed |= held.taught.removed
    outcome = Outcome(directory=bench.files.directory)
    bench = replace(bench, phases=bench.phases.within(await _budget(bench)))
    if bench.generate is not None:
        extracted = await _phase_one(bench, held, account)
        held = replace(held, rollouts={**held.rollouts, **{each.id: each for each in extracted}})
        outcome = replace(outcome, extracted=tuple(extracted))
    return await _phase_two(bench, held, outcome, suppressed, account, seen)


async def _held(bench: Bench) -> Held:
    now = bench.writing().now
    return await bench.store.read(transactions.load, bench.namespace, bench.spot, now=now)


async def _budget(bench: Bench) -> Budget:
    """Return what the models of the phases may still take today."""
    from bethink.lifecycle.spend_cap import left_today

    left = await left_today(bench.store, bench.namespace, bench.daily_tokens, now=bench.writing().now)
    return replace(left, calls=MAX_CALLS)


class _Lease:
    """Keeps two machines from settling one workspace at once, where no lock of files does."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._holder = ""

    async def __aenter__(self) -> None:
        from bethink.lifecycle.transactions import take_lease

        bench = self._bench
        if (
            bench.files.directory is not None
        ):  # a lock of the directory ends with its holder, whatever happens
            return
        writing = bench.writing()
        self._holder = str(writing.fresh())
        until = writing.now + LEASE_SECONDS * 1_000_000
        if not await bench.store.write(
            take_lease, bench.namespace, self._name, self._holder, until, writing=writing
        ):
            raise ConflictError(
                "another worker is consolidating this workspace; try again when it is done", reason="leased"
            )

    async def __aexit__(self, *_: object) -> None:
        from bethink.lifecycle.transactions import drop_lease

        if self._holder:
            await self._bench.store.write(drop_lease, self._bench.namespace, self._name, self._holder)

    @property
    def _name(self) -> str:
        return f"workspace {self._bench.spot.key}"


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


# ---- what lies in the files ---------------------------------------------------------------------------------


async def _end_runs(bench: Bench, *, closing: bool) -> None:
    """Close the runs that a crash, or a caller who never came back, left open."""
    held = await _held(bench)
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


async def _forget_removed(bench: Bench, seen: Mapping[str, int], account: _Account) -> None:
    """Forget the conversations whose files somebody removed here, where this place had them when it was left."""
    spot = bench.spot
    folder = spot.layout.sessions_dir
    there = {f"{folder}/{name}" for name in await bench.files.names(folder)}
    held = await _held(bench)
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


async def _take_in(bench: Bench, seen: Mapping[str, int], account: _Account) -> None:
    """Take over what others left: segments of an earlier sandbox, and raw memories that a model made."""
    spot, files = bench.spot, bench.files
    if bench.generate is None:
        return
    held = await _held(bench)
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


async def _adopt(bench: Bench, account: _Account) -> None:
    """Take over raw memories that somebody else made."""
    spot, files = bench.spot, bench.files
    held = await _held(bench)
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
            raw=_safe(bench, raw, rollout)[0],
        ),
        engine="adopted",
    )


async def _read_or_none(bench: Bench, path: str) -> bytes | None:
    try:
        return await bench.files.read(path)
    except BethinkError:
        return None


def _safe(bench: Bench, text: str, place: str) -> tuple[str, list[Caught]]:
    """Return a text without secrets and without lines that give orders."""
    from bethink.workspace.safety import safe

    return safe(text, bench.guard, place)


async def _take_edits(bench: Bench, held: Held, account: _Account, source: Source) -> frozenset[str]:
    """Let edits of the files flow into notes; return what is suppressed from now on."""
    spot = bench.spot
    edits: list[tuple[str, Any]] = []
    for name in EDITED:
        path = spot.memory(name)
        try:
            found = await bench.files.read(path)
        except BethinkError as error:
            account.remarks.append(f"{error}")
            account.left.add(path)
            continue
        account.edited[path] = found
        if found is None:
            continue
        if decoded(found) is None:
            account.remarks.append(
                f"{path} is not valid UTF-8 and was left unchanged; save it as UTF-8, or remove it"
            )
            account.left.add(path)
            continue
        text = text_of(found)
        bases = [held.files.get(path) or ""]
        beside = await bench.files.read(spot.memory(f"{BASE}/{name}"))
        bases += [text_of(beside)] if beside is not None else []
        if text not in bases and text.strip():
            edits.append((path, compare(nearest(bases, text), text)))
        elif not text.strip() and any(each.strip() for each in bases):
            account.remarks.append(f"{path} was emptied; it is rewritten from memory")
    made = taken(edits, held.notes, spot, bench.guard, source=source, learned=held.taught.standing)
    before = read_suppressed(held.files.get(SUPPRESSED))
    account.caught += made.caught
    account.remarks += made.lost
    if made.notes:
        written, account.undo = await bench.store.write(
            transactions.edit_notes,
            bench.namespace,
            made.notes,
            reason="edited in files",
            writing=bench.writing(),
        )
        account.notes += [note.id for note in written]
        account.dropped += made.notes.gone
    after = before | made.suppressed
    if after != before:
        await bench.store.write(
            transactions.put_files,
            bench.namespace,
            spot,
            {SUPPRESSED: write_suppressed(after)},
            (),
            writing=bench.writing(),
        )
    return after


# ---- the phases ---------------------------------------------------------------------------------------------


async def _phase_one(bench: Bench, held: Held, account: _Account) -> list[Rollout]:
    """Read every conversation that went on since it was read."""
    made: list[Rollout] = []
    for each in held.rollouts.values():
        again = each.engine == "rules (the model failed)" and each.tries < MAX_TRIES and bench.phases.asks
        if each.running or (each.extracted >= each.segments and not again) or not each.segments:
            continue
        texts = await bench.store.read(transactions.segments, bench.namespace, bench.spot, each.id)
        found: Extracted = await bench.store.call(
            bench.phases.extract, each, texts, group=bench.spot.name, now=bench.clock()
        )
        account.caught += found.caught
        account.remarks += found.remarks
        account.used += found.used
        (account.learned if found.extract else account.passed).append(each.id)
        made.append(
            replace(
                each,
                extracted=each.segments,
                tries=each.tries + 1 if found.failed else 0,
                origin=each.origin or bench.origin,
                extract=found.extract,
                engine="rules (the model failed)" if found.failed else found.engine,
                archived=False,
            )
        )
    return made


async def _phase_two(
    bench: Bench,
    held: Held,
    outcome: Outcome,
    suppressed: frozenset[str],
    account: _Account,
    seen: Mapping[str, int],
) -> Report:
    """Choose what is remembered, make one memory of it, and write the files."""
    spot, generate = bench.spot, bench.generate
    most = (
        generate.max_raw_memories_for_consolidation
        if generate
        else Generate().max_raw_memories_for_consolidation
    )
    remembered = [each for each in held.rollouts.values() if each.extract and not each.archived]
    chosen, beyond = selection.chosen(remembered, most)
    empty = [
        each
        for each in held.rollouts.values()
        if not each.extract and each.extracted >= each.segments and not each.running and not each.archived
    ]
    if generate is None:
        chosen, beyond = selection.newest_first(remembered), []
    else:
        beyond += selection.chosen(empty, most)[1]
    merged = await _merged(bench, held, chosen, suppressed, account)
    files = _rendered(bench, held, chosen, merged)
    archive = generate is not None and generate.forgotten == "archive"
    outcome = replace(outcome, dropped=() if archive else tuple(each.id for each in beyond))
    if archive:
        archived = [replace(each, archived=True) for each in beyond]
        kept = {each.id: each for each in outcome.extracted} | {each.id: each for each in archived}
        outcome = replace(outcome, extracted=tuple(kept.values()))
        for each in archived:
            if each.extract:
                files[spot.memory(f"archive/{each.id}.md")] = headers.raw_file(each, spot.rollout(each.id))
    account.forgotten += [each.id for each in beyond]
    return await _write(bench, held, outcome, files, account, seen, archive=archive)


async def _merged(
    bench: Bench, held: Held, chosen: list[Rollout], suppressed: frozenset[str], account: _Account
) -> dict[str, str]:
    """Return the files that phase two makes; where nothing that it reads is new, those that it made before."""
    own = by_hand([note for note in held.notes if note.id not in held.taught.standing])
    before = json.loads(held.files.get(MERGED) or "{}")
    by = bench.phases.identity if bench.generate is not None else before.get("by", "rules")
    sign = digest(
        json.dumps(
            [
                "lessons are notes",
                by,
                [[each.id, each.updated_at, each.terminal_state, each.summary_file] for each in chosen],
                [[each.extract.summary, each.extract.raw] for each in chosen if each.extract],
                [[each.section, each.text] for each in own],
                sorted(suppressed),
            ]
        )
    )
    spot = bench.spot
    kept = {name: held.files.get(spot.memory(name)) for name in before.get("files", ())}
    same = before.get("sign") == sign and (before.get("whole") or bench.generate is None)
    if same and all(text is not None for text in kept.values()):
        account.engine = before["engine"]
        account.kept |= {name: held.files[name] or "" for name in (MERGED, LESSONS) if held.files.get(name)}
        return {name: text or "" for name, text in kept.items()}
    made = await bench.store.call(
        bench.phases.merge,
        chosen,
        lessons=held.files.get(LESSONS) or "",
        by_hand=own,
        suppressed=is_suppressed(suppressed),
        now=bench.clock(),
    )
    account.caught += made.caught
    account.remarks += made.remarks
    account.used += made.used
    account.engine = made.engine
    account.lessons = teachings(
        made.consolidated.lessons, bench.spot, bench.guard, transactions.MARK, bench.admission
    )
    files = {"MEMORY.md": made.consolidated.memory, "memory_summary.md": made.consolidated.summary}
    for name, text in made.consolidated.skills.items():
        files[f"skills/{name}/SKILL.md"] = text
    told = {"by": by, "sign": sign, "whole": made.whole, "engine": made.engine, "files": sorted(files)}
    account.kept |= {MERGED: json.dumps(told), LESSONS: made.lessons}
    return files


def _rendered(bench: Bench, held: Held, chosen: list[Rollout], merged: Mapping[str, str]) -> dict[str, str]:
    """Return every file of the memories, by its path from the root."""
    spot = bench.spot
    files = {spot.memory(name): text for name, text in merged.items()}
    raws: list[str] = []
    for each in chosen:
        raw = headers.raw_file(each, spot.rollout(each.id))
        raws.append(raw.rstrip("\n"))
        files[spot.memory(f"raw_memories/{each.id}.md")] = raw
        files[spot.memory(each.summary_file)] = headers.summary_file(each, spot.rollout(each.id))
    if raws:
        files[spot.memory("raw_memories.md")] = "\n\n".join(raws)
    elif spot.memory("raw_memories.md") in files:
        del files[spot.memory("raw_memories.md")]
    path = spot.memory("phase_two_selection.json")
    before = held.files.get(path)
    unchanged = before is not None and selection.same(before, chosen, spot)
    if bench.generate is not None:
        files[path] = (
            before if unchanged and before else selection.to_json(chosen, spot, bench.clock().isoformat())
        )
    return files


async def _write(
    bench: Bench,
    held: Held,
    outcome: Outcome,
    files: dict[str, str],
    account: _Account,
    seen: Mapping[str, int],
    *,
    archive: bool,
) -> Report:
    """Commit first, then write the files: whatever is lost of them is written at the next open."""
    spot = bench.spot
    theirs, gone_theirs = await _strangers(bench, held, account, seen)
    for path in gone_theirs:
        files.pop(path, None)
    files |= theirs
    stored = {path: text if _is_truth(spot, path, theirs) else None for path, text in files.items()}
    logs = [each.id for each in held.rollouts.values() if each.id not in outcome.dropped and each.segments]
    paths = {spot.rollout(each) for each in logs}
    bases = {spot.memory(f"{BASE}/{name}"): files[spot.memory(name)] for name in EDITED}
    stored |= dict.fromkeys((*paths, *bases, spot.memory(f"{BASE}/lock"), spot.memory(places.SEEN)))
    stored |= {path: content for path, content in held.files.items() if path.startswith(f"{BASE}/")}
    stale = [
        path
        for path in held.files
        if path not in stored and path not in account.left and not path.startswith(spot.memory("archive/"))
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
    await bench.store.write(transactions.settle, bench.namespace, spot, outcome, writing=bench.writing())
    hands_off = account.left | set(theirs) - set(gone_theirs) - places.lost(theirs, account.there)
    written: list[str] = []
    for path, text in files.items():
        if path not in hands_off and await _put(bench, path, text.encode("utf-8", "replace"), account):
            written.append(path)
    for path, text in bases.items():
        await _put(bench, path, text.encode("utf-8", "replace"), account)
    under_way = {each.line for each in (await _held(bench)).running}
    for each in logs:
        written += [spot.rollout(each)] if await _put_log(bench, each, under_way, account) else []
    gone = {*stale, *(spot.rollout(each) for each in (*outcome.dropped, *account.forgotten))} - set(paths)
    if archive:
        gone -= {spot.rollout(each) for each in account.forgotten}
    gone |= await _copies(bench, held) - set(files) - set(paths)
    removed = [path for path in sorted(gone - account.left) if await _remove(bench, path, account)]
    await places.note(bench)
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


async def _copies(bench: Bench, held: Held) -> set[str]:
    """Return what a copy of this workspace still has of conversations that were forgotten."""
    spot, barred = bench.spot, transactions.barred(held)
    if not barred:
        return set()
    found: set[str] = set()
    for folder in (spot.layout.sessions_dir, spot.memory("raw_memories"), spot.memory("rollout_summaries")):
        for name in await bench.files.names(folder):
            rollout = name.removesuffix(".jsonl").removesuffix(".md")
            if (
                transactions.whole(rollout) in barred
                or transactions.whole(rollout.rpartition("_")[0]) in barred
            ):
                found.add(f"{folder}/{name}")
    return found


def _is_truth(spot: Spot, path: str, theirs: Mapping[str, str]) -> bool:
    """Tell whether the store keeps a file's text, because no other row makes it."""
    made = tuple(spot.memory(f"{name}/") for name in _MADE)
    return path in theirs or not (path.startswith(made) or path == spot.memory("raw_memories.md"))


async def _strangers(
    bench: Bench, held: Held, account: _Account, seen: Mapping[str, int]
) -> tuple[dict[str, str], list[str]]:
    """Return the files that somebody put beside ours, as the store keeps them, and those that somebody removed.

    On the disk they stay as they are; the store keeps them without the secrets in them. One that is too large, or is
    no text, is left alone.
    """
    spot = bench.spot
    found: dict[str, str] = {}
    folders = [""]
    while folders:
        folder = folders.pop()
        for name in await bench.files.names(spot.memory(folder) if folder else spot.layout.memories_dir):
            below = f"{folder}/{name}" if folder else name
            if name.startswith(".") or below.removesuffix("/") in _MADE:
                continue
            if name.endswith("/"):
                folders.append(below.removesuffix("/"))
                continue
            path = spot.memory(below)
            if (name in EDITED and not folder) or path.endswith(
                ("raw_memories.md", "phase_two_selection.json")
            ):
                continue
            account.there.add(path)
            text = await _stranger(bench, path, account)
            if text is None:
                account.left.add(path)
                continue
            masked, caught = _safe(bench, text, path) if held.files.get(path) != text else (text, [])
            account.caught += caught
            found[path] = masked
    kept = [
        path
        for path, content in held.files.items()
        if content is not None
        and path.startswith(f"{spot.layout.memories_dir}/")
        and path not in found
        and path not in account.left
        and not _is_ours(spot, path)
    ]
    gone = [path for path in kept if path in seen]
    if len(gone) > MAX_REMOVALS:
        account.remarks.append(
            f"{len(gone)} files are missing from {spot.layout.memories_dir}/ and are written again"
        )
        gone = []
    found |= {path: held.files[path] or "" for path in kept if path not in gone}
    return found, gone


async def _stranger(bench: Bench, path: str, account: _Account) -> str | None:
    """Return the text of a file that is not ours; None where it is not one that memory is made of."""
    try:
        size = await bench.files.size(path)
        if size is not None and size > MAX_KEPT:
            account.remarks.append(
                f"{path} was left unchanged: it has {size} bytes, but at most {MAX_KEPT} are kept of a file"
            )
            return None
        data = await bench.files.read(path) or b""
    except BethinkError as error:
        account.remarks.append(f"{error}")
        return None
    if not path.endswith((".md", ".txt", ".json")):
        return None
    text = decoded(data)
    if text is None:
        account.remarks.append(f"{path} was left unchanged: it is not valid UTF-8")
    return text


def _is_ours(spot: Spot, path: str) -> bool:
    below = path.removeprefix(f"{spot.layout.memories_dir}/")
    return below in {*EDITED, "raw_memories.md", "phase_two_selection.json"} or below.startswith(
        tuple(f"{each}/" for each in _MADE)
    )


async def _put(bench: Bench, path: str, data: bytes, account: _Account) -> bool:
    """Write a file where it is not so already; one that was saved since it was read is left for another round."""
    try:
        before = await bench.files.read(path)
        if before == data:
            return False
        if path in account.edited and before != account.edited[path]:
            account.raced = True
            return False
        if not await bench.files.write_if(path, data, before):
            account.raced = True
            return False
    except BethinkError as error:
        account.remarks.append(f"{error}")
        return False
    account.edited.pop(path, None)
    return True


async def _put_log(bench: Bench, rollout: str, under_way: set[str], account: _Account) -> bool:
    """Write the file of a conversation; lines that only the file has were taken in before."""
    path = bench.spot.rollout(rollout)
    texts = await bench.store.read(transactions.segments, bench.namespace, bench.spot, rollout)
    data = "".join(f"{text}\n" for text in texts if text not in under_way).encode()
    try:
        size = await bench.files.size(path)
        same = size == len(data)
        if not data or (same and (len(data) > MAX_KEPT or await bench.files.read(path) == data)):
            return False
        await bench.files.write(path, data)
    except BethinkError as error:
        account.remarks.append(f"{error}")
        return False
    return True


async def _remove(bench: Bench, path: str, account: _Account) -> bool:
    try:
        if await bench.files.size(path) is None:
            return False
        await bench.files.remove(path)
    except BethinkError as error:
        account.remarks.append(f"{error}")
        return False
    return True


# ---- runs ---------------------------------------------------------------------------------------------------


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
    if rollout not in (await _held(bench)).rollouts:
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
        text_of(found or b"").strip() if found is not None else ((await _held(bench)).files.get(path) or "")
    )
    return middle_out(bench.guard.mask(text), SUMMARY_TOKENS) if text else ""
