"""Map runs to conversations and rollout file names."""

from __future__ import annotations

import hashlib
import re

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")
_WORD = re.compile(r"[a-z0-9]+")
_MAX_WORDS = 6


def rollout_id(
    *,
    conversation_id: str | None = None,
    session_id: str | None = None,
    group_id: str | None = None,
    fresh: str,
) -> str:
    """Return the id of a run's conversation: the first of the three that is named, else a fresh one.

    Runs of one conversation make one rollout. An id that cannot be a file's name is replaced by its hash.
    """
    for given in (conversation_id, session_id, group_id):
        if given is not None and given.strip():
            return safe_id(given.strip())
    return f"run-{fresh}"


def safe_id(given: str) -> str:
    """Return an id as it may name a file; the same id always gives the same name."""
    if _SAFE.fullmatch(given):
        return given
    return f"id-{hashlib.blake2b(given.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}"


def is_safe(given: str) -> bool:
    """Tell whether a text may name the file of a rollout."""
    return _SAFE.fullmatch(given) is not None


def checked_slug(given: str) -> str | None:
    """Return a slug that may name a file, without a suffix; None where it may not."""
    plain = given.strip().removesuffix(".md")
    return plain if _SLUG.fullmatch(plain) else None


def slug_of(text: str) -> str:
    """Return a slug that says what a text begins with."""
    words = _WORD.findall(text.casefold().encode("ascii", "ignore").decode())
    made = "-".join(words[:_MAX_WORDS])[:60].strip("-")
    return made if _SLUG.fullmatch(made) else "conversation"
