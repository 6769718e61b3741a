"""The cache of hot namespaces' indexes: bounded in bytes, evicted least recently used, synced with the store."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bethink.errors import StorageError
from bethink.recall import transactions
from bethink.recall.index_memory_limit import PROCESS, IndexPool
from bethink.recall.index_store_sync import SyncedIndex
from bethink.recall.transactions import ReadProgress
from bethink.scope.transactions import find
from bethink.sessions.item_json import no_collection

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bethink.recall.index_store_sync import Analysis
    from bethink.recall.queries import BlockRow
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.storage.jobs import Driver
    from bethink.storage.stores import Store


PIECE: Final = 1_024  #: notes and items that are made into passages at a time
PIECE_CHARACTERS: Final = 2_000_000
_SMALL: Final = 512  #: passages; blocks with fewer are joined
_MANY: Final = 8  #: this many small blocks are merged into one
_PASSAGE_BYTES: Final = 600  #: about what a passage takes in a block
_TRIES: Final = 4  #: lost races against other processes after which the index is not stored


@dataclass(slots=True, eq=False, repr=False)
class IndexBuild:
    """A namespace that is being brought up, by one thread at a time."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    waiting: int = 0
    held: SyncedIndex | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class Indexes:
    """The indexes of one memory, shared by all its handles; those of a process are bounded together."""

    analysis: Analysis
    most_bytes: int
    batch: int
    fresh: Callable[[], int]
    at_recall: int | None = (
        None  #: notes and items that are indexed while a question waits; all where nothing is said
    )
    pool: IndexPool = PROCESS
    _owner: int = 0
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _making: dict[Namespace, IndexBuild] = field(default_factory=dict["Namespace", IndexBuild])
    _rebuilding: dict[Namespace, threading.Thread] = field(
        default_factory=dict["Namespace", threading.Thread]
    )
    hits: int = 0
    misses: int = 0
    remade: int = 0  #: namespaces whose blocks could not be read and were made again

    def __post_init__(self) -> None:
        self._owner = self.pool.join(self.most_bytes)

    @property
    def nbytes(self) -> int:
        """Return the memory that all indexes take, about."""
        return self.pool.bytes_of(self._owner)

    def nbytes_of(self, tenant: str) -> int:
        """Return the memory that the indexes of one tenant take, about."""
        return self.pool.bytes_of_tenant(self._owner, tenant)

    @property
    def identity(self) -> str:
        """Return the identity of the embedder, or an empty text without one."""
        return self.analysis.identity

    def get(self, namespace: Namespace) -> SyncedIndex | None:
        """Return what is held of a namespace, and mark it as used."""
        held = self.pool.get(self._owner, namespace)
        if held is None:
            self.misses += 1
        else:
            self.hits += 1
        return held

    def has(self, namespace: Namespace) -> bool:
        """Tell whether a namespace is held, without marking it as used."""
        return self.pool.has(self._owner, namespace)

    def weigh(self, namespace: Namespace, held: SyncedIndex) -> list[SyncedIndex]:
        """Hold a namespace, unless it was let go of; return those that were let go of to make room."""
        return [] if held.dropped else self.pool.put(self._owner, namespace, held)

    def drop(self, namespace: Namespace | None = None) -> None:
        """Drop the index of a namespace, or all of them; a build in progress is not kept either."""
        with self._guard:
            for each, making in self._making.items():
                if namespace in {None, each} and making.held is not None:
                    making.held.dropped = True
        self.pool.drop(self._owner, namespace)

    def leave(self) -> None:
        """Let go of everything for good."""
        self.drop()
        self.pool.leave(self._owner)

    # ---- catching up with the store ---------------------------------------------------------------------------

    async def current(
        self, store: Store, namespace: Namespace, place: ScopeRow | None = None
    ) -> SyncedIndex | None:
        """Return the index of a namespace with everything in it that was acknowledged; None where there is nothing.

        `place` is where the namespace stands, if the caller has just looked.
        """
        held = self.get(namespace)
        place = place or await store.read_inline(find, namespace)
        if held is None and place is None:
            return None  # nothing was ever written: no thread has to find that out
        if held is None or held.place is None or place != held.place:
            held = await store.call(self.bring_up, store.driver, namespace, most=self.at_recall)
        if held is not None and held.stale:
            self._rebuild_later(store, namespace)
        return held

    def bring_up(
        self,
        driver: Driver,
        namespace: Namespace,
        *,
        least: int | None = None,
        stopped: Callable[[], bool] = lambda: False,
        most: int | None = None,
    ) -> SyncedIndex | None:
        """Do what `current` does, in this thread: one makes a namespace, and who asks for it meanwhile waits.

        It is made in pieces, and each is stored, so that whoever is stopped goes on from there. What is stored at the
        end is at least `least` passages, a batch where nothing is said. With `most`, no more notes and items are
        looked at than that, and the answer says that it is partial.
        """
        from bethink.storage.stores import BlockingStore, run

        with self._guard:
            making = self._making.setdefault(namespace, IndexBuild())
            making.waiting += 1
        try:
            with making.lock:
                making.held = None
                return run(self._bring_up(BlockingStore(driver), namespace, making, least, stopped, most))
        finally:
            with self._guard:
                making.waiting -= 1
                if not making.waiting:
                    self._making.pop(namespace, None)

    async def _bring_up(
        self,
        store: Store,
        namespace: Namespace,
        making: IndexBuild,
        least: int | None,
        stopped: Callable[[], bool],
        most: int | None,
    ) -> SyncedIndex | None:
        held = self.pool.get(self._owner, namespace)
        tries = 0
        while True:
            if held is None:
                held = await self._load(store, namespace, making)
            making.held = held
            seen = ReadProgress(
                heard=held.heard,
                noted=held.noted,
                most=PIECE if most is None else min(PIECE, most),
                most_characters=PIECE_CHARACTERS,
            )
            news = await store.read(transactions.changes_since, namespace, held.place, held.heads, seen)
            if news is None:
                self.drop(namespace)
                return None
            if held.place is not None and held.place.scope != news.place.scope:
                self.drop(namespace)
                held = None
                continue
            with no_collection():
                held.apply(news)
            least_now = min(least, self.batch) if least is not None and news.whole else self.batch
            kept = tries >= _TRIES or await self._keep(store, held, news.place.revision, least_now)
            if not kept:  # another process was first, or something was erased meanwhile: look again
                tries += 1
                self.drop(namespace)
                held = None
                continue
            if news.whole or most is not None or stopped():
                break
        for other in self.weigh(namespace, held):
            if other.place is not None:  # so that it is not analysed anew when it is asked for again
                await self._keep(store, other, other.heard, 1)
        return held

    async def _load(self, store: Store, namespace: Namespace, making: IndexBuild) -> SyncedIndex:
        """Read the blocks of the store into a fresh index."""
        held = making.held = SyncedIndex(self.analysis)
        found = await store.read(transactions.blocks, namespace)
        if found is not None and found[1]:
            try:
                held.unpack(*found)
            except StorageError:
                # A damaged block, or one of another version: all of it can be made again from notes and items.
                await store.write(transactions.remove_blocks, namespace)
                held = making.held = SyncedIndex(self.analysis)
                self.remade += 1
            else:
                await self._join(store, held, found[1])
        return held

    async def _join(self, store: Store, held: SyncedIndex, rows: Sequence[BlockRow]) -> None:
        """Join small blocks, where they have become many."""
        small = [
            row
            for row in rows
            if row.embedder == self.identity and len(row.payload) < _SMALL * _PASSAGE_BYTES
        ]
        if len(small) < _MANY or held.place is None or held.stale:
            return
        from bethink.recall.passage_blocks import join, pack, unpack

        joined = join([unpack(bytes(row.payload)) for row in small])
        done = await store.write(
            transactions.join_blocks,
            held.place,
            joined=[row.block_id for row in small],
            blocks=len(rows),
            block=self.fresh(),
            embedder=self.identity,
            passages=len(joined),
            payload=pack(joined),
        )
        if done:
            held.blocks = len(rows) - len(small) + 1

    async def _keep(self, store: Store, held: SyncedIndex, seen: int, least: int) -> bool:
        """Pack what is loose into a block of the store, once there is enough of it; False where that is not to be."""
        from bethink.recall.passage_blocks import join, pack

        with held.guard:
            place = held.place
            if held.waiting < max(least, 1) or held.stale or place is None:
                return True
            loose, gone = join(held.loose), frozenset(held.gone)
        kept = await store.write(
            transactions.keep_block,
            place,
            after=held.packed,
            block=self.fresh(),
            embedder=self.identity,
            passages=len(loose),
            payload=pack(loose),
            without=_without(gone) if gone else None,
            seen=seen,
            blocks=held.blocks,
        )
        if kept:
            with held.guard:
                held.loose, held.gone, held.packed = [], set(), place.revision
                held.blocks += 1
        return kept

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
        held = SyncedIndex(self.analysis)
        news = await store.read(transactions.changes_since, namespace, None, {})
        if news is None:
            return
        held.apply(news)
        if held.stale is not None:
            return  # the embedder failed: recall goes on saying so, and the next one tries again
        await store.write(transactions.remove_blocks, namespace)
        await self._keep(store, held, news.place.revision, 1)
        self.weigh(namespace, held)

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
        from bethink.recall.passage_blocks import drop, unpack

        after = drop(payload, lambda kind, owner, seq: (kind, owner, seq) in gone)
        if after is None:
            return None, 0
        return None if after == payload else (after, len(unpack(after)))

    return rewrite
