"""Recognise what memory itself has said, so that it is never learned again."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from bethink.notes.values import Note

DIGITS = 32
HOLLOW = "a an the i user users please really very just also that and to so bitte ich je le la les el yo"


@cache
def _hollow() -> frozenset[str]:
    return frozenset(HOLLOW.split())


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\W_]+")


def folded(text: str) -> str:
    """Return a text without case, punctuation and words that carry nothing: near-verbatim repeats fold alike."""
    plain = unicodedata.normalize("NFKC", text.replace("’", "'")).casefold()
    found = _word().findall(plain)
    return " ".join([word for word in found if word not in _hollow()] or found)


def fingerprint(text: str) -> str:
    """Return the digest under which an injected line is recognised; it does not tell the text."""
    return hashlib.blake2b(folded(text).encode("utf-8", "surrogatepass"), digest_size=DIGITS // 2).hexdigest()


def _lines(texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        yield from text.splitlines()


class Firewall:
    """What memory has said before, ready to be compared with what is said now."""

    def __init__(self, known: Iterable[Note] = (), injected: Collection[str] = ()) -> None:
        self._known = {folded(note.text) for note in known} - {""}
        self._injected = {fingerprint(line) for line in _lines(injected) if folded(line)} | set(injected)

    def reason(self, text: str) -> str | None:
        """Return `injected` where memory put this into the context, else None.

        What a note says and the user says again is no echo: it confirms the note.
        """
        return "injected" if self._injected and folded(text) and fingerprint(text) in self._injected else None

    def knows(self, text: str) -> bool:
        """Return whether a note says the same, nearly word for word."""
        return folded(text) in self._known

    def knows_word(self, word: str) -> bool:
        """Return whether a note says this word, so that memory may be what led to it."""
        return any(word.casefold() in fold.split() for fold in self._known)
