"""Conformance of scopes on a store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from bethink.errors import ConflictError, NotFoundError
from bethink.scope import shares, tombstones, transactions
from bethink.scope.namespace import Namespace
from bethink.scope.values import Grant, Rights
from bethink.testing.storage import Conformance
from bethink.testing.writings import PredictableWrites

if TYPE_CHECKING:
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.stores import AwaitedStore
    from bethink.storage.work import Work

ALICE = Namespace(name="concierge", user="alice")
BOB = Namespace(name="concierge", user="bob")
DOCS = Namespace(kind="pool", name="org:docs")


def noted(namespace: Namespace, kind: str, writing: Writing) -> Work[ScopeRow]:
    """Write an event."""
    place = yield from transactions.touch(namespace, writing)
    yield from transactions.note_event(place, writing, kind, {"notes": []})
    return place


def bury(kind: str, digest: str, revision: int, writing: Writing) -> Work[None]:
    """Put up a tombstone."""
    mark = tombstones.Tombstone(kind=kind, digest=digest, revision=revision, at=writing.now)
    return tombstones.put("default", mark)


def buried(kind: str, digest: str) -> Work[list[tombstones.Tombstone]]:
    """Find a tombstone."""
    return tombstones.existing_tombstones("default", [(kind, digest)])


class ScopesConformance(Conformance):
    """Places, revisions, the register of pools and teams, events and tombstones."""

    async def test_a_scope_comes_to_be_with_its_first_write(self, store: AwaitedStore) -> None:
        writing = PredictableWrites()
        assert await store.read(transactions.find, ALICE) is None
        place = await store.write(transactions.touch, ALICE, writing())
        assert place.revision == 1
        assert await store.read(transactions.find, ALICE) == place

    async def test_every_write_takes_the_next_revision(self, store: AwaitedStore) -> None:
        writing = PredictableWrites()
        revisions = [(await store.write(transactions.touch, ALICE, writing())).revision for _ in range(5)]
        assert revisions == [1, 2, 3, 4, 5]

    async def test_writes_at_once_take_revisions_of_their_own(self, store: AwaitedStore) -> None:
        writing = PredictableWrites()
        places = await asyncio.gather(*(store.write(transactions.touch, ALICE, writing()) for _ in range(64)))
        assert sorted(place.revision for place in places) == list(range(1, 65))
        assert len({place.scope for place in places}) == 1

    async def test_scopes_are_told_apart_by_every_column(self, store: AwaitedStore) -> None:
        writing = PredictableWrites()
        namespaces = [
            ALICE,
            BOB,
            Namespace(name="concierge"),
            Namespace(name="concierge", user="alice", session="trip"),
            Namespace(name="concierge", owner="bob", user="alice"),
            Namespace(name="Concierge", user="alice"),
            Namespace(kind="team", name="concierge"),
            DOCS,
        ]
        places = [await store.write(transactions.touch, namespace, writing()) for namespace in namespaces]
        assert len({place.scope for place in places}) == len(namespaces)
        listed = await store.read(transactions.scopes_of, "default")
        assert {namespace for namespace, _ in listed} == set(namespaces)

    async def test_a_pool_is_registered_once(self, store: AwaitedStore) -> None:
        writing = PredictableWrites()
        made = await store.write(shares.create, DOCS, "alice", writing=writing())
        assert (made.name, made.owner) == ("org:docs", "alice")
        with pytest.raises(ConflictError):
            await store.write(shares.create, DOCS, "bob", writing=writing())
        assert (await store.read(shares.registered, DOCS)).owner == "alice"

    async def test_one_of_many_wins_a_name(self, store: AwaitedStore) -> None:
        writing = PredictableWrites()
        outcomes = await asyncio.gather(
            *(store.write(shares.create, DOCS, f"owner-{n}", writing=writing()) for n in range(16)),
            return_exceptions=True,
        )
        (winner,) = [each for each in outcomes if isinstance(each, shares.Share)]
        assert all(isinstance(each, ConflictError) for each in outcomes if each is not winner)
        assert (await store.read(shares.registered, DOCS)).owner == winner.owner

    async def test_a_grant_takes_the_place_of_the_one_before(self, store: AwaitedStore) -> None:
        writing = PredictableWrites()
        await store.write(shares.create, DOCS, "alice", writing=writing())
        for rights in (Rights(read=True), Rights(read=True, write=True)):
            await store.write(shares.grant, DOCS, "bob", rights, principal=None, writing=writing())
        share = await store.read(shares.registered, DOCS)
        assert share.grants == (Grant("bob", Rights(read=True, write=True)),)
        await store.write(shares.grant, DOCS, "bob", Rights(), principal=None, writing=writing())
        assert (await store.read(shares.registered, DOCS)).grants == ()

    async def test_an_unregistered_pool_is_not_there(self, store: AwaitedStore) -> None:
        writing = PredictableWrites()
        await store.write(shares.create, DOCS, "alice", writing=writing())
        await store.write(shares.unregister, DOCS, principal=None)
        with pytest.raises(NotFoundError):
            await store.read(shares.registered, DOCS)
        assert await store.read(shares.listing, "pool", "default") == []

    async def test_events_are_listed_from_a_revision_on(self, store: AwaitedStore) -> None:
        writing = PredictableWrites()
        place = await store.write(noted, ALICE, "first", writing())
        await store.write(noted, ALICE, "second", writing("bob"))
        rows = await store.read(transactions.events_since, place, place.revision)
        assert [(row[1], row[3]) for row in rows] == [("second", "bob")]

    async def test_a_tombstone_keeps_the_newest_revision(self, store: AwaitedStore) -> None:
        writing = PredictableWrites()
        assert await store.read(buried, "session", "abc") == []
        await store.write(bury, "session", "abc", 3, writing())
        await store.write(bury, "session", "abc", 7, writing())
        (stone,) = await store.read(buried, "session", "abc")
        assert stone.revision == 7
