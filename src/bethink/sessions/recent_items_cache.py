"""Cache of the newest items of hot sessions."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.sessions.values import CacheUse

MAX_OF_ALL = 8  #: one session takes the eighth part of the room at most
OVERHEAD = 512  #: bytes that an entry takes beside its text, about


class CachedSession(NamedTuple):
    """What is known of one session."""

    session: int
    revision: int  #: of the session, when it was read: at another one, this is the past
    limit: int  #: how many entries were asked for
    text: str  #: them as one JSON array, oldest first


class RecentItemsCache:
    """Holds the texts and not what is read from them, so that every reader has objects of its own.

    The revision of a session is looked up in the same transaction at each read, so that a write of another process is
    seen. Whatever removes entries also lets go of them here.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held: OrderedDict[tuple[Namespace, str], CachedSession] = OrderedDict()
        self._bytes = 0
        self._hits = 0
        self._misses = 0
        self._guard = threading.Lock()

    def use(self) -> CacheUse:
        """Return how often entries were at hand, and what they take."""
        from bethink.sessions.values import CacheUse

        with self._guard:
            return CacheUse(hits=self._hits, misses=self._misses, sessions=len(self._held), bytes=self._bytes)

    def find(self, namespace: Namespace, name: str, asked: tuple[int, int, int]) -> str | None:
        """Return the text of a session's newest entries, if it is of this session, revision and limit."""
        with self._guard:
            held = self._held.get((namespace, name))
            if held is None or held[:3] != asked:
                self._misses += 1
                return None
            self._hits += 1
            self._held.move_to_end((namespace, name))
            return held.text

    def keep(self, namespace: Namespace, name: str, held: CachedSession) -> None:
        """Hold a session, and let go of those that were not read for longest."""
        with self._guard:
            self._remove((namespace, name))
            if _weight(held) > self._most // MAX_OF_ALL:
                return
            self._held[namespace, name] = held
            self._bytes += _weight(held)
            while self._bytes > self._most:
                self._remove(next(iter(self._held)))

    def drop(self, namespace: Namespace | None = None, name: str | None = None) -> None:
        """Let go of a session, of all sessions of a namespace, or of everything."""
        with self._guard:
            for key in list(self._held):
                if namespace in {None, key[0]} and name in {None, key[1]}:
                    self._remove(key)

    def _remove(self, key: tuple[Namespace, str]) -> None:
        held = self._held.pop(key, None)
        if held is not None:
            self._bytes -= _weight(held)


def _weight(held: CachedSession) -> int:
    return len(held.text) + OVERHEAD
