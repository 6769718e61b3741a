"""Detect identity numbers: social security, national ID, passport, driving licence, health insurance."""

from __future__ import annotations

import importlib
import re
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from bethink.expressions import Expression
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
    from collections.abc import Callable, Iterator

    from bethink.lifecycle.guard.folding import Folded

_SSN: Final = Pattern(
    r"(?<![0-9a-z.\-])[0-9]{3}(?P<sign>[ .\-])[0-9]{2}(?P=sign)[0-9]{4}(?![0-9a-z]|[.\-][0-9])", digits=9
)
_SSN_WORDS: Final = Pattern(
    r"ssn|social sec|(?:my|your|his|her|their|the) social(?! (?:life|media|network|circle|club|event))|itin\b"
    r"|tax ?id|seguro social"
)
#: What every social security number and every shape below has: seven digits, of which six have one sign at most between
#: two of them.
_SHAPED: Final = 7
_SOME_DIGITS: Final = Expression(r"[0-9](?:[^0-9]?[0-9]){5}")
_WORDLIKE: Final = r"(?=[a-z]{0,6}[0-9])[a-z0-9]{1,20}"
_CODE: Final = (
    rf"(?:[a-z]{{1,3}}[ .\-/]?)?{_WORDLIKE}(?:[ .\-/]{{1,2}}{_WORDLIKE}){{0,6}}"
    r"(?:[ .\-/]?[a-z](?![a-z0-9]))?(?![a-z0-9])"
)
_DATE: Final = Pattern(
    r"(?:[0-9]{1,2}[./\- ][0-9]{1,2}[./\- ](?:19|20)?[0-9]{2}|(?:19|20)[0-9]{2}[./\- ]?[0-9]{2}[./\- ]?[0-9]{2})"
)


def find_identities(folded: Folded) -> Iterator[FoundSpan]:
    """Find identity, passport, licence and health numbers."""
    text = folded.lower
    digits = sum(end - start for start, end in folded.numbers)
    shaped = digits >= _SHAPED and _SOME_DIGITS.compiled.search(text) is not None  # one look in place of ten
    for match in _SSN.finditer(folded) if shaped else ():
        if _is_ssn(text, match):
            yield FoundSpan("us_ssn", *match.span())
    yield from find_clues(folded, _CLUES)
    for pattern, check in _SHAPES if shaped else ():
        for match in pattern.finditer(folded):
            if check(match[0]):
                yield FoundSpan("national_id", *match.span())


def _is_ssn(text: str, match: re.Match[str]) -> bool:
    area, group, serial = match[0][:3], match[0][4:6], match[0][7:]
    if area in {"000", "666"} or group == "00" or serial == "0000":
        return False
    around = text[max(0, match.start() - 48) : match.end() + 24]
    named = _SSN_WORDS.compiled.search(around) is not None
    return named or (match["sign"] == "-" and area < "900")


def _is_nine(value: str) -> bool:
    return value[:3] not in {"000", "666"}


def _is_number(value: str) -> bool:
    """Say whether a value is neither a date nor a handful of digits."""
    return len(digits_of(value)) >= 4 and len(value) >= 6 and not _DATE.compiled.fullmatch(value)  # noqa: PLR2004


def _is_mixed(value: str) -> bool:
    """Say whether letters stand among digits, as in X4RTBPFW4."""
    return len(digits_of(value)) >= 2 and not value.rstrip("0123456789").isalpha()  # noqa: PLR2004


def _is_long_number(value: str) -> bool:
    return len(digits_of(value)) >= 6 and not _DATE.compiled.fullmatch(value)  # noqa: PLR2004


def _is_dni(value: str) -> bool:
    number = digits_of(
        value.translate({ord("x"): "0", ord("y"): "1", ord("z"): "2"} if value[0] in "xyz" else {})
    )
    return "trwagmyfpdxbnjzsqvhlcke"[int(number[:8]) % 23] == value[-1]


def _is_cpf(value: str) -> bool:
    digits = [int(digit) for digit in digits_of(value)]
    if len(set(digits)) == 1:
        return False
    for length in (9, 10):
        total = sum(digit * weight for digit, weight in zip(digits, range(length + 1, 1, -1), strict=False))
        if total * 10 % 11 % 10 != digits[length]:
            return False
    return True


def _is_resident_number(value: str) -> bool:
    """Say whether the last sign of a Chinese identity number is right (ISO 7064 MOD 11-2)."""
    total = sum(int(digit) * pow(2, 17 - place, 11) for place, digit in enumerate(value[:17]))
    return "10x98765432"[total % 11] == value[-1]


def _is_nir(value: str) -> bool:
    digits = digits_of(value)
    return 97 - int(digits[:13]) % 97 == int(digits[13:])


