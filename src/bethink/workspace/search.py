"""Search lines of memory files by words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.lifecycle.consolidate.words import stems
from bethink.workspace.files import text_of

if TYPE_CHECKING:
    from bethink.workspace.workspace_context import WorkspaceContext


_TABULAR = frozenset({"keywords", "rollout_summary_files"})  #: sections that lead somewhere, and say nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingLine:
    """A line that holds some of the words."""

    path: str  #: from the root of the workspace
    line: int  #: from 1
    text: str  #: the line that has the words
    words: int  #: how many of the words it holds


async def search(workspace: WorkspaceContext, words: str, *, limit: int) -> list[MatchingLine]:
    """Return the lines that hold most of the words: MEMORY.md first, then the summaries."""
    wanted = {each for each in stems(words) if each[:1].isalnum()}
    paths = [workspace.location.memory("MEMORY.md")]
    folder = workspace.location.memory("rollout_summaries")
    paths += [f"{folder}/{name}" for name in await workspace.files.names(folder) if name.endswith(".md")]
    found: list[MatchingLine] = []
    for path in paths:
        rows = text_of(await workspace.files.read(path) or b"").splitlines()
        heading = ""
        for number, row in enumerate(rows, 1):
            heading = row.strip("# ") if row.startswith("#") else heading
            if heading in _TABULAR or row.startswith("keywords:"):
                continue
            held = len(wanted.intersection(stems(re.sub(r"[`*_#]", " ", row)))) if row.strip() else 0
            if held:
                found.append(
                    MatchingLine(path=path, line=number, text=workspace.guard.mask(row.strip()), words=held)
                )
    found.sort(key=lambda each: -each.words)
    return found[: max(0, limit)]
