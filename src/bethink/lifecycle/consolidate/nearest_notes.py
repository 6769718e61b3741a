"""Tell which notes lie nearest to each other in meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.lifecycle.consolidate.duplicates_and_conflicts import MARGIN, NEAR_MEANING
from bethink.lifecycle.consolidate.words import canonical
from bethink.lifecycle.text_caches import remembers
from bethink.models.static import built_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.models.embedding import Embedder
    from bethink.notes.values import Note

CLOSE: Final = 2  #: notes that are looked at as to whether they say the same in other words
MIN_CLOSE: Final = 0.3  #: the least cosine of these
_REMEMBERED: Final = 1 << 13  #: texts whose vectors are
_ROWS: Final = 256  #: fresh notes that are compared with all others at a time
_DIGITS: Final = 5


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
    if embedder is None or not notes:
        return None
    texts = [note.text for note in notes]
    return _built_in(texts) if embedder is built_in() else embedder.embed(texts)


def close_notes(fresh: Sequence[Note], notes: Sequence[Note]) -> dict[str, list[Note]]:
    """Return the few of some notes that lie nearest to each fresh one, by its id, as the built-in vectors tell.

    Notes of the same words count once, the first of them; `notes` are in the order of time.
    """
    import numpy as np

    first: dict[str, Note] = {}
    for note in notes:
        first.setdefault(canonical(note.text), note)
    texts = {text: place for place, text in enumerate(first)}
    if len(first) < 2:  # noqa: PLR2004
        return {}
    held, vectors = list(first.values()), _built_in(list(texts))
    found: dict[str, list[Note]] = {}
    for start in range(0, len(fresh), _ROWS):
        some = fresh[start : start + _ROWS]
        own = [texts[canonical(note.text)] for note in some]
        # what differs by rounding alone stands in the order of time, whatever the machine
        cosines = (vectors[own] @ vectors.T).round(_DIGITS)
        cosines[np.arange(len(own)), own] = -1.0
        for note, row in zip(some, cosines, strict=True):
            nearest = np.flatnonzero(row >= np.partition(row, -CLOSE)[-CLOSE]).tolist()
            nearest.sort(key=lambda place: (-row[place], place))
            found[note.id] = [held[place] for place in nearest[:CLOSE] if row[place] > MIN_CLOSE]
    return found


def _built_in(texts: Sequence[str]) -> NDArray[np.float32]:
    """Return the vectors of texts by the built-in embedder; of more than are remembered all are made at once."""
    import numpy as np

    if len(texts) > _REMEMBERED:
        return built_in().embed(texts)
    return np.stack([text_vector(text) for text in texts])


@remembers(_REMEMBERED)
def text_vector(text: str) -> NDArray[np.float32]:
    """Return the vector of a text by the embedder that comes with the library, whichever a memory recalls with."""
    return built_in().embed([text])[0]
