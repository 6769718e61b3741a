"""Detect codes that are spelled out or spaced: "the PIN is four two seven one"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bethink.expressions import Expression
from bethink.lifecycle.guard.patterns import Finder, FoundSpan, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded

_DIGITS: Final = (
    "zero|oh|one|two|three|four|five|six|seven|eight|nine"
    "|null|eins|zwei|zwo|drei|vier|funf|sechs|sieben|acht|neun"
    "|un|deux|trois|quatre|cinq|sept|huit|neuf"
    "|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve"
    "|due|tre|quattro|cinque|sei|sette|otto|nove"
    "|um|dois|quatro|sete|oito"
)
_TENS: Final = (
    "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
    "|twenty|thirty|forty|fourty|fifty|sixty|seventy|eighty|ninety|hundred"
)
_TIMES: Final = "double|triple|doppel|doble"
_NUMBER: Final = rf"(?:(?:{_TIMES})[ \-]{{1,2}})?(?:{_TENS}|{_DIGITS})(?![a-z])"
_WORDS: Final = rf"{_NUMBER}(?:[ ,\-]{{1,3}}(?:and[ ])?{_NUMBER}){{1,9}}"
_APART: Final = r"[0-9](?:[ \-.,]{1,2}[0-9]){3,7}(?![0-9]|[ \-.,][0-9])"
_CODE: Final = (
    r"(?:(?:[a-z]{2,16}-)?pin(?:[ \-]?(?:code|number|nummer))?|pass ?code|geheimzahl|code pin|codigo pin|pin-code"
    r"|(?:door|gate|alarm|lock|entry|garage|safe|keypad|lockbox|key ?safe|building|security|access|unlock|phone|bank"
    r"|verification|turcode|tur|alarmanlagen)[ \-]?(?:code|combination|combo)"
    r"|combination|codigo de (?:la )?(?:puerta|alarma|tarjeta)|code d[eu'] ?(?:la )?(?:porte|carte|alarme|l'alarme))"
)
_TO_WHAT: Final = (
    r"(?:[ \t](?:for|of|to|on|at|fur|von|zu|meiner|de|del|para|pour|du)[ \t][^\n0-9.;!?:]{1,30}?)?"
)
_IS: Final = r"(?:[ \t]{0,2}[:=#]|[ \t]{1,2}(?:is|was|ist|lautet|es|est|e)(?![a-z])|'s|,)?[ \t:#\"']{1,4}"
_ANCHORS: Final = (
    *("pin", "pincode", "pinnumber", "pinnummer", "code", "combination", "combo", "geheimzahl", "codigo"),
)
_SPELLED: Final = Pattern(
    rf"(?<![a-z0-9]){_CODE}(?![a-z]){_TO_WHAT}{_IS}(?P<value>{_WORDS})(?![a-z])",
    *_ANCHORS,
    reach=400,
    ends=True,
)
_DIGITS_APART: Final = Pattern(
    rf"(?<![a-z0-9]){_CODE}(?![a-z]){_TO_WHAT}{_IS}(?P<value>{_APART})",
    *_ANCHORS,
    reach=240,
    digits=4,
    ends=True,
)
_LEAST: Final = 4  #: digits
_MAX: Final = 10
_READ: Final = Expression(rf"(?P<times>{_TIMES})|(?P<tens>{_TENS})|(?P<digit>{_DIGITS})")


def find_spelled(folded: Folded) -> Iterator[FoundSpan]:
    """Find PINs and codes of doors in words."""
    for match in _SPELLED.finditer(folded):
        if _LEAST <= _length(match["value"]) <= _MAX:
            yield FoundSpan("pin", *match.span("value"))
    for match in _DIGITS_APART.finditer(folded):
        yield FoundSpan("pin", *match.span("value"))


def _length(words: str) -> int:
    """Return how many digits some words say."""
    length, times = 0, 1
    tens = False
    for word in re.split(r"[ ,\-]+", words):
        found = _READ.compiled.fullmatch(word)
        if not found:
            continue
        if found["times"]:
            times = 3 if word == "triple" else 2
        elif found["tens"]:
            length, times, tens = length + 2, 1, word.endswith("ty")
        else:
            length += 0 if tens else times
            times, tens = 1, False
    return length


SPELLED: Final = Finder(find_spelled, (_SPELLED, _DIGITS_APART))
