"""Compute how many items an undo removes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bethink.errors import InvalidError
from bethink.sessions.turns import starts_turn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class Span(NamedTuple):
    """The newest part of a log."""

    items: int  #: how many of the newest items
    turns: int  #: how many turns they are; what precedes the first user item is one
    settled: bool  #: the start of the oldest of these turns was seen; else feed more, if there is more


def newest_turns(bodies: Sequence[Mapping[str, Any]], n: int = 1) -> Span:
    """Return how many of the newest items make up the newest `n` turns, all kinds of items counted.

    `bodies` may be the newest part of a longer log; it is read from its end and no farther than needed.
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(f"n must be a number of turns, 1 or more, got {n!r}", argument="n", actual=n)
    found = 0
    headless = False
    for items, body in enumerate(reversed(bodies), start=1):
        headless = not starts_turn(body)
        if not headless:
            found += 1
            if found == n:
                return Span(items, found, settled=True)
    return Span(len(bodies), found + headless, settled=False)
