"""What stands in a text where a finding was masked."""

from __future__ import annotations

from typing import Final

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


def placeholder(category: str) -> str:
    """Return what is written in the place of a finding."""
    return f"[{LABELS[category]} removed]"


PLACEHOLDERS: Final = frozenset(map(placeholder, LABELS))
