"""Report the status of a workspace without changing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.workspace import transactions
from bethink.workspace.files import text_of
from bethink.workspace.values import Standing
from bethink.workspace.workspace_context import BASE, EDITED

if TYPE_CHECKING:
    from bethink.workspace.workspace_context import WorkspaceContext


async def status(workspace: WorkspaceContext) -> Standing:
    """Compare what the store holds with what lies in the files."""
    location = workspace.location
    held = await workspace.store.read(
        transactions.load, workspace.namespace, location, now=workspace.writing().now
    )
    edited: list[str] = []
    missing: list[str] = []
    for path, content in held.files.items():
        if path.startswith((location.memory("archive/"), ".bethink/")):
            continue
        found = await workspace.files.read(path)
        if found is None:
            missing.append(path)
        elif path in {location.memory(name) for name in EDITED} and content != text_of(found):
            base = await workspace.files.read(location.memory(f"{BASE}/{path.rpartition('/')[2]}"))
            edited += [path] if base != found else []
    return Standing(
        directory=workspace.files.directory or "",
        name=location.name,
        layout=location.layout,
        remembered=sum(bool(each.extract) and not each.archived for each in held.rollouts.values()),
        waiting=sum(each.extracted < each.segments for each in held.rollouts.values()),
        running=len(held.running),
        edited=tuple(edited),
        missing=tuple(missing),
    )
