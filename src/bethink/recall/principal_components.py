"""Principal components (PCA) of vectors: estimate cosines cheaply, so that few vectors are compared in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bethink.recall.fusion import MIN_VARIANCE, Scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEPT: Final = 32  #: directions; how near a vector is in them goes by .9 with how near it is
_SAMPLE: Final = 2_048  #: rows, half of which the directions are taken from
_ROUNDS: Final = 3  #: more of them turn the directions by nothing that shows
_STRIP: Final = 1_024  #: rows that are laid along the directions at a time
_PRODUCTS: Final = (
    1 << 18
)  #: numbers that one product multiplies: for a larger one the linear algebra makes threads
_TOGETHER: Final = 256  #: rows that one product takes: of larger ones the linear algebra makes threads


class Directions:
    """Where every vector lies along the directions in which those of a sample differ most."""

    def __init__(self, vectors: NDArray[np.int8], scales: NDArray[np.float32]) -> None:
        there = np.flatnonzero(scales)
        there = there[:: max(1, len(there) // _SAMPLE)][:_SAMPLE]
        sample = vectors.take(there, axis=0) * scales.take(there)[:, None]
        self._centre = sample.sum(axis=0) / np.float32(max(len(sample), 1))
        sample -= self._centre
        self._axes = _main(sample[::2])  # one row a direction
        self._spread = _spread(sample[1::2], self._axes)
        self._along = np.zeros((0, len(self._axes)), np.float32)  # from the centre
        # what the spread of cosines is reckoned from: of all vectors, but those that are empty
        self._there = 0
        self._sum = np.zeros(vectors.shape[1])
        self._moments = np.zeros((len(self._axes), len(self._axes)))
        self.n = 0
        self.extend(vectors, scales)
        self.outgrown = 2 * self.n  #: with so many vectors the sample is too old

    @property
    def nbytes(self) -> int:
        """Return the memory it takes."""
        return self._along.nbytes + self._axes.nbytes

    def extend(self, vectors: NDArray[np.int8], scales: NDArray[np.float32]) -> None:
        """Take in all vectors that are not yet in; an empty one lies at the centre."""
        n = len(vectors)
        if n > len(self._along):
            room = n + n // 8
            along = np.zeros((room + -room % _TOGETHER, len(self._axes)), np.float32)
            along[: self.n] = self._along[: self.n]
            self._along = along
        for low in range(self.n, n, _STRIP):
            strip = slice(low, min(low + _STRIP, n))
            self._along[strip] = self._counted(vectors[strip], scales[strip], 1)
        self.n = n

    def keep(self, kept: NDArray[np.bool_], vectors: NDArray[np.int8], scales: NDArray[np.float32]) -> None:
        """Let go of rows that are about to go."""
        kept = kept[: self.n]
        gone = np.flatnonzero(~kept)
        self._counted(vectors[gone], scales[gone], -1)
        left = self._along[: self.n][kept]
        self.n = len(left)
        self._along[: self.n] = left

    def _counted(
        self, vectors: NDArray[np.int8], scales: NDArray[np.float32], times: int
    ) -> NDArray[np.float32]:
        """Lay vectors along the directions, and count them in what the spread is reckoned from, or out of it."""
        there = scales != 0
        from_centre = vectors * scales[:, None]
        from_centre -= self._centre
        from_centre[~there] = 0.0
        along = _product(from_centre, self._axes.T)
        self._there += times * int(np.count_nonzero(there))
        self._sum += times * from_centre.sum(axis=0, dtype=np.float64)
        self._moments += times * _product(np.ascontiguousarray(along.T), along)
        return along

    def deviations(self, vector: NDArray[np.float32], weight: float) -> tuple[NDArray[np.float32], Scale]:
        """Return about how near every vector is, in deviations from the mean times a weight, and their scale."""
        asked = np.vecdot(self._axes, vector)
        away = self._sum / max(self._there, 1)  # from the centre to the mean
        mean = float(np.vecdot(away, vector))
        along = float(np.vecdot(np.vecdot(self._moments, asked), asked))
        across = float(np.vecdot(vector, vector) - np.vecdot(asked, asked))
        variance = along / max(self._there, 1) + max(across, 0.0) * self._spread - mean * mean
        step = variance**-0.5 if variance > MIN_VARIANCE else 0.0
        blocks = -(-self.n // _TOGETHER)
        near = np.matmul(
            self._along[: blocks * _TOGETHER].reshape(blocks, _TOGETHER, -1),
            asked * np.float32(step * weight),
        )
        near = near.reshape(-1)[: self.n]
        near -= np.float32(mean * step * weight)
        return near, Scale(float(np.vecdot(self._centre, vector)) + mean, step)


def _main(sample: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the directions in which the rows of a sample differ most, by subspace iteration."""
    step = max(1, len(sample) // KEPT)
    axes = np.ascontiguousarray(sample[::step][:KEPT].T)
    across = np.ascontiguousarray(sample.T)
    for _ in range(_ROUNDS):
        axes = np.linalg.qr(_product(across, _product(sample, axes)))[0]
    return np.ascontiguousarray(axes.T)


def _spread(others: NDArray[np.float32], axes: NDArray[np.float32]) -> float:
    """Return the variance of products with what lies of a vector across the directions, by its length squared.

    Questions are taken to be like the rows, which were not among those that the directions are of.
    """
    across = others - _product(_product(others, axes.T), axes)
    half = len(across) // 2
    lengths = float(np.vecdot(across, across).mean()) if half else 0.0
    return float(np.square(_product(across[:half], across[half:].T)).mean()) / lengths if lengths else 0.0


def _product(rows: NDArray[np.float32], columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """Multiply matrices in the caller's thread: some rows at a time."""
    (n, width), wide = rows.shape, columns.shape[1]
    step = max(1, _PRODUCTS // max(width * wide, 1))
    made = np.empty((n, wide), np.float32)
    whole = n - n % step
    np.matmul(
        rows[:whole].reshape(whole // step, step, width),
        columns,
        made[:whole].reshape(whole // step, step, wide),
    )
    np.matmul(rows[whole:], columns, made[whole:])
    return made
