"""Turn the names that frameworks give (session, conversation, event) into valid labels."""

from __future__ import annotations

from bethink.scope.labels import LABEL_BYTES, encode
from bethink.scope.transactions import digest


def log_name(*parts: str, begin: str = "") -> str:
    """Return the name of the log of what is named so: the names, or a digest where no label can hold them."""
    name = "/".join(encode(part) for part in parts)
    usual = len(name.encode()) <= LABEL_BYTES - len(begin) and name.isprintable() and name.strip(". ")
    return f"{begin}{name if usual else digest(*parts)}"


def item_key(name: str) -> str:
    """Return a valid item key for an id of a framework: the id itself, or a digest if it is too long."""
    usual = name.isascii() and name.isprintable() and len(name) <= LABEL_BYTES and name.strip(". ")
    return name if usual else digest(name)
