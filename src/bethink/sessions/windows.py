"""The window of a session: the newest items that fit, never splitting a call from its result.

The window is the newest whole turns that fit all limits. In it every call has its result and every result its
call (`pairs`); what is left out stays in the log. The newest turn is always there: if it alone is over a limit,
its user item and its newest complete groups are kept, and if not even one group fits, that one. So a log with
anything to show never gives an empty window, a limit is exceeded by one group at most, and the window of a
window is itself. Nothing is put in: no note says that older turns were left out, and no user item is taken for one.

With a `block` the window is trimmed in blocks: once something has to go, its start moves on to the next multiple of
so many places in the log, and stays there until that is not enough. So the history of one turn is the beginning of
that of the next, turn after turn, and what a provider keeps of a prompt is of use. The window of a window is itself
then, too.

A log may be long and its window is short. Feed the newest items, `first_look(messages)` of them; while
`look(...).settled` is false and older items exist, feed twice as many. What is settled is the window of the whole log,
whatever lies before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

from bethink.errors import InvalidError
from bethink.sessions.item_kinds import classify
from bethink.sessions.pairs import units
from bethink.sessions.token_counts import item_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.sessions.item_kinds import PairingShape
    from bethink.sessions.token_counts import CountTokens

WINDOW_MESSAGES = 50
WINDOW_BLOCK = 36  #: messages by which the start of that window moves on


class View(NamedTuple):
    """What can be said of a window from the newest part of a log."""

    indexes: list[int]  #: places in what was fed, ascending
    settled: bool  #: older items would change nothing


class Limits(TypedDict, total=False):
    """What bounds a window; all limits given hold at once, each is 1 or more, `None` is no limit."""

    messages: int | None  #: items of any kind but system; 50 where nothing is said
    turns: int | None  #: user items, each with what follows it
    tokens: int | None  #: by `count_tokens`
    count_tokens: CountTokens | None  #: an estimate where nothing is said
    pending: bool  #: keep the calls at the very end that still wait for their results
    block: (
        int | None
    )  #: places by which the start moves on where something has to go; exact where nothing is said


def window(bodies: Sequence[Mapping[str, Any]], **limits: Unpack[Limits]) -> list[int]:
    """Return the places of the items that a model sees, ascending; see `Limits`."""
    return choose_window(bodies, **limits).indexes


def first_look(messages: int | None = WINDOW_MESSAGES) -> int:
    """Return how many of the newest items are worth reading at first: enough for most windows."""
    return 2 * messages if messages is not None else 4 * WINDOW_MESSAGES


def choose_window(
    bodies: Sequence[Mapping[str, Any]],
    *,
    messages: int | None = WINDOW_MESSAGES,
    turns: int | None = None,
    tokens: int | None = None,
    count_tokens: CountTokens | None = None,
    pending: bool = False,
    block: int | None = None,
    places: Sequence[int] | None = None,
) -> View:
    """Choose the window from the end backwards, turn by turn, and stop at the first turn that does not fit.

    `places` are the positions of `bodies` in the whole log, counted from 0, if they are only a part of it.
    """
    limits = _LimitsLeft(
        messages=_checked("messages", messages),
        tokens=_checked("tokens", tokens),
        bodies=bodies,
        count_tokens=count_tokens,
    )
    turns = _checked("turns", turns)
    block = block_within(_checked("block", block), messages)
    chosen: list[list[int]] = []  # newest turn first
    stop = len(bodies)
    while stop:
        start, groups, whole = _turn_before(bodies, stop, pending=pending and stop == len(bodies))
        found = [place for group in groups for place in group]
        if found:
            if limits.take(found):
                chosen.append(found)
            elif chosen:
                return _view(_in_blocks(chosen, block, places), settled=whole)
            else:
                return _view([_cut(groups, limits, headed=whole)], settled=whole)
            if whole and (len(chosen) == turns or (limits.messages == 0 and block is None)):
                return _view(chosen, settled=True)
        stop = start
    return _view(chosen, settled=False)


def block_within(block: int | None, messages: int | None) -> int | None:
    """Return a block that leaves a quarter of the window at least."""
    return block if block is None or messages is None else min(block, max(1, messages * 3 // 4))


def _in_blocks(chosen: list[list[int]], block: int | None, places: Sequence[int] | None) -> list[list[int]]:
    """Leave out the oldest turns up to the next multiple of a block; the newest turn stays."""
    if block is None:
        return chosen
    starts = [turn[0] if places is None else places[turn[0]] for turn in chosen]
    bound = -(-starts[-1] // block) * block
    kept = [turn for turn, start in zip(chosen, starts, strict=True) if start >= bound]
    return kept or chosen[:1]


class _LimitsLeft:
    """What is left of the limits."""

    def __init__(
        self,
        *,
        messages: int | None,
        tokens: int | None,
        bodies: Sequence[Mapping[str, Any]],
        count_tokens: CountTokens | None,
    ) -> None:
        self.messages = messages
        self._tokens = tokens
        self._bodies = bodies
        self._count_tokens = count_tokens

    def take(self, places: Sequence[int], *, anyway: bool = False) -> bool:
        """Take room for these items if there is enough of it, or anyway."""
        messages = None if self.messages is None else self.messages - len(places)
        tokens = self._tokens
        if tokens is not None and (anyway or messages is None or messages >= 0):
            tokens -= sum(item_tokens(self._bodies[place], self._count_tokens) for place in places)
        fits = (messages is None or messages >= 0) and (tokens is None or tokens >= 0)
        if fits or anyway:
            self.messages, self._tokens = messages, tokens
        return fits or anyway


def _turn_before(
    bodies: Sequence[Mapping[str, Any]], stop: int, *, pending: bool
) -> tuple[int, list[list[int]], bool]:
    """Return where the turn before `stop` starts, its groups, and whether a user item starts it."""
    start = stop
    shapes: list[PairingShape] = []
    while start and not (shapes and shapes[-1].kind == "user"):
        start -= 1
        shapes.append(classify(bodies[start]))
    whole = shapes[-1].kind == "user"
    shapes.reverse()
    groups = [[start + place for place in group] for group in units(shapes, pending=pending)]
    return start, groups, whole


def _cut(groups: list[list[int]], limits: _LimitsLeft, *, headed: bool) -> list[int]:
    """Return of a turn that does not fit its user item and as many of its newest groups as do, at least one."""
    head, rest = (groups[:1], groups[1:]) if headed else ([], groups)
    for group in head:
        limits.take(group, anyway=True)
    kept: list[list[int]] = []
    for group in reversed(rest):
        if not limits.take(group, anyway=not kept):
            break
        kept.append(group)
    return [place for group in [*head, *reversed(kept)] for place in group]


def _view(chosen: list[list[int]], *, settled: bool) -> View:
    return View([place for places in reversed(chosen) for place in places], settled)


def _checked(name: str, limit: int | None) -> int | None:
    if limit is None:
        return None
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(f"{name} must be 1 or more, got {limit!r}", argument=name, actual=limit)
    return limit
