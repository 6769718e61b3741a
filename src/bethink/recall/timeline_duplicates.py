"""Sort a timeline by time and fold near-duplicates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.recall.tokenizer import is_stop_word, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.recall.values import Why

ALIKE: Final = 0.75  #: of the words of two entries, those they share, from which one says the other again
_NEAR: Final = 0.75  #: what meaning gives to an entry that is about a matter though it has none of its words
_SHARE: Final = 0.3  #: of the best score, what an entry about the matter has at least
_TURNS: Final = frozenset({"not", "no", "never", "without", "nicht", "kein", "pas", "ne", "sin", "nunca"})


def is_on_subject(why: Why, score: float, best: float) -> bool:
    """Tell whether an entry is about what was asked, and not only the nearest there is."""
    return score >= _SHARE * best and (why.lexical > 0 or why.dense >= _NEAR)


def fold_duplicates(texts: Iterable[str]) -> list[int]:
    """Return for each text, in order, the place of the first one that it says again, its own where it is new.

    What differs in a number, or in saying yes or no, is never the same.
    """
    kept: list[tuple[int, frozenset[str], frozenset[str]]] = []
    found: list[int] = []
    for place, text in enumerate(texts):
        found_words = list(words(text))
        distinguishing = frozenset(
            word for word in found_words if any(map(str.isdigit, word)) or word in _TURNS
        )
        meant = frozenset(word for word in found_words if not is_stop_word(word)) or frozenset(found_words)
        first = next(
            (at for at, other, signs in kept if signs == distinguishing and _alike(meant, other)),
            place,
        )
        if first == place:
            kept.append((place, meant, distinguishing))
        found.append(first)
    return found


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)
