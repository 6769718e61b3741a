"""Generate and rotate webhook secrets; several are valid while they change."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, Final

from bethink.server.webhooks.signing import SECRET_BYTES, secret_text
from bethink.server.webhooks.values import Secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bethink.server.webhooks.secret_encryption import SecretEncryption
    from bethink.server.webhooks.values import Scheme

MAX_SECRETS: Final = 4  #: maximum secrets that are valid at once
OVERLAP_SECONDS: Final = 24 * 3_600  #: default validity of the old secret after a rotation


def new_secret(seals: SecretEncryption, *, where: str, scheme: Scheme, now: int) -> tuple[str, Secret]:
    """Return a new secret, as its owner is shown it this once, and as it is kept.

    What a message is signed with must be read again, and is sealed; of what is sent itself a digest is enough.
    """
    key = secrets.token_bytes(SECRET_BYTES)
    shown = secret_text(key)
    kept = seals.seal(key, where=where) if scheme == "standard" else digest(shown)
    return shown, Secret(kept=kept, since=now)


def rotate_secrets(known: Sequence[Secret], new: Secret, *, now: int, overlap: int) -> tuple[Secret, ...]:
    """Return the secrets with a new one before them; the others end after `overlap` seconds at the latest."""
    end = now + overlap * 1_000_000
    older = [
        Secret(kept=each.kept, since=each.since, until=end if each.until is None else min(each.until, end))
        for each in valid_secrets(known, now)
    ]
    return (new, *valid_secrets(older, now)[: MAX_SECRETS - 1])


def valid_secrets(known: Iterable[Secret], now: int) -> list[Secret]:
    """Return the secrets that have not expired."""
    return [each for each in known if each.until is None or each.until > now]


def signing_keys(known: Iterable[Secret], seals: SecretEncryption, *, where: str, now: int) -> list[bytes]:
    """Return the keys that messages are signed with.

    Raises:
        StorageError: they were sealed with a key that is not here.
    """
    return [seals.open(each.kept, where=where) for each in valid_secrets(known, now)]


def matches_secret(known: Iterable[Secret], given: str, now: int) -> bool:
    """Tell whether a word is one of the secrets, in a time that tells nothing."""
    offered, found = digest(given), False
    for each in valid_secrets(known, now):
        found |= hmac.compare_digest(each.kept, offered)
    return found


def digest(word: str) -> str:
    """Return what is kept of a secret that is long and random."""
    return hashlib.sha256(word.encode("utf-8", "surrogatepass")).hexdigest()
