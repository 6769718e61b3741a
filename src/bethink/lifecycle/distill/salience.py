"""Score how lasting a clause is: a small linear model over its words and the closed classes of its language.

The model was trained on sentences written for it and on MemoryBank (MIT); `models/data/SALIENCE_CARD.md` says how, and
`tools/train_salience.py` trains it anew. It sees one clause, the one before it, and the question that it answers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from bethink.languages.answer_form import names_answers, wished_forms
from bethink.models.hashed_features import bucket

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bethink.languages.loading import Language
    from bethink.lifecycle.distill.clauses import Clause

BUCKETS = 1 << 18  #: places that features are hashed to
_TABLES = (
    ("people", "self"), ("people", "owning"), ("people", "assistant"), ("people", "others"), ("vetoes", "question"),
    ("vetoes", "hypothetical"), ("vetoes", "hedge"), ("vetoes", "reported"), ("vetoes", "request"),
    ("vetoes", "passing_things"), ("time", "once"), ("time", "passing"), ("time", "lasting"),
    ("time", "changes"), ("wishes", "lasting"), ("wishes", "answering"), ("clauses", "dependent"),
    ("compare", "negative"), ("compare", "liking"), ("compare", "preferring"), ("compare", "tentative"),
    ("compare", "people"), ("compare", "number_words"), ("compare", "over"), ("vetoes", "idiom"),
    ("memory", "forget_marks"), ("vetoes", "material"), ("people", "pointing"), ("turning", "now"),
    ("turning", "ended"), ("turning", "also"),
)  # fmt: skip
_LONG = 12
MAX_AROUND = 60  #: words of the message around a clause that are looked at


class Salience(NamedTuple):
    """How probable it is that a clause states something lasting, or something for a while, of its author."""

    lasting: float
    passing: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What stands around a clause."""

    before: Clause | None = None  #: the clause before it in the message
    asked: str = ""  #: the question that the assistant had asked
    first: bool = True  #: it begins the message
    asking: bool = False  #: the message asks something
    message: tuple[str, ...] = ()  #: the words of the whole message, as far as it says how it is meant


def features(clause: Clause, setting: Setting, book: Language) -> list[str]:
    """Return what the model sees of a clause, as names."""
    return list(dict.fromkeys(_features(clause, setting, book)))


def _features(clause: Clause, setting: Setting, book: Language) -> Iterator[str]:
    code = book.code
    words = (*book.words(clause.carried), *clause.words) if clause.carried else clause.words
    yield f"{code}:"
    flags = [f"{section}.{name}" for section, name in _TABLES if book.phrases(section, name).within(words)]
    starts = [f"{section}.{name}" for section, name in _TABLES if book.phrases(section, name).at(words, 0)]
    if book.phrases("people", "subjects").at(words, 0):
        flags.append("subject")
    for flag in flags:
        yield f"f {flag}"
        yield f"{code}:f {flag}"
    for flag in starts:
        yield f"s {flag}"
        yield f"{code}:s {flag}"
    yield f"n {min(len(words), _LONG)}" if book.spaced else f"n {min(len(words) // 3, _LONG)} wide"
    own = "subject" in flags or "people.self" in flags
    topics = [name for name in book.section("topics") if book.phrases("topics", name).within(words)]
    for name in topics:
        yield f"topic {name}"
        yield f"topic {name} {bool(own)} {'vetoes.request' in starts}"
    yield f"topics {min(len(topics), 3)} {bool(own)}"
    if any(word.isdigit() for word in words):
        yield "digits"
    for one, other in combinations(flags, 2):
        yield f"f {one} & {other}"
    yield from _answer_forms(words, book, own=own)
    for name in book.section("spoken_of"):
        if book.phrases("spoken_of", name).within(words):
            yield f"of {name}"
            yield f"of {name} {bool(own)}"
    kind = "".join(str(int(each in flags)) for each in ("people.self", "subject", "people.owning"))
    kind += str(int(bool(book.phrases("clauses", "verbs").at(words, 0))))
    yield f"k {kind}"
    yield f"{code}:k {kind}"
    for word in words[:40]:
        yield f"{code}:o {own} {word}"
    yield from _around(clause, setting, book, flags)
    yield from _spaced(words, code) if book.spaced else _wide(words, code)


