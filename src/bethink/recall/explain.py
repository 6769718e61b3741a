"""Explain why a note or an item was found, or was not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.recall.values import WhyNot

if TYPE_CHECKING:
    from bethink.recall.namespace_index import Ranking, RankPosition
    from bethink.recall.values import EmptyBecause


def why_not(place: RankPosition | None, *, id: str, limit: int) -> WhyNot:  # noqa: A002
    """Return where something was lost on its way; None stands for what is not in the index."""
    if place is None:
        return WhyNot(id=id, stage="not indexed")
    if place.filter is not None:
        return WhyNot(id=id, stage="filtered", filter=place.filter)
    if place.ranked is None or place.rank is None:
        return WhyNot(id=id, stage="no term in common")
    return WhyNot(
        id=id,
        stage="returned" if place.rank <= limit else "below the cut",
        rank=place.rank,
        score=place.ranked.score,
        needed=place.needed,
        why=place.ranked.why,
    )


def empty_because(ranking: Ranking, *, limit: int, vector: bool) -> EmptyBecause | None:
    """Return why nothing was found, None if something was; `vector` says whether the query had one."""
    if ranking.hits:
        return None
    if limit <= 0:
        return "limit is 0"
    if not ranking.scanned:
        return "nothing stored"
    if not ranking.allowed:
        return "all filtered"
    if not ranking.terms and not vector:
        return "no word to search for"
    return "no term in common"
