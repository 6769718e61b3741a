"""Fuse the legs' scores (BM25, vectors, coverage …) into one ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class Weights(NamedTuple):
    """How much each leg counts; chosen once for every kind of data (docs/decisions/0003-ranking.md)."""

    lexical: float = 5.5  #: weight of BM25, scaled to a passage of average length with every term once
    dense: float = 0.55  #: a standard deviation of nearness in meaning, where people talk in short turns
    dense_long: float = 1.0  #: and where messages are long: their words say less of what they are about
    coverage: float = 4.0  #: weight of the share of query terms in the item or close by
    before: float = 0.3  #: weight of the preceding item
    reply: float = 0.8  #: additional weight of the preceding item if it is a question
    after: float = 0.3  #: weight of the following item
    second_before: float = 0.25  #: the one before that
    second_after: float = 0.1
    floor: float = 0.5  #: items lend what they have above this
    episode: float = 2.0  #: the stretch of talk as a whole, the best one counting 1
    speaker: float = 1.0  #: the question names who said it
    brief: float = 0.6  #: penalty per factor e by which an item is shorter than `FULL`
    asking: float = 0.5  #: penalty of an item that is a question
    luck: float = (
        1.5  #: what a text of many passages gives back, times what the best of as many gains by chance
    )
    told: float = 1.5  #: penalty of an item by an assistant or a tool, unless the question asks for it
    wish: float = 1.0  #: bonus of a user's message that is a standing wish


DEFAULT: Final = Weights()
SHORT: Final = 40  #: an item of up to so many words leans fully on its neighbours
LONG: Final = 120  #: one of so many or more leans on them least
FULL: Final = 40  #: words that are enough to say something
MIN_VARIANCE: Final = 1e-6  #: scores that differ by less are taken for equal: it is rounding
#: how much of a word in a neighbour counts as in the item: one after it, two after, one before, two before
NEARBY: Final = (0.8, 0.7, 0.7, 0.5)

_GROUPS: Final = 512  #: at least so many are made where the best of many scores are looked for
_WIDEST: Final = 128  #: scores in one of them
_FREQUENT: Final = 3  #: of so many units one has a frequent word

#: for every unit: the one before, the one two before, the one after, the one two after; 0 is nobody
Links: TypeAlias = "tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]"


class Scale(NamedTuple):
    """What turns a leg's scores into distances from its mean, counted in standard deviations."""

    mean: float
    step: float  #: 1 / standard deviation; 0 if all scores are equal


def scale_of(scores: NDArray[np.float32]) -> Scale:
    """Measure a leg over all that was scanned."""
    n = len(scores)
    if not n:
        return Scale(0.0, 0.0)
    mean = float(scores.sum(dtype=np.float64)) / n
    # squares of what is left keep the digits that squares of the scores lose
    apart = scores - np.float32(mean)
    # einsum, since a dot product of many numbers goes to threads of the linear algebra: on a busy machine they
    # wait for each other far longer than the sum takes
    variance = float(np.einsum("i,i->", apart, apart)) / n
    return Scale(mean, variance**-0.5 if variance > MIN_VARIANCE else 0.0)


def neighbour_share(words: NDArray[np.int64]) -> NDArray[np.float32]:
    """Say how far items lean on their neighbours: short ones wholly, long ones by three fifths."""
    share = np.clip((words - SHORT) / (LONG - SHORT), 0.0, 1.0)
    return (1.0 - 0.4 * share).astype(np.float32)


def short_turn_share(words: int, items: int) -> float:
    """Say from the words of so many items whether people talk in short turns, 1, or in long messages, 0."""
    mean = words / max(items, 1)
    return min(1.0, max(0.0, (LONG - mean) / (LONG - SHORT)))


def dense_weight(weights: Weights, chat: float) -> float:
    """Return the weight of nearness in meaning between short turns and long messages."""
    return weights.dense_long + (weights.dense - weights.dense_long) * chat


def unit_priors(words: NDArray[np.int64], asks: NDArray[np.bool_], weights: Weights) -> NDArray[np.float32]:
    """Say what items bring with them whatever the question: little, if they are short or ask."""
    brief = np.log(np.clip(words, 1, FULL) / FULL) * weights.brief
    return (brief - asks * weights.asking).astype(np.float32)


def expected_maximum(passages: NDArray[np.int64]) -> NDArray[np.float32]:
    """Say by how many deviations the best of so many draws lies higher than one of them, by chance alone."""
    return np.sqrt(2.0 * np.log(np.maximum(passages, 1))).astype(np.float32)


