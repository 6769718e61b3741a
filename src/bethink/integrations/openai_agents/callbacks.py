"""`session_input_callback`s for `RunConfig`: choose what the model sees, keeping each call with its result."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from bethink.json_kinds import is_object
from bethink.sessions.item_kinds import classify
from bethink.sessions.pairs import units
from bethink.sessions.windows import WINDOW_BLOCK, WINDOW_MESSAGES, window

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from agents.items import TResponseInputItem

    from bethink.sessions.token_counts import CountTokens

Items: TypeAlias = "list[TResponseInputItem]"
Callback: TypeAlias = "Callable[[Items, Items], Items | Awaitable[Items]]"


def windowed(
    *,
    messages: int | None = WINDOW_MESSAGES,
    turns: int | None = None,
    tokens: int | None = None,
    count_tokens: CountTokens | None = None,
    block: int | None = None,
) -> Callable[[Items, Items], Items]:
    """Return a callback that shows a model the newest whole turns, as `session.window` does, and then what is new.

    Nothing is removed from the session: the window is a view of it. A limit that is given is exact; the usual 50
    messages are trimmed in blocks of 36, so that the history begins where it began the turn before and a prompt cache
    holds. `block` says by how many messages the start moves on, whatever the limit.
    """
    if block is None and messages == WINDOW_MESSAGES and turns is None and tokens is None:
        block = WINDOW_BLOCK

    def merged(history: Items, new: Items) -> Items:
        bodies = cast("list[dict[str, Any]]", history)
        places = window(
            bodies,
            messages=messages,
            turns=turns,
            tokens=tokens,
            count_tokens=count_tokens,
            block=block,
            pending=any(classify(item).answers for item in new),
        )
        return [*(history[place] for place in places), *new]

    merged([], [])  # a wrong limit is refused here, not in the middle of a run
    return merged


def pair_safe(callback: Callback) -> Callable[[Items, Items], Awaitable[Items]]:
    """Wrap a callback so that what it cuts out of the history never splits a call from its result.

    Reasoning, parallel calls and their results stand or fall together: where the callback left out a part of such
    a group, the rest of it is left out too. A result among the new items gets its call back. What the callback
    rewrote or added is left as it is.
    """

    async def merged(history: Items, new: Items) -> Items:
        known, fresh = list(history), list(new)
        answer = callback(history, new)
        if inspect.isawaitable(answer):
            answer = await answer
        return _mended(known, fresh, answer) if isinstance(answer, list) else answer  # pyright: ignore[reportUnnecessaryIsInstance]

    return merged


def _mended(history: Items, new: Items, chosen: Items) -> Items:
    log = [*history, *new]
    places = _places(log, chosen)
    shown = {place for place in places if place is not None}
    dropped: set[int] = set()
    restored: list[int] = []
    grouped: set[int] = set()
    shapes = [classify(item) for item in log]
    for group in units(shapes, pending=True):
        grouped.update(group)
        if len(group) == 1 or shown.isdisjoint(group) or shown.issuperset(group):
            continue
        if max(group) >= len(history) and not shown.isdisjoint(range(len(history), len(log))):
            restored += [place for place in group if place not in shown and place < len(history)]
        else:
            dropped.update(group)
    dropped |= {
        place
        for place, shape in enumerate(shapes[: len(history)])
        if place not in grouped and (shape.opens or shape.answers or shape.kind == "reasoning")
    }
    kept = [(place, item) for place, item in zip(places, chosen, strict=True) if place not in dropped]
    if restored:
        first = next(at for at, (place, _) in enumerate(kept) if place is not None and place > min(restored))
        kept[first:first] = [(place, log[place]) for place in sorted(restored)]
    return [item for _, item in kept]


def _places(log: Items, chosen: Sequence[TResponseInputItem]) -> list[int | None]:
    """Say for each chosen item which item of the log it is: itself, or a rewording of the same call or result."""
    by_identity = {id(item): place for place, item in enumerate(log)}
    by_role: dict[tuple[Any, ...], list[int]] = {}
    for place, item in enumerate(log):
        role = _role(item)
        if role is not None:
            by_role.setdefault(role, []).append(place)
    found = [by_identity.get(id(item)) for item in chosen]
    taken = {place for place in found if place is not None}
    for at in range(len(chosen) - 1, -1, -1):
        role = _role(chosen[at]) if found[at] is None else None
        free = [place for place in by_role.get(role, ()) if place not in taken] if role else []
        if free:
            found[at] = free[-1]
            taken.add(free[-1])
    return found


def _role(item: object) -> tuple[Any, ...] | None:
    """Return what an item keeps when its words are changed; None for a message."""
    shape = classify(item)
    if shape.opens or shape.answers:
        return shape.kind, shape.opens, shape.answers
    if shape.kind == "reasoning" and is_object(item):
        return shape.kind, item.get("id")
    return None
