"""The process-wide memory limit of indexes, with LRU eviction."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bethink.recall.index_store_sync import SyncedIndex
    from bethink.scope.namespace import Namespace


class IndexPool:
    """The indexes of all memories of a process, of which those not used for longest are let go of.

    Each memory has a bound; together they have the highest of these. The newest is held in any case: what does not fit
    is alone.
    """

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[int, Namespace], SyncedIndex] = OrderedDict()
        self._bounds: dict[int, int] = {}
        self._bytes: dict[int, int] = {}
        self._guard = threading.Lock()
        self._owners = 0

    def join(self, most_bytes: int) -> int:
        """Return the number of a memory that is new here."""
        with self._guard:
            self._owners += 1
            self._bounds[self._owners] = most_bytes
            self._bytes[self._owners] = 0
            return self._owners

    def leave(self, owner: int) -> None:
        """Forget a memory, which holds nothing any more."""
        with self._guard:
            self._bounds.pop(owner, None)
            self._bytes.pop(owner, None)

    def bytes_of(self, owner: int) -> int:
        """Return the memory that the indexes of one memory take, about."""
        return self._bytes.get(owner, 0)

    def bytes_of_tenant(self, owner: int, tenant: str) -> int:
        """Return the memory that the indexes of one tenant of a memory take, about."""
        with self._guard:
            return sum(
                held.weight
                for (of, namespace), held in self._held.items()
                if of == owner and namespace.tenant == tenant
            )

    def has(self, owner: int, namespace: Namespace) -> bool:
        """Tell whether a namespace is held."""
        return (owner, namespace) in self._held

    def get(self, owner: int, namespace: Namespace) -> SyncedIndex | None:
        """Return what is held of a namespace, and mark it as used."""
        with self._guard:
            held = self._held.get((owner, namespace))
            if held is not None:
                self._held.move_to_end((owner, namespace))
            return held

    def put(self, owner: int, namespace: Namespace, held: SyncedIndex) -> list[SyncedIndex]:
        """Hold a namespace and weigh it; return those of the same memory that were let go of."""
        weight = held.nbytes
        with self._guard:
            if owner not in self._bounds:  # the memory was closed meanwhile
                return []
            key = (owner, namespace)
            self._let_go(key)
            self._held[key] = held
            held.weight = weight
            self._bytes[owner] += weight
            gone: list[SyncedIndex | None] = []
            while self._bytes[owner] > self._bounds[owner]:
                oldest = next(each for each in self._held if each[0] == owner)
                if oldest == key:
                    break
                gone.append(self._let_go(oldest))
            while sum(self._bytes.values()) > max(self._bounds.values()) and len(self._held) > 1:
                oldest = next(iter(self._held))
                if oldest == key:
                    break
                other = self._let_go(oldest)
                if oldest[0] == owner:
                    gone.append(other)
            return [other for other in gone if other is not None]

    def drop(self, owner: int, namespace: Namespace | None = None) -> None:
        """Let go of a namespace of a memory, or of all."""
        with self._guard:
            for key in [key for key in self._held if key[0] == owner and namespace in {None, key[1]}]:
                held = self._let_go(key)
                if held is not None:
                    held.dropped = True

    def _let_go(self, key: tuple[int, Namespace]) -> SyncedIndex | None:
        held = self._held.pop(key, None)
        if held is not None:
            self._bytes[key[0]] -= held.weight
        return held


PROCESS: Final = IndexPool()
