"""Conformance of notes on a store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from bethink.errors import ConflictError, NotFoundError
from bethink.notes import transactions
from bethink.notes.values import NewNote
from bethink.scope.namespace import Namespace
from bethink.testing.storage import Conformance
from bethink.testing.writings import SECOND, START, PredictableWrites
from bethink.times import to_datetime, to_micros

if TYPE_CHECKING:
    from bethink.notes.values import Note
    from bethink.storage.stores import AwaitedStore

ALICE = Namespace(name="concierge", user="alice")
BOB = Namespace(name="concierge", user="bob")


class NotesConformance(Conformance):
    """Keys, history, conflicts, lists, filters and time."""

    @pytest.fixture
    def writing(self) -> PredictableWrites:
        return PredictableWrites()

    async def remember(
        self, store: AwaitedStore, writing: PredictableWrites, text: str, **fields: Any
    ) -> Note:
        return await store.write(
            transactions.remember, ALICE, NewNote(text=text, **fields), writing=writing()
        )

    async def test_a_note_is_found_by_its_id_and_its_key(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        note = await self.remember(
            store,
            writing,
            "Grüße aus 東京 🦜",
            key="greeting",
            keywords=("hello",),
            sources=("i1.1",),
            confidence=0.1,
            metadata={"city": "東京", "stars": [1, 2.5, None]},
            expires_at=to_datetime(START + 1000 * SECOND),
        )
        assert await store.read(transactions.get, ALICE, note.id, now=START) == note
        assert await store.read(transactions.get, ALICE, "greeting", now=START) == note

    async def test_a_note_that_waited_takes_its_key_from_the_one_that_stands(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        standing = await self.remember(store, writing, "aisle", key="seat")
        waits = await self.remember(store, writing, "window", key="seat", status="pending")
        assert await store.read(transactions.get, ALICE, "seat", now=START) == standing
        stands = await store.write(
            transactions.change,
            ALICE,
            waits.id,
            "approved",
            writing=writing(),
            only=("pending",),
            status="active",
        )
        assert await store.read(transactions.get, ALICE, "seat", now=START) == stands
        over = await store.read(transactions.get, ALICE, standing.id, now=START)
        assert over is not None
        assert (over.status, over.outcome) == ("superseded", "superseded")

    async def test_nobody_else_finds_it(self, store: AwaitedStore, writing: PredictableWrites) -> None:
        note = await self.remember(store, writing, "hers", key="k")
        await store.write(transactions.remember, BOB, NewNote(text="his", key="k"), writing=writing())
        assert await store.read(transactions.get, BOB, note.id, now=START) is None
        found = await store.read(transactions.get, BOB, "k", now=START)
        assert found is not None
        assert found.text == "his"

    async def test_a_key_names_one_live_note_and_its_history(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        first = await self.remember(store, writing, "aisle", key="seat")
        second = await self.remember(store, writing, "window", key="seat")
        assert (second.id, second.created_at) == (first.id, first.created_at)
        current, versions = await store.read(transactions.history, ALICE, "seat")
        assert current == second
        assert [(version.note, version.ended_by) for version in versions] == [(first, "revised")]

    async def test_a_key_written_many_times_at_once_names_one_note(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        written = await asyncio.gather(
            *(self.remember(store, writing, f"{n}", key="seat") for n in range(24))
        )
        assert len({note.id for note in written}) == 1
        _, versions = await store.read(transactions.history, ALICE, "seat")
        assert len(versions) == 23
        assert {note.text for note in written} == {f"{n}" for n in range(24)}

    async def test_a_change_keeps_the_version_before(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        note = await self.remember(store, writing, "aisle")
        changed = await store.write(
            transactions.change, ALICE, note.id, "revised", writing=writing(), text="window"
        )
        assert (changed.text, changed.revision > note.revision) == ("window", True)
        _, versions = await store.read(transactions.history, ALICE, note.id)
        assert [version.note for version in versions] == [note]

    async def test_a_change_that_expects_another_revision_is_refused(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        note = await self.remember(store, writing, "aisle")
        outcomes = await asyncio.gather(
            *(
                store.write(
                    transactions.change,
                    ALICE,
                    note.id,
                    "revised",
                    writing=writing(),
                    expected=note.revision,
                    text=f"{n}",
                )
                for n in range(12)
            ),
            return_exceptions=True,
        )
        assert sum(isinstance(each, ConflictError) for each in outcomes) == 11

    async def test_changing_what_is_not_there_is_an_error(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        for word in ("n1", "nothing", "nzzzzzzzzzzzzz"):
            with pytest.raises(NotFoundError):
                await store.write(transactions.change, ALICE, word, "revised", writing=writing(), text="x")

    async def test_a_forgotten_note_gives_its_key_back(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        note = await self.remember(store, writing, "aisle", key="seat")
        await store.write(
            transactions.change, ALICE, "seat", "forgotten", writing=writing(), status="forgotten"
        )
        assert await store.read(transactions.get, ALICE, "seat", now=START) is None
        other = await self.remember(store, writing, "window", key="seat")
        assert other.id != note.id
        assert (await store.read(transactions.listing, ALICE, now=START))[1] == 1

    async def test_undoing_a_change_brings_the_version_before_back(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        note = await self.remember(store, writing, "aisle")
        await store.write(
            transactions.change, ALICE, note.id, "forgotten", writing=writing(), status="forgotten"
        )
        back = await store.write(transactions.revert, ALICE, note.id, writing=writing())
        assert (back.status, back.text) == ("active", "aisle")
        fresh = await self.remember(store, writing, "never changed")
        with pytest.raises(NotFoundError):
            await store.write(transactions.revert, ALICE, fresh.id, writing=writing())

    async def test_notes_are_listed_newest_first_with_their_total(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        for number in range(7):
            await self.remember(store, writing, f"{number}")
        first, total = await store.read(transactions.listing, ALICE, now=START, limit=3)
        assert ([note.text for note in first], total) == (["6", "5", "4"], 7)
        from bethink.ids import to_number

        last = first[-1]
        before = (last.revision, to_number("n", last.id) or 0)
        rest, total = await store.read(transactions.listing, ALICE, now=START, limit=3, before=before)
        assert ([note.text for note in rest], total) == (["3", "2", "1"], 7)

    async def test_a_list_is_narrowed_by_status_category_and_session(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        await self.remember(store, writing, "core")
        await self.remember(store, writing, "daily", category="daily")
        await self.remember(store, writing, "staged", category="conversation", session="trip")
        await self.remember(store, writing, "held", status="quarantined")

        async def texts(**conditions: Any) -> list[str]:
            found, total = await store.read(transactions.listing, ALICE, now=START, limit=100, **conditions)
            assert total == len(found)
            return [note.text for note in found]

        assert await texts() == ["daily", "core"]
        assert await texts(category="daily") == ["daily"]
        assert await texts(session="trip") == ["staged"]
        assert await texts(everywhere=True) == ["staged", "daily", "core"]
        assert await texts(status="quarantined") == ["held"]
        assert await texts(status=None, everywhere=True) == ["held", "staged", "daily", "core"]

    async def test_an_expired_note_is_not_there(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        note = await self.remember(store, writing, "milk", expires_at=to_datetime(START + 10 * SECOND))
        assert await store.read(transactions.get, ALICE, note.id, now=START + 9 * SECOND) == note
        assert await store.read(transactions.get, ALICE, note.id, now=START + 10 * SECOND) is None
        assert (await store.read(transactions.listing, ALICE, now=START + 10 * SECOND, limit=5)) == ([], 0)

    async def test_the_notes_of_an_instant_are_those_that_stood_then(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        first = await self.remember(store, writing, "aisle", key="seat")
        second = await self.remember(store, writing, "window", key="seat")
        await self.remember(store, writing, "later")
        standing = await store.read(transactions.as_of, ALICE, to_micros(first.created_at))
        assert [note.text for note in standing] == ["aisle"]
        standing = await store.read(transactions.as_of, ALICE, to_micros(second.updated_at))
        assert [note.text for note in standing] == ["window"]

    async def test_what_was_written_after_a_revision_is_listed_in_order(
        self, store: AwaitedStore, writing: PredictableWrites
    ) -> None:
        from bethink.scope.transactions import find

        first = await self.remember(store, writing, "one")
        await self.remember(store, writing, "two")
        await self.remember(store, writing, "three")
        place = await store.read(find, ALICE)
        assert place is not None
        later = await store.read(transactions.written_since, place, first.revision)
        assert [note.text for note in later] == ["two", "three"]
