"""Decide which checkpoints are kept, and which channel values no kept checkpoint references."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.documents.values import Path
    from bethink.integrations.langgraph.rows import Row

DELTAS = "counters_since_delta_snapshot"  #: the metadata that names channels which are rebuilt from ancestors


def kept_checkpoints(every: Sequence[Row], keep: int) -> set[str]:
    """Return the ids of the newest checkpoints of one namespace, and of the ancestors that they are rebuilt from.

    A channel of deltas has a value at some checkpoints only: from the nearest ancestor that has one, all are needed.
    """
    by_id = {row.id: row for row in every}
    staying: set[str] = set()
    for row in sorted(every, key=lambda each: each.id, reverse=True)[:keep]:
        left = {channel for channel in row.metadata.get(DELTAS, {}) if not row.has(channel)}
        ancestor, seen = row, {row.id}
        while left and ancestor.parent in by_id and ancestor.parent not in seen:
            ancestor = by_id[ancestor.parent]
            seen.add(ancestor.id)
            left = {channel for channel in left if not ancestor.has(channel)}
        staying |= seen
    return staying


def unused_values(gone: Sequence[Row], staying: Sequence[Row]) -> set[tuple[Path, str]]:
    """Return the names of values that only checkpoints have which go."""
    needed = {row.name(channel) for row in staying for channel in row.apart}
    return {row.name(channel) for row in gone for channel in row.apart} - needed
