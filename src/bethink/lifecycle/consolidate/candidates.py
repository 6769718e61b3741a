"""Find the few notes that a note is worth comparing with."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from bethink.lifecycle.consolidate.attributes import HINT, building, hints
from bethink.lifecycle.consolidate.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_VERSION = f"{HINT}version"
SHORT = 4  #: words; of a short note all but one are shared, of a longer one all but two


@cache
def _empty() -> list[int]:
    return []


def labels(listed: Iterable[str]) -> frozenset[str]:
    """Return what a note can be found by: the stems of its words, and the attributes that they hint at."""
    known = hints()
    found = set(map(stem, listed))
    hinting = [word for word in found if word in known]
    versions = [_VERSION for word in found if "." in word and word[0].isdigit()]
    return frozenset(
        found.difference(building(), hinting).union(versions, *(known[word] for word in hinting))
    )


class Candidates:
    """Notes by their labels."""

    def __init__(self) -> None:
        self._sizes: list[int] = []
        self._places: dict[str, list[int]] = {}

    def add(self, labelled: frozenset[str]) -> int:
        """Remember a note; return its place."""
        place = len(self._sizes)
        self._sizes.append(len(labelled))
        for label in labelled:
            self._places.setdefault(label, []).append(place)
        return place

    def near(self, labelled: frozenset[str]) -> Iterator[int]:
        """Yield the places of the notes that share an attribute, or all but a few of their words."""
        shared: Counter[int] = Counter()
        certain: set[int] = set()
        for label in labelled:
            places = self._places.get(label, _empty())
            if label.startswith(HINT):
                certain.update(places)
            shared.update(places)
        yield from certain
        size, sizes = len(labelled), self._sizes
        least = size - 1 - (size > SHORT)
        for place, count in shared.items():
            if count >= least and place not in certain:
                longer = sizes[place]
                if longer <= size or count >= longer - 1 - (longer > SHORT):
                    yield place
