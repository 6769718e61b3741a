"""Keep what contexts of a namespace were gathered from, for as long as nothing is written to it.

It is kept beside the namespace's index, and let go of with it: when something is erased, and when others need the room.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bethink.times import to_micros

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.lifecycle.inject.service import ContextInput, ContextRequest
    from bethink.recall.index_store_sync import SyncedIndex
    from bethink.scope.transactions import ScopeRow

MOST: Final = 8  #: ways of asking, such as sessions, of which it is kept
MOST_CHARACTERS: Final = 64 << 10  #: of the notes of one; of more nothing is kept


@dataclass(frozen=True, slots=True)
class _Kept:
    since: int  #: the instant for which it was read
    until: int | None  #: the instant at which one of its notes ends
    gathered: ContextInput


class _Beside(NamedTuple):
    place: ScopeRow  #: where the namespace stands
    by_wanted: dict[tuple[Any, ...], _Kept]


def known(
    held: SyncedIndex | None, wanted: ContextRequest, standing: Sequence[int], now: int
) -> ContextInput | None:
    """Return what was gathered last, where nothing was written and nothing has ended since."""
    beside = None if held is None or held.partial is not None else held.beside
    if not isinstance(beside, _Beside) or held is None or beside.place != held.place:
        return None
    kept = beside.by_wanted.get(_key(wanted, standing))
    if kept is None or now < kept.since or (kept.until is not None and now >= kept.until):
        return None
    return kept.gathered


def keep(
    held: SyncedIndex,
    place: ScopeRow,
    wanted: ContextRequest,
    standing: Sequence[int],
    gathered: ContextInput,
    now: int,
) -> None:
    """Keep what was gathered after the namespace was looked at, and stood at this place."""
    notes = [*gathered.notes, *(gathered.staged or ())]
    if not gathered.own or sum(len(note.text) for note in notes) > MOST_CHARACTERS:
        return
    ends = [to_micros(note.expires_at) for note in notes if note.expires_at is not None]
    beside = held.beside
    if not isinstance(beside, _Beside) or beside.place != place or len(beside.by_wanted) >= MOST:
        beside = held.beside = _Beside(place, {})
    beside.by_wanted[_key(wanted, standing)] = _Kept(now, min(ends, default=None), gathered)


def _key(wanted: ContextRequest, standing: Sequence[int]) -> tuple[Any, ...]:
    return wanted.session, wanted.max_global, tuple(wanted.limits.items()), tuple(standing)
