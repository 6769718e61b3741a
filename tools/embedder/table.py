"""The student: a table of token vectors, from the first guess to the files of the package."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import numpy as np
import torch

from bethink.models.static import SCALES, VECTORS, VOCABULARY

if TYPE_CHECKING:
    from collections import Counter
    from pathlib import Path

DIMENSIONS = 256
SMOOTHING = 2e-4  # of the inverse frequency; more makes rare and common words more alike


def kept(vocabulary: dict[str, int]) -> list[str]:
    """Return the pieces that are worth a row: letters and digits of any script, no marks of the model."""
    return [
        piece
        for piece in vocabulary
        if not (piece.startswith("[") and piece.endswith("]"))
        and any(unicodedata.category(character)[0] in "LN" for character in piece)
    ]


def first_table(single: torch.Tensor) -> torch.Tensor:
    """Turn the teacher's vectors of single pieces into rows of our length, the widest directions made equal."""
    centred = single - single.mean(0)
    _, spread, axes = torch.linalg.svd(centred, full_matrices=False)
    turned = centred @ axes[:DIMENSIONS].T
    softened = (spread[:DIMENSIONS] / spread[0]) ** 0.5
    turned = turned / softened
    return turned / turned.norm(dim=1).mean()


def first_weights(pieces: list[str], vocabulary: dict[str, int], counts: Counter[str]) -> torch.Tensor:
    """Weigh a piece by how seldom it is met: in the corpus, and by its rank in the vocabulary."""
    total = sum(counts.values()) + len(pieces)
    met = np.array([(counts[piece] + 1) / total for piece in pieces])
    rank = np.argsort(np.argsort([vocabulary[piece] for piece in pieces])) + 1.0
    zipf = 1 / rank / (1 / rank).sum()
    chance = np.sqrt(met * zipf)
    return torch.tensor(SMOOTHING / (SMOOTHING + chance), dtype=torch.float32)


def write(folder: Path, pieces: list[str], table: torch.Tensor) -> None:
    """Write the three files; `table` holds each piece's vector, its weight in it."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = table.detach().float().numpy()
    scales = np.maximum(np.abs(rows).max(1), 1e-9) / 127
    (folder / VOCABULARY).write_text("".join(f"{piece}\n" for piece in pieces), encoding="utf-8")
    np.save(folder / VECTORS, np.rint(rows / scales[:, None]).astype(np.int8))
    np.save(folder / SCALES, scales.astype(np.float32))
