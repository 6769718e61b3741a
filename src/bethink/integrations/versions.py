"""Check that a framework is installed in a supported version."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version


def require_versions(extra: str, *ranges: tuple[str, str, str]) -> None:
    """Make sure that distributions are installed within ranges: (name, from that version on, before that one).

    Raises:
        ImportError: one is missing, or of another version; the sentence says which and how to install it.
    """
    for name, least, below in ranges:
        try:
            found = version(name)
        except PackageNotFoundError:
            raise ImportError(f"{name} is required: pip install 'bethink[{extra}]'", name=name) from None
        if not _parts(least) <= _parts(found) < _parts(below):
            raise ImportError(
                f"{name} {found} is installed, but {least} or later and before {below} is required: pip "
                f"install 'bethink[{extra}]'",
                name=name,
            )


def _parts(text: str) -> tuple[int, ...]:
    """Return the numbers that a version begins with; what stands behind them, such as `rc1`, is not compared."""
    found = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(int(part) for part in found[0].split(".")) if found else ()
