"""Binary quantization of vectors: one bit a dimension preselects candidates in a very large namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bethink.recall.fusion import MIN_VARIANCE, Scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SAMPLE: Final = 8_192  #: rows that stand for all where a mean is taken
_STRIP: Final = 1 << 16  #: rows that are read at a time; they fit a core's own cache
_BYTE_WORDS: Final = 4  #: of 64 signs: as many fit a byte when they are counted


class BinaryVectors:
    """For every vector, which of its numbers lie above the mean of the first ones."""

    def __init__(self, vectors: NDArray[np.int8], scales: NDArray[np.float32]) -> None:
        sample = sample_of(vectors, scales)
        self.centre = sample.mean(axis=0)
        # the second moments of the sample, from its mean: they give the spread of its cosines without comparing it
        sample -= self.centre
        self._moments = sample.T.astype(np.float64) @ sample / max(len(sample), 1)
        self._words = -(-vectors.shape[1] // 64)
        self._planes = np.zeros((self._words, 0), np.uint64)  # one row for 64 dimensions, one column a vector
        self.n = 0
        self.extend(vectors, scales)

    @property
    def nbytes(self) -> int:
        """Return the memory it takes."""
        return self._planes.nbytes + self._moments.nbytes

    def extend(self, vectors: NDArray[np.int8], scales: NDArray[np.float32]) -> None:
        """Take the signs of all vectors that are not yet in."""
        n = len(vectors)
        if n > self._planes.shape[1]:
            planes = np.zeros((self._words, n + n // 8), np.uint64)
            planes[:, : self.n] = self._planes[:, : self.n]
            self._planes = planes
        safe = np.where(scales > 0, scales, np.float32(1))
        for low in range(self.n, n, _STRIP):
            high = min(low + _STRIP, n)
            above = vectors[low:high] > self.centre / safe[low:high, None]
            self._planes[:, low:high] = self._pack(above)
        self.n = n

    def keep(self, kept: NDArray[np.bool_]) -> None:
        """Let go of the signs of rows that are about to go."""
        left = self._planes[:, : self.n][:, kept[: self.n]]
        self.n = left.shape[1]
        self._planes[:, : self.n] = left

    def scale(self, vector: NDArray[np.float32]) -> Scale:
        """Measure nearness to a vector over the sample."""
        mean = float(np.vecdot(self.centre, vector))
        wide = vector.astype(np.float64)
        variance = float(np.vecdot(np.vecdot(self._moments, wide), wide))
        return Scale(mean, variance**-0.5 if variance > MIN_VARIANCE else 0.0)

    def distances(self, vector: NDArray[np.float32]) -> NDArray[np.uint8 | np.uint16]:
        """Count for every vector the signs that differ from those of the one that is asked for.

        Where a byte holds the count it is kept in one: 256 of 256 is then counted as 255.
        """
        asked = self._pack((vector > self.centre)[None, :])[:, 0]
        narrow = self._words <= _BYTE_WORDS
        away = np.empty(self.n, np.uint8 if narrow else np.uint16)
        differing = np.empty(_STRIP, np.uint64)
        counted = np.empty(_STRIP, np.uint8)
        for low in range(0, self.n, _STRIP):
            strip = away[low : low + _STRIP]
            bits, count = differing[: len(strip)], counted[: len(strip)]
            strip[:] = 0
            for plane in range(self._words):
                np.bitwise_xor(self._planes[plane, low : low + len(strip)], asked[plane], out=bits)
                np.bitwise_count(bits, out=count)
                if narrow and plane == _BYTE_WORDS - 1:
                    np.minimum(count, 63, out=count)
                strip += count
        return away

    def _pack(self, above: NDArray[np.bool_]) -> NDArray[np.uint64]:
        bits = np.packbits(above, axis=1)
        padded = np.zeros((len(bits), self._words * 8), np.uint8)
        padded[:, : bits.shape[1]] = bits
        return np.ascontiguousarray(padded.view(np.uint64).T)


def sample_of(
    vectors: NDArray[np.int8], scales: NDArray[np.float32], most: int = _SAMPLE
) -> NDArray[np.float32]:
    """Return vectors at even distances, as floats."""
    step = max(1, len(vectors) // most)
    picked = vectors[::step][:most].astype(np.float32)
    picked *= scales[::step][:most, None]
    return picked