def _answer_forms(words: Sequence[str], book: Language, *, own: bool) -> Iterator[str]:
    """Yield what the model sees of how a clause wants answers to be."""
    kinds = dict.fromkeys(kind for kind, _, _ in wished_forms(words, book))
    answers = names_answers(words, book)
    for kind in kinds:
        yield f"form {kind} {own} {answers}"
    if kinds or answers:
        yield f"forms {bool(kinds)} {answers} {own}"


def _around(clause: Clause, setting: Setting, book: Language, flags: Sequence[str]) -> Iterator[str]:
    """Yield what the model sees of how a clause is said, and of what stands around it."""
    code = book.code
    words = (*book.words(clause.carried), *clause.words) if clause.carried else clause.words
    for name in ("question", "explicit", "revised", "cause", "quoting"):
        if getattr(clause, name):
            yield f"is {name}"
    yield f"first {setting.first} {setting.asking}"
    if "subject" in flags or "people.self" in flags:
        yield f"own {'vetoes.request' in flags} {clause.question} {'people.assistant' in flags}"
    if setting.asked:
        yield "asked"
        for word in book.words(setting.asked)[-30:]:
            yield f"{code}:q {word}"
    if setting.before is not None:
        yield f"{code}:b {' '.join(setting.before.words[:2])}"
        yield f"b {setting.before.question} {book.phrases('people', 'self').within(setting.before.words)}"
    inside = set(words)
    for word in dict.fromkeys(setting.message[:MAX_AROUND]):
        if word not in inside:
            yield f"{code}:t {word}"


def _spaced(words: Sequence[str], code: str) -> Iterator[str]:
    kept = ["^", *words[:40], "$"]
    for place, word in enumerate(kept):
        yield f"{code}:w {word}"
        if place:
            yield f"{code}:w {kept[place - 1]} {word}"
        if place > 1:
            yield f"{code}:w {kept[place - 2]} {kept[place - 1]} {word}"
        if len(word) > 4:  # noqa: PLR2004
            yield f"{code}:e {word[-3:]}"
            yield f"{code}:p {word[:4]}"
            yield f"p {word[:5]}"


def _wide(words: Sequence[str], code: str) -> Iterator[str]:
    kept = ["^", *words[:80], "$"]
    for size in (1, 2, 3, 4):
        for place in range(len(kept) - size + 1):
            yield f"{code}:g {''.join(kept[place : place + size])}"


def places(names: Sequence[str]) -> list[int]:
    """Return the places that features are hashed to."""
    return [bucket(name, BUCKETS) for name in names]


class Score:
    """The trained model, and the thresholds that were chosen with it.

    Args:
        weights: of each place that features are hashed to: nothing, passing, lasting.
        scale: what the weights are multiplied by.
        bias: of each answer.
        thresholds: `core`, `daily`, `alone` and `once`: how probable it has to be to be kept so.
    """

    def __init__(
        self, weights: NDArray[Any], scale: float, bias: NDArray[Any], thresholds: Mapping[str, float]
    ) -> None:
        self._weights = weights
        self._scale = scale
        self._bias = bias
        self.thresholds = thresholds

    def __call__(self, clause: Clause, setting: Setting, book: Language) -> Salience:
        """Return how lasting a clause is."""
        return self.of(places(features(clause, setting, book)))

    def of(self, found: Sequence[int]) -> Salience:
        """Return how lasting a clause is whose features are hashed to these places."""
        import numpy as np

        logits = self._weights[found].sum(axis=0) * (self._scale / len(found) ** 0.5) + self._bias
        shares = np.exp(logits - logits.max())
        shares /= shares.sum()
        return Salience(lasting=float(shares[2]), passing=float(shares[1]))


@cache
def shipped() -> Score:
    """Return the score that comes with the package."""
    import numpy as np

    folder = files("bethink.models.data")
    with (folder / "salience.npy").open("rb") as stream:
        weights = np.load(stream, allow_pickle=False)
    plain = json.loads((folder / "salience.json").read_text("utf-8"))
    return Score(weights, plain["scale"], np.array(plain["bias"], np.float32), plain["thresholds"])
