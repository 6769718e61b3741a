"""Conformance of sessions on a store."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any

import pytest

from bethink.errors import ConflictError, NotFoundError
from bethink.notes import transactions as notes
from bethink.notes.values import NewNote
from bethink.scope.namespace import Namespace
from bethink.scope.tombstones import of_session
from bethink.sessions import log_append, log_bodies, log_fork, log_items, log_lookup, log_removal, turn_commit
from bethink.testing.scopes import buried
from bethink.testing.storage import Conformance
from bethink.testing.writings import PredictableWrites, damaged, item, message

if TYPE_CHECKING:
    from bethink.sessions.values import Head
    from bethink.storage.stores import AwaitedStore

ALICE = Namespace(name="concierge", user="alice")
BOB = Namespace(name="concierge", user="bob")


async def said(store: AwaitedStore, name: str = "trip", who: Namespace = ALICE) -> list[Any]:
    """Return what the messages of a session say."""
    return [body.get("content") for body in await store.read(log_bodies.bodies, who, name, None)]


class SessionsConformance(Conformance):
    """The log: places, order, repetition, conflicts, removal, copies and lists."""

    @pytest.fixture
    def writing(self) -> PredictableWrites:
        return PredictableWrites()

    async def append(
        self, store: AwaitedStore, writing: PredictableWrites, *texts: str, **options: Any
    ) -> Head:
        return await store.write(
            log_append.append,
            ALICE,
            "trip",
            [message(text) for text in texts],
            writing=writing(),
            **options,
        )

    async def test_items_come_back_in_the_order_they_were_appended(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        head = await self.append(store, writing, "a", "b")
        assert (head.seq, head.count) == (2, 2)
        head = await self.append(store, writing, "c")
        assert (head.seq, head.count) == (3, 3)
        assert await said(store) == ["a", "b", "c"]

    async def test_nothing_is_there_before_the_first_append(self, store: AwaitedStore) -> None:
        assert await store.read(log_bodies.bodies, ALICE, "trip", None) == []
        assert await store.read(log_items.items, ALICE, "trip", limit=5) == ([], 0)
        assert (await store.read(log_lookup.head, ALICE, "trip")).count == 0
        assert await store.read(log_lookup.describe, ALICE, "trip") is None

    async def test_any_json_comes_back_equal(self, store: AwaitedStore, writing: PredictableWrites) -> None:
        bodies: list[dict[str, Any]] = [
            {"role": "user", "content": "half a pair \ud83e, NUL \x00, \u2028 and 🦜"},
            {"type": "function_call", "arguments": '{"a": 1}', "call_id": "c1", "nested": [[[{"x": None}]]]},
            {"number": 1 << 70, "float": 1e-308, "true": True, "empty": {}, "": [""]},
        ]
        await store.write(
            log_append.append, ALICE, "trip", [item(body) for body in bodies], writing=writing()
        )
        assert await store.read(log_bodies.bodies, ALICE, "trip", None) == bodies
        assert await store.read(log_bodies.bodies, ALICE, "trip", 2) == bodies[1:]

    async def test_the_newest_are_returned_oldest_first(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        await self.append(store, writing, *"abcdef")
        bodies = await store.read(log_bodies.bodies, ALICE, "trip", 2)
        assert [body["content"] for body in bodies] == ["e", "f"]

    async def test_a_log_is_read_page_by_page_from_either_end(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        await self.append(store, writing, *"abcde")
        newest, total = await store.read(log_items.items, ALICE, "trip", limit=2)
        assert ([each.body["content"] for each in newest], total) == (["d", "e"], 5)
        older, _ = await store.read(log_items.items, ALICE, "trip", limit=2, below=newest[0].seq)
        assert [each.body["content"] for each in older] == ["b", "c"]
        later, _ = await store.read(log_items.items, ALICE, "trip", limit=10, after=older[-1].seq)
        assert [each.body["content"] for each in later] == ["d", "e"]

    async def test_a_damaged_row_is_left_out(self, store: AwaitedStore, writing: PredictableWrites) -> None:
        entries = [message("a"), damaged(), message("b")]
        await store.write(log_append.append, ALICE, "trip", entries, writing=writing())
        assert await said(store) == ["a", "b"]
        assert len(await store.read(log_bodies.bodies, ALICE, "trip", 2)) == 2

    async def test_an_operation_id_writes_once(self, store: AwaitedStore, writing: PredictableWrites) -> None:
        first = await self.append(store, writing, "a", operation="op-1")
        again = await self.append(store, writing, "a", operation="op-1")
        assert (again.seq, again.revision, again.repeated) == (first.seq, first.revision, True)
        assert await said(store) == ["a"]

    async def test_an_operation_id_is_not_used_for_other_items(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        await self.append(store, writing, "a", operation="op-1")
        with pytest.raises(ConflictError):
            await self.append(store, writing, "b", operation="op-1")
        assert await said(store) == ["a"]

    async def test_one_operation_sent_many_times_at_once_writes_once(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        heads = await asyncio.gather(*(self.append(store, writing, "a", operation="op-1") for _ in range(24)))
        assert [head.repeated for head in heads].count(False) == 1
        assert await said(store) == ["a"]

    async def test_an_append_that_expects_another_revision_is_refused(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        head = await self.append(store, writing, "a", expected=0)
        await self.append(store, writing, "b", expected=head.revision)
        with pytest.raises(ConflictError) as caught:
            await self.append(store, writing, "c", expected=head.revision)
        assert caught.value.expected == head.revision
        assert await said(store) == ["a", "b"]

    async def test_of_appends_that_expect_one_revision_exactly_one_wins(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        head = await self.append(store, writing, "start")
        outcomes = await asyncio.gather(
            *(self.append(store, writing, f"{n}", expected=head.revision) for n in range(24)),
            return_exceptions=True,
        )
        lost = [each for each in outcomes if isinstance(each, ConflictError)]
        assert len(lost) == 23
        assert len(await said(store)) == 2

    async def test_appends_at_once_have_one_order_without_gaps(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        heads = await asyncio.gather(
            *(self.append(store, writing, f"{n}a", f"{n}b", f"{n}c") for n in range(40))
        )
        assert sorted(head.seq for head in heads) == list(range(3, 123, 3))
        texts = await said(store)
        assert len(texts) == 120
        for place in range(0, 120, 3):
            first = texts[place][:-1]
            assert texts[place : place + 3] == [first + "a", first + "b", first + "c"]

    async def test_sessions_and_users_do_not_mix(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        await self.append(store, writing, "hers")
        await store.write(log_append.append, BOB, "trip", [message("his")], writing=writing())
        await store.write(log_append.append, ALICE, "other", [message("else")], writing=writing())
        assert await said(store) == ["hers"]
        assert await said(store, who=BOB) == ["his"]
        assert await said(store, "other") == ["else"]

    async def test_cutting_removes_the_newest_and_gives_no_place_twice(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        await self.append(store, writing, *"abcd")
        head, removed = await store.write(
            log_removal.remove_newest,
            ALICE,
            "trip",
            lambda found: min(2, len(found)),
            writing=writing(),
            reason="undone",
        )
        assert ([body["content"] for body in removed], head.count) == (["c", "d"], 2)
        assert (await self.append(store, writing, "e")).seq == 5
        assert await said(store) == ["a", "b", "e"]

    async def test_cutting_nothing_changes_nothing(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        head, removed = await store.write(
            log_removal.remove_newest, ALICE, "trip", lambda _: 1, writing=writing(), reason="undone"
        )
        assert (head.count, removed) == (0, [])

    async def test_clearing_keeps_the_session_and_its_places(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        await self.append(store, writing, "a", "b", operation="op-1")
        head = await store.write(log_removal.clear, ALICE, "trip", writing=writing())
        assert (head.count, await said(store)) == (0, [])
        assert (await self.append(store, writing, "c")).seq == 3

    async def test_an_append_that_is_repeated_late_does_not_fill_a_cleared_session(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        await self.append(store, writing, "a", "b", operation="op-1")
        await store.write(log_removal.clear, ALICE, "trip", writing=writing())
        assert (await self.append(store, writing, "a", "b", operation="op-1")).repeated
        assert await said(store) == []

    async def test_deleting_leaves_a_tombstone_and_takes_conversation_notes(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        await self.append(store, writing, "a")
        kept = NewNote(text="Prefers aisle seats.", category="core")
        staged = NewNote(text="A window this time.", category="conversation", session="trip")
        for note in (kept, staged):
            await store.write(notes.remember, ALICE, note, writing=writing())
        log = await store.write(log_removal.delete, ALICE, "trip", keep_notes=False, writing=writing())
        assert await said(store) == []
        assert await store.read(log_lookup.describe, ALICE, "trip") is None
        left, _ = await store.read(notes.listing, ALICE, now=0, everywhere=True)
        assert [note.text for note in left] == [kept.text]
        (stone,) = await store.read(buried, "session", of_session(ALICE, "trip"))
        assert stone.revision > log.revision

    async def test_deleting_what_is_not_there_is_an_error(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        with pytest.raises(NotFoundError):
            await store.write(log_removal.delete, ALICE, "trip", keep_notes=True, writing=writing())

    async def test_a_fork_goes_its_own_way(self, store: AwaitedStore, writing: PredictableWrites) -> None:
        await self.append(store, writing, "a", "b", "c")
        head = await store.write(log_fork.fork, ALICE, "trip", 2, "branch", writing=writing())
        assert (head.seq, head.count) == (2, 2)
        await store.write(log_append.append, ALICE, "branch", [message("d")], writing=writing())
        assert await said(store, "branch") == ["a", "b", "d"]
        assert await said(store) == ["a", "b", "c"]
        with pytest.raises(ConflictError):
            await store.write(log_fork.fork, ALICE, "trip", None, "branch", writing=writing())
        with pytest.raises(NotFoundError):
            await store.write(log_fork.fork, ALICE, "trip", 99, "elsewhere", writing=writing())

    async def test_a_title_stays_until_it_is_changed(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        await self.append(store, writing, "a")
        await store.write(
            log_lookup.relabel, ALICE, "trip", title="Paris", metadata='{"mood":"good"}', writing=writing()
        )
        info = await store.write(
            log_lookup.relabel, ALICE, "trip", title=None, metadata=None, writing=writing()
        )
        assert (info.title, info.metadata, info.count) == ("Paris", {"mood": "good"}, 1)

    async def test_sessions_are_listed_newest_first_with_their_total(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        for name in ("one", "two", "three", "one"):
            await store.write(log_append.append, ALICE, name, [message("a")], writing=writing())
        first, total, more = await store.read(log_lookup.listing, ALICE, limit=2)
        assert ([info.id for info in first], total) == (["one", "three"], 3)
        assert more is not None
        rest, _, end = await store.read(log_lookup.listing, ALICE, limit=2, before=more)
        assert ([info.id for info in rest], end) == (["two"], None)

    async def test_a_failed_turn_leaves_an_attempt_and_no_item(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        await store.write(
            turn_commit.record_attempt, ALICE, "trip", error="TimeoutError", calls=["book"], writing=writing()
        )
        (attempt,) = await store.read(turn_commit.attempts, ALICE, "trip", limit=5)
        assert (attempt.error, attempt.calls) == ("TimeoutError", ("book",))
        assert await said(store) == []

    async def test_a_cancelled_append_is_in_the_log_wholly_or_not_at_all(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        chance = random.Random(7)  # noqa: S311 - a test wants the same run every time
        for number in range(40):
            task = asyncio.create_task(self.append(store, writing, f"{number}a", f"{number}b"))
            for _ in range(chance.randrange(6)):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
        texts = await said(store)
        assert texts[1::2] == [text[:-1] + "b" for text in texts[::2]]
        assert len(texts) == (await store.read(log_lookup.head, ALICE, "trip")).count

    async def test_an_append_without_items_changes_no_log(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        await self.append(store, writing, "a")
        assert (await self.append(store, writing)).count == 1
        assert await said(store) == ["a"]
