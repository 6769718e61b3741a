"""Score whether a newer clause ends an older one: a small network over what both have in common.

It sees which matters they speak of and how far the newer one says that something changed (`clause_score`), the words,
people, names and numbers that they share, and the forms of `contrasts`. `tools/train_endings.py` trains it on pairs of
messages whose authors saw no rule; `models/data/ENDINGS_CARD.md` says on what.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bethink.lifecycle.consolidate.claims import USER
from bethink.lifecycle.consolidate.clause_score import BUCKETS, MATTERS, model, scored
from bethink.lifecycle.consolidate.contrasts import forms, nearly
from bethink.lifecycle.consolidate.telling_words import ROOT, one_word
from bethink.lifecycle.consolidate.words import stem

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.lifecycle.consolidate.clause_score import Model, Scored
    from bethink.lifecycle.consolidate.endings import Gist
    from bethink.recall.growing_column import Column

FRESH, CHANGED, ENDED = 1, 2, 3  #: how strongly a text says that something is not as it was
MAX_CHANGE: Final = 4.0  #: that a clause can say
FRAME: Final = 4  #: words at the beginning, or the end, that two clauses of one frame may share
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


class Clauses:
    """Older clauses, each a row of columns, so that a newer one is weighed against all of them at once."""

    def __init__(self, gists: Iterable[Gist] = ()) -> None:
        self.gists: list[Gist] = []
        self._added: list[tuple[Gist, Scored | None]] = []  #: what the columns do not hold yet
        self._held: list[Column[Any]] = []  #: the columns, once there are any
        self._rows: defaultdict[tuple[str, str], list[int]] = defaultdict(list)  #: by what clauses hold
        self._places: dict[str, int] = {}  #: of telling words in the columns
        self._roots: defaultdict[str, list[str]] = defaultdict(list)  #: telling words by their first letters
        for gist in gists:
            self.add(gist)

    def add(self, gist: Gist, seen: Scored | None = None) -> int:
        """Take a clause in; return its row."""
        row = len(self.gists)
        self.gists.append(gist)
        self._added.append((gist, seen))
        for word in gist.words - self._places.keys():
            self._places[word] = len(self._places)
            self._roots[word[:ROOT]].append(word)
        for kind, held in (("number", gist.numbers), ("name", gist.names), ("person", gist.people)):
            for each in held:
                self._rows[kind, each].append(row)
        self._rows["about", gist.about].append(row)
        for label in gist.labels:
            self._rows["contrast", label].append(row)
        if gist.contrast.quantities:
            self._rows["contrast", "quantities"].append(row)
        for edge in gist.opening:
            self._rows["opening", edge].append(row)
        for edge in gist.closing:
            self._rows["closing", edge].append(row)
        return row

    def relatedness(self, new: Scored) -> NDArray[np.float32]:
        """Return how far each clause speaks of matters of the kinds of another one, from 0 to 1."""
        import numpy as np

        return np.sqrt(self.columns.kinds * (new.matters @ kinds())).max(axis=1)

    def signs(self, new: Gist, new_score: Scored, common: Container[str] = ()) -> NDArray[np.float32]:
        """Return what speaks for it, or against it, that a newer clause ends each of the older ones, a row each.

        Words that are `common` among somebody's notes tell nothing.
        """
        import numpy as np

        old = self.columns
        both = np.sqrt(old.matters * new_score.matters)
        near, of_kind, agree = self._alike(new_score), self.relatedness(new_score), both.sum(axis=1)
        changed = max(-MAX_CHANGE, min(MAX_CHANGE, new_score.change)) / 2
        words, shared = self._words(new, common)
        part, share = shared / np.maximum(1, words), shared / max(1, len(new.words))
        ended = float(new.turn == ENDED or new.corrects)
        counted = old.numbers & bool(new.numbers)
        others = counted & ~self._sharing("number", new.numbers)
        named, met = self._sharing("name", new.names), self._sharing("person", new.people)
        apart = ~met & (old.people | bool(new.people))
        other = ~self._sharing("about", frozenset({new.about}))
        spoken_of = self._sharing("about", frozenset(map(stem, new.words)))
        found = (
            changed, np.clip(old.change, -MAX_CHANGE, MAX_CHANGE) / 2, agree, both.max(axis=1), near, part, share,
            new.corrects, new.mends, new.turn == ENDED, new.turn == CHANGED, new.turn == FRESH, new.adds, new.unsure,
            new.likes, old.likes, new.own, old.own, old.turned, apart, met,
            other, other & spoken_of, other & old.author, new.about == USER,
            bool(new.people), old.people, named, old.names & bool(new.names) & ~named,
            others, counted & ~others, min(len(new.words), _MANY) / _MANY, np.minimum(old.length, _MANY) / _MANY,
            changed * agree, changed * near, changed * part, ended * part, ended * near, ended * agree, others * near,
            others * agree, apart * agree, ended * share, of_kind, changed * of_kind, ended * of_kind, new.mends * near,
            self._edge("opening", new.opening), self._edge("closing", new.closing), *self._forms(new),
        )  # fmt: skip
        signs = np.empty((len(self.gists), len(found) + both.shape[1]), np.float32)
        for place, column in enumerate(found):
            signs[:, place] = column
        signs[:, len(found) :] = both
        return signs

    @property
    def columns(self) -> _Columns:
        """Return what the score sees of the clauses."""
        if self._added:
            more = _columns(self._added, len(self.gists) - len(self._added), self._places)
            self._added = []
            if not self._held:
                from bethink.recall.growing_column import Column

                self._held = [Column(each.dtype.type, *each.shape[1:]) for each in more]
            for column, each in zip(self._held, more, strict=True):
                column.extend(each)
        return _Columns(*(column.all for column in self._held))

    def _alike(self, new: Scored) -> NDArray[Any]:
        """Return the cosine of each clause with another one by their features, of which the rare ones weigh more."""
        import numpy as np

        old, weights = self.columns, np.zeros(BUCKETS, np.float32)
        weights[list(new.values)] = list(new.values.values())
        begins = np.searchsorted(old.feature_rows, np.arange(len(self.gists)))  # the rows stand in order
        found = np.add.reduceat(np.append(weights[old.features] * old.values, np.float32(0)), begins)
        found[np.diff(begins, append=len(old.features)) == 0] = 0
        return found

    def _words(self, new: Gist, common: Container[str]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return how many telling words each clause has that are not common, and how many of them a newer one has."""
        import numpy as np

        old = self.columns
        tells = np.fromiter((word not in common for word in self._places), np.float64, len(self._places))
        has = np.zeros(len(tells))
        for word in new.words:
            forms_of_it = (other for other in self._roots.get(word[:ROOT], ()) if one_word(other, word))
            has[[self._places[other] for other in forms_of_it]] = 1.0
        count = len(self.gists)
        return (
            np.bincount(old.word_rows, tells[old.words], count),
            np.bincount(old.word_rows, (tells * has)[old.words], count),
        )

    def _sharing(self, kind: str, held: frozenset[str]) -> NDArray[np.bool_]:
        """Return which clauses hold one of some numbers, names or people."""
        import numpy as np

        found = np.zeros(len(self.gists), bool)
        for each in held:
            found[self._rows.get((kind, each), [])] = True
        return found

    def _edge(self, kind: str, edges: Sequence[str]) -> NDArray[np.float32]:
        """Return how many words each clause has in common at one end, as a share of `FRAME`."""
        import numpy as np

        found = np.zeros(len(self.gists), np.float32)
        for count, edge in enumerate(edges, 1):
            found[self._rows.get((kind, edge), [])] = count / FRAME
        return found

    def _forms(self, new: Gist) -> NDArray[np.float32]:
        """Return in which forms of `contrasts` a newer clause stands against each of the older ones, a row a form."""
        import numpy as np

        found = np.zeros((5, len(self.gists)), np.float32)
        against = new.labels | ({"quantities"} if new.contrast.quantities else set[str]())
        rows = {row for label in against for row in self._rows.get(("contrast", label), ())}
        if new.mends:
            rows.update(self._spelled_nearly(new.contrast.words))
        for row in rows:
            found[:, row] = forms(new.contrast, self.gists[row].contrast, mends=new.mends)
        return found

    def _spelled_nearly(self, words: Iterable[str]) -> Iterable[int]:
        """Return the clauses with a word that may be another spelling of one of some words."""
        import numpy as np

        near = [place for known, place in self._places.items() if any(nearly(word, known) for word in words)]
        old = self.columns
        return old.word_rows[np.isin(old.words, near)].tolist()


