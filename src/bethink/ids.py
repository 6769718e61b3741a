"""Identifiers: integers in the store, short words outside."""

from __future__ import annotations

import threading
import time
from functools import lru_cache
from os import urandom  # what `secrets` reads, without all that it imports

from bethink.errors import NotFoundError

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: no letter is taken for a digit
_VALUES = {letter: value for value, letter in enumerate(_ALPHABET)}
_PAIRS = [high + low for high in _ALPHABET for low in _ALPHABET]
_RANDOM_BITS = 20


class Ids:
    """Makes integers of 62 bits that grow with time, so that newer rows lie beside each other in the store."""

    def __init__(self) -> None:
        self._last = 0
        self._instant = 0
        self._guard = threading.Lock()

    def __call__(self) -> int:
        """Return an integer greater than any that this object made before.

        Each millisecond starts at a random place, so that two processes do not meet; within it they are counted.
        """
        instant = time.time_ns() // 1_000_000
        with self._guard:
            if instant > self._instant:
                start = int.from_bytes(urandom(4), "big") >> 32 - _RANDOM_BITS
                self._instant = instant
                self._last = max(instant << _RANDOM_BITS | start, self._last)
            self._last += 1
            return self._last


def to_text(prefix: str, number: int) -> str:
    """Write an integer as a word."""
    word = ""
    while number > 31:  # noqa: PLR2004 - two letters at a time, as long as there are two
        word = _PAIRS[number & 1023] + word
        number >>= 10
    return prefix + (_ALPHABET[number] + word if number or not word else word)


def to_number(prefix: str, word: str) -> int | None:
    """Read a word back; None where it is not of this kind."""
    if not word.startswith(prefix) or not 1 < len(word) <= 14 or (word[1] == "0" and len(word) > 2):  # noqa: PLR2004
        return None
    number = 0
    for letter in word[len(prefix) :]:
        value = _VALUES.get(letter)
        if value is None:
            return None
        number = number * 32 + value
    return number if number < 1 << 63 else None


@lru_cache(maxsize=4_096)  # notes are found again
def note_id(number: int) -> str:
    """Write the id of a note."""
    return to_text("n", number)


def plan_id(number: int) -> str:
    """Write the id of a plan."""
    return to_text("p", number)


def receipt_id(number: int) -> str:
    """Write the id of a receipt."""
    return to_text("r", number)


def item_id(session: int, seq: int) -> str:
    """Write the id of an item: its session, then its place in it."""
    return f"{_session_word(session)}.{seq}"


@lru_cache(maxsize=4_096)  # the entries of a session are read together
def _session_word(session: int) -> str:
    return to_text("i", session)


def item_key(word: str) -> tuple[int, int]:
    """Read the id of an item.

    Raises:
        NotFoundError: the word is not the id of an item.
    """
    head, dot, tail = word.partition(".")
    session = to_number("i", head)
    if session is None or not dot or not tail.isdecimal() or not tail.isascii() or len(tail) > 18:  # noqa: PLR2004
        raise NotFoundError("no such note or item; ids look like n1m81… or i1m81….3", kind="item", id=word)
    return session, int(tail)
