"""Tell which notes lie nearest to each other in meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.lifecycle.consolidate.duplicates_and_conflicts import MARGIN, NEAR_MEANING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.models.embedding import Embedder
    from bethink.notes.values import Note


class Nearness:
    """The vectors of some notes; all cosines of the first ones with all are taken in one product."""

    def __init__(
        self,
        first: Sequence[Note],
        rest: Sequence[Note],
        vectors: NDArray[np.float32] | None,
        embedder: Embedder | None,
    ) -> None:
        self._nearest: dict[str, tuple[str, float]] = {}
        notes = [*first, *rest]
        if not first or len(notes) < 2:  # noqa: PLR2004
            return
        if vectors is None and embedder is not None:
            vectors = embedder.embed([note.text for note in notes])
        if vectors is not None:
            self._compare(first, notes, vectors)

    def nearest(self, note: Note) -> tuple[str, float] | tuple[None, None]:
        """Return the id of the note that is the nearest by a margin, and its cosine, where there is one."""
        return self._nearest.get(note.id, (None, None))

    def _compare(self, first: Sequence[Note], notes: Sequence[Note], vectors: NDArray[np.float32]) -> None:
        import numpy as np

        count = len(first)
        cosines = vectors[:count] @ vectors.T
        cosines[np.arange(count), np.arange(count)] = -1.0
        best = cosines.argmax(axis=1)
        tops = cosines[np.arange(count), best]
        cosines[np.arange(count), best] = -1.0
        clear = (tops >= NEAR_MEANING) & (tops - cosines.max(axis=1) >= MARGIN)
        for place in np.flatnonzero(clear).tolist():
            self._nearest[first[place].id] = (notes[int(best[place])].id, float(tops[place]))
