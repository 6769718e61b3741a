"""Tokenize a text into search terms: stop words, stemming, irregular forms."""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bethink.expressions import Expression
from bethink.recall.irregular_forms import IRREGULAR_FORMS
from bethink.recall.spellings import compound_parts, short_form, spelled_out
from bethink.recall.stemmers import stemmer as made
from bethink.recall.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CACHE_LIMIT: Final = 1 << 17  #: runs whose words are remembered before the memory starts afresh
LONGEST_WORD: Final = 64  #: a longer run of letters is cut: it is data, not language

# ranges of scripts that write without spaces, or that glue particles to words: found by their characters
_UNSPACED: Final = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x0F00, 0x109F),  # Tibetan, Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x31FF),  # kana, Bopomofo
    (0x3400, 0x9FFF),  # Han
    (0xAC00, 0xD7AF),  # Hangul
    (0xF900, 0xFAFF),  # Han, compatibility
    (0x20000, 0x3FFFF),  # Han, supplementary
)

_WORD = Expression(r"\d+(?:[.,]\d+)+(?![^\W\d_])|[^\W_]+(?:['-][^\W\d_]+)*")
_ASCII_WORD = Expression(r"\d+(?:[.,]\d+)+(?![a-z])|[a-z0-9]+(?:['-][a-z]+)*")
_DECIMAL = Expression(r"[0-9][.,][0-9]")
#: letters in lower case, digits, and a space for everything else
_ASCII_LETTERS: Final = bytes(
    ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else ord(" ")  # noqa: PLR2004
    for code in range(256)
)
_SURE_NUMBER = Expression(r"\d+(?:[.,]\d+)*")
_THOUSANDS = Expression(r"\d{1,3}(?:,\d{3})+")
#: letters that are written with spaces between words and without marks of their own, and signs that are none
_PLAIN = Expression("[\0-\u02ff\u0370-\u052f\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff]*")
_APOSTROPHES = str.maketrans("’‘ʼ‐‑", "'''--")


class Term(NamedTuple):
    """A word as the index knows it."""

    hash: int  #: the same in every process and on every machine
    word: str  #: as it was written, folded


def words(text: str) -> Iterator[str]:
    """Yield the words of a text in order: lower case, without accents, without stems being taken."""
    for found in _found(text):
        for word, _ in _forms.get(found) or _read(found):
            yield word


def terms(text: str) -> list[int]:
    """Return the hash of every word of a text, in order."""
    known = _forms
    return [hashed for found in _found(text) for _, hashed in known.get(found) or _read(found)]


def runs(text: str) -> Iterable[str]:
    """Return the runs of letters and digits of a text, in order; each says one word, several, or none."""
    return _found(text)


def terms_of_runs(found: Iterable[str]) -> list[list[int]]:
    """Return the hashes of the words that each run says."""
    known = _forms
    return [[hashed for _, hashed in known.get(run) or _read(run)] for run in found]


def is_stop_term(term: int) -> bool:
    """Tell whether a hash is that of a word that only builds sentences."""
    return term in _stop_terms()


def query_terms(text: str) -> tuple[Term, ...]:
    """Return what a question is searched by: each word once, without stop words unless there is nothing else."""
    seen: dict[int, Term] = {}
    rest: dict[int, Term] = {}
    for found in _found(text):
        for word, hashed in _forms.get(found) or _read(found):
            (rest if word in STOP_WORDS else seen).setdefault(hashed, Term(hashed, word))
    return tuple((seen or rest).values())


def is_stop_word(word: str) -> bool:
    """Tell whether a folded word only builds sentences."""
    return word in STOP_WORDS


def _found(text: str) -> Iterable[str]:
    """Return the runs of letters and digits of a text, as they are written but for case."""
    if text.isascii():
        if "'" in text or "-" in text or _DECIMAL.compiled.search(text):
            return _ASCII_WORD.compiled.findall(text.lower())
        return text.encode("ascii").translate(_ASCII_LETTERS).decode("ascii").split()
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_APOSTROPHES)
    if _PLAIN.compiled.fullmatch(folded):
        return _WORD.compiled.findall(folded)
    return _of_runs(folded)


