"""Headers of memory files: write and parse them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bethink.workspace.values import Rollout

_LINE = re.compile(r"([a-z_]+):[ \t]*(.*)")


def raw_file(rollout: Rollout, path: str) -> str:
    """Return the raw memory of a conversation as its file has it."""
    body = rollout.extract.raw if rollout.extract else ""
    return (
        f"rollout_id: {rollout.id}\nupdated_at: {rollout.updated_at}\nrollout_path: {path}\n"
        f"rollout_summary_file: {rollout.summary_file}\nterminal_state: {rollout.terminal_state}\n\n"
        f"{body.rstrip()}\n"
    )


def summary_file(rollout: Rollout, path: str) -> str:
    """Return the summary of a conversation as its file has it."""
    body = rollout.extract.summary if rollout.extract else ""
    return (
        f"session_id: {rollout.origin}\nupdated_at: {rollout.updated_at}\nrollout_path: {path}\n"
        f"terminal_state: {rollout.terminal_state}\n\n{body.rstrip()}\n"
    )


def read(text: str) -> tuple[dict[str, str], str]:
    """Return the head of a file and what stands below it."""
    head: dict[str, str] = {}
    rows = text.split("\n")
    for at, row in enumerate(rows):
        found = _LINE.fullmatch(row.rstrip("\r"))
        if found is None:
            return head, "\n".join(rows[at:]).strip("\n")
        head[found.group(1)] = found.group(2).strip()
    return head, ""
