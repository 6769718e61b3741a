"""Encrypt webhook secrets at rest, under a key that is not in the database."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import secrets
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bethink.errors import InvalidError, StorageError
from bethink.storage.opening import sqlite_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
TAG_LETTERS: Final = 16
_SEALED: Final = "a1."  #: AES-256-GCM; another scheme would begin otherwise


class SecretEncryption:
    """Seals with the newest key, and opens with any: so a key is changed by putting a new one before it.

    Each key is 32 random bytes; what is sealed with it opens in its own place alone (`where`).
    """

    def __init__(self, read: Callable[[], Sequence[bytes]]) -> None:
        self._read = read

    @cached_property
    def _keys(self) -> tuple[bytes, ...]:
        return tuple(self._read())  # when they are first needed: a server without webhooks needs none

    def seal(self, plain: bytes, *, where: str) -> str:
        """Return bytes as they may be stored at a place."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        box = nonce + _cipher(self._keys[0]).encrypt(nonce, plain, where.encode())
        return _SEALED + base64.b64encode(box).decode()

    def open(self, sealed: str, *, where: str) -> bytes:
        """Return what was sealed at a place.

        Raises:
            StorageError: no key that is at hand opens it.
        """
        from cryptography.exceptions import InvalidTag

        try:
            box = base64.b64decode(sealed.removeprefix(_SEALED), validate=True)
        except (binascii.Error, ValueError):
            box = b""
        for key in self._keys:
            try:
                return _cipher(key).decrypt(box[:NONCE_BYTES], box[NONCE_BYTES:], where.encode())
            except (InvalidTag, ValueError):
                continue
        raise StorageError(
            "a secret was encrypted with a key that is missing; restore BETHINK_SECRETS_KEY, or "
            "rotate the secret",
            reason="sealed",
            outcome="none",
        )

    def tags(self, word: str) -> tuple[str, ...]:
        """Return what proves that a word is of our making: one for each key, the newest first."""
        return tuple(
            hmac.new(key, b"address" + word.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[
                :TAG_LETTERS
            ]
            for key in self._keys
        )


def seals_for(url: str, given: str | None) -> SecretEncryption:
    """Return the seals of a database: by the keys that are given, else by a file beside it.

    Args:
        url: the database.
        given: keys in base64, the newest first, with commas between them.
    """
    return SecretEncryption(partial(keys_for, url, given))


def keys_for(url: str, given: str | None) -> list[bytes]:
    """Return the keys that the secrets of a database are sealed with, the newest first.

    Raises:
        InvalidError: a key is not one, or there is none for a database that is not a file.
    """
    if given:
        return [_key(word.strip()) for word in given.split(",")]
    path = sqlite_path(url)
    if path is None:
        raise InvalidError(
            "webhook secrets are encrypted with a key that PostgreSQL does not store; set "
            "BETHINK_SECRETS_KEY to 32 random bytes in Base64 (openssl rand -base64 32), the same "
            "for every server and worker",
            argument="BETHINK_SECRETS_KEY",
        )
    if str(path) == ":memory:":
        return [secrets.token_bytes(KEY_BYTES)]
    return [_beside(Path(str(path)))]


def _beside(database: Path) -> bytes:
    """Return the key in the file beside a database; the first who asks makes it."""
    path = database.with_name(f"{database.name}.key")
    try:
        if not path.exists():
            fresh = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode() + "\n")
            try:
                os.link(fresh, path)  # whole or not at all, and never over another's
            except FileExistsError:
                pass
            finally:
                fresh.unlink()
        return _key(path.read_text(encoding="ascii").strip())
    except (OSError, ValueError) as error:
        raise InvalidError(
            f"cannot read or create the key file {path}; set BETHINK_SECRETS_KEY instead",
            argument="BETHINK_SECRETS_KEY",
        ) from error


def _key(word: str) -> bytes:
    try:
        key = base64.b64decode(word, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise InvalidError(
            f"a key for secrets must be {KEY_BYTES} random bytes in Base64: openssl rand -base64 32",
            argument="BETHINK_SECRETS_KEY",
        )
    return key


def _cipher(key: bytes) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(key)
