"""Sign and verify webhook messages (HMAC, Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ID: Final = "webhook-id"
TIMESTAMP: Final = "webhook-timestamp"
SIGNATURE: Final = "webhook-signature"
PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32
TOLERANCE_SECONDS: Final = 300  #: maximum age of a message, and maximum clock skew of the sender
MAX_ID: Final = 255
_MAX_SIGNATURES: Final = 16  #: maximum signatures of one message that are checked
_VERSION: Final = "v1"


def secret_text(key: bytes) -> str:
    """Return a key as its owner is shown it."""
    return PREFIX + base64.b64encode(key).decode()


def signature(key: bytes, message: str, timestamp: str, body: bytes) -> str:
    """Return the signature of a message."""
    signed = b".".join((message.encode(), timestamp.encode(), body))
    made = hmac.new(key, signed, hashlib.sha256).digest()
    return f"{_VERSION},{base64.b64encode(made).decode()}"


def headers(keys: Iterable[bytes], message: str, at: int, body: bytes) -> dict[str, str]:
    """Return the headers of a message: signed with every key that is good, so that a receiver may change over.

    Args:
        keys: secrets, the newest first.
        message: its id, the same in every try.
        at: the present instant, in seconds since 1970.
        body: the bytes that are sent.
    """
    stamp = str(at)
    signed = " ".join(signature(key, message, stamp, body) for key in keys)
    return {ID: message, TIMESTAMP: stamp, SIGNATURE: signed}


def signature_error(
    keys: Iterable[bytes],
    given: Mapping[str, str],
    body: bytes,
    *,
    now: int,
    tolerance: int = TOLERANCE_SECONDS,
) -> str | None:
    """Say why a message is not to be believed; None where one of the keys has signed it, lately.

    Args:
        keys: secrets, any of which may have signed it.
        given: the headers of the message.
        body: its bytes, as they came.
        now: the present instant, in seconds since 1970.
        tolerance: seconds that the time of the message may be off.
    """
    wrong = head_fault(given, now=now, tolerance=tolerance)
    if wrong is not None:
        return wrong
    message, stamp = given[ID], given[TIMESTAMP]
    offered = [_bytes(word) for word in given[SIGNATURE].split(" ")[:_MAX_SIGNATURES]]
    good = False
    for key in keys:  # each is compared with each, so that the time taken tells nothing
        wanted = signature(key, message, stamp, body).encode()
        for word in offered:
            good |= hmac.compare_digest(wanted, word)
    return None if good else "no signature matches this webhook's secret"


def head_fault(given: Mapping[str, str], *, now: int, tolerance: int = TOLERANCE_SECONDS) -> str | None:
    """Check the signature headers before the body is read; return why they are invalid, or None."""
    stamp = given.get(TIMESTAMP, "")
    if not _printable(given.get(ID, "")) or not given.get(SIGNATURE):
        return f"the message needs the headers {ID}, {TIMESTAMP} and {SIGNATURE}"
    if not (stamp.isascii() and stamp.isdecimal() and len(stamp) <= 12):  # noqa: PLR2004
        return f"{TIMESTAMP} must be the seconds since 1970"
    if abs(now - int(stamp)) > tolerance:
        return "the message is too old, or the sender's clock is wrong; sign messages when they are sent"
    return None


def key_of(secret: str) -> bytes | None:
    """Return the key that a secret's text stands for; None where it is none."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        return None
    return key or None


def _printable(message: str) -> bool:
    return 1 <= len(message) <= MAX_ID and message.isascii() and message.isprintable()


def _bytes(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")
