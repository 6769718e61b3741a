"""Score whether a newer clause ends an older one: a small network over what both have in common.

It sees which matters they speak of and how far the newer one says that something changed (`clause_score`), the words,
people, names and numbers that they share, and the forms of `contrasts`. `tools/train_endings.py` trains it on pairs of
messages whose authors saw no rule; `models/data/ENDINGS_CARD.md` says on what.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.consolidate.clause_score import MATTERS, model, scored
from bethink.lifecycle.consolidate.contrasts import forms
from bethink.lifecycle.consolidate.telling_words import one_word

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.lifecycle.consolidate.clause_score import Scored
    from bethink.lifecycle.consolidate.endings import Gist

FRESH, CHANGED, ENDED = 1, 2, 3  #: how strongly a text says that something is not as it was
MAX_CHANGE: Final = 4.0  #: that a clause can say
_MANY: Final = 10  #: telling words of a long text
_MAX_LOGIT: Final = 30.0
#: matters that are told in each other's words
_KINDRED: Final = (
    ("employer", "job", "hours", "study"), ("home", "place", "origin", "address"),
    ("stack", "process", "software", "project"), ("phone", "computer", "provider", "possession"),
    ("couple", "child", "relative", "friend", "pet"), ("car", "commute"), ("diet", "drinks", "food", "smoking"),
    ("allergy", "illness", "medicine", "body"), ("fitness", "hobby", "goal", "instrument"), ("hours", "sleep", "habit"),
    ("trip", "project", "goal"), ("budget", "provider"), ("name", "answers", "rule"),
)  # fmt: skip


def shares(new: Gist, olds: Sequence[Gist], common: Container[str] = ()) -> list[float]:
    """Return how probable it is of each older clause that a newer one ends it: one of them, or none.

    They are weighed together, so that the best fit has to be better than all others.
    """
    import numpy as np

    mine, by = scored(new.text, new.code), model()
    found = np.array([signs(new, old, mine, scored(old.text, old.code), common) for old in olds])
    hidden = np.tanh(found @ by.hidden[:-1] + by.hidden[-1])
    weights = np.exp(np.minimum(hidden @ by.out[:-1] + by.out[-1], _MAX_LOGIT))
    return (weights / (1 + weights.sum())).tolist()


def change(new: Gist) -> float:
    """Return how far a clause says that something is not as it was; above 0 it does more likely than not."""
    return scored(new.text, new.code).change


def relatedness(new: Gist, old: Gist) -> float:
    """Return how far two clauses speak of matters of one kind, from 0 to 1."""
    return kindred(scored(new.text, new.code), scored(old.text, old.code))


def kindred(one: Scored, other: Scored) -> float:
    """Return how far two clauses speak of matters of one kind, from 0 to 1."""
    import numpy as np

    return float(np.sqrt((one.matters @ _kinds()) * (other.matters @ _kinds())).max())


def signs(
    new: Gist, old: Gist, mine: Scored, its: Scored, common: Container[str] = ()
) -> NDArray[np.float32]:
    """Return what speaks for it, or against it, that a newer clause ends an older one.

    Words that are `common` among somebody's notes tell nothing.
    """
    import numpy as np

    both = np.sqrt(mine.matters * its.matters)
    near, of_kind, agree = alike(mine, its), kindred(mine, its), float(both.sum())
    changed = max(-MAX_CHANGE, min(MAX_CHANGE, mine.change)) / 2
    words = [word for word in old.words if word not in common]
    shared = [word for word in words if any(one_word(word, other) for other in new.words)]
    part, share = len(shared) / max(1, len(words)), len(shared) / max(1, len(new.words))
    ended = float(new.turn == ENDED or new.corrects)
    counted = bool(new.numbers) and bool(old.numbers)
    others = float(counted and new.numbers.isdisjoint(old.numbers))
    elsewhere = bool(new.names) and bool(old.names) and new.names.isdisjoint(old.names)
    apart = float(new.people.isdisjoint(old.people) and bool(new.people or old.people))
    found = (
        changed, max(-MAX_CHANGE, min(MAX_CHANGE, its.change)) / 2, agree, float(both.max()), near, part, share,
        new.corrects, new.mends, new.turn == ENDED, new.turn == CHANGED, new.turn == FRESH, new.adds, new.unsure,
        new.likes, old.likes, new.own, old.own, old.turn > FRESH, apart, bool(new.people & old.people),
        bool(new.people), bool(old.people), bool(new.names & old.names), elsewhere,
        others, counted and not others, min(len(new.words), _MANY) / _MANY, min(len(old.words), _MANY) / _MANY,
        changed * agree, changed * near, changed * part, ended * part, ended * near, ended * agree, others * near,
        others * agree, apart * agree, ended * share, of_kind, changed * of_kind, ended * of_kind, new.mends * near,
        *forms(new.contrast, old.contrast, mends=new.mends),
    )  # fmt: skip
    return np.concatenate([np.array(found, np.float32), both])


def alike(one: Scored, other: Scored) -> float:
    """Return the cosine of two clauses by their features, of which the rare ones weigh more."""
    shorter, longer = sorted((one.values, other.values), key=len)
    return sum(value * longer.get(place, 0.0) for place, value in shorter.items())


@cache
def _kinds() -> NDArray[np.float32]:
    """Return which matters are of which kind, a column a kind."""
    import numpy as np

    return np.array([[kind.count(name) for name in MATTERS] for kind in _KINDRED], np.float32).T
