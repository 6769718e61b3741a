"""Read the log of the turn in which an agent submits a note, as units of work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bethink.scope.transactions import find
from bethink.sessions.log_items import items
from bethink.sessions.log_lookup import written_last

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.sessions.values import Item
    from bethink.storage.work import Work

MAX_ITEMS: Final = 400  #: of a session that are looked at, the newest
RECENT: Final = (
    3_600_000_000  #: microseconds in which a session has to have been written to be the one under way
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLog:
    """What is known of the conversation in which a note was made."""

    session: str
    items: tuple[Item, ...]


def turn_log(namespace: Namespace, session: str | None, *, since: int | None = None) -> Work[TurnLog | None]:
    """Return the log of a session; without its name that of the one written last, if that was after an instant.

    None where there is no log: nobody keeps one, or nobody said which.
    """
    if session is None and since is not None:
        place = yield from find(namespace)
        if place is None:
            return None
        session = yield from written_last(place, since=since)
    if session is None:
        return None
    found, _ = yield from items(namespace, session, limit=MAX_ITEMS)
    return TurnLog(session=session, items=tuple(found)) if found else None
