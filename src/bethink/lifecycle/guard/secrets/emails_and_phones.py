"""Detect e-mail addresses and phone numbers."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from bethink.lifecycle.guard.patterns import Finder, FoundSpan, Pattern, digits_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.lifecycle.guard.folding import Folded

_LOCAL: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._%+-")
_LONGEST_LOCAL: Final = 64
_DOMAIN: Final = Pattern(
    r"(?:[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}(?![a-z0-9\-]|:[a-z~/])"
)
_NUMBER: Final = r"\(?[0-9](?:[ ()./\-]{0,2}[0-9]){6,14}(?![0-9]|[.,:][0-9])"
_WORDS: Final = (
    r"phone|telephone|tel|call|ring|mobile|cell|cellphone|whatsapp|sms|text|signal|fax|reach|telefon|handy|handynummer"
    r"|telefonnummer|mobil|mobilnummer|rufnummer|appelle|appelez|portable|telephoner|telefono|movil|celular|llama"
    r"|llamame|cellulare|numero est|numero es|number is|電話|電話番号|携帯|电话|手机|手机号|手机号码|전화"
)
_NAMED: Final = Pattern(
    rf"(?<![a-z])(?:{_WORDS})(?![a-z])[^\n0-9;!?+]{{0,24}}?(?<![a-z0-9])(?P<value>{_NUMBER})",
    *dict.fromkeys(_WORDS.split("|")),
    digits=7,
)
_INTERNATIONAL: Final = Pattern(r"(?<![0-9a-z+])\+[1-9](?:[ ()./\-]{0,2}[0-9]){6,14}(?![0-9])", "+", digits=7)
_NATIONAL: Final = Pattern(
    r"(?<![0-9a-z(.\-])(?:\([2-9][0-9]{2}\)[ ]?|[2-9][0-9]{2}[\-.])[2-9][0-9]{2}[\-.][0-9]{4}(?![0-9\-])"
    r"|(?<![0-9a-z.\-])(?<![0-9][ ])0[1-9](?:[ .\-][0-9]{2}){4}(?![ .\-]?[0-9])",
    digits=10,
)
_CANDIDATE: Final = Pattern(r"(?<![0-9a-z+])\(?[0-9](?:[ ()./\-]{0,2}[0-9]){6,14}(?![0-9])", digits=7)


def find_emails(folded: Folded) -> Iterator[FoundSpan]:
    """Find e-mail addresses."""
    text = folded.lower
    at = text.find("@")
    while at >= 0:
        start = at
        while start > 0 and at - start < _LONGEST_LOCAL and text[start - 1] in _LOCAL:
            start -= 1
        while start < at and text[start] in ".-":
            start += 1
        domain = _DOMAIN.compiled.match(text, at + 1)
        if domain and start < at:
            yield FoundSpan("email", start, domain.end())
        at = text.find("@", at + 1)


def phones(regions: Sequence[str] = ()) -> Finder:
    """Return what finds phone numbers; in the national forms of some regions too, where phonenumbers is installed."""
    patterns = (_INTERNATIONAL, _NATIONAL, _NAMED, *((_CANDIDATE,) if regions else ()))
    return Finder(partial(_find_phones, regions=regions), patterns, category="phone")


def _find_phones(folded: Folded, regions: Sequence[str]) -> Iterator[FoundSpan]:
    for match in _INTERNATIONAL.finditer(folded):
        if _possible(match[0]):
            yield FoundSpan("phone", *match.span())
    for match in _NATIONAL.finditer(folded):
        yield FoundSpan("phone", *match.span())
    for match in _NAMED.finditer(folded):
        if _dialled(match["value"]):
            yield FoundSpan("phone", *match.span("value"))
    if regions and _library():
        for match in _CANDIDATE.finditer(folded):
            if any(_valid(match[0], region) for region in regions):
                yield FoundSpan("phone", *match.span())


def _dialled(value: str) -> bool:
    """Say whether digits are written as a phone number is, and not as an amount."""
    digits = digits_of(value)
    return len(digits) >= 9 or value[0] in "(0" or len(digits) != len(value)  # noqa: PLR2004


@cache
def _library() -> Any:
    try:
        import phonenumbers
    except ModuleNotFoundError:
        return None
    return phonenumbers


def _possible(number: str) -> bool:
    library = _library()
    if library is None:
        return True
    try:
        return library.is_possible_number(library.parse(number, None))
    except library.NumberParseException:
        return False


def _valid(number: str, region: str) -> bool:
    library = _library()
    try:
        return library.is_valid_number(library.parse(number, region))
    except library.NumberParseException:
        return False


EMAILS: Final = Finder(find_emails, (Pattern("@", "@"),), category="email")
