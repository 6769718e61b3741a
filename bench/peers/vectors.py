"""Vectors that were made beforehand, by their texts: all peers have the same ones, and pay nothing for them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


def key(text: str) -> int:
    """Return the digest of a text without the blanks around it: some peers take them off."""
    return int.from_bytes(hashlib.blake2b(text.strip().encode(), digest_size=8).digest(), "big")


class Vectors:
    """Rows on disk, found by the digest of a text."""

    def __init__(self, folder: Path) -> None:
        self._keys = np.load(folder / "keys.npy", mmap_mode="r")
        self._rows = np.load(folder / "rows.npy", mmap_mode="r")
        self.dimensions = int(self._rows.shape[1])

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        wanted = np.array([key(text) for text in texts], np.uint64)
        found = np.searchsorted(self._keys, wanted)
        if not np.array_equal(self._keys[np.minimum(found, len(self._keys) - 1)], wanted):
            raise LookupError("there is no vector for a text: it was not among those prepared")
        return np.asarray(self._rows[found], np.float32)


def save(folder: Path, texts: Sequence[str], rows: np.ndarray) -> None:
    """Keep vectors so that they can be found by their texts."""
    keys, first = np.unique(np.array([key(text) for text in texts], np.uint64), return_index=True)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "keys.npy", keys)
    np.save(folder / "rows.npy", np.asarray(rows, np.float32)[first])
