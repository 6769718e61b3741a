"""Remember which files a place had, to tell a deleted file from one that was never there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

from bethink.errors import BethinkError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bethink.workspace.workspace_context import WorkspaceContext

SEEN: Final = ".bethink/seen.json"
_MAX: Final = 20_000  #: files


async def last_snapshot(workspace: WorkspaceContext) -> dict[str, int]:
    """Return the files that this place had when it was left, and their sizes; none where it is a new one."""
    try:
        found: Any = json.loads(await workspace.files.read(workspace.location.memory(SEEN)) or b"null")
    except (ValueError, BethinkError):
        return {}
    stored = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    return {path: size for path, size in stored.items() if isinstance(size, int)}


async def take_snapshot(workspace: WorkspaceContext) -> None:
    """Note which files lie there now."""
    found: dict[str, int] = {}
    folders = [workspace.location.layout.sessions_dir, workspace.location.layout.memories_dir]
    while folders and len(found) < _MAX:
        folder = folders.pop()
        for name in await workspace.files.names(folder):
            path = f"{folder}/{name}"
            if name.endswith("/"):
                folders += [path.removesuffix("/")] if not name.startswith(".") else []
            elif (size := await workspace.files.size(path)) is not None:
                found[path] = size
    data = json.dumps(found, indent=0, sort_keys=True).encode()
    path = workspace.location.memory(SEEN)
    try:
        if await workspace.files.read(path) != data:
            await workspace.files.write(path, data)
    except BethinkError:  # the next settling takes this place for a new one, and removes nothing
        return


def deleted_files(theirs: Mapping[str, str], there: Collection[str]) -> set[str]:
    """Return the files of others that the store has, and this place has not yet."""
    return {path for path in theirs if path not in there}
