"""Vector search in one namespace: exact, or among preselected candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bethink.recall.binary_quantization import BinaryVectors
from bethink.recall.fusion import dense_weight, relevance_floor, scale_of, short_turn_share
from bethink.recall.passage_columns import Column
from bethink.recall.principal_components import Directions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bethink.recall.fusion import Scale
    from bethink.recall.passage_columns import Rows

WHOLE: Final = 4_096  #: up to so many rows every vector is compared in full
COMPARED: Final = 384  #: rows that are compared in full beyond that
_LOWEST: Final = float(np.finfo(np.float32).min)


class VectorSearch:
    """Brings cosines to deviations from their mean in the namespace, by the weight of the leg."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._matrix: Column[np.float32] | None = None
        self._directions: Directions | None = None
        self._signs: BinaryVectors | None = None
        rows.watchers.append(self._keep)

    @property
    def nbytes(self) -> int:
        """Return the memory it takes beside the rows."""
        return sum(part.nbytes for part in (self._matrix, self._directions, self._signs) if part is not None)

    @property
    def compares_all(self) -> bool:
        """Tell whether `of_all` compares every vector, whatever the other legs say."""
        return self.rows.row_unit.n <= WHOLE

    def of_all(
        self, vector: NDArray[np.float32], others: NDArray[np.float32], mask: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.float32], float]:
        """Return how near every row is, and the mean cosine of all.

        Of many rows, those are compared in full that are let through by `mask` and come first by `others`, what all
        other legs gave them, and by how near they lie along the main directions, which is close to how near they are.
        """
        if self.compares_all:
            return self._whole(vector)
        near, scale = self._main_directions().deviations(vector, self._weight)
        leg = others + near
        if mask is not None:
            leg[~mask] = -np.inf
        chosen = np.flatnonzero(leg >= max(relevance_floor(leg, COMPARED), _LOWEST))[: 4 * COMPARED]
        near[chosen] = self._compare(chosen, vector, scale)
        return near, scale.mean

    def of_some(
        self, chosen: NDArray[np.int64], vector: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], float]:
        """Return how near some rows are, by the scale of a sample of all, and its mean cosine."""
        scale = self.signs().scale(vector)
        return self._compare(chosen, vector, scale), scale.mean

    def signs(self) -> BinaryVectors:
        """Return the signs of all vectors."""
        vectors, scales = self._vectors(), self.rows.scales.all
        if self._signs is None:
            self._signs = BinaryVectors(vectors, scales)
        elif self._signs.n < len(vectors):
            self._signs.extend(vectors, scales)
        return self._signs

    def _main_directions(self) -> Directions:
        vectors, scales = self._vectors(), self.rows.scales.all
        if self._directions is None or len(vectors) >= self._directions.outgrown:
            self._matrix = None
            self._directions = Directions(vectors, scales)
        elif self._directions.n < len(vectors):
            self._directions.extend(vectors, scales)
        return self._directions

    def _whole(self, vector: NDArray[np.float32]) -> tuple[NDArray[np.float32], float]:
        vectors, scales = self._vectors(), self.rows.scales.all
        if self._matrix is None:
            self._matrix = Column(np.float32, vectors.shape[1])
        if self._matrix.n < len(vectors):
            start = self._matrix.n
            more = vectors[start:] * scales[start:, None]
            if start:
                self._matrix.extend(more)
            else:
                self._matrix.replace(more)
        # vecdot, and not @, which splits so large a product between threads: see `scale_of`
        near = np.vecdot(self._matrix.all, vector)
        scale = scale_of(near[scales != 0] if self.rows.vectorless else near)
        return self._deviations(near, scales, scale), scale.mean

    def _compare(
        self, chosen: NDArray[np.int64], vector: NDArray[np.float32], scale: Scale
    ) -> NDArray[np.float32]:
        scales = self.rows.scales.all.take(chosen)
        near = np.vecdot(self._vectors().take(chosen, axis=0).astype(np.float32), vector)
        near *= scales
        return self._deviations(near, scales, scale)

    def _deviations(
        self, near: NDArray[np.float32], scales: NDArray[np.float32], scale: Scale
    ) -> NDArray[np.float32]:
        """Bring cosines to deviations, in place; a row without a vector is as near as the mean."""
        near -= np.float32(scale.mean)
        near *= np.float32(scale.step * self._weight)
        if self.rows.vectorless:
            near[scales == 0] = 0.0
        return near

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        """Let go of rows that are about to go, and keep what was made of the others."""
        if self._matrix is not None:
            self._matrix.replace(self._matrix.all[kept[: self._matrix.n]])
        if self._directions is not None:
            self._directions.keep(kept, self._vectors(), self.rows.scales.all)
        if self._signs is not None:
            self._signs.keep(kept)

    @property
    def _weight(self) -> float:
        return dense_weight(self.rows.weights, short_turn_share(self.rows.items_words, self.rows.items))

    def _vectors(self) -> NDArray[np.int8]:
        vectors = self.rows.vectors
        return np.zeros((0, 0), np.int8) if vectors is None else vectors.all
