"""Tell whom a note is about by its first words: "Anna lives in Oslo" is about Anna, "Dinner is at 7" about its author.

A word is somebody's name by a score over the word and its parts. `tools/train_names.py` trains it on names that were
listed in eight languages and on the words of other clauses; `models/data/NAMES_CARD.md` says on what.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.languages.detection import function_words
from bethink.languages.loading import CODES, language
from bethink.languages.phrases import phrase_list
from bethink.languages.tokenizer import fold
from bethink.lifecycle.consolidate.claims import USER
from bethink.lifecycle.consolidate.tables import joined
from bethink.lifecycle.consolidate.words import stem
from bethink.lifecycle.text_caches import remembers
from bethink.models.hashed_features import bucket, trained

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BUCKETS: Final = 1 << 17  #: places that parts of words are hashed to
WORDS: Final = 1 << 19  #: places that words are
PARTS: Final = 5  #: letters of the longest part
#: from which score on a word may be a name, where what stands behind it is said of somebody
MAYBE: Final = -2.0
#: the same for a word that stands in every other sentence of some language: "Mia", "Max"
EITHER: Final = -0.5
SURELY: Final = 1.5  #: from which it is one, whatever stands behind it
_NAME: Final = re.compile(r"\s*([^\W\d_][\w-]+)(?:,?\s+([^\W\d_]\w*)|(:)\s)")
_ARTICLE: Final = re.compile(r"\s*([^\W\d_]{1,3})\s+(?=[^\W\d_])")
_OWNER: Final = re.compile(r"\s*(?:(?:the|my|his|her|their) )?([^\W\d_][\w-]+)['’]s\b", re.IGNORECASE)
_WIDE: Final = re.compile("\\s*([\u3040-\u30ff\u3400-\u9fff々・ー]{2,12})")
_KANA: Final = re.compile("[\u3040-\u30ff]")
_SIGNS: Final = (1, 2, 3, 4, 5)  #: of a name in a script without spaces


class Model(NamedTuple):
    """The numbers of the score, as `tools/train_names.py` writes them."""

    parts: NDArray[np.int8]  #: by place, what a part of a word says
    words: NDArray[np.int8]  #: by place, what a whole word says besides
    scales: NDArray[np.float32]  #: what both are multiplied by, and what is added


def places(word: str) -> list[int]:
    """Return the places of a folded word's parts, and last that of the word."""
    whole = f"<{word}>"
    parts = {whole[at : at + size] for size in range(1, PARTS + 1) for at in range(len(whole) - size + 1)}
    found = [bucket(part, BUCKETS) for part in (*sorted(parts), f"{len(word)} letters")]
    return [*found, bucket(word, WORDS)]


@cache
def _model() -> Model:
    return Model(*trained("names.npz", Model._fields))


@remembers(1 << 13)
def name_score(word: str) -> float:
    """Return how far a word, without regard to case, is the name of a person or an animal; above 0 it is likely."""
    return score(fold(word), _model())


def score(word: str, by: Model) -> float:
    """Return what a model says of a folded word."""
    *parts, whole = places(word)
    of_parts = float(by.parts[parts].astype("int64").sum()) / len(parts) ** 0.5
    return float(of_parts * by.scales[0] + by.words[whole] * by.scales[1] + by.scales[2])


@remembers(1 << 13)
def subject(text: str) -> str:
    """Return whose name, or who, stands at the start of a note."""
    owner = _OWNER.match(text)
    if owner:
        name = owner.group(1).casefold()
        return stem(name) if stem(name) in joined("people") or name_score(name) > MAYBE else USER
    wide = _WIDE.match(text)
    if wide:
        return _in_signs(wide.group(1))
    named = _NAME.match(text, _past_article(text))
    if named:
        name, behind = named.group(1), stem((named.group(2) or "").casefold())
        plain, least = name.casefold(), SURELY
        if name[0].isupper() and (named.group(3) or behind in joined("of_somebody")):
            least = EITHER if plain in _said_often() else MAYBE
        elif plain in _said_often():
            return USER
        known = plain in _pronouns() or stem(plain) in joined("people")
        return USER if known or name_score(plain) <= least else stem(plain)
    return USER


def _past_article(text: str) -> int:
    """Return where a text goes on behind an article that some languages put before a name: "a Leonor", "die Anna"."""
    article = _ARTICLE.match(text)
    return article.end() if article and article.group(1).casefold() in joined("before_names") else 0


@cache
def _behind_names() -> tuple[str, ...]:
    """Return what stands behind a name in the languages where something has to."""
    return tuple(
        phrase for code in CODES for phrase in phrase_list(language(code).word("compare", "behind_names"))
    )


@cache
def _pronouns() -> frozenset[str]:
    """Return the words that stand for somebody in the languages, such as "we"."""
    tables = (language(code).word("people", "subjects") for code in CODES)
    return frozenset(phrase for table in tables for phrase in phrase_list(table) if " " not in phrase)


@cache
def _said_often() -> frozenset[str]:
    """Return the words of the languages that stand in every other sentence; a few of them are names elsewhere."""
    return frozenset[str]().union(*map(function_words, CODES))


def _in_signs(text: str) -> str:
    """Return the name that a text without spaces begins with: of what may be one, the shortest that is likely."""
    japanese = bool(_KANA.search(text))
    found: list[tuple[str, float]] = []
    for length in _SIGNS if japanese else _SIGNS[1:-1]:
        name, behind = text[:length], text[length:]
        if behind and (not japanese or behind.startswith(_behind_names())):
            found.append((name, name_score(name)))
    if all(score <= SURELY for _, score in found):
        return USER
    return next(name for name, score in found if score > 0)
