"""Which row of a table each piece of a vocabulary has, without all of them being read for one question.

The pieces stand one a line, in the order of the rows. A question asks for a few dozen of them: they are looked up in
the file itself, by halves, in the order of their bytes, which lies beside it. Many texts ask for all of them sooner or
later: then a dictionary is made.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW: Final = 64  #: words that are looked up in the file


class Pieces(Protocol):
    """Tells the row of a piece."""

    def get(self, piece: str, /) -> int | None:
        """Return the row of a piece; None where there is no such piece."""
        ...


class Vocabulary:
    """The pieces of a file. `order` is the rows by the bytes of their pieces; without it a dictionary is made."""

    def __init__(self, text: bytes, order: NDArray[Any] | None) -> None:
        import numpy as np

        self._text = text
        self._order = order
        self._ends: NDArray[np.int64] = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
        self._rows: dict[str, int] | None = None

    def __len__(self) -> int:
        return len(self._ends)

    def for_words(self, count: int) -> Pieces:
        """Return what tells the rows of the pieces of so many words."""
        if self._rows is not None:
            return self._rows
        if count <= FEW and self._order is not None:
            return self
        listed = self._text.decode("utf-8").split("\n")[:-1]
        self._rows = dict(zip(listed, range(len(listed)), strict=True))
        return self._rows

    def get(self, piece: str, /) -> int | None:
        """Return the row of a piece; None where there is no such piece."""
        wanted = piece.encode("utf-8", "surrogatepass")
        place = bisect_left(range(len(self)), wanted, key=self._at)
        return self._row(place) if place < len(self) and self._at(place) == wanted else None

    def _row(self, place: int) -> int:
        assert self._order is not None  # noqa: S101 - `for_words` gives out nothing without it
        return int(self._order[place])

    def _at(self, place: int) -> bytes:
        """Return the piece at a place in the order of bytes."""
        row = self._row(place)
        start = int(self._ends[row - 1]) + 1 if row else 0
        return self._text[start : int(self._ends[row])]


def order_of(text: bytes) -> NDArray[Any]:
    """Return the rows of a vocabulary by the bytes of their pieces."""
    import numpy as np

    pieces = text.split(b"\n")[:-1]
    rows = sorted(range(len(pieces)), key=pieces.__getitem__)
    return np.array(rows, np.uint16 if len(rows) <= 1 << 16 else np.uint32)
