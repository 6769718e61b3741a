"""Rank documents for a query: by vectors if there are any, otherwise by shared words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.documents.transactions import Passage
    from bethink.documents.values import Path
    from bethink.models.embedding import Embedder


def ranked(
    query: str, passages: Sequence[tuple[Path, str, Passage]], embedder: Embedder | None
) -> list[tuple[Path, str, Passage, float]]:
    """Return each document once, with the passage that fits best and its score, the best first."""
    if not passages:
        return []
    scores = _by_vectors(query, passages, embedder) if embedder is not None else _by_words(query, passages)
    best: dict[tuple[Path, str], tuple[float, Passage]] = {}
    for (path, key, passage), score in zip(passages, scores, strict=True):
        if (path, key) not in best or score > best[path, key][0]:
            best[path, key] = (score, passage)
    order = sorted(best.items(), key=lambda each: (-each[1][0], each[0]))
    return [(path, key, passage, score) for (path, key), (score, passage) in order]


def _by_vectors(query: str, passages: Sequence[tuple[Path, str, Passage]], embedder: Embedder) -> list[float]:
    """Compare by vectors; what was indexed by another embedder is embedded anew, in memory alone."""
    import numpy as np

    wanted = np.asarray(embedder.embed([query])[0], np.float32)
    size = 4 * len(wanted)
    known = [
        passage.vector
        if passage.embedder == embedder.identity
        and passage.vector is not None
        and len(passage.vector) == size
        else None
        for _, _, passage in passages
    ]
    blank = bytes(size)
    rows = np.frombuffer(b"".join(each or blank for each in known), "<f4").reshape(len(passages), -1).copy()
    foreign = [number for number, each in enumerate(known) if each is None]
    if foreign:
        rows[foreign] = embedder.embed([passages[number][2].text for number in foreign])
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(wanted)
    cosines = np.divide(rows @ wanted, lengths, out=np.zeros(len(passages), np.float32), where=lengths > 0)
    return cosines.tolist()


def _by_words(query: str, passages: Sequence[tuple[Path, str, Passage]]) -> list[float]:
    from bethink.recall.tokenizer import terms

    wanted = set(terms(query))
    shares: list[float] = []
    for _, _, passage in passages:
        there = set(terms(passage.text))
        shares.append(len(wanted & there) / len(wanted) if wanted else 0.0)
    return shares
