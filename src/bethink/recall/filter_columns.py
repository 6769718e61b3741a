"""Columns for metadata filters: category, expiry and metadata of notes, each distinct value stored once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bethink.json_kinds import is_object
from bethink.notes.filters import matches
from bethink.recall.values import FilterFields

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

NEVER: Final = 2**63 - 1
PLAIN: Final = FilterFields()


class FilterValues:
    """The values that marks have in one namespace; columns hold their places."""

    def __init__(self) -> None:
        self.categories: dict[str, int] = {}
        self.metadata: dict[str, int] = {}
        self.expiring = False  #: whether any note may expire

    @property
    def nbytes(self) -> int:
        """Return the memory it takes, about."""
        return sum(100 + len(text) for text in self.metadata)

    def place(self, mark: FilterFields) -> tuple[int, int, int]:
        """Return what the columns of category, end and metadata hold for a mark."""
        category = self.categories.setdefault(mark.category, len(self.categories))
        metadata = self.metadata.setdefault(mark.metadata, len(self.metadata))
        if mark.expires is None:
            return category, NEVER, metadata
        self.expiring = True
        return category, mark.expires, metadata

    def columns(
        self, numbers: NDArray[np.int64], notes: NDArray[np.bool_], marks: Mapping[int, FilterFields]
    ) -> list[NDArray[np.int64]]:
        """Return the columns of new units: `numbers` are those of the notes among them."""
        found = [np.full(len(numbers), value, np.int64) for value in self.place(PLAIN)]
        for at in np.flatnonzero(notes).tolist() if marks else ():
            mark = marks.get(int(numbers[at]))
            if mark is not None:
                for column, value in zip(found, self.place(mark), strict=True):
                    column[at] = value
        return found

    def of_categories(self, wanted: Collection[str]) -> NDArray[np.bool_]:
        """Return a boolean mask over the known categories: which of them are wanted."""
        return np.array([name in wanted for name in self.categories], np.bool_)

    def of_metadata(self, where: Mapping[str, Any]) -> NDArray[np.bool_]:
        """Return for each metadata whether a filter lets it through."""
        return np.array([matches(where, _read(text)) for text in self.metadata], np.bool_)

    def keep(self, used: NDArray[np.int32]) -> Sequence[int] | None:
        """Let go of metadata that no note has any more; return where each one went, None where all stay."""
        if len(self.metadata) < 2 * _FEW:
            return None
        kept = np.zeros(len(self.metadata), np.bool_)
        kept[used] = True
        kept[self.metadata.get(PLAIN.metadata, 0)] = True
        if np.count_nonzero(kept) * 2 > len(kept):
            return None
        self.metadata = {
            text: place
            for place, text in enumerate(
                text for text, stays in zip(self.metadata, kept, strict=True) if stays
            )
        }
        return (np.cumsum(kept) - 1).tolist()


_FEW: Final = 64


def _read(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:  # damaged: it reads as empty, as everywhere
        return {}
    return value if is_object(value) else {}
