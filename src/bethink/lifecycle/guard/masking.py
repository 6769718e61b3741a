"""Mask secrets and personal data (PII): replace each finding by a placeholder such as `[card removed]`."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.lifecycle.values import Finding

_NEAR: Final = 1_000  #: characters on either side of a mask, in which more may show itself
LABELS: Final = {
    "payment_card": "card",
    "card_code": "card code",
    "pin": "PIN",
    "iban": "IBAN",
    "bank_account": "bank account",
    "us_ssn": "SSN",
    "national_id": "identity number",
    "passport": "passport number",
    "driving_licence": "licence number",
    "health_id": "health number",
    "booking_reference": "booking reference",
    "postal_address": "address",
    "birth_date": "birth date",
    "email": "e-mail",
    "phone": "phone number",
    "api_key": "key",
    "private_key": "private key",
    "password": "password",
    "one_time_code": "code",
    "seed_phrase": "seed phrase",
    "instruction": "instruction",
    "hidden_text": "hidden text",
    "encoded_text": "encoded text",
    "size": "text",
}


#: What a text contains in which it was found, as a sentence names it.
FOUND: Final = {
    "payment_card": "a payment card number",
    "card_code": "a card security code",
    "pin": "a PIN",
    "iban": "an IBAN",
    "bank_account": "a bank account number",
    "us_ssn": "a Social Security number",
    "national_id": "a national identity number",
    "passport": "a passport number",
    "driving_licence": "a driving licence number",
    "health_id": "a health insurance number",
    "booking_reference": "a booking reference",
    "postal_address": "a postal address",
    "birth_date": "a date of birth",
    "email": "an email address",
    "phone": "a phone number",
    "api_key": "an API key",
    "private_key": "a private key",
    "password": "a password",
    "one_time_code": "a one-time code",
    "seed_phrase": "a seed phrase",
    "instruction": "an instruction to the assistant",
    "hidden_text": "hidden text",
    "encoded_text": "encoded text",
    "size": "too much text",
}


def findings_text(categories: Iterable[str]) -> str:
    """Return what a text contains, as a sentence names it: "a password and a phone number"."""
    *first, last = [FOUND.get(each, each.replace("_", " ")) for each in dict.fromkeys(categories)] or [
        "nothing"
    ]
    return f"{', '.join(first)} and {last}" if first else last


def placeholder(category: str) -> str:
    """Return what is written in the place of a finding."""
    return f"[{LABELS[category]} removed]"


PLACEHOLDERS: Final = frozenset(map(placeholder, LABELS))


def replace_findings(text: str, masked: Iterable[Finding]) -> tuple[str, list[tuple[int, int]]]:
    """Return a text with labels for findings, and where the labels stand."""
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    place = length = 0
    for each in sorted(masked, key=attrgetter("start", "end")):
        if each.start >= place:
            label = placeholder(each.category)
            parts += [text[place : each.start], label]
            length += each.start - place + len(label)
            places.append((length - len(label), length))
        place = max(place, each.end)
    parts.append(text[place:])
    return "".join(parts), places


def surroundings(places: Iterable[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """Return the parts of a text around some places."""
    parts: list[tuple[int, int]] = []
    for start, end in places:
        begin, until = max(0, start - _NEAR), min(length, end + _NEAR)
        if parts and begin <= parts[-1][1]:
            begin = parts.pop()[0]
        parts.append((begin, until))
    return parts
