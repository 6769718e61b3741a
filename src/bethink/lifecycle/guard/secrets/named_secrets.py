"""Detect values that follow the name of a secret, whatever words are between the two.

People say "wifi's the usual, Tr4in-Set" and "the code for the gate, in case you get there first: 4471". So the words
between are not read: a name of a secret, in one of several languages, and within a short way behind it a value of the
shape that such a secret has. A year, a price, a time and a count are no such value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bethink.expressions import Expression
from bethink.lifecycle.guard.folding import NOTHING
from bethink.lifecycle.guard.patterns import Finder, FoundSpan, Pattern
from bethink.lifecycle.guard.secrets.passwords import FULL, looks_chosen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded

FAR: Final = 60  #: characters between a name and its value
_KEYS: Final = (
    *FULL, "passwords", "passcode", "pass code", "pwd", "passphrase", "wifi key", "wi-fi key", "network key",
    "wlan-schlussel", "wlan schlussel", "netzwerkschlussel", "cle wifi", "cle du wifi", "clave wifi", "clave",
    "chiave wifi", "chiave di rete", "parola chiave", "palavra passe", "palavra-passe", "login", "log-in",
    "credentials", "zugangsdaten", "wifi", "wi-fi", "wlan", "パス", "口令", "密匙", "合言葉",
)  # fmt: skip
_CODES: Final = (
    "pin", "pincode", "otp", "tan", "2fa", "passcode", "geheimzahl", "turcode", "zahlencode", "zahlenkombination",
    "kombination", "digicode", "combinaison", "combinacion", "combinazione", "combinacao", "combination", "combo",
    "codigo", "codice", "code", "keypad", "senha", "clave", "暗証番号", "認証コード", "確認コード", "コード",
    "验证码", "驗證碼", "密码", "密碼", "门禁", "門禁", "口令",
)  # fmt: skip
_OTHER_CODES: Final = Expression(
    r"(?:post(?:al|leit)?|zip|area|country|dress|error|status|exit|source|promo|discount|voucher|coupon|bar|qr|tax"
    r"|dial(?:l?ing)?|product|colou?r|hex|write|clean|legacy|python|clinical|gift|airport|iata|hs|icd|unit|course"
    r"|swift|bic|sort|http|of|in)[ \-]?$"
)
_NUMBER: Final = (
    r"(?<![\w.,:/€$£¥\-])#?(?P<value>[0-9]{4,8}|[0-9]{2}(?:[ \-][0-9]{2}){1,3}|[0-9]{3}[ \-][0-9]{3,4}"
    r"|[0-9](?:[ \-][0-9]){3,7})#?"
)
_AFTER: Final = (
    r"(?![\w%€$£¥]|[.,:/\-][0-9]|[ ]?(?:am|pm|uhr|h|min|sec|(?!thanks|sometimes|always|plus)[a-z]{3,}s|mal|veces"
    r"|volte|people|eur|euro|usd|gbp|kg|km|cm|m|mb|gb|percent)\b|[ ]?[位次年行字個文桁回])"
)
_NAMED: Final = Pattern(
    rf"(?<![a-z])(?:{'|'.join(sorted(map(re.escape, {*_KEYS, *_CODES}), key=len, reverse=True))})(?![a-z])",
    *_KEYS,
    *_CODES,
    starts=True,
    ends=True,
)
_WORDS: Final = Expression(rf"[^\s\"'`{NOTHING}<>()\[\],;]{{4,64}}")
_NUMBERS: Final = Expression(_NUMBER + _AFTER)


def find_labelled(folded: Folded) -> Iterator[FoundSpan]:
    """Find passwords and codes near their names."""
    for named in _NAMED.finditer(folded):
        name, place = named[0], named.end()
        if name.endswith("code") and _OTHER_CODES.compiled.search(
            folded.lower[max(0, named.start() - 16) : named.start()]
        ):
            continue
        stop = min(len(folded.lower), place + FAR)
        if name in _CODES:
            number = _NUMBERS.compiled.search(folded.lower, place, min(len(folded.lower), stop + 8))
            if number is not None and not _is_year(number["value"]):
                yield FoundSpan("pin", *number.span("value"))
                continue
        if name in _KEYS:
            for word in _WORDS.compiled.finditer(folded.plain, place, min(len(folded.plain), stop + 32)):
                value = word[0].rstrip(".!?:")
                if word.start() < stop and looks_chosen(value):
                    yield FoundSpan("password", word.start(), word.start() + len(value))
                    break


def _is_year(value: str) -> bool:
    return len(value) == 4 and value[:2] in {"19", "20"}  # noqa: PLR2004


LABELLED: Final = Finder(find_labelled, (_NAMED,))
