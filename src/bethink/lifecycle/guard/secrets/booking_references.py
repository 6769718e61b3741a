"""Detect booking references, which with a name give access to a booking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.expressions import Expression
from bethink.lifecycle.guard.patterns import LINK, Finder, FoundSpan, Pattern, digits_of, word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded

_SORT: Final = r"(?:reference|references|ref|number|numbers|no|nr|num|code|id|locator|#)"
_NAME: Final = (
    r"(?:(?:booking(?:\.com)?|reservation|confirmation|itinerary|airbnb|vrbo|expedia|conf)"
    rf"(?: (?:booking|reservation|confirmation))?(?:[ \-]?{_SORT}\b\.?| ?#)"
    rf"|(?:flight|hotel|trip|rental|ferry|train|car) (?:booking|reservation|confirmation|ref\b|reference)\.?"
    rf"(?:[ \-]?{_SORT}\b\.?| ?#)?"
    r"|(?:record|booking|reservation) locator|rec ?loc|pnr(?: (?:code|number|no))?|file ?key"
    r"|e-?ticket(?: (?:number|no|nr))?|ticket number"
    r"|(?:buchungs|reservierungs|vorgangs)(?:nummer|nr|code|kode|referenz)"
    r"|(?:numero|code|reference|dossier|num) de (?:la )?(?:reservation|reserva|voyage)|numero de dossier"
    r"|codigo de (?:la )?(?:reserva|confirmacion)|localizador(?: de (?:la )?reserva)?"
    r"|(?:codice|numero)(?: di)? prenotazione|codigo da reserva|reserveringsnummer|boekingsnummer"
    r"|予約番号|予約確認番号|预订号|预订编号|訂位代號|예약번호)"
)
_ANCHORS: Final = (
    *("booking", "reservation", "confirmation", "itinerary", "conf", "flight", "hotel", "airbnb", "vrbo", "expedia"),
    *("trip", "rental", "ferry", "train", "record", "rec loc", "recloc", "pnr", "file key", "filekey"),
    *("ticket", "eticket"),
    *("buchungs", "reservierungs", "vorgangs", "reserva", "voyage", "dossier", "localizador", "prenotazione"),
    *("reserverings", "boekings", "予約", "预订", "訂位", "예약", "codigo de"),
)  # fmt: skip
_OF_WHAT: Final = (
    r"(?:[ ](?:for|of|from|at|with|on|fur|von|bei|de|del|du|pour|para|per|da)[ ][^\n.;:!?0-9]{1,32}?)?"
)
_VALUE: Final = (
    r"(?P<value>(?:[a-z0-9]{1,4}-)?[a-z0-9]{3,14}(?:[ .\-][0-9]{3,10}){0,3})(?![a-z0-9]|[.,][0-9])"
)
_REFERENCE: Final = Pattern(
    rf"(?<![a-z])(?P<name>{_NAME})(?![a-z]){_OF_WHAT}{LINK}{_VALUE}", *_ANCHORS, reach=320, starts=True
)
_DATE: Final = Expression(r"[0-9]{1,4}[.\-][0-9]{1,2}[.\-][0-9]{1,4}")
_WORDS: Final = word_set(
    "NUMBER NUMBERS STATUS BELOW ABOVE CONFIRMED MISSING PENDING CANCELLED CANCELED PLEASE ATTACHED UNKNOWN EMAIL "
    "FLIGHT HOTEL DETAILS BOOKING TICKET CHECK RECORD LOCATOR CODES LETTERS"
)
_SHORTEST: Final = 5
_PLAIN_LETTERS: Final = range(5, 9)  #: capitals without a digit: YNNKLU


def find_references(folded: Folded) -> Iterator[FoundSpan]:
    """Find booking references, ticket numbers and numbers of confirmations."""
    for match in _REFERENCE.finditer(folded):
        start, end = match.span("value")
        if _is_reference(folded.plain[start:end], folded.plain[match.start("name") : match.end("name")]):
            yield FoundSpan("booking_reference", start, end)


def _is_reference(value: str, name: str) -> bool:
    """Say whether a value was given out by a machine: digits among letters, many digits, or capitals alone."""
    signs = [letter for letter in value if letter.isalnum()]
    digits = len(digits_of(value))
    if len(signs) < _SHORTEST or _DATE.compiled.fullmatch(value):
        return False
    if digits == len(signs):
        return True
    if digits:
        return digits > 1 or value.isupper()
    shouted = name.isupper() and name != "PNR"
    return value.isupper() and len(signs) in _PLAIN_LETTERS and value not in _WORDS and not shouted


REFERENCES: Final = Finder(find_references, (_REFERENCE,))
