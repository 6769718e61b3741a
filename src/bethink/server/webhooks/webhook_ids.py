"""Unguessable webhook ids with an HMAC tag, so that a wrong id is rejected without a database query."""

from __future__ import annotations

import base64
import binascii
import hmac
from typing import TYPE_CHECKING

from bethink.errors import InvalidError
from bethink.ids import to_number, to_text
from bethink.scope.labels import label

if TYPE_CHECKING:
    from bethink.server.webhooks.secret_encryption import SecretEncryption


class WebhookIds:
    """The names of webhooks: their number, a tag of ours, and the tenant where it is not the usual one."""

    def __init__(self, seals: SecretEncryption, tenant: str) -> None:
        self._seals = seals
        self._usual = tenant

    def name(self, tenant: str, number: int) -> str:
        """Return the name of a webhook, as its address ends."""
        word = to_text("w", number)
        tail = "" if tenant == self._usual else f"-{_encoded(tenant)}"
        return f"{word}-{self._seals.tags(f'{tenant}/{word}')[0]}{tail}"

    def read(self, name: str) -> tuple[str, int] | None:
        """Return the tenant and the number of a name; None where it is none of ours."""
        word, _, rest = name.partition("-")
        tag, _, encoded = rest.partition("-")
        tenant = _decoded(encoded) if encoded else self._usual
        number = to_number("w", word)
        if number is None or tenant is None:
            return None
        given, known = tag.encode("utf-8", "surrogatepass"), False
        for each in self._seals.tags(f"{tenant}/{word}"):
            known |= hmac.compare_digest(each.encode(), given)
        return (tenant, number) if known else None


def _encoded(tenant: str) -> str:
    return base64.urlsafe_b64encode(tenant.encode()).decode().rstrip("=")


def _decoded(word: str) -> str | None:
    try:
        return label(base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)).decode(), argument="tenant")
    except (binascii.Error, ValueError, InvalidError):
        return None
