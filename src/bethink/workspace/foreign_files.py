"""Keep other people's files beside those of a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.errors import BethinkError
from bethink.workspace.markdown import decoded
from bethink.workspace.notebook import MAX_REMOVALS
from bethink.workspace.workspace_context import EDITED, MADE, MAX_KEPT, clean_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.workspace.transactions import StoredWorkspace
    from bethink.workspace.values import Location
    from bethink.workspace.workspace_context import ReportBuilder, WorkspaceContext


async def foreign_files(
    workspace: WorkspaceContext, held: StoredWorkspace, account: ReportBuilder, seen: Mapping[str, int]
) -> tuple[dict[str, str], list[str]]:
    """Return the files that somebody put beside ours, as the store keeps them, and those that somebody removed.

    On the disk they stay as they are; the store keeps them without the secrets in them. One that is too large, or is
    no text, is left alone.
    """
    location = workspace.location
    found: dict[str, str] = {}
    folders = [""]
    while folders:
        folder = folders.pop()
        for name in await workspace.files.names(
            location.memory(folder) if folder else location.layout.memories_dir
        ):
            below = f"{folder}/{name}" if folder else name
            if name.startswith(".") or below.removesuffix("/") in MADE:
                continue
            if name.endswith("/"):
                folders.append(below.removesuffix("/"))
                continue
            path = location.memory(below)
            if (name in EDITED and not folder) or path.endswith(
                ("raw_memories.md", "phase_two_selection.json")
            ):
                continue
            account.there.add(path)
            text = await _stranger(workspace, path, account)
            if text is None:
                account.left.add(path)
                continue
            masked, caught = clean_text(workspace, text, path) if held.files.get(path) != text else (text, [])
            account.caught += caught
            found[path] = masked
    kept = [
        path
        for path, content in held.files.items()
        if content is not None
        and path.startswith(f"{location.layout.memories_dir}/")
        and path not in found
        and path not in account.left
        and not _is_ours(location, path)
    ]
    gone = [path for path in kept if path in seen]
    if len(gone) > MAX_REMOVALS:
        account.remarks.append(
            f"{len(gone)} files are missing from {location.layout.memories_dir}/ and are written again"
        )
        gone = []
    found |= {path: held.files[path] or "" for path in kept if path not in gone}
    return found, gone


async def _stranger(workspace: WorkspaceContext, path: str, account: ReportBuilder) -> str | None:
    """Return the text of a file that is not ours; None where it is not one that memory is made of."""
    try:
        size = await workspace.files.size(path)
        if size is not None and size > MAX_KEPT:
            account.remarks.append(
                f"{path} was left unchanged: it has {size} bytes, but at most {MAX_KEPT} are kept of a file"
            )
            return None
        data = await workspace.files.read(path) or b""
    except BethinkError as error:
        account.remarks.append(f"{error}")
        return None
    if not path.endswith((".md", ".txt", ".json")):
        return None
    text = decoded(data)
    if text is None:
        account.remarks.append(f"{path} was left unchanged: it is not valid UTF-8")
    return text


def _is_ours(location: Location, path: str) -> bool:
    below = path.removeprefix(f"{location.layout.memories_dir}/")
    return below in {*EDITED, "raw_memories.md", "phase_two_selection.json"} or below.startswith(
        tuple(f"{each}/" for each in MADE)
    )
