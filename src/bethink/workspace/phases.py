"""Run phase one for each conversation, then phase two over all."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bethink.workspace import memory_file_headers, selection, transactions
from bethink.workspace.edits import (
    by_hand,
    is_suppressed,
)
from bethink.workspace.file_writing import write_files
from bethink.workspace.lesson_notes import lessons_as_notes
from bethink.workspace.rollouts import digest
from bethink.workspace.values import Generate, Report, Rollout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.workspace.phase_engines import Extracted
    from bethink.workspace.transactions import Outcome, StoredWorkspace
    from bethink.workspace.workspace_context import ReportBuilder, WorkspaceContext

MERGED: Final = ".bethink/merged.json"  #: where the store keeps of what the memory was made
LESSONS: Final = ".bethink/lessons.json"  #: and what a model found in each conversation
MAX_TRIES: Final = 3  #: of a model, for one conversation


async def phase_one(
    workspace: WorkspaceContext, held: StoredWorkspace, account: ReportBuilder
) -> list[Rollout]:
    """Read every conversation that went on since it was read."""
    made: list[Rollout] = []
    for each in held.rollouts.values():
        again = each.engine == "rules (the model failed)" and each.tries < MAX_TRIES and workspace.phases.asks
        if each.running or (each.extracted >= each.segments and not again) or not each.segments:
            continue
        texts = await workspace.store.read(
            transactions.segments, workspace.namespace, workspace.location, each.id
        )
        found: Extracted = await workspace.store.call(
            workspace.phases.extract, each, texts, group=workspace.location.name, now=workspace.clock()
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
                origin=each.origin or workspace.origin,
                extract=found.extract,
                engine="rules (the model failed)" if found.failed else found.engine,
                archived=False,
            )
        )
    return made


async def phase_two(
    workspace: WorkspaceContext,
    held: StoredWorkspace,
    outcome: Outcome,
    suppressed: frozenset[str],
    account: ReportBuilder,
    seen: Mapping[str, int],
) -> Report:
    """Choose what is remembered, make one memory of it, and write the files."""
    location, generate = workspace.location, workspace.generate
    most = (
        generate.max_raw_memories_for_consolidation
        if generate
        else Generate().max_raw_memories_for_consolidation
    )
    remembered = [each for each in held.rollouts.values() if each.extract and not each.archived]
    chosen, beyond = selection.select_conversations(remembered, most)
    empty = [
        each
        for each in held.rollouts.values()
        if not each.extract and each.extracted >= each.segments and not each.running and not each.archived
    ]
    if generate is None:
        chosen, beyond = selection.newest_first(remembered), []
    else:
        beyond += selection.select_conversations(empty, most)[1]
    merged = await _merged(workspace, held, chosen, suppressed, account)
    files = _rendered(workspace, held, chosen, merged)
    archive = generate is not None and generate.forgotten == "archive"
    outcome = replace(outcome, dropped=() if archive else tuple(each.id for each in beyond))
    if archive:
        archived = [replace(each, archived=True) for each in beyond]
        kept = {each.id: each for each in outcome.extracted} | {each.id: each for each in archived}
        outcome = replace(outcome, extracted=tuple(kept.values()))
        for each in archived:
            if each.extract:
                files[location.memory(f"archive/{each.id}.md")] = memory_file_headers.raw_file(
                    each, location.rollout(each.id)
                )
    account.forgotten += [each.id for each in beyond]
    return await write_files(workspace, held, outcome, files, account, seen, archive=archive)


async def _merged(
    workspace: WorkspaceContext,
    held: StoredWorkspace,
    chosen: list[Rollout],
    suppressed: frozenset[str],
    account: ReportBuilder,
) -> dict[str, str]:
    """Return the files that phase two makes; where nothing that it reads is new, those that it made before."""
    own = by_hand([note for note in held.notes if note.id not in held.known_lessons.active])
    before = json.loads(held.files.get(MERGED) or "{}")
    by = workspace.phases.identity if workspace.generate is not None else before.get("by", "rules")
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
    location = workspace.location
    kept = {name: held.files.get(location.memory(name)) for name in before.get("files", ())}
    same = before.get("sign") == sign and (before.get("whole") or workspace.generate is None)
    if same and all(text is not None for text in kept.values()):
        account.engine = before["engine"]
        account.kept |= {name: held.files[name] or "" for name in (MERGED, LESSONS) if held.files.get(name)}
        return {name: text or "" for name, text in kept.items()}
    made = await workspace.store.call(
        workspace.phases.merge,
        chosen,
        lessons=held.files.get(LESSONS) or "",
        by_hand=own,
        suppressed=is_suppressed(suppressed),
        now=workspace.clock(),
    )
    account.caught += made.caught
    account.remarks += made.remarks
    account.used += made.used
    account.engine = made.engine
    account.lessons = lessons_as_notes(
        made.consolidated.lessons, workspace.location, workspace.guard, transactions.MARK, workspace.admission
    )
    files = {"MEMORY.md": made.consolidated.memory, "memory_summary.md": made.consolidated.summary}
    for name, text in made.consolidated.skills.items():
        files[f"skills/{name}/SKILL.md"] = text
    entry = {"by": by, "sign": sign, "whole": made.whole, "engine": made.engine, "files": sorted(files)}
    account.kept |= {MERGED: json.dumps(entry), LESSONS: made.lessons}
    return files


def _rendered(
    workspace: WorkspaceContext, held: StoredWorkspace, chosen: list[Rollout], merged: Mapping[str, str]
) -> dict[str, str]:
    """Return every file of the memories, by its path from the root."""
    location = workspace.location
    files = {location.memory(name): text for name, text in merged.items()}
    raws: list[str] = []
    for each in chosen:
        raw = memory_file_headers.raw_file(each, location.rollout(each.id))
        raws.append(raw.rstrip("\n"))
        files[location.memory(f"raw_memories/{each.id}.md")] = raw
        files[location.memory(each.summary_file)] = memory_file_headers.summary_file(
            each, location.rollout(each.id)
        )
    if raws:
        files[location.memory("raw_memories.md")] = "\n\n".join(raws)
    elif location.memory("raw_memories.md") in files:
        del files[location.memory("raw_memories.md")]
    path = location.memory("phase_two_selection.json")
    before = held.files.get(path)
    unchanged = before is not None and selection.same_selection(before, chosen, location)
    if workspace.generate is not None:
        files[path] = (
            before
            if unchanged and before
            else selection.to_json(chosen, location, workspace.clock().isoformat())
        )
    return files
