"""The indexes of hot namespaces, bounded in bytes, and kept in step with the store."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bethink.errors import StorageError
from bethink.recall import units
from bethink.recall.held import Held
from bethink.scope.units import find

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.recall.held import Analysis
    from bethink.recall.passages import Passage
    from bethink.scope.namespace import Namespace
    from bethink.storage.stores import Store


@dataclass(kw_only=True)
class Indexes:
    """The indexes of one memory, shared by all its handles."""

    analysis: Analysis
    most_bytes: int
    batch: int
    fresh: Callable[[], int]
    _held: OrderedDict[Namespace, Held] = field(default_factory=OrderedDict["Namespace", Held])
    _bytes: int = 0  #: of all that is held, as each was last weighed
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _rebuilding: dict[Namespace, threading.Thread] = field(
        default_factory=dict["Namespace", threading.Thread]
    )
    hits: int = 0
    misses: int = 0
    remade: int = 0  #: namespaces whose blocks could not be read and were made again

    @property
    def nbytes(self) -> int:
        """Return the memory that all indexes take, about."""
        return self._bytes

    def nbytes_of(self, tenant: str) -> int:
        """Return the memory that the indexes of one tenant take, about."""
        with self._guard:
            return sum(held.weight for namespace, held in self._held.items() if namespace.tenant == tenant)

    @property
    def identity(self) -> str:
        """Return the identity of the embedder, or an empty text without one."""
        return self.analysis.identity

    def get(self, namespace: Namespace) -> Held | None:
        """Return what is held of a namespace, and mark it as used."""
        with self._guard:
            held = self._held.get(namespace)
            if held is None:
                self.misses += 1
            else:
                self.hits += 1
                self._held.move_to_end(namespace)
            return held

    def put(self, namespace: Namespace, held: Held) -> None:
        """Hold a namespace, weigh it, and let go of those that were not used for longest."""
        weight = held.nbytes
        with self._guard:
            self._let_go(namespace)
            self._held[namespace] = held
            held.weight = weight
            self._bytes += weight
            while self._bytes > self.most_bytes and len(self._held) > 1:
                self._let_go(next(iter(self._held)))

    def drop(self, namespace: Namespace | None = None) -> None:
        """Let go of a namespace, or of all."""
        with self._guard:
            for each in list(self._held) if namespace is None else (namespace,):
                self._let_go(each)

    def _let_go(self, namespace: Namespace) -> None:
        before = self._held.pop(namespace, None)
        if before is not None:
            self._bytes -= before.weight

    # ---- catching up with the store ---------------------------------------------------------------------------

    async def current(self, store: Store, namespace: Namespace) -> Held | None:
        """Return the index of a namespace with everything in it that was acknowledged; None where there is nothing."""
        held = self.get(namespace)
        if held is None:
            held = await self._load(store, namespace)
        if held.place is None or await store.glance(find, namespace) != held.place:
            held = await self._catch_up(store, namespace, held)
        if held is not None and held.stale:
            self._rebuild_later(store, namespace)
        return held

    async def _catch_up(self, store: Store, namespace: Namespace, held: Held) -> Held | None:
        """Bring an index up to what was written since; None where the scope is gone."""
        while True:
            news = await store.read(units.news, namespace, held.place, held.heads)
            if news is None:
                self.drop(namespace)
                return None
            if held.place is not None and held.place.scope != news.place.scope:
                held = Held(self.analysis)
                continue
            if held.place is None or news.place.revision > held.place.revision:
                await store.call(held.apply, news)
            break
        self.put(namespace, held)
        await self._keep(store, namespace, held)
        return held

    async def _load(self, store: Store, namespace: Namespace) -> Held:
        """Read the blocks of the store into a fresh index."""
        held = Held(self.analysis)
        found = await store.read(units.blocks, namespace)
        if found is not None and found[1]:
            try:
                await store.call(held.unpack, *found)
            except StorageError:
                # A damaged block, or one of another version: all of it can be made again from notes and items.
                await store.write(units.remove_blocks, namespace)
                held = Held(self.analysis)
                self.remade += 1
        self.put(namespace, held)
        return held

    async def _keep(self, store: Store, namespace: Namespace, held: Held) -> None:
        """Pack what is loose into a block of the store, once there is enough of it."""
        with held.guard:
            if len(held.loose) < self.batch or held.stale or held.place is None:
                return
            loose, gone, place, after = held.loose, frozenset(held.gone), held.place, held.packed
            held.loose, held.gone, held.packed = [], set(), place.revision
        kept = await store.write(
            units.keep_block,
            place,
            after=after,
            block=self.fresh(),
            embedder=self.identity,
            passages=len(loose),
            payload=await store.call(_packed, loose),
            without=_without(gone) if gone else None,
        )
        if not kept:
            self.drop(namespace)  # another process packed first: its blocks serve us when we load again

    # ---- another embedder -------------------------------------------------------------------------------------

    def _rebuild_later(self, store: Store, namespace: Namespace) -> None:
        """Embed a namespace anew in the background; recall goes on with words alone until that is done."""
        from bethink.storage.stores import BlockingStore, run

        with self._guard:
            if namespace in self._rebuilding:
                return

            def rebuild() -> None:
                try:
                    run(self._rebuild(BlockingStore(store.driver), namespace))
                finally:
                    with self._guard:
                        self._rebuilding.pop(namespace, None)

            thread = threading.Thread(target=rebuild, name="bethink-embedding", daemon=True)
            self._rebuilding[namespace] = thread
            thread.start()

    async def _rebuild(self, store: Store, namespace: Namespace) -> None:
        held = Held(self.analysis)
        news = await store.read(units.news, namespace, None, {})
        if news is None:
            return
        held.apply(news)
        if held.stale is not None:
            return  # the embedder failed: recall goes on saying so, and the next one tries again
        await store.write(units.remove_blocks, namespace)
        await self._keep(store, namespace, held)
        self.put(namespace, held)

    def wait(self) -> None:
        """Wait until no namespace is being embedded anew."""
        while True:
            with self._guard:
                thread = next(iter(self._rebuilding.values()), None)
            if thread is None:
                return
            thread.join()


def _without(gone: frozenset[tuple[str, int, int]]) -> Callable[[bytes], tuple[bytes | None, int] | None]:
    def rewrite(payload: bytes) -> tuple[bytes | None, int] | None:
        from bethink.recall.blocks import drop, unpack

        after = drop(payload, lambda kind, owner, seq: (kind, owner, seq) in gone)
        if after is None:
            return None, 0
        return None if after == payload else (after, len(unpack(after)))

    return rewrite


def _packed(loose: Sequence[tuple[Passage, NDArray[np.float32] | None]]) -> bytes:
    import numpy as np

    from bethink.recall.blocks import block_of, pack

    vectors = [vector for _, vector in loose if vector is not None]
    return pack(block_of([passage for passage, _ in loose], np.stack(vectors) if vectors else None))
