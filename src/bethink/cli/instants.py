"""Read the instants that people type."""

from __future__ import annotations

from datetime import UTC, datetime

from bethink.errors import InvalidError


def instant(text: str | None, argument: str) -> datetime | None:
    """Return an instant of its ISO 8601 text; without a zone it is UTC.

    Raises:
        InvalidError: it is not one.
    """
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidError(
            f"{argument} is not a date such as 2025-04-05 or 2025-04-05T10:00:00Z", argument=argument
        ) from None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
