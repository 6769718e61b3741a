"""The student's first guess: which pieces have a row, what is in it, how much it weighs."""

from __future__ import annotations

import json
import math
import unicodedata
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn.functional import cosine_similarity

from bethink.models.static import (
    DIGEST,
    ORDER,
    SCALES,
    VECTORS,
    VOCABULARY,
    digest_of,
    split_words,
    wordpieces,
)
from bethink.models.vocabulary import order_of

if TYPE_CHECKING:
    from collections import Counter
    from pathlib import Path

    from teacher import Teacher

DIMENSIONS = 256
ROWS = 36_800  # with 256 numbers each, and their names, just under 10 MB
SMOOTHING = 2e-4  # of the inverse frequency; more makes rare and common words more alike
SOFTENING = 0.5  # of the wide directions: 0 leaves them as they are, 1 makes all equally wide
YEARS = range(1900, 2050)
COMMONNESS = {10: 1.2, 20: 1.0, 35: 0.75, 40: 0.5}  # by level of the word list
RANK_OF_ADDED = 20_000  # an added word counts as about this common


def kept(vocabulary: dict[str, int]) -> list[str]:
    """Return the pieces that are worth a row: letters and digits of any script, no marks of the model."""
    return [
        piece
        for piece in vocabulary
        if not (piece.startswith("[") and piece.endswith("]"))
        and any(unicodedata.category(character)[0] in "LN" for character in piece)
    ]


def pictures(path: Path, known: set[str]) -> dict[str, str]:
    """Return the pictures of one character, with their names."""
    out: dict[str, str] = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        characters = [one for one in entry["emoji"] if one != "\N{VARIATION SELECTOR-16}"]
        if len(characters) == 1 and split_words(characters[0]) == characters and characters[0] not in known:
            out.setdefault(characters[0], entry["short_name"].replace("_", " "))
    return out


def common_words(folder: Path, known: set[str]) -> dict[str, int]:
    """Return the words of the word lists that have no row yet, with the level of the first list they are in."""
    out: dict[str, int] = {}
    for level in COMMONNESS:
        for kind in ("english-words", "american-words", "english-upper"):
            path = folder / f"{kind}.{level}"
            if path.exists():
                for line in path.read_text(encoding="latin-1").split():
                    cut = split_words(line)
                    if len(cut) == 1 and len(cut[0]) > 3 and cut[0] not in known:
                        out.setdefault(cut[0], level)
    return out


class FirstTable:
    """Pieces, their vectors by the teacher, and their chance of being met."""

    def __init__(self, teacher: Teacher, sources: Path, met: Counter[str]) -> None:
        old = kept(teacher.vocabulary)
        known = set(old)
        single = teacher.embed_pieces([[teacher.vocabulary[piece]] for piece in old], 256)
        named = {str(year): str(year) for year in YEARS if str(year) not in known}
        named |= pictures(sources / "stdlib" / "emoji" / "data" / "data.json", known)
        levels = common_words(sources / "scowl", known)
        candidates = list(levels)
        whole = teacher.embed(candidates, 256)
        chosen = self._worst_cut(old, single, levels, whole, met, ROWS - len(old) - len(named))
        at = {word: row for row, word in enumerate(candidates)}
        self.pieces = [*old, *named, *chosen]
        parts = (single, teacher.embed(list(named.values()), 256), whole[[at[word] for word in chosen]])
        self.vectors = torch.cat(parts)
        self.row = {piece: row for row, piece in enumerate(self.pieces)}
        self._ranks = [
            *(teacher.vocabulary[piece] for piece in old),
            *[RANK_OF_ADDED] * (len(self.pieces) - len(old)),
        ]
        self._cut: dict[str, list[int]] = {}

    def cut(self, text: str) -> list[int]:
        """Return the rows of a text's pieces, as the embedder will."""
        found: list[int] = []
        for word in split_words(text):
            if word not in self._cut:
                self._cut[word] = list(wordpieces(word, self.row))
            found += self._cut[word]
        return found

    def rows(self, counts: Counter[int]) -> torch.Tensor:
        """Return the teacher's vectors, turned into our length, each times its weight."""
        centred = self.vectors - self.vectors.mean(0)
        _, spread, axes = torch.linalg.svd(centred, full_matrices=False)
        turned = centred @ axes[:DIMENSIONS].T / (spread[:DIMENSIONS] / spread[0]) ** SOFTENING
        return turned / turned.norm(dim=1).mean() * self.weights(counts)[:, None]

    def weights(self, counts: Counter[int]) -> torch.Tensor:
        """Weigh a piece by how seldom it is met: in the corpus, and by its rank in the vocabulary."""
        total = sum(counts.values()) + len(self.pieces)
        met = np.array([(counts[row] + 1) / total for row in range(len(self.pieces))])
        rank = np.argsort(np.argsort(self._ranks, kind="stable"), kind="stable") + 1.0
        zipf = (1 / rank) / (1 / rank).sum()
        return torch.tensor(SMOOTHING / (SMOOTHING + np.sqrt(met * zipf)), dtype=torch.float32)

    def _worst_cut(
        self,
        old: list[str],
        single: torch.Tensor,
        levels: dict[str, int],
        whole: torch.Tensor,
        met: Counter[str],
        limit: int,
    ) -> list[str]:
        """Choose the common words that the sum of their pieces stands for worst."""
        row = {piece: number for number, piece in enumerate(old)}
        centred = single - single.mean(0)
        summed = torch.stack([centred[list(wordpieces(word, row))].sum(0) for word in levels])
        miss = 1 - cosine_similarity(summed, whole - single.mean(0))
        value = {
            word: float(missed) * COMMONNESS[level] * (1 + 0.15 * min(math.log1p(met[word]), 5))
            for (word, level), missed in zip(levels.items(), miss, strict=True)
        }
        return sorted(value, key=lambda word: (-value[word], word))[:limit]


def write(folder: Path, names: list[str], table: torch.Tensor) -> None:
    """Write the files; `table` holds each piece's vector, its weight in it."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = table.detach().float().numpy()
    scales = np.maximum(np.abs(rows).max(1), 1e-9) / 127
    (folder / VOCABULARY).write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    np.save(folder / VECTORS, np.rint(rows / scales[:, None]).astype(np.int8))
    np.save(folder / SCALES, scales.astype(np.float32))
    np.save(folder / ORDER, order_of((folder / VOCABULARY).read_bytes()))
    (folder / DIGEST).write_text(f"{digest_of(folder)}\n", encoding="ascii")
