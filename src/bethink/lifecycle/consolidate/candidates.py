"""Find the few notes that a note is worth comparing with: by words and attributes, or by what could end them."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from bethink.lifecycle.consolidate.attributes import HINT, building, hints
from bethink.lifecycle.consolidate.words import MARKS, stem

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from bethink.lifecycle.consolidate.endings import Gist
    from bethink.lifecycle.consolidate.entries import Entry

_VERSION = f"{HINT}version"
SHORT = 4  #: words; of a short note all but one are shared, of a longer one all but two


def labels(words: Iterable[str]) -> set[str]:
    """Return what a note can be found by: the stems of its words, and the attributes that they hint at."""
    stems = set(map(stem, words)).difference(_unlabelled())
    hinting = stems.intersection(_hinting())
    found = (stems - hinting).union(*map(hints().__getitem__, hinting))
    if any("." in word and word[0].isdigit() for word in stems - MARKS):
        found.add(_VERSION)
    return found


@cache
def _hinting() -> frozenset[str]:
    return frozenset(hints())


@cache
def _unlabelled() -> frozenset[str]:
    """Return the stems and marks by which no note is found."""
    return building() - _hinting()


class Candidates:
    """Notes by their labels."""

    def __init__(self) -> None:
        self._sizes: list[int] = []  #: how many labels each has
        self._places: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, labelled: set[str]) -> int:
        """Remember a note; return its place."""
        place = len(self._sizes)
        self._sizes.append(len(labelled))
        for label in labelled:
            self._places[label].append(place)
        return place

    def near(self, labelled: set[str]) -> list[int]:
        """Return the places of the notes that share an attribute, or all but a few of their words."""
        places = {label: self._places.get(label, ()) for label in labelled}
        found = {place for label in labelled if label.startswith(HINT) for place in places[label]}
        size, sizes = len(labelled), self._sizes
        least = size - 1 - (size > SHORT)
        for place, count in Counter(chain.from_iterable(places.values())).items():
            if count >= least and place not in found:
                longer = sizes[place]
                if longer <= size or count >= longer - 1 - (longer > SHORT):
                    found.add(place)
        return sorted(found)


class Entries:
    """The entries of a consolidation in the order in which they came, found by what a note says."""

    def __init__(self) -> None:
        self.all: list[Entry] = []
        self._candidates = Candidates()
        self._by_label: defaultdict[str, list[int]] = defaultdict(list)  #: of their gists
        self._mending: list[int] = []  #: what mends a mistake, and may so end a note that shares no label

    def add(self, entry: Entry, labelled: set[str], gist: Gist) -> None:
        """Remember an entry."""
        place = self._candidates.add(labelled)
        self.all.append(entry)
        for label in gist.labels:
            self._by_label[label].append(place)
        if gist.mends:
            self._mending.append(place)

    def near(self, labelled: set[str]) -> list[Entry]:
        """Return the entries that share an attribute, or all but a few of their words."""
        return [entry for place in self._candidates.near(labelled) if not (entry := self.all[place]).empty]

    def older(self, new: Gist, at: tuple[int, datetime]) -> list[Entry]:
        """Return the entries from before an instant, and not more trusted, that a newer text may end."""
        if not new.opposes:
            return []
        places = range(len(self.all)) if new.mends else sorted(self._sharing(new))
        return [entry for place in places if (entry := self.all[place]).when < at and entry.stands]

    def newer(self, old: Gist, at: tuple[int, datetime]) -> list[Entry]:
        """Return the entries from after an instant, or more trusted, that may end an older text."""
        places = self._sharing(old).union(self._mending)
        newer = sorted(place for place in places if self.all[place].when > at)
        return [entry for place in newer if (entry := self.all[place]).stands]

    def _sharing(self, gist: Gist) -> set[int]:
        return set(chain.from_iterable(self._by_label.get(label, ()) for label in gist.labels))
