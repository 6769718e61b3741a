"""Tell which notes lie nearest to each other in meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.lifecycle.consolidate.duplicates_and_conflicts import MARGIN, NEAR_MEANING
from bethink.lifecycle.consolidate.words import canonical
from bethink.lifecycle.text_caches import remembers

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.models.embedding import Embedder
    from bethink.notes.values import Note

CLOSE: Final = 2  #: notes that are looked at as to whether they say the same in other words
MIN_CLOSE: Final = 0.3  #: the least cosine of these


class Nearness:
    """The vectors of some notes; all cosines of the first ones with all are taken in one product."""

    def __init__(
        self, first: Sequence[Note], notes: Sequence[Note], vectors: NDArray[np.float32] | None
    ) -> None:
        self._nearest: dict[str, tuple[str, float]] = {}
        if vectors is not None and first and len(notes) > 1:
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


def vectors_of(notes: Sequence[Note], embedder: Embedder | None) -> NDArray[np.float32] | None:
    """Return the vectors of notes, a row each, as an embedder makes them; None without one."""
    import numpy as np

    from bethink.models.static import StaticEmbedder

    if embedder is None or not notes:
        return None
    if isinstance(embedder, StaticEmbedder):
        return np.stack([text_vector(note.text) for note in notes])
    return embedder.embed([note.text for note in notes])


def close_notes(fresh: Sequence[Note], notes: Sequence[Note]) -> dict[str, list[Note]]:
    """Return the few of some notes that lie nearest to each fresh one, by its id, as the built-in vectors tell."""
    import numpy as np

    if not fresh or len(notes) < 2:  # noqa: PLR2004
        return {}
    places = {note.id: place for place, note in enumerate(notes)}
    vectors = np.stack([text_vector(canonical(note.text)) for note in notes])
    own = [places[note.id] for note in fresh]
    cosines = vectors[own] @ vectors.T
    cosines[np.arange(len(own)), own] = -1.0
    some = np.argpartition(cosines, -min(CLOSE, len(notes) - 1), axis=1)[:, -CLOSE:]
    return {
        note.id: [notes[each] for each in some[row].tolist() if cosines[row, each] > MIN_CLOSE]
        for row, note in enumerate(fresh)
    }


@remembers(1 << 13)
def text_vector(text: str) -> NDArray[np.float32]:
    """Return the vector of a text by the embedder that comes with the library, whichever a memory recalls with."""
    from bethink.models.static import built_in

    return built_in().embed([text])[0]
