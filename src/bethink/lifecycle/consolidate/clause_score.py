"""Score which matter a clause speaks of, and how far it says that something is not as it was.

A linear model over hashed words, parts of words and closed classes of the language. `tools/train_endings.py` trains it;
`models/data/ENDINGS_CARD.md` says on what. It is asked once a note: `endings` compares what it finds.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bethink.languages.loading import language
from bethink.lifecycle.text_caches import remembers
from bethink.models.hashed_features import bucket, trained

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.languages.loading import Language

BUCKETS = 1 << 17  #: places that features are hashed to
MATTERS = (
    "home", "origin", "employer", "job", "hours", "study", "age", "birthday", "name", "couple", "child", "relative",
    "friend", "pet", "diet", "drinks", "smoking", "allergy", "illness", "medicine", "body", "fitness", "hobby",
    "instrument", "speaks", "fear", "food", "music", "books", "place", "car", "commute", "phone", "computer",
    "software", "stack", "process", "provider", "budget", "sleep", "religion", "politics", "values", "address",
    "answers", "rule", "goal", "project", "trip", "possession", "memory", "habit", "other",
)  # fmt: skip
_CLASSES = (
    ("turning", "now"), ("turning", "ended"), ("turning", "fresh"), ("turning", "also"), ("turning", "vague"),
    ("people", "self"), ("people", "others"), ("compare", "people"), ("compare", "negative"),
    ("compare", "tentative"), ("compare", "liking"), ("compare", "preferring"), ("compare", "passing"),
    ("time", "once"), ("time", "passing"), ("time", "lasting"), ("time", "changes"),
    ("vetoes", "hypothetical"), ("vetoes", "hedge"), ("vetoes", "reported"),
)  # fmt: skip
_WORDS, _SIGNS = 40, 80  #: that are looked at


class Scored(NamedTuple):
    """What a clause speaks of, as the model sees it."""

    values: dict[int, float]  #: of the features that the model knows, by their places; a vector of length 1
    matters: NDArray[np.float32]  #: how probable each of `MATTERS` is
    change: float  #: how far it says that something is not as it was; above 0 it does more likely than not


def features(text: str, book: Language) -> list[str]:
    """Return what the model sees of a clause, as names."""
    words = [word for word in book.words(text) if any(map(str.isalnum, word))]
    found = [*_classes(words, book), *(_spaced(words, book.code) if book.spaced else _wide(words))]
    return list(dict.fromkeys(found))


def _classes(words: Sequence[str], book: Language) -> Iterator[str]:
    for section, name in _CLASSES:
        if book.phrases(section, name).within(words):
            yield f"f {section}.{name}"
            yield f"{book.code}:f {section}.{name}"


def _spaced(words: Sequence[str], code: str) -> list[str]:
    found, before = list[str](), "^"
    for word in words[:_WORDS]:
        found += (f"w {word}", f"{code}:w {word}", f"{code}:b {before} {word}")
        whole, before = f"<{word}>", word
        for size in (3, 4, 5):
            found += [f"c {whole[start : start + size]}" for start in range(len(whole) - size + 1)]
    return [*found, f"{code}:b {before} $"]


def _wide(words: Sequence[str]) -> Iterator[str]:
    whole = "".join(["^", *words[:_SIGNS], "$"])
    for size in (1, 2, 3, 4):
        for start in range(len(whole) - size + 1):
            yield f"g {whole[start : start + size]}"


def places(names: Sequence[str]) -> list[int]:
    """Return the places that features are hashed to, each once."""
    return list(dict.fromkeys([bucket(name, BUCKETS) for name in names]))


def classes(seen: Scored) -> list[bool]:
    """Tell of each closed class whether a clause has one of its words."""
    return [at in seen.values for at in _class_places()]


@cache
def _class_places() -> list[int]:
    return [bucket(f"f {section}.{name}", BUCKETS) for section, name in _CLASSES]


class Model(NamedTuple):
    """The numbers of both scores, as `tools/train_endings.py` writes them."""

    rarity: NDArray[np.float32]  #: what a feature weighs at each place; 0 where none is known
    table: NDArray[np.int8]  #: by place: a few numbers that say what a clause speaks of, and one of change
    scales: NDArray[np.float32]  #: what each column of the table is multiplied by
    mixing: NDArray[np.float32]  #: from those numbers to matters
    bias: NDArray[np.float32]  #: of each matter, and of change
    hidden: NDArray[np.float32]  #: from the signs of a pair to the hidden numbers, the last row their bias
    out: NDArray[np.float32]  #: from these to the score of a pair, the last one its bias


@cache
def model() -> Model:
    """Return the model that ships."""
    return Model(*trained("endings.npz", Model._fields))


@remembers(1 << 13)
def scored(text: str, code: str) -> Scored:
    """Return what the model sees in a clause of a language."""
    return score(places(features(text, language(code))), model())


def score(found: Sequence[int], with_model: Model) -> Scored:
    """Return what a model sees in the features at some places."""
    import numpy as np

    at = np.array(found, np.int64)
    values = with_model.rarity[at]
    at, values = at[values > 0], values[values > 0]
    values = values / max(float(np.sqrt(values @ values)), 1e-6)
    summed = (values @ with_model.table[at].astype(np.float32)) * with_model.scales
    logits = summed[:-1] @ with_model.mixing + with_model.bias[:-1]
    shares = np.exp(logits - logits.max())
    return Scored(
        dict(zip(at.tolist(), values.tolist(), strict=True)),
        shares / shares.sum(),
        float(summed[-1] + with_model.bias[-1]),
    )
