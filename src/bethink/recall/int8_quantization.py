"""Int8 quantization of vectors: one byte a dimension, with a scale per vector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def quantise(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Round each row to whole numbers up to 127, with the scale that brings it back."""
    highest = np.maximum(vectors.max(axis=1, initial=0.0), np.abs(vectors.min(axis=1, initial=0.0)))
    scales = highest.astype(np.float32) / np.float32(127)
    safe = np.where(scales > 0, scales, np.float32(1))
    scaled = vectors / safe[:, None]
    return np.rint(scaled, scaled).astype(np.int8), scales
