"""API keys: long random words, stored as hashes (digests), each for its own principal."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
from typing import TYPE_CHECKING, Any

from bethink.errors import BethinkError, InvalidError, StorageError
from bethink.json_kinds import is_list
from bethink.server.authentication import Caller, caller_of, unauthorized

if TYPE_CHECKING:
    from pathlib import Path

PREFIX = "bk_"  #: so that a key is recognised where it should not be, and is never taken for a token

_BROKEN = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    RecursionError,
    BethinkError,
)  #: a file may be


class ApiKeys:
    """The keys of a file: a JSON list of `{"digest", "principal", "tenant", "groups", "admin"}`.

    The file is read again when it was changed, so that a key is withdrawn by removing its line. While it cannot be
    read, half written as it may be, the keys read before are good, and a line in the log says so.

    Raises:
        InvalidError: the file cannot be read to begin with.
    """

    def __init__(self, path: Path, tenant: str) -> None:
        self._path = path
        self._tenant = tenant
        self._seen = self._stamp()
        try:
            self._callers = self._read()
        except _BROKEN as error:
            raise InvalidError(
                f"{path} is not a key file; `bethink key WHO --keys {path}` creates one", argument="keys"
            ) from error

    def like(self, word: str) -> bool:
        """Tell whether a word has the form of a key."""
        return word.startswith(PREFIX)

    def caller(self, key: str) -> Caller:
        """Return whose key this is.

        Raises:
            HttpError: 401, nobody's.
        """
        found = self.of_digest(digest(key))
        if found is None:
            raise unauthorized()
        return found

    def digest(self, key: str) -> str:
        """Return what is kept of a key."""
        return digest(key)

    def of_digest(self, kept: str) -> Caller | None:
        """Return whose key has this digest; None where it is nobody's any more."""
        self._refresh()
        return self._callers.get(kept)

    def _refresh(self) -> None:
        stamp = self._stamp()
        if stamp == self._seen:
            return
        self._seen = stamp
        try:
            self._callers = self._read()
        except _BROKEN as error:
            record = {
                "failed": "reading the file of keys",
                "error": type(error).__name__,
                "file": str(self._path),
            }
            logging.getLogger("bethink.server").warning("%s", json.dumps(record))

    def _stamp(self) -> tuple[int, int, int] | None:
        """Return by what a change of the file is noticed; None while it is not there."""
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _read(self) -> dict[str, Caller]:
        return {each["digest"]: self._caller(each) for each in read(self._path)}

    def _caller(self, entry: dict[str, Any]) -> Caller:
        return caller_of(
            entry.get("tenant") or self._tenant,
            entry["principal"],
            groups=tuple(entry.get("groups", ())),
            admin=entry.get("admin") is True,
        )


def digest(key: str) -> str:
    """Return what is kept of a key. A key is random and long: no guess is slow enough to matter."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def read(path: Path) -> list[dict[str, Any]]:
    """Return the entries of a file of keys."""
    found = json.loads(path.read_text(encoding="utf-8"))
    if not is_list(found):
        raise ValueError("not a list")
    return found


def add_key(
    path: Path,
    principal: str,
    *,
    tenant: str | None = None,
    groups: tuple[str, ...] = (),
    admin: bool = False,
) -> str:
    """Add a key for a principal to a file, and return it: this is the only time that it is seen.

    Raises:
        InvalidError: the principal's id is reserved or is none, or the file is no file of keys.
        StorageError: the file cannot be written.
    """
    caller_of(tenant or "default", principal)
    key = PREFIX + secrets.token_urlsafe(32)
    entry = {"digest": digest(key), "principal": principal, "groups": list(groups), "admin": admin}
    try:
        entries = read(path) if path.exists() else []
    except ValueError as error:
        raise InvalidError(f"{path} is not a key file", argument="keys") from error
    text = json.dumps([*entries, entry | ({"tenant": tenant} if tenant else {})], indent=2)
    beside = path.with_name(f".{path.name}.part")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text + "\n")
        beside.replace(path)
    except OSError as error:
        raise StorageError(
            f"cannot write {path}: {error.strerror}",
            reason=type(error).__name__,
            path=str(path),
            outcome="none",
        ) from error
    return key