def _is_avs(value: str) -> bool:
    digits = [int(digit) for digit in digits_of(value)]
    return sum(digit * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10 == 0


def _stdnum(module: str) -> Callable[[str], bool]:
    """Return a check of python-stdnum, which never agrees where the library is not installed."""

    def check(value: str) -> bool:
        known = _loaded(module)
        return known is not None and bool(known.is_valid(value))

    return check


@cache
def _loaded(module: str) -> Any:
    try:
        return importlib.import_module(f"stdnum.{module}")
    except ModuleNotFoundError:
        return None


_shape: Final = partial(Pattern, digits=_SHAPED)
#: Numbers that are known by shape and check digits alone.
_SHAPES: Final[tuple[tuple[Pattern, Callable[[str], bool]], ...]] = (
    (_shape(r"(?<![0-9a-z])(?:[0-9]{8}|[xyz][0-9]{7})-?[a-z](?![0-9a-z])"), _is_dni),
    (
        _shape(r"(?<![0-9a-z])[a-z]{6}[0-9]{2}[abcdehlmprst][0-9]{2}[a-z][0-9]{3}[a-z](?![0-9a-z])"),
        lambda _value: True,
    ),
    (_shape(r"(?<![0-9.])[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}(?![0-9])"), _is_cpf),
    (
        _shape(
            r"(?<![0-9a-z])[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9x]"
            r"(?![0-9a-z])"
        ),
        _is_resident_number,
    ),
    (
        _shape(r"(?<![0-9])[12] [0-9]{2} (?:0[1-9]|1[0-2]) [0-9]{2} [0-9]{3} [0-9]{3}(?: [0-9]{2})(?![0-9])"),
        _is_nir,
    ),
    (_shape(r"(?<![0-9.])756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}(?![0-9])"), _is_avs),
    (
        _shape(r"(?<![0-9a-z])[0-3][0-9][01][0-9]{3}[-+a][0-9]{3}[0-9a-fhj-np-y](?![0-9a-z])"),
        _stdnum("fi.hetu"),
    ),
    (_shape(r"(?<![0-9.])[0-9]{2}\.[0-9]{2}\.[0-9]{2}-[0-9]{3}\.[0-9]{2}(?![0-9])"), _stdnum("be.nn")),
    (_shape(r"(?<![0-9\-])[0-9]{6}-[1-4][0-9]{6}(?![0-9])"), _stdnum("kr.rrn")),
)
_CLUES: Final = Clues(
    clue(
        "us_ssn",
        "ssn|social security|my social|her social|his social|itin",
        r"[0-9]{9}(?![0-9])",
        check=_is_nine,
        digits=9,
    ),
    clue(
        "national_id",
        "national id|id number|identity number|identity card|id card|citizen id|tax id|tax number|"
        "personalausweis|personalausweisnummer|ausweisnummer|steuer-id|steuerid|steuernummer|"
        "steueridentifikationsnummer|sozialversicherungsnummer|dni|nie|nif|curp|cedula|codice fiscale|"
        "cpf|bsn|burgerservicenummer|pesel|social insurance|national insurance|ni number|nino|ahv|"
        "ahv-nummer|avs|personnummer|cpr|hetu|aadhaar|aadhar|pan|numero de secu|"
        "numero de securite sociale|securite sociale|"
        "seguridad social|sozialversicherung|rentenversicherungsnummer|carte d'identite|nhs|tfn|tax file|cuil|cuit|"
        "emirates id|身份证|身份证号码|マイナンバー|個人番号|"
        "numero de identidad|documento de identidad|carta d'identita|"
        "rijksregisternummer",
        _CODE,
        check=_is_long_number,
        reach=320,
        digits=6,
    ),
    clue(
        "national_id",
        "personalausweis|personalausweisnummer|ausweisnummer",
        _CODE,
        check=_is_number,
        reach=320,
        digits=4,
    ),
    clue("national_id", "sin", r"[0-9]{3}[ \-]?[0-9]{3}[ \-]?[0-9]{3}(?![0-9])", digits=9),
    clue(
        "passport",
        "passport|passports|reisepass|reisepassnummer|passnummer|passeport|pasaporte|passaporto|"
        "passaporte|paspoort|paspoortnummer|护照|护照号码|护照号|パスポート|パスポート番号|旅券番号|여권번호",
        r"(?=[a-z0-9]{0,6}[0-9])[a-z0-9]{6,10}(?![a-z0-9]|[.\-/][0-9])",
        gap=FREE,
        check=_is_number,
        digits=4,
    ),
    clue(
        "passport",
        "passport|reisepass|reisepassnummer|passnummer|passeport|pasaporte|passaporto|passaporte|paspoort|"
        "paspoortnummer",
        r"[a-z][a-z0-9]{7,8}(?![a-z0-9]|[.\-/][0-9])",
        check=_is_mixed,
        digits=2,
    ),
    clue(
        "driving_licence",
        "driver's license|driver's licence|drivers license|drivers licence|driver license|"
        "driving licence|driving license|dl|dl#|fuhrerschein|fuhrerscheinnummer|permis de conduire|"
        "permiso de conducir|carnet de conducir|licencia de conducir|patente di guida|rijbewijs|"
        "rijbewijsnummer|驾照",
        r"(?=[a-z0-9]{0,11}[0-9])[a-z0-9][a-z0-9\-]{4,17}[a-z0-9](?![a-z0-9]|[.\-/][0-9])",
        check=_is_number,
        digits=4,
    ),
    clue(
        "health_id",
        "medicare|medicaid|insurance member|insurance policy|insurance id|insurance number|"
        "insurance card|member id|policy number|policy no|medical record|mrn|patient id|"
        "versichertennummer|versicherungsnummer|krankenversichertennummer|krankenversicherung|"
        "carte vitale|tarjeta sanitaria|numero de poliza|poliza",
        _CODE,
        check=_is_number,
        reach=320,
        digits=4,
    ),
)


IDENTITIES: Final = Finder(find_identities, (_SSN, *_CLUES.patterns, *(pattern for pattern, _ in _SHAPES)))