class _Columns(NamedTuple):
    """What the score sees of clauses: a row a clause, and for the words and features of all in a row which is whose."""

    matters: NDArray[np.float32]
    kinds: NDArray[np.float32]  #: the same summed by kinds of matters
    change: NDArray[np.float32]
    length: NDArray[np.int64]  #: telling words
    likes: NDArray[np.bool_]
    own: NDArray[np.bool_]
    turned: NDArray[np.bool_]
    author: NDArray[np.bool_]  #: it is about its author
    people: NDArray[np.bool_]
    names: NDArray[np.bool_]
    numbers: NDArray[np.bool_]
    words: NDArray[np.int64]
    word_rows: NDArray[np.int64]
    features: NDArray[np.int64]
    values: NDArray[np.float32]
    feature_rows: NDArray[np.int64]


def _columns(
    clauses: Sequence[tuple[Gist, Scored | None]], first: int, places: Mapping[str, int]
) -> _Columns:
    import numpy as np

    gists = [gist for gist, _ in clauses]
    seen = [each or scored(gist.text, gist.code) for gist, each in clauses]
    rows = np.arange(first, first + len(clauses))
    matters = np.array([each.matters for each in seen])
    return _Columns(
        matters=matters,
        kinds=matters @ kinds(),
        change=np.array([each.change for each in seen], np.float32),
        length=np.array([len(gist.words) for gist in gists]),
        likes=np.array([gist.likes for gist in gists]),
        own=np.array([gist.own for gist in gists]),
        turned=np.array([gist.turn > FRESH for gist in gists]),
        author=np.array([gist.about == USER for gist in gists]),
        people=np.array([bool(gist.people) for gist in gists]),
        names=np.array([bool(gist.names) for gist in gists]),
        numbers=np.array([bool(gist.numbers) for gist in gists]),
        words=np.array([places[word] for gist in gists for word in gist.words], np.int64),
        word_rows=np.repeat(rows, [len(gist.words) for gist in gists]),
        features=np.array([place for each in seen for place in each.values], np.int64),
        values=np.array([value for each in seen for value in each.values.values()], np.float32),
        feature_rows=np.repeat(rows, [len(each.values) for each in seen]),
    )


