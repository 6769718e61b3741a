"""Detect bank accounts: IBANs by check digits, other account numbers by the words before them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.patterns import (
    FREE,
    Clues,
    Finder,
    FoundSpan,
    Pattern,
    clue,
    digits_of,
    find_clues,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded

_LENGTHS: Final = {
    country: length
    for length, countries in {
        15: "NO", 16: "BE", 18: "DK FO FI GL NL", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK", 21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HU LB NI PL SV",
        29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip
_HEAD: Final = Pattern(r"(?<![0-9a-z])[a-z]{2}[0-9]{2}(?=[ .\-]?[0-9a-z])", digits=2, mixed=True)
_SIGNS: Final = " .-"
_SHORTEST: Final = 15
_LONGEST: Final = 34


def find_accounts(folded: Folded) -> Iterator[FoundSpan]:
    """Find account numbers."""
    text = folded.lower
    for head in _HEAD.finditer(folded):
        end = _end_of_iban(text, head.start())
        if end:
            yield FoundSpan("iban", head.start(), end)
    yield from find_clues(folded, _CLUES)


def _end_of_iban(text: str, start: int) -> int:
    """Return where the IBAN that starts at a place ends, or 0 where none does."""
    length = _LENGTHS.get(text[start : start + 2].upper())
    named = "iban" in text[max(0, start - 16) : start]
    letters, place = "", start
    while place < len(text) and len(letters) < (length or _LONGEST):
        letter = text[place]
        if letter.isascii() and letter.isalnum():
            letters += letter
        elif letter not in _SIGNS or text[place - 1] in _SIGNS:
            break
        place += 1
    if place < len(text) and text[place].isascii() and text[place].isalnum():
        return 0
    if text[place - 1] in _SIGNS:
        place -= 1
    if length == len(letters) and _checks(letters):
        return place
    mistyped = named and len(letters) >= _SHORTEST and len(digits_of(letters)) > len(letters) // 2
    return place if mistyped else 0


def _checks(letters: str) -> bool:
    moved = letters[4:] + letters[:4]
    return int("".join(str(int(letter, 36)) for letter in moved)) % 97 == 1


def _is_routing(value: str) -> bool:
    digits = [int(digit) for digit in digits_of(value)]
    return sum(digit * weight for digit, weight in zip(digits, (3, 7, 1) * 3, strict=False)) % 10 == 0


def _is_account(value: str) -> bool:
    return len(digits_of(value)) >= 6  # noqa: PLR2004


_ACCOUNT: Final = r"[0-9](?:[ \-./]?[0-9]){5,19}(?![0-9])"
_CLUES: Final = Clues(
    clue(
        "bank_account",
        "account number|account no|account nr|account #|acct|acct no|acct #|a/c|kontonummer|konto-nr|"
        "konto nr|kontonr|bankkonto|numero de compte|n° de compte|compte bancaire|numero de cuenta|"
        "cuenta bancaria|numero di conto|conto corrente|rekeningnummer|口座番号|银行账号|账号|clabe",
        _ACCOUNT,
        check=_is_account,
        reach=160,
        digits=6,
    ),
    clue("bank_account", "account", _ACCOUNT, gap=r"[\s:#]{1,3}", check=_is_account, digits=6),
    clue("bank_account", "routing|aba|rtn", r"[0-9]{9}(?![0-9])", gap=FREE, check=_is_routing, digits=9),
    clue(
        "bank_account",
        "sort code|sort-code",
        r"[0-9]{2}[ \-]?[0-9]{2}[ \-]?[0-9]{2}(?![0-9])",
        gap=FREE,
        digits=6,
    ),
    clue("bank_account", "blz|bankleitzahl", r"[0-9](?:[ ]?[0-9]){7}(?![0-9])", digits=8),
)


ACCOUNTS: Final = Finder(find_accounts, (_HEAD, *_CLUES.patterns))
