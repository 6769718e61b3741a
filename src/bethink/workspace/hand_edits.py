"""Import manual edits of memory files as changes of notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import BethinkError
from bethink.workspace import transactions
from bethink.workspace.edited_lines import compare, nearest_version
from bethink.workspace.edits import (
    SUPPRESSED,
    read_edits,
    read_suppressed,
    write_suppressed,
)
from bethink.workspace.files import text_of
from bethink.workspace.markdown import decoded
from bethink.workspace.workspace_context import BASE, EDITED

if TYPE_CHECKING:
    from bethink.notes.values import Source
    from bethink.workspace.transactions import StoredWorkspace
    from bethink.workspace.workspace_context import ReportBuilder, WorkspaceContext


async def take_edits(
    workspace: WorkspaceContext, held: StoredWorkspace, account: ReportBuilder, source: Source
) -> frozenset[str]:
    """Let edits of the files flow into notes; return what is suppressed from now on."""
    location = workspace.location
    edits: list[tuple[str, Any]] = []
    for name in EDITED:
        path = location.memory(name)
        try:
            found = await workspace.files.read(path)
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
        beside = await workspace.files.read(location.memory(f"{BASE}/{name}"))
        bases += [text_of(beside)] if beside is not None else []
        if text not in bases and text.strip():
            edits.append((path, compare(nearest_version(bases, text), text)))
        elif not text.strip() and any(each.strip() for each in bases):
            account.remarks.append(f"{path} was emptied; it is rewritten from memory")
    made = read_edits(
        edits, held.notes, location, workspace.guard, source=source, learned=held.known_lessons.active
    )
    before = read_suppressed(held.files.get(SUPPRESSED))
    account.caught += made.caught
    account.remarks += made.lost
    if made.notes:
        written, account.undo = await workspace.store.write(
            transactions.edit_notes,
            workspace.namespace,
            made.notes,
            reason="edited in files",
            writing=workspace.writing(),
        )
        account.notes += [note.id for note in written]
        account.dropped += made.notes.gone
    after = before | made.suppressed
    if after != before:
        await workspace.store.write(
            transactions.put_files,
            workspace.namespace,
            location,
            {SUPPRESSED: write_suppressed(after)},
            (),
            writing=workspace.writing(),
        )
    return after