def weights(new: Gist, olds: Clauses, common: Container[str] = ()) -> NDArray[np.float32]:
    """Return what each of some older clauses weighs as what a newer one ends; that it ends none of them weighs 1."""
    return weighed(olds.signs(new, scored(new.text, new.code), common), model())


def weighed(found: NDArray[np.float32], by: Model) -> NDArray[np.float32]:
    """Return what pairs weigh by their signs, a row each."""
    import numpy as np

    hidden = np.tanh(found @ by.hidden[:-1] + by.hidden[-1])
    return np.exp(np.minimum(hidden @ by.out[:-1] + by.out[-1], _MAX_LOGIT))


def shares(new: Gist, olds: Clauses) -> list[float]:
    """Return how probable it is of some older clauses that a newer one ends them: one of them, or none.

    They are weighed together, so that the best fit has to be better than all others.
    """
    found = weights(new, olds)
    return (found / (1 + found.sum())).tolist()


def change(new: Gist) -> float:
    """Return how far a clause says that something is not as it was; above 0 it does more likely than not."""
    return scored(new.text, new.code).change


def signs(
    new: Gist, olds: Iterable[tuple[Gist, Scored]], new_score: Scored, common: Container[str] = ()
) -> NDArray[np.float32]:
    """Return what speaks for it, or against it, that a newer clause ends each of some older ones, a row each."""
    clauses = Clauses()
    for old, score in olds:
        clauses.add(old, score)
    return clauses.signs(new, new_score, common)


def alike(one: Scored, other: Scored) -> float:
    """Return the cosine of two clauses by their features, of which the rare ones weigh more."""
    shorter, longer = sorted((one.values, other.values), key=len)
    return sum(value * longer.get(place, 0.0) for place, value in shorter.items())


@cache
def kinds() -> NDArray[np.float32]:
    """Return which matters are of which kind, a column a kind."""
    import numpy as np

    return np.array([[kind.count(name) for name in MATTERS] for kind in _KINDRED], np.float32).T
