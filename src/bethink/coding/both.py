"""Search the memory of a project and the user's own as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bethink.recall.values import Hit
    from bethink.sync import Scope


def recall(own: Scope, project: Scope | None, query: str, limit: int) -> list[Hit]:
    """Return the best of both: each answer weighs as much as it is likely to hold one, and the same is said once."""
    found: dict[str, tuple[float, Hit]] = {}
    for scope in (project, own):
        if scope is None:
            continue
        answer = scope.recall(query, limit=limit)
        best = max((hit.score for hit in answer.hits), default=1.0) or 1.0
        for hit in answer.hits:
            weight = answer.relevance * hit.score / best
            if hit.text not in found or found[hit.text][0] < weight:
                found[hit.text] = (weight, hit)
    return [hit for _, hit in sorted(found.values(), key=lambda each: -each[0])][:limit]
