"""Conformance of notes, as a pytest class."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from bethink.errors import (
    ConflictError,
    NotFoundError,
)
from bethink.testing.doors.fixtures import FaceConformance, outcomes, pages, texts

if TYPE_CHECKING:
    from bethink.testing.faces import FaceOpener


class NotesApiConformance(FaceConformance):
    """Keys, categories, history, time, lists and filters."""

    async def test_a_note_is_found_by_its_id_and_its_key(self, alice: Any) -> None:
        note = await alice.remember("Prefers aisle seats.", key="seat", keywords=["Seat", "seat", "aisle"])
        assert await alice.get("seat") == await alice.get(note.id) == note
        assert (note.category, note.keywords, note.source) == ("core", ("seat", "aisle"), "user")
        assert note.status == "active"
        assert note.session is None
        assert await alice.get("nothing") is None

    async def test_a_note_keeps_all_that_was_said_with_it(self, alice: Any, door: FaceOpener) -> None:
        soon = door.clock.at + timedelta(days=9)
        note = await alice.remember(
            "  Grüße aus 東京 🦜 ",
            category=" Trips ",
            valid_from=door.clock.at,
            expires_at=soon,
            confidence=1,
            source="tool",
            metadata={"city": "東京", "stars": [1, 2.5, None, {"deep": True}]},
        )
        assert note.text == "Grüße aus 東京 🦜"
        assert (note.category, note.source, note.confidence, note.expires_at) == ("trips", "tool", 1.0, soon)
        assert (await alice.get(note.id)).metadata == {
            "city": "東京",
            "stars": [1, 2.5, None, {"deep": True}],
        }

    async def test_a_key_has_one_live_note_and_its_history_stays(self, alice: Any) -> None:
        first = await alice.remember("aisle", key="seat", metadata={"from": "web"})
        second = await alice.remember("window", key="seat")
        assert second.id == first.id
        assert second.created_at == first.created_at
        assert second.revision > first.revision
        assert texts(await alice.notes()) == ["window"]
        (before,) = await alice.history("seat")
        assert (before.note, before.ended_by) == (first, "revised")

    async def test_a_key_is_one_however_its_accents_are_written(self, alice: Any) -> None:
        await alice.remember("black", key="cafe\u0301")
        assert (await alice.get("caf\u00e9")).text == "black"
        assert (await alice.revise("cafe\u0301", "white")).text == "white"
        assert len(await alice.history("cafe\u0301")) == 1
        assert (await alice.forget("cafe\u0301")).status == "forgotten"

    async def test_one_key_written_by_many_at_once_stays_one_note(self, alice: Any) -> None:
        await asyncio.gather(*(alice.remember(f"wording {number}", key="seat") for number in range(12)))
        page = await alice.notes()
        assert page.total == 1
        assert len(await alice.history("seat")) == 11

    async def test_a_list_is_paged_newest_first_with_its_true_total(self, alice: Any) -> None:
        for number in range(25):
            await alice.remember(f"note {number}", category="daily" if number % 5 == 0 else "core")
        for options, expected in (
            ({}, 25),
            ({"category": "Core"}, 20),
            ({"category": ["core", "DAILY"]}, 25),
            ({"where": {"absent": {"$exists": False}}}, 25),
            ({"status": None}, 25),
        ):
            entries, totals = await pages(alice.notes, limit=7, **options)
            assert totals == {expected}
            assert [note.revision for note in entries] == sorted(
                (note.revision for note in entries), reverse=True
            )
            assert len({note.id for note in entries}) == len(entries) == expected

    @pytest.mark.parametrize("written", ["daily", "Daily", "DAILY", " dAiLy "])
    async def test_a_category_is_the_same_in_any_letter_case(self, alice: Any, written: str) -> None:
        await alice.remember("Ran 5 km today.", category=written)
        assert (await alice.notes(category="DaIlY")).total == 1
        assert (await alice.notes(category="core")).total == 0
        assert len(await alice.recall("ran", category=written)) == 1

    async def test_a_revision_takes_the_place_and_the_old_wording_stays(self, alice: Any) -> None:
        note = await alice.remember("Lives in Lyon.", metadata={"sure": True})
        later = await alice.revise(note.id, "Lives in Lille.", expected=note.revision)
        assert (later.id, later.text, later.metadata) == (note.id, "Lives in Lille.", {"sure": True})
        assert [version.note.text for version in await alice.history(note.id)] == ["Lives in Lyon."]

    async def test_of_two_revisions_of_one_reading_exactly_one_wins(self, alice: Any) -> None:
        note = await alice.remember("Lives in Lyon.")
        won, lost = await outcomes(
            alice.revise(note.id, "Lives in Lille.", expected=note.revision),
            alice.revise(note.id, "Lives in Lens.", expected=note.revision),
        )
        ((error,), (winner,)) = lost, won
        assert isinstance(error, ConflictError)
        assert (error.expected, error.actual) == (note.revision, winner.revision)
        assert (await alice.get(note.id)).text == winner.text

    async def test_what_is_forgotten_is_gone_at_once_and_can_come_back(self, alice: Any) -> None:
        note = await alice.remember("Prefers aisle seats.", key="seat")
        assert len(await alice.recall("aisle seats")) == 1
        assert (await alice.forget("seat")).status == "forgotten"
        assert await alice.get("seat") is None
        assert await alice.get(note.id) is None
        assert len(await alice.notes()) == 0
        assert len(await alice.recall("aisle seats")) == 0
        assert texts(await alice.notes(status="forgotten")) == ["Prefers aisle seats."]
        with pytest.raises(NotFoundError):
            await alice.revise(note.id, "Prefers window seats.")
        with pytest.raises(NotFoundError):
            await alice.forget(note.id)
        assert (await alice.undo(note.id)).status == "active"
        assert (await alice.get("seat")).text == "Prefers aisle seats."
        assert len(await alice.recall("aisle seats")) == 1

    async def test_an_undo_of_an_undo_brings_the_change_back(self, alice: Any) -> None:
        note = await alice.remember("one")
        await alice.revise(note.id, "two")
        assert [(await alice.undo(note.id)).text for _ in range(3)] == ["one", "two", "one"]
        assert len(await alice.history(note.id)) == 4

    async def test_a_note_that_never_changed_has_nothing_to_undo(self, alice: Any) -> None:
        note = await alice.remember("one")
        for word in (note.id, "nothing"):
            with pytest.raises(NotFoundError):
                await alice.undo(word)
        assert (await alice.get(note.id)) == note

    async def test_a_forgotten_note_does_not_come_back_onto_a_key_that_was_taken(self, alice: Any) -> None:
        first = await alice.remember("aisle", key="seat")
        await alice.forget("seat")
        await alice.remember("window", key="seat")
        with pytest.raises(ConflictError):
            await alice.undo(first.id)
        assert (await alice.get("seat")).text == "window"

    async def test_an_expired_note_is_not_shown_and_not_found(self, alice: Any, door: FaceOpener) -> None:
        await alice.remember("Hotel code is on the fridge.", expires_at=door.clock.at + timedelta(hours=1))
        await alice.remember("Hotel has a pool.")
        assert (await alice.notes()).total == 2
        assert len(await alice.recall("hotel")) == 2
        between = door.clock.at
        door.clock.advance(hours=2)
        assert texts(await alice.notes()) == ["Hotel has a pool."]
        assert (await alice.notes()).total == 1
        assert texts(await alice.recall("hotel code fridge")) == ["Hotel has a pool."]
        assert len(await alice.notes(where={"any": {"$exists": False}})) == 1
        assert len(await alice.notes(as_of=between)) == 2

    @pytest.mark.parametrize(
        ("where", "found"),
        [
            ({"city": "Paris"}, "ab"),
            ({"city": {"$ne": "Paris"}}, "cd"),
            ({"stars": {"$gt": 3}}, "b"),
            ({"stars": {"$gte": 3, "$lt": 5}}, "a"),
            ({"stars": {"$lte": 3}}, "a"),
            ({"city": {"$in": ["Rome", "Paris"]}}, "abc"),
            ({"city": {"$nin": ["Rome", "Paris"]}}, "d"),
            ({"tags": {"$contains": "food"}}, "c"),
            ({"city": {"$contains": "ar"}}, "ab"),
            ({"stars": {"$exists": False}}, "cd"),
            ({"city": "Paris", "stars": 5}, "b"),
            ({"flag": True}, "d"),
            ({"flag": 1}, ""),
            ({"city": {"$gt": 1}}, ""),
        ],
    )
    async def test_metadata_filters_hold(self, alice: Any, where: dict[str, Any], found: str) -> None:
        for name, metadata in {
            "a": {"city": "Paris", "stars": 3},
            "b": {"city": "Paris", "stars": 5},
            "c": {"city": "Rome", "tags": ["food", "art"]},
            "d": {"flag": True},
        }.items():
            await alice.remember(f"walk {name}", metadata=metadata)
        assert sorted(text[-1] for text in texts(await alice.notes(where=where))) == list(found)
        recalled = await alice.recall("walk", where=where)
        assert sorted(text[-1] for text in texts(recalled)) == list(found)
        assert recalled.empty_because == (None if found else "all filtered")

    async def test_the_past_is_as_it_was(self, alice: Any, door: FaceOpener) -> None:
        moments = [door.clock.advance(minutes=1)]
        note = await alice.remember("Lives in Lyon.", key="home")
        moments.append(door.clock.advance(minutes=1))
        await alice.revise(note.id, "Lives in Lille.")
        moments.append(door.clock.advance(minutes=1))
        await alice.forget("home")
        moments.append(door.clock.advance(minutes=1))
        await alice.undo(note.id)
        moments.append(door.clock.advance(minutes=1))
        seen = [texts(await alice.notes(as_of=at)) for at in moments]
        assert seen == [[], ["Lives in Lyon."], ["Lives in Lille."], [], ["Lives in Lille."]]
        found = [texts(await alice.recall("where does she live", as_of=at)) for at in moments]
        assert found == seen

    async def test_a_sessions_notes_stay_with_their_session(self, alice: Any) -> None:
        trip = alice.session("trip")
        note = await trip.remember("This time a window seat.", keywords=["seat"], key="seat")
        assert (note.session, note.category) == ("trip", "conversation")
        await alice.remember("Prefers aisle seats.")
        assert texts(await alice.notes()) == ["Prefers aisle seats."]
        assert texts(await alice.notes(session="trip")) == ["This time a window seat."]
        assert (await alice.notes(session="other")).total == 0
        assert await alice.get(note.id) == note

    async def test_a_first_look_at_an_empty_scope_finds_nothing_and_writes_nothing(self, alice: Any) -> None:
        assert (await alice.notes()).total == (await alice.sessions()).total == 0
        assert await alice.get("key") is None
        assert (await alice.recall("anything")).empty_because == "nothing stored"
        assert (await alice.profile.get()).version == 0
