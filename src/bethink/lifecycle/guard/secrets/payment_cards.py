"""Detect payment card numbers by issuer, length and check digit (Luhn)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.patterns import FREE, Clues, Finder, FoundSpan, Pattern, clue, find_clues, luhn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded

_RUN: Final = Pattern(r"(?<![0-9])[0-9]++(?:[ \t\n._/\-]{1,2}[0-9]++)*+", digits=12, reach=None)
_GROUP: Final = Pattern(r"[0-9]++")
_WORDS: Final = Pattern(
    r"card|visa|amex|american express|karte|carte|tarjeta|carta|cartao|cartão|discover|diners|jcb|maestro|union ?pay"
    r"|credit|debit|kredit|カード|卡|карт|cvv|cvc|exp"
)
_OTHER: Final = Pattern(
    r"(?:order|orders|bestellung|bestellnummer|commande|pedido|tracking|invoice|rechnung|facture|factura|isbn|ean|gtin"
    r"|upc|imei|serial|ticket|case|parcel|shipment|job|timestamp|ref|reference)"
    r"(?:[ \t]{0,2}(?:number|no|nr|num|id|code))?[ \t.:#]{0,4}$"
)
_FIRST: Final = frozenset("23456")  #: the first digits of the cards of every issuer
_LONGEST: Final = 19
_SHAPES: Final = frozenset({(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3), (6, 13), (4, 4, 4, 2)})


def find_cards(folded: Folded) -> Iterator[FoundSpan]:
    """Find card numbers, and the codes on a card's back."""
    text = folded.lower
    for run in _RUN.finditer(folded):
        if run.end() - run.start() >= 12:  # noqa: PLR2004
            yield from _cards_of(text, run.start(), run.end())
    yield from find_clues(folded, _CODES)


def _cards_of(text: str, begin: int, end: int) -> Iterator[FoundSpan]:
    groups = [match.span() for match in _GROUP.compiled.finditer(text, begin, end)]
    first = 0
    while first < len(groups):
        issued = text[groups[first][0]] in _FIRST
        last = _last_group(text, groups, first) if issued else None
        if last is None:
            first += 1
            continue
        yield FoundSpan("payment_card", groups[first][0], groups[last][1])
        first = last + 1


def _last_group(text: str, groups: list[tuple[int, int]], first: int) -> int | None:
    """Return the group that ends a card number starting at a group, the longest that fits."""
    digits, shape, fits = "", (), None
    gaps: set[str] = set()
    for place in range(first, len(groups)):
        start, end = groups[place]
        if len(digits) + end - start > _LONGEST:
            break
        if place > first:
            gaps.add(text[groups[place - 1][1] : start])
        digits += text[start:end]
        shape += (end - start,)
        if len(digits) >= 12 and _is_card(text, digits, shape, gaps, (groups[first][0], end)):  # noqa: PLR2004
            fits = place
    return fits


def _is_card(text: str, digits: str, shape: tuple[int, ...], gaps: set[str], span: tuple[int, int]) -> bool:
    start, end = span
    issued = _issued(digits)
    if issued is None or not luhn(digits) or len(set(digits)) == 1:
        return False
    if not (_stands_alone(text, start, end)):
        return False
    named = _WORDS.compiled.search(text, max(0, start - 40), min(len(text), end + 24)) is not None
    if named:
        return True
    if not issued or _OTHER.compiled.search(text, max(0, start - 40), start):
        return False
    if len(shape) == 1:
        return len(digits) in {15, 16}
    return len(gaps) == 1 and (shape in _SHAPES or set(shape) == {1})


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Say whether no other digits belong to the same word; letters may be glued to a number."""
    before, after = start, end
    while before > 0 and start - before < 24 and text[before - 1].isalnum():  # noqa: PLR2004
        before -= 1
        if text[before].isdecimal():
            return False
    while after < len(text) and after - end < 24 and text[after].isalnum():  # noqa: PLR2004
        if text[after].isdecimal():
            return False
        after += 1
    return True


def _issued(digits: str) -> bool | None:
    """Say whether a known issuer gives out such numbers; none where nobody does.

    False: only believable where a word about cards stands by it.
    """
    length, four = len(digits), int(digits[:4])
    known: bool | None = None
    if digits[0] == "4":
        known = {13: False, 16: True, 19: False}.get(length)
    elif 5100 <= four <= 5599 or 2221 <= four <= 2720 or 2200 <= four <= 2204:  # noqa: PLR2004
        known = True if length == 16 else None  # noqa: PLR2004
    elif digits[:2] in {"34", "37"}:
        known = True if length == 15 else None  # noqa: PLR2004
    elif 3000 <= four <= 3059 or four // 10 == 309 or digits[:2] in {"36", "38", "39"}:  # noqa: PLR2004
        known = {14: True}.get(length)
    elif four == 6011 or 6440 <= four <= 6599 or digits[:2] == "62" or 3528 <= four <= 3589:  # noqa: PLR2004
        known = {16: True, 17: False, 18: False, 19: False}.get(length)
    elif digits[0] in "56":
        known = False
    return known


_CODES: Final = Clues(
    clue(
        "card_code",
        "cvv|cvv2|cvc|cvc2|csc|card verification|card security|prufnummer|prufziffer|kartenprufnummer|"
        "kartenprufziffer|cryptogramme|セキュリティコード|安全码",
        r"[0-9]{3,4}(?![0-9])",
        gap=FREE,
        digits=3,
    ),
    clue(
        "card_code",
        "security code on the|security code of the|code on the back|codigo de seguridad de la|3-digit code|"
        "3 digit code|three-digit code|three digit code",
        r"[0-9]{3,4}(?![0-9])",
        gap=FREE,
        digits=3,
    ),
    clue(
        "card_code",
        "security code|sicherheitscode|code de securite|codigo de seguridad|codice di sicurezza",
        r"[0-9]{3}(?![0-9]|[.,:/\-][0-9])",
        digits=3,
    ),
)


CARDS: Final = Finder(find_cards, (_RUN, *_CODES.patterns))