def _of_runs(folded: str) -> Iterator[str]:
    for run, unspaced in _runs(folded):
        if unspaced:
            yield from _grams(run)
        else:
            yield from _WORD.compiled.findall(run) if _PLAIN.compiled.fullmatch(run) else (run,)


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """Split at what is no letter, digit or mark, and where a script with spaces meets one without."""
    start = -1
    unspaced = False
    for at, char in enumerate(text):
        code = ord(char)
        if code < 128:  # noqa: PLR2004
            inside = char.isalnum() or (char in "'.,-" and start >= 0 and not unspaced)
            here = False
        else:
            here = any(low <= code <= high for low, high in _UNSPACED)
            inside = char.isalnum() or unicodedata.category(char)[0] == "M"
        if start >= 0 and (not inside or here != unspaced):
            yield text[start:at].rstrip("'.,-"), unspaced
            start = -1
        if inside and start < 0:
            start, unspaced = at, here
    if start >= 0:
        yield text[start:].rstrip("'.,-"), unspaced


def _read(found: str) -> tuple[tuple[str, int], ...]:
    """Return the words that a run says, with the hash of the stem of each, and remember them."""
    if found.isdecimal() and found.isascii():
        number = found.lstrip("0") or "0"
        return ((number, _digest(number)),)  # not remembered: most numbers are met once
    read = tuple((word, _hash(word)) for word in _untangle(_bare(found)))
    if len(_forms) >= CACHE_LIMIT:
        _forms.clear()
    if len(found) <= LONGEST_WORD:
        _forms[found] = read
    return read


def _bare(word: str) -> str:
    """Take the accents off letters whose script is read without them too."""
    if word.isascii() or not any(ord(char) < 0x0530 for char in word):  # noqa: PLR2004
        return word
    return "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))


def _untangle(word: str) -> Iterator[str]:
    """Bring contractions, elisions, compounds and numbers to one form."""
    if _SURE_NUMBER.compiled.fullmatch(word):
        yield from _number(word)
    elif "." in word or "," in word:
        for part in re.split("[.,]+", word):
            yield from _untangle(part)
    elif "'" in word or "-" in word:
        for part in spelled_out(word):
            yield from _whole(part)
    elif word:
        yield from short_form(word) or _whole(word)


def _whole(word: str) -> Iterator[str]:
    yield word[:LONGEST_WORD]
    if len(word) <= LONGEST_WORD:
        yield from compound_parts(word)


def _number(word: str) -> Iterator[str]:
    if _THOUSANDS.compiled.fullmatch(word):
        yield word.replace(",", "")
    elif word.count(".") == 1 and "," not in word:
        yield word
    else:
        for part in re.split("[.,]", word):
            yield part.lstrip("0") or "0"


def _grams(run: str) -> Iterator[str]:
    """Yield every character and every pair of neighbours."""
    for at, char in enumerate(run):
        yield char
        if at + 1 < len(run):
            yield run[at : at + 2]


class _Stemmers:
    """One stemmer a script; they hold state while they work, so a lock goes around them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._made: dict[str, Any] = {}

    def stem(self, word: str) -> str:
        language = _language(word)
        if language is None:
            return word
        with self.lock:
            stemmer = self._made.get(language)
            if stemmer is None:
                stemmer = self._made[language] = made(language)
            return str(stemmer.stemWord(word))


def _language(word: str) -> str | None:
    code = ord(word[0])
    if code < 0x0250:  # noqa: PLR2004
        return "english" if word.isalpha() else None
    if 0x0370 <= code < 0x0400:  # noqa: PLR2004
        return "greek"
    if 0x0400 <= code < 0x0530:  # noqa: PLR2004
        return "russian"
    if 0x0600 <= code < 0x0700:  # noqa: PLR2004
        return "arabic"
    return None


_stemmers = _Stemmers()
#: what runs of letters say, with hashes
_forms: dict[str, tuple[tuple[str, int], ...]] = {}


@cache
def _stop_terms() -> frozenset[int]:
    return frozenset(_hash(word) for word in STOP_WORDS)


def _hash(word: str) -> int:
    """Hash the stem of a word."""
    return _digest(_stemmers.stem(IRREGULAR_FORMS.get(word, word)))


def _digest(stem: str) -> int:
    digest = blake2b(stem.encode("utf-8", "surrogatepass"), digest_size=8, person=b"bethink").digest()
    return int.from_bytes(digest, "little")
