"""Tokenizer with offsets, for the rules of the lifecycle: words, or single characters of scripts without spaces."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_WIDE = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"


class Token(NamedTuple):
    """A word as it is compared, and the span of the text that it stands for."""

    word: str
    start: int
    end: int


@cache
def _token() -> re.Pattern[str]:
    return re.compile(rf"[{_WIDE}]|(?:(?![{_WIDE}])[^\W_])+(?:['’](?:(?![{_WIDE}])[^\W_])+)*['’]?|[^\w\s]|_")


@lru_cache(maxsize=1 << 14)
def fold(word: str) -> str:
    """Return a word as words are compared: without case, width and accents."""
    plain = unicodedata.normalize("NFKC", word).casefold().replace("’", "'")
    if plain.isascii():
        return plain
    bare = unicodedata.normalize("NFKD", plain)
    if any("\u3099" <= char <= "\u309a" for char in bare):
        return plain  # the voicing marks of kana are no accents
    return unicodedata.normalize("NFC", "".join(char for char in bare if not "\u0300" <= char <= "\u036f"))


def tokens(
    text: str,
    contractions: Mapping[str, str] | None = None,
    elisions: frozenset[str] = frozenset(),
    kept: frozenset[str] = frozenset(),
) -> list[Token]:
    """Return the tokens of a text in order; a contraction gives the words that it stands for.

    `elisions` are what may stand before an apostrophe as a word of its own, `kept` words that keep their accents.
    """
    return list(_tokens(text, contractions or {}, elisions, kept))


def _tokens(
    text: str, contractions: Mapping[str, str], elisions: frozenset[str], kept: frozenset[str]
) -> Iterator[Token]:
    for found in _token().finditer(text):
        start, end = found.span()
        written = unicodedata.normalize("NFC", found.group().casefold()) if kept else ""
        word = written if written in kept else fold(found.group())
        if word in contractions:
            for part in contractions[word].split(" "):
                yield Token(part, start, end)
            continue
        if "'" not in word or len(word) == 1:
            yield Token(word, start, end)
            continue
        head, _, rest = word.partition("'")
        if head in elisions:
            cut = start + len(head) + 1
            yield Token(head + "'", start, cut)
            for part in contractions.get(rest, rest).split(" ") if rest else ():
                yield Token(part, cut, end)
            continue
        if word.endswith("n't") and len(word) > 3:  # noqa: PLR2004
            yield Token(word[:-3], start, end)
            yield Token("not", start, end)
        elif word.endswith("'s"):
            yield Token(word[:-2], start, end)
            yield Token("'s", start, end)
        else:
            yield Token(word.rstrip("'"), start, end)
