"""Find stale notes: expired, past the retention of their category, or worded for a moment that is over."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.consolidate.retention import RETENTION, ephemeral

if TYPE_CHECKING:
    from datetime import datetime

    from bethink.health.condition.values import Entry

PASSING: Final = timedelta(days=30)  #: how long "this week" may stand
UNTOUCHED: Final = timedelta(days=730)  #: how long a note may stand that nobody has said again


def stale_reason(entry: Entry, now: datetime, *, untouched: timedelta = UNTOUCHED) -> str | None:
    """Return why the time of a note is over, or None."""
    if entry.expires_at is not None and entry.expires_at <= now:
        return f"it was valid until {entry.expires_at.date().isoformat()}"
    if entry.since is None:
        return None
    age = now - entry.since
    rule = RETENTION.get(entry.category)
    if rule is not None and age > rule.hot + rule.archived:
        return f"a {entry.category} note of {entry.since.date().isoformat()}"
    if age > PASSING and ephemeral(entry.text) is not None:
        return f"it is about a moment, which was on {entry.since.date().isoformat()}"
    if age > untouched:
        return f"not said again since {entry.since.date().isoformat()}"
    return None
