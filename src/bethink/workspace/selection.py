"""Select the conversations that are consolidated: the most recently updated."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bethink.json_kinds import is_object

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.workspace.values import Location, Rollout


def newest_first(rollouts: Iterable[Rollout]) -> list[Rollout]:
    """Return conversations by their last update, then by id; one without a date comes last."""
    return sorted(rollouts, key=_recency, reverse=True)


def select_conversations(rollouts: Iterable[Rollout], most: int) -> tuple[list[Rollout], list[Rollout]]:
    """Return the conversations that are remembered, and those that are forgotten."""
    ordered = newest_first(rollouts)
    return ordered[:most], ordered[most:]


def to_json(selected: Iterable[Rollout], location: Location, at: str) -> str:
    """Return `phase_two_selection.json`."""
    entries = [
        {
            "rollout_id": each.id,
            "updated_at": each.updated_at,
            "rollout_path": location.rollout(each.id),
            "rollout_summary_file": each.summary_file,
            "terminal_state": each.terminal_state,
        }
        for each in selected
    ]
    return json.dumps({"version": 1, "updated_at": at, "selected": entries}, indent=2) + "\n"


def _recency(rollout: Rollout) -> tuple[int, str, str]:
    known = rollout.updated_at not in {"", "unknown"}
    return int(known), rollout.updated_at if known else "", rollout.id


def same_selection(text: str, selected: Iterable[Rollout], location: Location) -> bool:
    """Tell whether a selection names the same conversations, as they stand."""
    try:
        before: Any = json.loads(text)
    except ValueError:
        return False
    after = json.loads(to_json(selected, location, ""))
    return is_object(before) and before.get("selected") == after["selected"]