def neighbour_gain(
    scores: NDArray[np.float32],
    lean: NDArray[np.float32],
    asks: NDArray[np.float32],
    links: Links,
    weights: Weights,
    chat: float,
) -> NDArray[np.float32]:
    """Return what each unit gains from the items around it; element 0 of every array stands for nobody.

    `chat` is 1 where people talk in short turns, and falls to 0 where messages are long (see `chatting`).
    """
    before, second_before, after, second_after = links
    lent = scores - np.float32(weights.floor)
    np.maximum(lent, np.zeros(len(lent), np.float32), out=lent)  # twice as fast as with a number
    lent *= lean
    lent[0] = 0.0
    step = asks * np.float32(weights.reply * chat)
    step += np.float32(weights.before)
    step *= lent
    gained = step.take(before)
    gained += lent.take(after) * np.float32(weights.after)
    lent *= lean  # long items count less still from two places away
    gained += lent.take(second_before) * np.float32(weights.second_before)
    gained += lent.take(second_after) * np.float32(weights.second_after)
    gained *= lean
    return gained


def term_coverage(
    rarity: NDArray[np.float32],
    having: Sequence[NDArray[np.int32]],
    lean: NDArray[np.float32],
    links: Links | None,
) -> NDArray[np.float32]:
    """Return what share of a question, by the weight of its words, is in each unit or close to it.

    `rarity` is the weight of each word, `having` the units that have it; without `links` nothing is close to anything.
    """
    n = len(lean)
    if not having:
        return np.zeros(n, np.float32)
    if links is None:
        return _cover_alone(rarity / rarity.sum(), having, n)
    held = np.zeros((len(having), n), np.float32)  # a row a word
    rare = [word for word, units in enumerate(having) if len(units) * _FREQUENT < n]
    for word, units in enumerate(having):
        if len(units) * _FREQUENT >= n:
            _hold_frequent(held[word], units, lean, links)
    if rare:
        own = np.repeat(np.array(rare) * n, [len(having[word]) for word in rare])
        units = np.concatenate([having[word] for word in rare]).astype(np.intp)
        _hold(held.reshape(-1), own, units, lean, links)
    shares = rarity / rarity.sum()
    held *= shares[:, None]
    covered = held[0]
    for more in held[1:]:
        covered += more
    covered[0] = 0.0
    return covered


def _cover_alone(
    shares: NDArray[np.float32], having: Sequence[NDArray[np.int32]], n: int
) -> NDArray[np.float32]:
    covered = np.zeros(n, np.float32)
    for share, units in zip(shares, having, strict=True):
        at = units.astype(np.intp)
        covered[at] = covered.take(at) + share
    covered[0] = 0.0
    return covered


def _hold(
    held: NDArray[np.float32],
    own: NDArray[np.intp],
    units: NDArray[np.intp],
    lean: NDArray[np.float32],
    links: Links,
) -> None:
    """Note of some units that they have a word, and of those around them that they are near it.

    `held` has a place for each word and unit, `own` says where those of a word begin.
    """
    before, second_before, after, second_after = links
    lent = lean.take(units)
    # a unit is before those after it: they gain what it has; no two units have the same one before
    for targets, share in zip((after, second_after, before, second_before), NEARBY, strict=True):
        to = targets.take(units)
        worth = lean.take(to)
        worth *= lent
        worth *= np.float32(share)
        to = to + own
        np.maximum(worth, held.take(to), out=worth)
        held[to] = worth
    held[own + units] = 1.0


def _hold_frequent(
    held: NDArray[np.float32], units: NDArray[np.int32], lean: NDArray[np.float32], links: Links
) -> None:
    """Do the same for one word that many units have: look from every unit to those around it."""
    at = units.astype(np.intp)
    lent = np.zeros(len(lean), np.float32)
    lent[at] = lean.take(at)
    for sources, share in zip(links, NEARBY, strict=True):
        worth = lent.take(sources)
        worth *= lean
        worth *= np.float32(share)
        np.maximum(held, worth, out=held)
    held[at] = 1.0


def relevance_floor(scores: NDArray[np.float32], limit: int) -> float:
    """Return a bound that at least the `limit` highest scores reach, and few others do."""
    n = len(scores)
    if limit >= n:
        return float(scores.min())
    width = n // max(4 * limit, _GROUPS, n // _WIDEST)
    if width > 1:  # the highest of that many groups: as many scores reach the lowest of the best groups
        whole = n - n % width
        highest = scores[:whole].reshape(width, -1).max(axis=0)
        scores = highest if whole == n else np.concatenate((highest, scores[whole:]))
    return float(np.partition(scores, len(scores) - limit)[len(scores) - limit])
