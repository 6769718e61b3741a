"""The retry schedule of failed deliveries: backoff, and when to give up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bethink.server.webhooks.values import State

FIRST_SECONDS: Final = 5.0
FACTOR: Final = 4.0
LONGEST_SECONDS: Final = 6 * 3_600.0
MAX_TRIES: Final = 10  #: over about a day


def after_failure(tries: int, now: int, *, wait: float | None, chance: float) -> tuple[State, int]:
    """Return what becomes of a delivery that failed, and when it is due again.

    Args:
        tries: how often it was tried, this time included.
        now: the present instant, in microseconds.
        wait: the seconds that the receiver asked for.
        chance: from 0 to 1, so that those who failed together do not come back together.
    """
    if tries >= MAX_TRIES:
        return "dead", now
    seconds = min(LONGEST_SECONDS, FIRST_SECONDS * FACTOR ** (tries - 1)) * (0.5 + chance)
    return "pending", now + int(min(LONGEST_SECONDS * 1.5, max(seconds, wait or 0.0)) * 1_000_000)
