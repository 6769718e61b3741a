"""Read the newest items of a session as JSON, and its window."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Unpack

from bethink.sessions import queries
from bethink.sessions.item_json import array, decode_all, decode_array
from bethink.sessions.log_lookup import END, find_log
from bethink.sessions.recent_items_cache import CachedSession
from bethink.sessions.windows import WINDOW_MESSAGES, choose_window, first_look
from bethink.times import optional_datetime

if TYPE_CHECKING:
    from datetime import datetime

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.sessions.log_lookup import SessionRow
    from bethink.sessions.recent_items_cache import RecentItemsCache
    from bethink.sessions.values import Body
    from bethink.sessions.windows import Limits
    from bethink.storage.work import Work

_BEYOND = (
    14  #: entries that are read beside those of a full window: enough to see that an older turn does not fit
)


def bodies(namespace: Namespace, name: str, limit: int | None) -> Work[list[Body]]:
    """Return the newest `limit` entries, oldest first, as JSON; damaged rows do not count."""
    log = yield from find_log(namespace, name)
    if log is None:
        return []
    if limit is None or limit >= log.count:
        rows = yield from queries.all_bodies(**log.keys)
        return [body for body in decode_all(rows) if body is not None]
    found, _ = yield from newest_entries(log, limit)
    return found


def recent_bodies(namespace: Namespace, name: str, limit: int, recent: RecentItemsCache) -> Work[list[Body]]:
    """Return what `bodies` does, from what is at hand where nothing was written to the session since."""
    log = yield from find_log(namespace, name)
    if log is None:
        return []
    asked = (log.session, log.revision, limit)
    text = recent.find(namespace, name, asked)
    if text is None:
        rows = yield from queries.newest_bodies(**log.keys, below=END, limit=limit)
        text = array([row.body for row in reversed(rows)])
        found = decode_array(text)
        if found is None or len(found) != len(rows) or not all(isinstance(body, dict) for body in found):
            return (yield from newest_entries(log, limit))[0]
        recent.keep(namespace, name, CachedSession(*asked, text))
        return found
    return decode_array(text) or []


def newest_entries(log: SessionRow, limit: int, below: int = END) -> Work[tuple[list[Body], list[int]]]:
    """Return the newest readable entries below a place, oldest first, with their places."""
    found: list[Body] = []
    seqs: list[int] = []
    while len(found) < limit:
        asked = limit - len(found)
        rows = yield from queries.newest_bodies(**log.keys, below=below, limit=asked)
        for body, row in zip(decode_all([row.body for row in rows]), rows, strict=True):
            if body is not None:
                found.append(body)
                seqs.append(row.seq)
        if len(rows) < asked:
            break
        below = rows[-1].seq
    found.reverse()
    seqs.reverse()
    return found, seqs


def window(namespace: Namespace, name: str, **limits: Unpack[Limits]) -> Work[list[Body]]:
    """Return the part of a session that a model sees, oldest first; see `sessions.windows`."""
    log = yield from find_log(namespace, name)
    if log is None:
        return []
    found, _, places = yield from _visible(log, **limits)
    return [found[place] for place in places]


class View(NamedTuple):
    """What a window leaves of a session."""

    first: int  #: the oldest place that it shows; 0 where there is nothing to show
    at: datetime | None  #: when what stands there was said
    lost: bool  #: something older is not shown


def view(namespace: Namespace, name: str, **limits: Unpack[Limits]) -> Work[View | None]:
    """Tell where the window of a session begins; None where there is no such session."""
    log = yield from find_log(namespace, name)
    if log is None:
        return None
    messages, bound = limits.get("messages", WINDOW_MESSAGES), limits.get("turns") or limits.get("tokens")
    if bound is None and (messages is None or log.count <= messages):  # all of it is shown
        rows = yield from queries.items_after(**log.keys, after=0, limit=1)
        return View(rows[0].seq, optional_datetime(rows[0].at), False) if rows else View(0, None, False)
    found, seqs, places = yield from _visible(log, **limits)
    if not places:
        return View(0, None, False)
    first = seqs[places[0]]
    rows = yield from queries.find_items(**log.keys, seq=first)
    at = optional_datetime(rows[0].at) if rows else None
    return View(first, at, log.count > len(found) - places[0])


def _visible(log: SessionRow, **limits: Unpack[Limits]) -> Work[tuple[list[Body], list[int], list[int]]]:
    messages = limits.get("messages", WINDOW_MESSAGES)
    size = max(1, min(first_look(messages) if messages is None else messages + _BEYOND, log.count))
    while True:
        found, seqs = yield from newest_entries(log, size)
        seen = choose_window(found, **limits, places=[seq - 1 for seq in seqs])
        if seen.settled or len(found) < size:
            return found, seqs, seen.indexes
        size *= 2


def bodies_before(place: ScopeRow, session: int, seq: int, limit: int) -> Work[list[Body]]:
    """Return the readable ones of the newest entries below a place, oldest first."""
    rows = yield from queries.newest_bodies(**place.keys, session=session, below=seq, limit=limit)
    bodies = decode_all([row.body for row in reversed(rows)])
    return [body for body in bodies if body is not None]
