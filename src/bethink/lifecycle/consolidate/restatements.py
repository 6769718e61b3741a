"""Score whether a newer note says again what an older one says, in other words: "Vegan", "I eat nothing from animals".

A small network sees how near both lie in meaning, and what they have in common or not: matters, words, numbers, names,
people, denials, words of change. It tells three things apart: both stand, the newer one ends the older one, or both say
the same. `tools/train_restatements.py` trains it on pairs whose authors saw no rule; `models/data/RESTATEMENTS_CARD.md`
says on what.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.lifecycle.consolidate.claims import USER
from bethink.lifecycle.consolidate.clause_score import classes, scored
from bethink.lifecycle.consolidate.nearest_notes import text_vector
from bethink.lifecycle.consolidate.pair_score import ENDED, FRAME, FRESH, MAX_CHANGE, alike, kinds
from bethink.lifecycle.consolidate.subjects import subject
from bethink.lifecycle.consolidate.telling_words import ROOT, one_word
from bethink.models.hashed_features import trained
from bethink.models.static import built_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.lifecycle.consolidate.clause_score import Scored
    from bethink.lifecycle.consolidate.endings import Gist

SURE: Final = 0.92  #: from which probability on two notes do not both stand, so that one of them is enough
AGREE: Final = 0.5  #: how far their matters agree at least; of pairs that say the same 98 in 100 do
BESIDE, ENDS, SAME = range(3)  #: what a newer note may be to an older one
_LONG: Final = 10  #: telling words
_FAR: Final = 0.6  #: the cosine from which on two texts mean nearly the same


class Pair(NamedTuple):
    """A newer note beside an older one."""

    new: Gist
    old: Gist


class Model(NamedTuple):
    """The numbers of the network, as `tools/train_restatements.py` writes them."""

    hidden: NDArray[np.float32]  #: from the signs of a pair to the hidden numbers, the last row their bias
    out: NDArray[np.float32]  #: from these to the three, the last row their bias


def comparable(new: Gist, old: Gist) -> bool:
    """Tell whether two notes may say the same: of one language, person and matter, and with no different numbers."""
    if (new.code, new.about) != (old.code, old.about):
        return False
    if new.numbers and old.numbers and new.numbers != old.numbers:
        return False
    return float(_agreement(scored(new.text, new.code), scored(old.text, old.code)).sum()) > AGREE


def _agreement(one: Scored, other: Scored) -> NDArray[np.float32]:
    """Return how far two clauses agree on each of the matters."""
    return (one.matters * other.matters) ** 0.5


def said_again(pairs: Sequence[Pair]) -> list[bool]:
    """Tell of pairs whether both say the same.

    What ends a note may be taken for it, and what says the same for an ending: either way the newer words are enough.
    """
    if not pairs:
        return []
    found = shares(signs(pairs), _model())
    return same(found, SURE).tolist()


def shares(seen: NDArray[np.float32], by: Model) -> NDArray[np.float32]:
    """Return how probable it is of pairs that both stand, that the newer ends the older, that both say the same."""
    import numpy as np

    told = np.tanh(seen @ by.hidden[:-1] + by.hidden[-1]) @ by.out[:-1] + by.out[-1]
    told = np.exp(told - told.max(axis=1, keepdims=True))
    return told / told.sum(axis=1, keepdims=True)


def same(found: NDArray[np.float32], sure: float) -> NDArray[np.bool_]:
    """Tell of pairs whether both say the same, where it is so sure that not both stand."""
    return (found[:, BESIDE] < 1 - sure) & (found[:, SAME] > found[:, ENDS])


def signs(pairs: Sequence[Pair]) -> NDArray[np.float32]:
    """Return what the network sees of pairs, a row each."""
    import numpy as np

    words = sorted({word for pair in pairs for gist in pair for word in gist.words})
    places, vectors = {word: place for place, word in enumerate(words)}, built_in().embed(words)

    def both(pair: Pair) -> list[float]:
        ours, theirs = (vectors[[places[word] for word in sorted(gist.words)]] for gist in pair)
        cosine = float(text_vector(pair.new.text) @ text_vector(pair.old.text))
        return [*_signs(pair, cosine), *_near_words(pair, ours, theirs)]

    return np.array([both(pair) for pair in pairs], np.float32)


def _signs(pair: Pair, cosine: float) -> list[float]:
    """Return what two notes have in common, and what not."""
    new, old = pair
    seen, known = scored(new.text, new.code), scored(old.text, old.code)
    both = _agreement(seen, known)
    agree, near = float(both.sum()), alike(seen, known)
    of_kind = float((((seen.matters @ kinds()) * (known.matters @ kinds())) ** 0.5).max())
    ours, theirs = (_share(new.words, old.words), _share(old.words, new.words))
    differing = [one != other for one, other in zip(classes(seen), classes(known), strict=True)]
    counted, named = bool(new.numbers) - bool(old.numbers), bool(new.names) - bool(old.names)
    who, whom = subject(new.text), subject(old.text)
    return [
        cosine, cosine * cosine, max(0.0, cosine - _FAR), cosine * agree, cosine * max(ours, theirs), near * agree,
        agree, float(both.max()), of_kind, near, ours, theirs, ours * theirs,
        bool(new.numbers and old.numbers), counted > 0, counted < 0,
        bool(new.names & old.names), bool(new.names and old.names and not new.names & old.names), named > 0, named < 0,
        bool(new.people & old.people), new.people.isdisjoint(old.people) and bool(new.people or old.people),
        bool(new.people), bool(old.people), new.about != old.about, who != whom, who != USER, whom != USER,
        _kept(seen.change), _kept(known.change), new.turn == ENDED, new.tells_change, old.turn > FRESH,
        new.adds, old.adds, new.unsure, old.unsure, new.unsure != old.unsure,
        new.likes, old.likes, new.likes != old.likes, new.own, old.own, new.own != old.own,
        _edge(new.opening, old.opening), _edge(new.closing, old.closing),
        len(new.words) / _LONG, len(old.words) / _LONG, abs(len(new.words) - len(old.words)) / _LONG,
        *differing,
    ]  # fmt: skip


def _near_words(pair: Pair, ours: NDArray[np.float32], theirs: NDArray[np.float32]) -> list[float]:
    """Return how near the words of each note lie to those of the other, and those that only one of them has."""
    new, old = sorted(pair.new.words), sorted(pair.old.words)
    if not new or not old:
        return [0.0] * 6
    cosines = (ours @ theirs.T).tolist()
    mine, its = [max(row) for row in cosines], [max(column) for column in zip(*cosines, strict=True)]
    left = [place for place, word in enumerate(new) if not _has(pair.old.words, word)]
    right = [place for place, word in enumerate(old) if not _has(pair.new.words, word)]
    alone = least = 0.0
    if left and right:
        one, other = ours[left].sum(axis=0), theirs[right].sum(axis=0)
        length = float((one @ one) * (other @ other)) ** 0.5
        alone = float(one @ other) / length if length else 0.0
        lacking = [[cosines[row][column] for column in right] for row in left]
        least = min(*map(max, lacking), *map(max, zip(*lacking, strict=True)))
    return [sum(mine) / len(mine), min(mine), sum(its) / len(its), min(its), alone, least]


def _share(words: frozenset[str], of: frozenset[str]) -> float:
    """Return the share of some words that others have in some form."""
    return sum(_has(of, word) for word in words) / len(words) if words else 0.0


def _has(words: frozenset[str], word: str) -> bool:
    return word in words or any(one_word(other, word) for other in words if other[:ROOT] == word[:ROOT])


def _kept(change: float) -> float:
    return max(-MAX_CHANGE, min(MAX_CHANGE, change)) / 2


def _edge(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how many words two texts have in common at one end, as a share of `FRAME`."""
    return sum(a == b for a, b in zip(one, other, strict=False)) / FRAME


@cache
def _model() -> Model:
    return Model(*trained("restatements.npz", Model._fields))
