"""File names of mirrored sessions, unique on every file system."""

from __future__ import annotations

import hashlib
import re

LONGEST = 200  #: characters of one part of a path
_PLAIN = re.compile(r"[a-z0-9_-]")


def path_of(tenant: str, namespace: str, session: str) -> str:
    """Return the path of a session below the root of a mirror."""
    return f"{folder_of(tenant, namespace)}/state/sessions/{escaped_label(session)}.json"


def folder_of(tenant: str, namespace: str) -> str:
    """Return the folder of an actor below the root of a mirror."""
    return f"{escaped_label(tenant)}/{escaped_label(namespace)}"


def escaped_label(label: str) -> str:
    """Return a label as a file's name: capitals too are escaped, as some file systems take them for small letters.

    A name that is too long ends in a digest of the whole; `~` stands in no other name.
    """
    name = "".join(
        char if _PLAIN.fullmatch(char) else "".join(f"%{byte:02x}" for byte in char.encode())
        for char in label
    )
    if len(name) <= LONGEST:
        return name
    return f"{name[: LONGEST - 33]}~{hashlib.blake2b(label.encode(), digest_size=16).hexdigest()}"
