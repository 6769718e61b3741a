"""What the face promises, as pytest classes: give them `face`, `url` and `tenant` fixtures and they run on yours.

Every test is written once, with `await`, and runs on the asynchronous and on the blocking face.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import shutil
import tempfile
from collections.abc import AsyncGenerator, Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.documents.values import PutDocument
from bethink.errors import (
    ClosedError,
    ConflictError,
    DeniedError,
    InvalidError,
    NotFoundError,
)
from bethink.memory.documents import AsyncDocuments
from bethink.memory.memory import AsyncMemory
from bethink.memory.notebook import AsyncNotebook
from bethink.memory.profile import AsyncProfileHandle
from bethink.memory.records import AsyncRecords
from bethink.memory.scope import AsyncScope
from bethink.memory.session import AsyncSession
from bethink.memory.turn import AsyncTurn
from bethink.memory.workspace import AsyncWorkspace
from bethink.scope.values import Principal
from bethink.testing.faces import Door, HashingEmbedder, verbs

ALICE = Principal("alice")
BOB = Principal("bob")


def user(text: str) -> dict[str, Any]:
    """Return what a user says."""
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    """Return what an assistant says."""
    return {"role": "assistant", "content": text}


def call(number: int, name: str = "look_up") -> dict[str, Any]:
    """Return the call of a tool."""
    return {"type": "function_call", "call_id": f"call_{number}", "name": name, "arguments": "{}"}


def result(number: int) -> dict[str, Any]:
    """Return the result of a tool."""
    return {"type": "function_call_output", "call_id": f"call_{number}", "output": "done"}


def texts(found: Any) -> list[str]:
    """Return the texts of notes or hits, in order."""
    return [each.text for each in found]


async def pages(verb: Any, **options: Any) -> tuple[list[Any], set[int]]:
    """Return every entry of a list, page by page, and the totals that the pages named."""
    entries: list[Any] = []
    totals: set[int] = set()
    cursor = None
    while True:
        page = await verb(**options, cursor=cursor)
        entries += page
        totals.add(page.total)
        cursor = page.next
        if cursor is None:
            return entries, totals


async def outcomes(*waiting: Any) -> tuple[list[Any], list[BaseException]]:
    """Await verbs together, and return what succeeded and what was raised."""
    settled = await asyncio.gather(*waiting, return_exceptions=True)
    return (
        [each for each in settled if not isinstance(each, BaseException)],
        [each for each in settled if isinstance(each, BaseException)],
    )


class FaceDoor:
    """What all doors share: a door, a memory, and Alice's scope in it."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @pytest.fixture
    async def door(self, face: str, url: str, tenant: str, anyio_backend: str) -> AsyncGenerator[Door]:  # noqa: ARG002 - the fixture is a coroutine
        door = Door(face, url, tenant)
        yield door
        await door.close()

    @pytest.fixture
    def memory(self, door: Door) -> Any:
        return door.open()

    @pytest.fixture
    def alice(self, memory: Any) -> Any:
        return memory.scope(agent="concierge", user="alice")

    def another(self, door: Door, **options: Any) -> Any:
        """Return a second memory on the same database."""
        if not door.many:
            pytest.skip("a database in memory has one owner")
        return door.open(**options)


class NotesDoor(FaceDoor):
    """Keys, categories, history, time, lists and filters."""

    async def test_a_note_is_found_by_its_id_and_its_key(self, alice: Any) -> None:
        note = await alice.remember("Prefers aisle seats.", key="seat", keywords=["Seat", "seat", "aisle"])
        assert await alice.get("seat") == await alice.get(note.id) == note
        assert (note.category, note.keywords, note.source) == ("core", ("seat", "aisle"), "user")
        assert note.status == "active"
        assert note.session is None
        assert await alice.get("nothing") is None

    async def test_a_note_keeps_all_that_was_said_with_it(self, alice: Any, door: Door) -> None:
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

    async def test_an_expired_note_is_not_shown_and_not_found(self, alice: Any, door: Door) -> None:
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

    async def test_the_past_is_as_it_was(self, alice: Any, door: Door) -> None:
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


class ProfileDoor(FaceDoor):
    """Profile and records."""

    async def test_a_profile_grows_by_versions_and_each_field_says_where_it_came_from(
        self, alice: Any, door: Door
    ) -> None:
        first = await alice.profile.update({"home_city": "Lyon", "seat": {"long": "aisle"}})
        between = door.clock.advance(hours=1)
        second = await alice.profile.update({"seat": {"short": "window"}}, source="user")
        assert (first.version, second.version) == (1, 2)
        assert second.fields == {"home_city": "Lyon", "seat": {"long": "aisle", "short": "window"}}
        assert second.provenance["home_city"].source == "system"
        assert "user" in {each.source for each in second.provenance.values()}
        assert await alice.profile.get() == second
        assert await alice.profile.get(as_of=between) == first
        assert await alice.profile.history() == [first, second]

    async def test_none_removes_a_field_and_the_same_again_makes_no_version(self, alice: Any) -> None:
        at = datetime(2025, 6, 1, tzinfo=UTC)
        await alice.profile.update({"a": 1, "b": 2}, at=at)
        assert (await alice.profile.update({"a": 1}, at=at)).version == 1
        assert (await alice.profile.update({"a": None})).fields == {"b": 2}

    async def test_older_knowledge_does_not_replace_newer(self, alice: Any) -> None:
        await alice.profile.update({"city": "Lille"}, at=datetime(2025, 6, 1, tzinfo=UTC))
        late = await alice.profile.update({"city": "Lyon"}, at=datetime(2025, 1, 1, tzinfo=UTC))
        assert late.fields == {"city": "Lille"}

    async def test_of_two_updates_of_one_version_exactly_one_wins(self, alice: Any) -> None:
        won, lost = await outcomes(
            alice.profile.update({"city": "Lyon"}, expected=0),
            alice.profile.update({"city": "Lille"}, expected=0),
        )
        assert [type(error) for error in lost] == [ConflictError]
        assert (await alice.profile.get()) == won[0]

    async def test_records_are_listed_most_recent_first(self, alice: Any) -> None:
        for day in (3, 1, 2):
            await alice.records.add("Trip", {"day": day}, at=datetime(2025, 6, day, tzinfo=UTC))
        assert [record.value["day"] for record in await alice.records.latest("trip", 2)] == [3, 2]
        assert await alice.records.latest("order") == []


class SessionsDoor(FaceDoor):
    """The log: appends, reads, and everything that takes something away."""

    @pytest.fixture
    def talk(self, alice: Any) -> Any:
        return alice.session("talk")

    async def test_what_was_appended_is_in_every_later_read(self, talk: Any, door: Door) -> None:
        head = await talk.append([user("Hello."), assistant("Hi!")], speaker=["Ann", None])
        assert (head.session, head.seq, head.count, head.repeated) == ("talk", 2, 2, False)
        assert await talk.window() == await talk.get_items() == [user("Hello."), assistant("Hi!")]
        page = await talk.items()
        assert [(item.seq, item.speaker, item.session) for item in page] == [
            (1, "Ann", "talk"),
            (2, None, "talk"),
        ]
        assert page[0].at is not None
        assert page[0].at <= door.clock.at
        assert await talk.head() == head

    async def test_an_append_is_all_or_nothing(self, talk: Any) -> None:
        await talk.append([user("one")])
        for bad in ({"x": object()}, {"x": float("nan")}, "text", None, ["list"]):
            with pytest.raises(InvalidError):
                await talk.append([user("two"), bad])
        assert await talk.get_items() == [user("one")]
        assert (await talk.head()).count == 1

    async def test_an_operation_repeated_is_done_once(self, talk: Any) -> None:
        first = await talk.append([user("pay")], operation="op-1")
        again = await talk.append([user("pay")], operation="op-1")
        assert not first.repeated
        assert again.repeated
        assert (again.seq, again.count) == (first.seq, first.count)
        with pytest.raises(ConflictError) as caught:
            await talk.append([user("pay twice")], operation="op-1")
        assert caught.value.operation == "op-1"
        assert await talk.get_items() == [user("pay")]

    async def test_an_operation_sent_by_many_at_once_is_done_once(self, talk: Any) -> None:
        heads = await asyncio.gather(*(talk.append([user("pay")], operation="op") for _ in range(6)))
        assert sorted(head.repeated for head in heads) == [False] + [True] * 5
        assert len(await talk.get_items()) == 1

    async def test_of_two_appends_to_one_revision_exactly_one_wins(self, talk: Any) -> None:
        head = await talk.append([user("one")])
        won, lost = await outcomes(
            talk.append([user("two")], expected=head.revision),
            talk.append([user("three")], expected=head.revision),
        )
        ((error,), (winner,)) = lost, won
        assert isinstance(error, ConflictError)
        assert (error.expected, error.actual) == (head.revision, winner.revision)
        assert winner.count == 2

    async def test_a_session_that_is_not_there_stands_at_revision_zero(self, talk: Any) -> None:
        assert (await talk.head()).revision == 0
        await talk.append([user("one")], expected=0)
        with pytest.raises(ConflictError):
            await talk.append([user("two")], expected=0)

    async def test_appends_of_many_callers_lie_one_after_another(self, talk: Any, memory: Any) -> None:
        async def say(number: int) -> None:
            session = memory.scope(agent="concierge", user="alice").session("talk")
            await session.append([user(f"{number}-{part}") for part in range(5)])

        await asyncio.gather(*(say(number) for number in range(12)))
        spoken = [body["content"] for body in await talk.get_items()]
        runs = [spoken[at : at + 5] for at in range(0, 60, 5)]
        assert all(run == [f"{run[0].split('-')[0]}-{part}" for part in range(5)] for run in runs)
        assert len({run[0] for run in runs}) == 12

    async def test_a_cancelled_append_is_stored_wholly_or_not_at_all(self, talk: Any) -> None:
        tasks = [asyncio.ensure_future(talk.append([user(f"{n}"), assistant(f"{n}")])) for n in range(8)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await talk.append([user("last")])
        *spoken, last = [body["content"] for body in await talk.get_items()]
        assert last == "last"
        assert spoken[::2] == spoken[1::2]
        assert {"1", "3", "5", "7"} <= set(spoken)

    async def test_items_are_paged_with_the_true_total_up_to_the_first(self, talk: Any) -> None:
        await talk.append([user(f"{n}") for n in range(23)])
        entries, totals = await pages(talk.items, limit=10)
        assert totals == {23}
        assert [item.seq for item in entries] == [*range(14, 24), *range(4, 14), *range(1, 4)]

    async def test_a_page_that_is_exactly_full_is_the_last(self, talk: Any) -> None:
        await talk.append([user(f"{n}") for n in range(10)])
        assert (await talk.items(limit=10)).next is None
        await talk.clear()
        await talk.append([user(f"{n}") for n in range(10)])
        page = await talk.items(limit=10)
        assert (page.next, page.total, len(page)) == (None, 10, 10)

    async def test_times_and_speakers_lie_beside_the_items(self, talk: Any) -> None:
        at = datetime(2024, 5, 6, tzinfo=UTC)
        await talk.append([user("a"), user("b")], at=[at, None], speaker="Ann", origin="webhook")
        first, second = await talk.items()
        assert (first.at, first.speaker, first.origin) == (at, "Ann", "webhook")
        assert second.at is not None
        assert second.at > at
        assert first.body == user("a")

    async def test_a_limit_is_what_the_agents_sdk_expects(self, alice: Any) -> None:
        talk = alice.session("sdk", session_settings=SimpleNamespace(limit=2))
        await talk.add_items([user(f"{n}") for n in range(5)])
        for limit, expected in (
            (0, []),
            (-3, []),
            (1, [4]),
            (3, [2, 3, 4]),
            (5, [0, 1, 2, 3, 4]),
            (99, [0, 1, 2, 3, 4]),
            (10**30, [0, 1, 2, 3, 4]),
            (None, [3, 4]),
        ):
            assert await talk.get_items(limit, wrapper=None) == [user(f"{n}") for n in expected]
        for settings in (None, SimpleNamespace(limit=None), {"limit": None}):
            assert len(await alice.session("sdk", session_settings=settings).get_items()) == 5
        assert len(await alice.session("sdk", session_settings={"limit": 3}).get_items()) == 3

    async def test_popping_and_adding_nothing_are_harmless(self, talk: Any) -> None:
        assert await talk.pop_item() is None
        await talk.add_items([])
        assert await talk.get_items() == []
        await talk.add_items([user("one"), user("two")])
        assert await talk.pop_item(wrapper=object()) == user("two")
        assert await talk.get_items() == [user("one")]
        await talk.clear_session()
        assert await talk.pop_item() is None

    async def test_what_is_read_is_fresh_each_time(self, talk: Any) -> None:
        given_ = {"role": "user", "content": [{"type": "input_text", "text": "a"}]}
        await talk.append([given_])
        given_["content"] = "changed by the caller"
        for read in (talk.get_items, talk.window):
            (body,) = await read()
            body["content"][0]["text"] = "changed"
            body["more"] = True
            assert await read() == [{"role": "user", "content": [{"type": "input_text", "text": "a"}]}]

    async def test_any_json_object_comes_back_equal(self, talk: Any) -> None:
        seen: list[dict[str, Any]] = []
        scalars = (
            st.none()
            | st.booleans()
            | st.integers(-(10**60), 10**60)
            | st.floats(allow_nan=False, allow_infinity=False)
            | st.text(st.characters(codec=None, exclude_categories=()), max_size=8)
        )
        keys = st.text(st.characters(codec=None, exclude_categories=()), max_size=4)
        values = st.recursive(
            scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3)
        )

        @given(st.dictionaries(keys, values, max_size=4))
        def collect(body: dict[str, Any]) -> None:
            seen.append(body)

        collect()
        seen += [
            {"lone": "\ud83d and \udc00", "\udfff": "\x00"},
            {"big": 10**200, "small": -(2**64), "tiny": 5e-324, "huge": 1.7976931348623157e308, "zero": -0.0},
            {"": {"": [[], {}, [[[]]]]}},
            {"deep": _nested(150)},
            {"deeper": _nested(240)},
            {"long": "x" * 200_000},
        ]
        await talk.append(seen)
        stored = await talk.get_items()
        assert [_exactly(body) for body in stored] == [_exactly(body) for body in seen]
        assert [_exactly(item.body) for item in (await talk.items(limit=5))] == [
            _exactly(body) for body in seen[-5:]
        ]
        assert [_exactly(body) for body in await talk.get_items(3)] == [_exactly(body) for body in seen[-3:]]

    async def test_the_window_never_splits_a_call_from_its_result(self, talk: Any) -> None:
        for turn in range(30):
            await talk.append([user(f"q{turn}"), call(turn), result(turn), assistant(f"a{turn}")])
        for messages in (1, 2, 3, 4, 7, 50, 500):
            window = await talk.window(messages=messages)
            asked = [body["call_id"] for body in window if body.get("type") == "function_call"]
            answered = [body["call_id"] for body in window if body.get("type") == "function_call_output"]
            assert asked == answered
            assert window
            assert len(window) <= max(messages, 4)
        assert len(await talk.window()) == 48
        assert len(await talk.window(turns=3)) == 12
        assert len(await talk.window(tokens=60)) < 48

    async def test_a_call_that_waits_is_in_the_log_and_in_the_window_on_demand(self, talk: Any) -> None:
        await talk.append([user("book it"), call(1)])
        assert await talk.window() == [user("book it")]
        assert await talk.window(pending=True) == [user("book it"), call(1)]
        assert len(await talk.get_items()) == 2

    async def test_undo_takes_back_whole_turns_with_their_tools(self, talk: Any) -> None:
        await talk.append([user("one"), assistant("1")])
        await talk.append([user("two"), call(1), result(1), assistant("2")])
        await talk.append([user("three"), assistant("3")])
        assert (await talk.undo()).count == 6
        assert (await talk.undo()).count == 2
        assert await talk.get_items() == [user("one"), assistant("1")]
        assert (await talk.undo(99)).count == 0
        assert (await talk.undo()).count == 0

    async def test_a_place_is_never_given_out_twice(self, talk: Any) -> None:
        await talk.append([user("one"), user("two")])
        await talk.undo()
        await talk.append([user("three")])
        assert [item.seq for item in await talk.items()] == [1, 3]
        await talk.clear()
        assert (await talk.append([user("four")])).seq == 4

    async def test_clearing_leaves_notes_and_title(self, talk: Any, alice: Any) -> None:
        await talk.append([user("one")])
        await talk.rename("A trip")
        await talk.remember("Wants a window seat.")
        await talk.clear()
        info = await talk.info()
        assert (info.title, info.count) == ("A trip", 0)
        assert (await alice.notes(session="talk")).total == 1
        assert len(await alice.recall("one")) == 0

    @pytest.mark.parametrize("keep", [False, True])
    async def test_deleting_takes_its_conversation_notes_unless_they_are_kept(
        self, talk: Any, alice: Any, keep: bool
    ) -> None:
        await talk.append([user("the marmalade is in the cellar")])
        await talk.remember("Wants a window seat.")
        await alice.remember("Prefers aisle seats.")
        await talk.delete(keep_notes=keep)
        assert await talk.info() is None
        assert await talk.get_items() == []
        assert (await alice.sessions()).total == 0
        assert (await alice.notes(session="talk")).total == int(keep)
        assert (await alice.notes()).total == 1
        assert "marmalade" not in " ".join(texts(await alice.recall("marmalade cellar")))
        with pytest.raises(NotFoundError) as caught:
            await talk.delete()
        assert (caught.value.kind, caught.value.id) == ("session", "talk")
        await talk.append([user("again")])
        assert await talk.get_items() == [user("again")]

    async def test_a_fork_is_a_session_of_its_own(self, talk: Any, alice: Any) -> None:
        await talk.append([user("one"), assistant("1"), user("two")])
        await talk.rename("Plans")
        fork = await talk.fork(2, "what-if")
        assert fork.session_id == "what-if"
        await fork.append([user("other")])
        assert await fork.get_items() == [user("one"), assistant("1"), user("other")]
        assert len(await talk.get_items()) == 3
        assert (await fork.info()).title == "Plans"
        whole = await talk.fork(None, "copy")
        assert await whole.get_items() == await talk.get_items()
        assert len(await alice.recall("two", session="copy")) >= 1
        with pytest.raises(ConflictError):
            await talk.fork(1, "what-if")
        with pytest.raises(NotFoundError):
            await talk.fork(77, "far")
        with pytest.raises(NotFoundError):
            await alice.session("absent").fork(None, "far")

    async def test_sessions_are_listed_with_titles_and_counts(self, alice: Any) -> None:
        for number in range(7):
            await alice.session(f"s{number}").append([user("hi")] * (number + 1))
        info = await alice.session("s0").rename("First")
        assert (info.title, info.count) == ("First", 1)
        await alice.session("s0").annotate(metadata={"channel": "web"})
        entries, totals = await pages(alice.sessions, limit=3)
        assert totals == {7}
        assert [entry.id for entry in entries] == ["s0", "s6", "s5", "s4", "s3", "s2", "s1"]
        assert (entries[0].metadata, entries[0].title) == ({"channel": "web"}, "First")

    async def test_a_search_looks_at_one_session(self, talk: Any, alice: Any) -> None:
        await talk.append([user("The ferry to Naxos leaves at seven.")])
        await alice.session("other").append([user("The ferry to Paros leaves at nine.")])
        found = await talk.search("ferry")
        assert [hit.item.session for hit in found] == ["talk"]

    async def test_the_default_session_is_the_dashboard(self, alice: Any) -> None:
        await alice.session().append([user("hi")])
        assert [info.id for info in await alice.sessions()] == ["dashboard"]


class TurnsDoor(FaceDoor):
    """A turn: stored whole when it succeeded, or not at all."""

    @pytest.fixture
    def talk(self, alice: Any) -> Any:
        return alice.session("talk")

    async def test_a_turn_reads_its_own_writes_and_others_see_them_after_it(self, talk: Any) -> None:
        await talk.append([user("before")])
        async with talk.turn() as turn:
            await turn.add_items([user("one"), call(1)])
            await turn.append([result(1)])
            assert await turn.get_items() == [user("before"), user("one"), call(1), result(1)]
            assert await turn.get_items(2) == [call(1), result(1)]
            assert await turn.get_items(4) == await turn.get_items(99)
            assert await turn.get_items(0) == []
            assert await talk.get_items() == [user("before")]
        assert await talk.get_items() == [user("before"), user("one"), call(1), result(1)]
        assert turn.head == await talk.head()
        assert turn.session_id == "talk"

    async def test_a_turn_that_fails_leaves_an_attempt_and_nothing_else(self, talk: Any) -> None:
        await talk.append([user("before")])
        with pytest.raises(TimeoutError):  # noqa: PT012 - the error is raised inside the turn
            async with talk.turn() as turn:
                await turn.append([user("secret plan"), call(1, "pay_bill")])
                raise TimeoutError
        assert await talk.get_items() == [user("before")]
        (attempt,) = await talk.attempts()
        assert (attempt.error, attempt.calls) == ("TimeoutError", ("pay_bill",))
        assert "secret plan" not in repr(attempt)

    async def test_a_turn_takes_back_what_it_said_and_what_was_said_before(self, talk: Any) -> None:
        await talk.append([user("one"), user("two"), user("three")])
        async with talk.turn() as turn:
            await turn.append([user("four")])
            assert await turn.pop_item() == user("four")
            assert await turn.pop_item() == user("three")
            assert await turn.get_items(1) == [user("two")]
            assert await turn.pop_item() == user("two")
            await turn.append([user("five")])
            assert await turn.get_items() == [user("one"), user("five")]
            assert len(await talk.get_items()) == 3
        assert await talk.get_items() == [user("one"), user("five")]

    async def test_a_turn_that_clears_commits_at_once_what_comes_instead(self, talk: Any) -> None:
        await talk.append([user("one"), user("two")])
        async with talk.turn() as turn:
            await turn.clear_session()
            assert await turn.get_items() == []
            assert await turn.pop_item() is None
            await turn.append([user("summary")])
            assert await talk.get_items() == [user("one"), user("two")]
        assert await talk.get_items() == [user("summary")]

    @pytest.mark.parametrize("removes", [False, True])
    async def test_a_turn_conflicts_with_a_writer_that_came_between(self, talk: Any, removes: bool) -> None:
        await talk.append([user("one")])
        with pytest.raises(ConflictError):  # noqa: PT012 - raised at the end of the turn
            async with talk.turn() as turn:
                await turn.append([user("mine")])
                if removes:
                    await turn.clear_session()
                await talk.append([user("theirs")])
        assert await talk.get_items() == [user("one"), user("theirs")]

    async def test_of_two_turns_at_once_exactly_one_is_stored(self, talk: Any) -> None:
        await talk.append([user("before")])

        async def take(text: str) -> str:
            async with talk.turn() as turn:
                await turn.append([user(text)])
                await both.wait()
            return text

        both = asyncio.Barrier(2)
        won, lost = await outcomes(take("left"), take("right"))
        assert [type(error) for error in lost] == [ConflictError]
        assert await talk.get_items() == [user("before"), user(won[0])]

    async def test_a_turn_is_used_once_and_inside_its_block(self, talk: Any) -> None:
        turn = talk.turn()
        with pytest.raises(ClosedError):
            await turn.append([user("early")])
        async with turn:
            pass
        with pytest.raises(ClosedError):
            await turn.get_items()
        with pytest.raises(ClosedError):
            async with turn:
                pass
        assert await talk.info() is None

    async def test_what_a_turn_reads_is_fresh(self, talk: Any) -> None:
        async with talk.turn() as turn:
            await turn.append([user("one")])
            (await turn.get_items())[0]["content"] = "changed"
            assert await turn.get_items() == [user("one")]


def _nested(depth: int) -> Any:
    value: Any = 1
    for level in range(depth):
        value = [value] if level % 2 else {"in": value}
    return value


def _exactly(body: Any) -> str:
    return json.dumps(body, sort_keys=True)


def _nothing_more(_results: Any) -> tuple[tuple[()], tuple[()]]:
    """Go on with no documents and no names, whatever the first batch answered."""
    return (), ()


#: what a verb is called with, by the name of the parameter
_SAMPLES: dict[str, Any] = {
    "text": "Bob was here.",
    "key_or_id": "secret",
    "id": "secret",
    "query": "marmalade",
    "session": "secret-talk",
    "items": [user("Bob was here.")],
    "item": user("Bob was here."),
    "key": "secret",
    "name": "bobs-copy",
    "at": None,
    "after": timedelta(days=1),
    "title": "Bob was here.",
    "fields": {"bob": True},
    "kind": "trip",
    "value": {"bob": True},
    "tokens_in": 1,
    "tokens_out": 1,
    "data": {"profile": {"bob": True}},
    "words": "marmalade",
    "content": "# Bob\n\nBob was here.",
    "conversation": "secret-talk",
    "path": "secrets",
    "documents": [("secrets", "bobs", {"bob": True})],
    "command": {"command": "create", "path": "/memories/bob.md", "file_text": "Bob was here."},
    "input": "Bob was here.",
    "names": [("secrets", "bobs")],
    "then": _nothing_more,
    "changes": [PutDocument(path="secrets", key="bobs", value={"bob": True})],
}


def directory() -> str:
    """Return a directory that nothing else uses; it goes when the process ends."""
    made = tempfile.mkdtemp(prefix="bethink-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


#: every class of handles below a scope, and the way to it
_HANDLES: dict[type, Callable[[Any], Any]] = {
    AsyncScope: lambda scope: scope,
    AsyncSession: lambda scope: scope.session("secret-talk"),
    AsyncProfileHandle: lambda scope: scope.profile,
    AsyncRecords: lambda scope: scope.records,
    AsyncDocuments: lambda scope: scope.documents,
    AsyncWorkspace: lambda scope: scope.workspace(directory()),
    AsyncNotebook: lambda scope: scope.notebook(directory()),
}
#: every public verb of them: one without a check fails the tests below, and so does one without samples
_VERBS = [(kind, name) for kind in _HANDLES for name in verbs(kind)]


def arguments(kind: type, verb: str, **known: Any) -> dict[str, Any]:
    """Return what a verb needs; a verb with a new required parameter has to be given a sample of it here."""
    import inspect

    needed = [
        parameter.name
        for parameter in inspect.signature(getattr(kind, verb)).parameters.values()
        if parameter.default is parameter.empty and parameter.name != "self"
    ]
    unknown = [name for name in needed if name not in _SAMPLES]
    assert not unknown, f"{kind.__name__}.{verb}: no sample for {unknown}"
    samples = {**_SAMPLES, **known}
    if kind is AsyncRecords:
        samples["at"] = datetime(2026, 1, 1, tzinfo=UTC)
    return {name: samples[name] for name in needed}


class ScopesDoor(FaceDoor):
    """Who sees what: two users, two tenants and two agents never meet, through any verb."""

    @pytest.fixture
    async def secret(self, memory: Any) -> Any:
        """Alice's scope with one of everything in it."""
        scope = memory.scope(agent="concierge", user="alice")
        await self.fill(scope)
        return scope

    async def fill(self, scope: Any) -> None:
        """Write one of everything."""
        await scope.remember("The marmalade is in the cellar.", key="secret")
        await scope.revise("secret", "The marmalade is in the attic.")
        await scope.session("secret-talk").append([user("Do not touch the marmalade.")])
        await scope.session("secret-talk").remember("She is making marmalade today.")
        await scope.profile.update({"favourite": "marmalade"})
        await scope.records.add("trip", {"carried": "marmalade"}, at=datetime(2026, 1, 1, tzinfo=UTC))
        space = scope.workspace(directory())
        await space.record("Do not touch the marmalade.", final_output="I shall not.")
        await space.close()

    async def test_a_principal_is_denied_every_verb_of_another_users_scope(
        self, memory: Any, secret: Any
    ) -> None:
        before = await secret.export()
        for kind, verb in _VERBS:
            theirs = _HANDLES[kind](memory.acting_as(BOB).scope(agent="concierge", user="alice"))
            with pytest.raises(DeniedError) as caught:
                pytest.fail(f"allowed: {verb}: {await getattr(theirs, verb)(**arguments(kind, verb))!r}")
            assert caught.value.principal == "bob"
            assert "marmalade" not in str(caught.value)
        assert await secret.export() == before

    async def test_a_user_finds_nothing_of_another_by_name_or_id(self, memory: Any, secret: Any) -> None:
        await self.meets_nothing(secret, memory.acting_as(BOB).scope(agent="concierge", user="bob"))

    async def test_two_agents_of_one_user_do_not_meet(self, memory: Any, secret: Any) -> None:
        await self.meets_nothing(secret, memory.scope(agent="concierge-2", user="alice"))

    async def test_two_tenants_of_one_database_do_not_meet(self, door: Door, secret: Any) -> None:
        other = self.another(door, tenant=f"{door.tenant}-other")
        await self.meets_nothing(secret, other.scope(agent="concierge", user="alice"))

    async def meets_nothing(self, secret: Any, other: Any) -> None:
        """Call every verb with every name and id that the other one uses, and find nothing of theirs."""
        before = await secret.export()
        note = await secret.get("secret")
        for word in ("secret", note.id, (await secret.session("secret-talk").items())[0].id):
            for kind, verb in _VERBS:
                given_ = arguments(kind, verb, id=word, key_or_id=word)
                answered, errors = await outcomes(getattr(_HANDLES[kind](other), verb)(**given_))
                assert all(isinstance(error, NotFoundError | ConflictError) for error in errors), (
                    verb,
                    errors,
                )
                shown = repr((answered, errors))
                assert "marmalade is" not in shown, verb
                assert "Do not touch" not in shown, verb
                assert "favourite" not in shown, verb
        assert await secret.export() == before

    async def test_verbs_of_the_whole_memory_show_and_change_nothing_of_others(
        self, memory: Any, secret: Any
    ) -> None:
        before = await secret.export()
        asking = memory.acting_as(BOB)
        for verb in set(verbs(AsyncMemory)) - {"close"}:
            given_ = {"user": "alice"} if verb == "erase" else {}
            answered, errors = await outcomes(getattr(asking, verb)(**given_))
            assert all(isinstance(error, DeniedError) for error in errors), (verb, errors)
            assert "alice" not in repr(answered), verb
            assert "marmalade" not in repr(answered), verb
        assert await secret.export() == before

    async def test_a_turn_is_denied_as_its_session_is(self, memory: Any, secret: Any) -> None:
        before = await secret.export()
        with pytest.raises(DeniedError):
            async with (
                memory.acting_as(BOB).scope(agent="concierge", user="alice").session("secret-talk").turn()
            ):
                pass
        assert await secret.export() == before
        assert set(verbs(AsyncTurn)) == {"append", "get_items", "add_items", "pop_item", "clear_session"}

    async def test_a_user_may_do_everything_in_the_own_scope(self, memory: Any) -> None:
        mine = memory.acting_as(ALICE).scope(agent="concierge", user="alice")
        await self.fill(mine)
        assert (await mine.export())["profile"]["provenance"]["favourite"]["by"] == "alice"
        await mine.session("secret-talk").delete()
        await mine.forget("secret")

    async def test_an_agents_own_memory_is_the_applications(self, memory: Any) -> None:
        own = memory.scope(agent="concierge")
        await own.remember("Opening hours are nine to five.")
        with pytest.raises(DeniedError):
            await memory.acting_as(ALICE).scope(agent="concierge").recall("opening hours")
        assert len(await own.recall("opening hours")) == 1
        assert len(await memory.scope(agent="concierge", user="alice").recall("opening hours")) == 0

    async def test_acting_as_never_widens(self, memory: Any) -> None:
        narrowed = memory.acting_as(BOB)
        for wider in (ALICE, Principal("bob", admin=True), Principal("bob", ("staff",)), None):
            with pytest.raises(InvalidError):
                narrowed.acting_as(wider)
        with pytest.raises(InvalidError):
            memory.acting_as(None)

    @pytest.mark.parametrize("nobody", ["", "anonymous", "system"])
    async def test_reserved_ids_have_no_rights(self, memory: Any, nobody: str) -> None:
        asking = memory.acting_as(Principal(nobody))
        await memory.pools.create("org:docs", owner="system")
        for scope in (asking.pool("org:docs"), asking.scope(user=nobody or None)):
            with pytest.raises(DeniedError):
                await scope.remember("mine")
        with pytest.raises((DeniedError, InvalidError)):
            await asking.pools.create("org:more", owner="system")

    async def test_an_admin_reaches_everything_of_the_tenant(self, memory: Any, secret: Any) -> None:
        admin = memory.acting_as(Principal("root", admin=True))
        assert await admin.scope(agent="concierge", user="alice").export() == await secret.export()

    async def test_names_that_look_alike_are_kept_apart(self, memory: Any) -> None:
        names = ["alice", "alice:x", "alice%3Ax", "Alice", "ali", "u", "a/b", "a b", "😀"]
        for name in names:
            await memory.scope(agent="bot", user=name).remember(f"I am <{name}>.")
        await memory.scope(agent="bot:u", user="alice").remember("another agent")
        for name in names:
            scope = memory.scope(agent="bot", user=name)
            assert texts(await scope.notes()) == [f"I am <{name}>."]
            same = memory.namespace(str(scope.namespace))
            assert texts(await same.notes()) == [f"I am <{name}>."]

    async def test_a_namespace_is_written_as_the_documents_write_it(self, memory: Any) -> None:
        assert str(memory.scope(agent="concierge", user="alice").namespace) == "agent:concierge:u:alice"
        assert str(memory.pool("org:docs").namespace) == "org:docs"
        assert str(memory.team("research").namespace) == "team:research"


class SharesDoor(FaceDoor):
    """Pools and teams: registered, granted, and nothing by declaration."""

    @pytest.fixture(params=["pool", "team"])
    def kind(self, request: pytest.FixtureRequest) -> str:
        return request.param

    @pytest.fixture
    def register(self, memory: Any, kind: str) -> Any:
        return memory.pools if kind == "pool" else memory.teams

    def shared(self, memory: Any, kind: str, name: str = "docs") -> Any:
        return memory.pool(name) if kind == "pool" else memory.team(name)

    async def test_what_is_not_registered_is_not_there_even_for_the_application(
        self, memory: Any, kind: str
    ) -> None:
        for asking in (memory, memory.acting_as(ALICE)):
            scope = self.shared(asking, kind)
            for attempt in (
                scope.remember("x y"),
                scope.recall("x"),
                scope.notes(),
                scope.session().append([user("x")]),
            ):
                with pytest.raises(NotFoundError) as caught:
                    await attempt
                assert (caught.value.kind, caught.value.id) == (kind, "docs")

    async def test_a_name_is_registered_once(self, register: Any) -> None:
        share = await register.create("docs", owner="alice")
        assert (share.name, share.owner, share.grants) == ("docs", "alice", ())
        with pytest.raises(ConflictError):
            await register.create("docs", owner="bob")
        assert (await register.get("docs")).owner == "alice"

    async def test_a_name_claimed_by_two_at_once_belongs_to_one(self, register: Any) -> None:
        won, lost = await outcomes(*(register.create("docs", owner=owner) for owner in ("alice", "bob")))
        assert [type(error) for error in lost] == [ConflictError]
        assert (await register.get("docs")).owner == won[0].owner

    async def test_a_declaration_gives_no_right(self, memory: Any, kind: str, register: Any) -> None:
        await register.create("docs", owner="alice")
        await self.shared(memory.acting_as(ALICE), kind).remember("We ship on Fridays.")
        theirs = self.shared(memory.acting_as(BOB), kind)
        for attempt in (theirs.recall("ship"), theirs.remember("x y"), theirs.forget("x"), theirs.export()):
            with pytest.raises(DeniedError):
                await attempt

    @pytest.mark.parametrize("to", ["bob", "group:staff", "*"])
    async def test_a_grant_gives_what_it_names_and_no_more(
        self, memory: Any, kind: str, register: Any, to: str
    ) -> None:
        await register.create("docs", owner="alice")
        shared = self.shared(memory.acting_as(ALICE), kind)
        note = await shared.remember("We ship on Fridays.")
        theirs = self.shared(memory.acting_as(Principal("bob", ("staff",))), kind)
        own = memory.acting_as(ALICE).pools if kind == "pool" else memory.acting_as(ALICE).teams
        await own.grant("docs", to, "read")
        assert texts(await theirs.recall("when do we ship")) == ["We ship on Fridays."]
        for attempt in (theirs.remember("x y"), theirs.revise(note.id, "x y"), theirs.forget(note.id)):
            with pytest.raises(DeniedError) as caught:
                await attempt
        assert caught.value.right == "delete"
        await own.grant("docs", to, ["read", "write"])
        await theirs.remember("We test on Mondays.")
        with pytest.raises(DeniedError):
            await theirs.forget(note.id)
        await own.grant("docs", to, [])
        with pytest.raises(DeniedError):
            await theirs.recall("ship")

    async def test_a_group_of_another_name_gets_nothing(self, memory: Any, kind: str, register: Any) -> None:
        await register.create("docs", owner="alice")
        await register.grant("docs", "group:staff", "read")
        for principal in (BOB, Principal("group:staff"), Principal("staff"), Principal("x", ("Staff",))):
            with pytest.raises(DeniedError):
                await self.shared(memory.acting_as(principal), kind).notes()

    async def test_a_reader_changes_nothing_through_any_verb(
        self, memory: Any, kind: str, register: Any
    ) -> None:
        await register.create("docs", owner="alice")
        await register.grant("docs", "bob", "read")
        shared = self.shared(memory, kind)
        await ScopesDoor().fill(shared)
        before = await shared.export()
        for handles, verb in _VERBS:
            handle = _HANDLES[handles](self.shared(memory.acting_as(BOB), kind))
            _, errors = await outcomes(getattr(handle, verb)(**arguments(handles, verb)))
            assert all(isinstance(error, DeniedError | NotFoundError) for error in errors), (verb, errors)
            assert await shared.export() == before, verb

    async def test_only_who_administers_may_grant_or_remove(
        self, memory: Any, kind: str, register: Any
    ) -> None:
        await register.create("docs", owner="alice")
        await register.grant("docs", "bob", ["read", "write", "delete"])
        bobs = memory.acting_as(BOB).pools if kind == "pool" else memory.acting_as(BOB).teams
        for attempt in (bobs.grant("docs", "bob", "admin"), bobs.remove("docs")):
            with pytest.raises(DeniedError):
                await attempt
        with pytest.raises(DeniedError):
            await bobs.create("more", owner="alice")
        assert (await bobs.create("more", owner="bob")).owner == "bob"
        await bobs.remove("more")
        with pytest.raises(NotFoundError):
            await bobs.get("more")
        with pytest.raises(NotFoundError):
            await register.grant("more", "bob", "read")

    async def test_a_caller_lists_what_it_may_read(self, memory: Any, kind: str, register: Any) -> None:
        for name, owner in (("a", "alice"), ("b", "bob"), ("c", "carol")):
            await register.create(name, owner=owner)
        await register.grant("c", "bob", "read")
        bobs = memory.acting_as(BOB).pools if kind == "pool" else memory.acting_as(BOB).teams
        assert [share.name for share in await bobs.all()] == ["b", "c"]
        assert [share.name for share in await register.all()] == ["a", "b", "c"]
        with pytest.raises(DeniedError):
            await bobs.get("a")

    async def test_a_pool_that_holds_something_is_not_removed(
        self, memory: Any, kind: str, register: Any
    ) -> None:
        await register.create("docs", owner="alice")
        await self.shared(memory, kind).remember("We ship on Fridays.")
        with pytest.raises(ConflictError):
            await register.remove("docs")
        assert len(await self.shared(memory, kind).recall("ship")) == 1

    @pytest.mark.parametrize(
        "name", ["agent:bot:u:alice", "%61gent:bot", "x:u:alice", "team:x", "a" * 300, ""]
    )
    async def test_a_pool_cannot_be_named_like_somebodys_memory(self, memory: Any, name: str) -> None:
        with pytest.raises(InvalidError):
            memory.pool(name)
        with pytest.raises(InvalidError):
            await memory.pools.create(name, owner="mallory")


class RecallDoor(FaceDoor):
    """What is found, what is not, and why."""

    async def test_what_was_just_written_is_found(self, alice: Any) -> None:
        for number in range(5):
            note = await alice.remember(f"Locker {number} is painted {_COLOURS[number]}.")
            (hit, *_) = await alice.recall(f"which locker is {_COLOURS[number]}")
            assert (hit.note, hit.item, hit.text) == (note, None, note.text)
            await alice.session().append([user(f"My bike {number} is {_BRANDS[number]}.")])
            (hit, *_) = await alice.recall(f"who makes the bike {_BRANDS[number]}")
            assert hit.note is None
            assert hit.item.body == user(f"My bike {number} is {_BRANDS[number]}.")

    async def test_kinds_sessions_and_categories_narrow_exactly(self, alice: Any) -> None:
        await alice.remember("Tea at four.", category="daily")
        await alice.remember("Tea is green.")
        for name in ("one", "two"):
            await alice.session(name).append([user(f"Tea in session {name}.")])
        assert len(await alice.recall("tea")) == 4
        assert {hit.item for hit in await alice.recall("tea", kinds=["note"])} == {None}
        assert all(hit.item for hit in await alice.recall("tea", kinds=("item",)))
        assert texts(await alice.recall("tea", category="Daily")) == ["Tea at four."]
        assert texts(await alice.recall("tea", session="two")) == ["Tea in session two."]
        assert (await alice.recall("tea", session="three")).empty_because == "all filtered"

    async def test_a_timeline_tells_a_matter_in_the_order_of_time(self, alice: Any, door: Door) -> None:
        days = [door.clock.at + timedelta(days=number) for number in range(6)]
        await alice.session("late").append(
            [user("The kayak was repaired in Porto."), user("Nothing else happened.")], at=[days[4], days[5]]
        )
        await alice.session("early").append(
            [
                user("I bought a kayak."),
                assistant("A kayak is a fine boat."),
                user("My kayak leaks at the skeg."),
            ],
            at=[days[0], days[0], days[2]],
        )
        await alice.remember("Owns a red kayak.", valid_from=days[1])
        await alice.session("late").append(
            [user("I bought a kayak!"), user("The kayak cost 900.")], at=days[5]
        )
        await alice.session("late").append([user("The kayak cost 800.")], at=days[5])
        page = await alice.timeline("kayak")
        assert texts(page) == [
            "I bought a kayak.",
            "Owns a red kayak.",
            "My kayak leaks at the skeg.",
            "The kayak was repaired in Porto.",
            "The kayak cost 900.",
            "The kayak cost 800.",
        ]
        assert (page.total, page.next) == (6, None)
        assert [entry.at for entry in page] == [*days[:3], days[4], days[5], days[5]]
        again = [hit.item.id for hit in await alice.recall("bought kayak") if hit.text == "I bought a kayak!"]
        assert page[0].repeats == tuple(again)
        assert (page[1].note.text, page[1].item) == ("Owns a red kayak.", None)
        assert page[2].item.session == "early"
        entries, totals = await pages(alice.timeline, query="kayak", limit=2)
        assert (texts(entries), totals) == (texts(page), {6})
        assert texts(await alice.timeline("kayak", since=days[1], until=days[4])) == texts(page)[1:3]
        assert texts(await alice.timeline("kayak", roles=["assistant"])) == ["A kayak is a fine boat."]
        assert texts(await alice.timeline("kayak", kinds=["note"])) == ["Owns a red kayak."]

    async def test_a_timeline_without_a_matter_is_everything_that_people_said(
        self, alice: Any, door: Door
    ) -> None:
        assert len(await alice.timeline()) == 0
        for name in ("b", "a"):
            at = [door.clock.at + timedelta(minutes=number) for number in range(6)]
            await alice.session(name).append(
                [user(f"Line {number} of {name}.") for number in range(6)], at=at
            )
        await alice.session("c").append([assistant("I see."), result(1)])
        entries, totals = await pages(alice.timeline, limit=5)
        assert totals == {12}
        assert [entry.text.split()[1] for entry in entries] == [
            str(number) for number in range(6) for _ in "ab"
        ]
        assert all(entry.score is None for entry in entries)
        for wrong in ({"limit": 0}, {"cursor": "no"}, {"roles": ["nobody"]}, {"since": datetime(2024, 1, 1)}):  # noqa: DTZ001
            with pytest.raises(InvalidError):
                await alice.timeline(**wrong)

    async def test_roles_times_and_sessions_narrow_exactly(self, alice: Any, door: Door) -> None:
        days = [door.clock.at + timedelta(days=number) for number in range(4)]
        talk = [user("Tea first."), assistant("Tea second."), user("Tea third."), call(1, "tea_shop")]
        for name in ("one", "two", "three"):
            await alice.session(name).append([*talk, result(1)], at=[*days, days[3]])
        note = await alice.remember("Tea from a note.", valid_from=days[2])

        async def said(**filters: Any) -> list[tuple[str, int]]:
            hits = await alice.recall("tea", limit=99, **filters)
            return sorted((hit.item.session, hit.item.seq) if hit.item else (hit.note.id, 0) for hit in hits)

        assert await said(roles=("user",), session="one") == [("one", 1), ("one", 3)]
        assert await said(roles=("assistant",)) == [(name, 2) for name in ("one", "three", "two")]
        assert await said(roles=["tool"], session="two") == [("two", 4), ("two", 5)]
        assert await said(session=["one", "three"], roles=["assistant", "tool"], until=days[2]) == [
            ("one", 2),
            ("three", 2),
        ]
        assert (note.id, 0) in await said(since=days[2])
        assert (note.id, 0) not in await said(until=days[2])
        assert await said(since=days[1], until=days[2], kinds=["item"], session="one") == [("one", 2)]
        lost = await alice.why_not("tea", note.id, until=days[2])
        assert (lost.stage, lost.filter) == ("filtered", "time")
        wrongs: list[dict[str, Any]] = [
            {"roles": "user"},
            {"roles": ["nobody"]},
            {"roles": []},
            {"session": []},
        ]
        for wrong in wrongs:
            with pytest.raises(InvalidError):
                await alice.recall("tea", **wrong)

    async def test_a_hit_brings_its_exchange(self, alice: Any) -> None:
        talk = [
            user("My knee aches."),
            call(1),
            result(1),
            assistant("Shorten your stride."),
            user("Thanks."),
        ]
        await alice.session("run").append(talk)
        await alice.remember("Runs on Sundays.")
        found = await alice.recall("knee stride thanks sundays")
        assert {hit.text: hit.exchange and hit.exchange.text for hit in found if hit.text != "done"} == {
            "My knee aches.": "Shorten your stride.",
            "Shorten your stride.": "My knee aches.",
            "Thanks.": None,
            "Runs on Sundays.": None,
            "look_up ": "My knee aches.",
        }
        exchanged = [one for one in found.exchanges if len(one) > 1]
        assert [[message.text for message in one] for one in exchanged] == [
            ["My knee aches.", "Shorten your stride."]
        ]

    async def test_a_question_finds_what_it_asks_however_it_is_contracted(self, alice: Any) -> None:
        await alice.session().append(
            [user("I must not eat walnuts."), user("I flew to California, to a CA office.")]
        )
        cannot, contracted = [await alice.recall(f"What {word} she eat?") for word in ("cannot", "can't")]
        assert cannot.terms == contracted.terms == ("eat",)
        assert [(hit.text, hit.score) for hit in cannot] == [(hit.text, hit.score) for hit in contracted]

    async def test_filters_hold_before_the_best_are_chosen(self, alice: Any) -> None:
        for _ in range(15):
            await alice.remember("Ramen shop, ramen shop, ramen.", metadata={"city": "Osaka"})
        await alice.remember("A ramen place somewhere.", metadata={"city": "Kyoto"}, category="daily")
        assert texts(await alice.recall("ramen shop", limit=1, where={"city": "Kyoto"})) == [
            "A ramen place somewhere."
        ]
        assert len(await alice.recall("ramen shop", limit=1, category="daily")) == 1

    async def test_a_limit_is_kept_and_the_best_come_first(self, alice: Any) -> None:
        for number in range(20):
            await alice.remember(f"Parcel {number} went to Porto.")
        found = await alice.recall("parcel 13 porto", limit=4)
        assert len(found) == 4
        assert found[0].text == "Parcel 13 went to Porto."
        assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
        assert found.scanned == 20

    async def test_many_hits_come_with_their_sessions_and_in_their_order(self, alice: Any) -> None:
        for name in ("red", "green", "blue"):
            await alice.session(name).append([user(f"The {name} kite number {each}.") for each in range(15)])
        for number in range(20):
            await alice.remember(f"A kite costs {number}.")
        for _ in range(2):  # the second time the names of the sessions are known
            found = await alice.recall("kite", limit=65)
            assert len(found) == 65
            assert {hit.note.id for hit in found if hit.note} == {note.id for note in await alice.notes()}
            items = [hit.item for hit in found if hit.item]
            assert all(item.session in item.body["content"] for item in items)
            assert len({item.id for item in items}) == 45
            assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)

    async def test_relevance_tells_an_answer_from_nothing(self, alice: Any) -> None:
        assert (await alice.recall("where is the spare key")).relevance == 0
        for text in ("The spare key hangs behind the blue door.", "Dentist on Tuesday.", "Likes ramen."):
            await alice.remember(text)
        await alice.session().append([user(f"We talked of topic {each} for a while.") for each in range(20)])
        sure = await alice.recall("where is the spare key")
        lost = await alice.recall("who won the chess tournament in Reykjavik")
        assert 0 <= lost.relevance < 0.3
        assert 0.6 < sure.relevance <= 1
        assert (await alice.recall("where is the spare key", limit=1)).relevance == sure.relevance
        assert (await alice.recall("spare key", category="daily")).relevance == 0

    async def test_empty_says_why_and_is_not_degraded(self, alice: Any) -> None:
        assert (await alice.recall("tea")).empty_because == "nothing stored"
        await alice.remember("Tea is green.", category="daily")
        assert (await alice.recall("tea")).empty_because is None
        nothing = await alice.recall("tea", category="core")
        assert (nothing.empty_because, nothing.degraded, len(nothing)) == ("all filtered", (), 0)

    async def test_without_an_embedder_words_alone_decide(self, door: Door) -> None:
        alice = door.open(embedder=None).scope(user="alice")
        await alice.remember("Tea is green.")
        assert texts(await alice.recall("green tea")) == ["Tea is green."]
        nothing = await alice.recall("xylophone")
        assert (nothing.empty_because, nothing.unknown) == ("no term in common", ("xylophone",))
        assert (await alice.recall("?!")).empty_because == "no word to search for"

    async def test_an_explanation_names_the_words_in_common(self, alice: Any) -> None:
        await alice.remember("The green kettle whistles.")
        (hit,) = await alice.recall("kettle whistling", explain=True)
        assert hit.why.terms
        assert hit.why.lexical > 0
        assert "words" in str(hit.why)
        assert (await alice.recall("kettle whistling"))[0].why.terms == ()

    async def test_why_not_says_at_which_stage_something_was_lost(self, alice: Any) -> None:
        notes = [await alice.remember(f"Parcel {number} went to Porto.") for number in range(9)]
        await alice.session().append([user("The parcel is late.")])
        (item,) = await alice.session().items()
        lost = await alice.why_not("parcel 3 porto", notes[8].id, limit=1)
        assert (lost.stage, lost.id) == ("below the cut", notes[8].id)
        assert lost.rank is not None
        assert lost.rank > 1
        assert lost.needed is not None
        assert str(lost)
        assert (await alice.why_not("parcel 3 porto", notes[3].id)).stage == "returned"
        left_out = await alice.why_not("parcel", item.id, kinds=["note"])
        assert (left_out.stage, left_out.filter) == ("filtered", "kind")
        await alice.forget(notes[3].id)
        assert (await alice.why_not("parcel 3 porto", notes[3].id)).stage == "not indexed"
        assert (await alice.why_not("parcel", notes[4].id, where={"a": 1})).stage == "filtered"
        with pytest.raises(NotFoundError):
            await alice.why_not("parcel", "no id at all")

    @pytest.mark.parametrize(
        ("text", "query"),
        [
            ("彼女は窓側の席が好きです。", "窓側の席"),
            ("她对花生过敏。", "花生"),
            ("서울에 살고 있습니다.", "서울"),
            ("เธอชอบกาแฟดำ", "กาแฟ"),
            ("Она живёт в Казани.", "живет Казань"),
            ("Elle habite à Besançon.", "besancon"),
        ],
    )
    async def test_every_script_is_found(self, door: Door, text: str, query: str) -> None:
        alice = door.open(embedder=None).scope(user="alice")
        await alice.remember(text)
        await alice.remember("Something else entirely.")
        await alice.session().append([user(text)])
        assert texts(await alice.recall(query)) == [text, text]

    async def test_what_was_taken_back_is_not_found(self, alice: Any) -> None:
        talk = alice.session("talk")
        await talk.append([user("The violet umbrella is mine.")])
        await talk.append([user("The orange umbrella is hers.")])
        assert len(await alice.recall("umbrella")) == 2
        await talk.undo()
        assert texts(await alice.recall("umbrella")) == ["The violet umbrella is mine."]
        await talk.append([user("The yellow umbrella is new.")])
        assert len(await alice.recall("umbrella")) == 2
        await talk.pop_item()
        assert len(await alice.recall("umbrella")) == 1
        await talk.clear()
        assert len(await alice.recall("umbrella")) == 0
        await talk.append([user("The silver umbrella is broken.")])
        await talk.delete()
        assert len(await alice.recall("umbrella")) == 0

    async def test_a_revised_note_is_found_by_its_new_words_alone(self, door: Door) -> None:
        alice = door.open(embedder=None).scope(user="alice")
        note = await alice.remember("Plays the oboe.")
        assert len(await alice.recall("oboe")) == 1
        await alice.revise(note.id, "Plays the viola.")
        assert len(await alice.recall("oboe")) == 0
        assert texts(await alice.recall("viola")) == ["Plays the viola."]

    async def test_another_memory_sees_every_change_at_once(self, door: Door, alice: Any) -> None:
        note = await alice.remember("The spare key is under the mat.")
        other = self.another(door).scope(agent="concierge", user="alice")
        assert len(await other.recall("spare key")) == 1
        await alice.forget(note.id)
        assert len(await other.recall("spare key")) == 0
        await other.session().append([user("The spare key is with Ben.")])
        assert texts(await alice.recall("spare key")) == ["The spare key is with Ben."]
        await other.session().clear()
        assert len(await alice.recall("spare key")) == 0

    async def test_an_index_that_was_stored_and_loaded_ranks_as_before(self, door: Door) -> None:
        from bethink.settings import Settings

        settings = Settings(index_batch=8)
        memory = self.another(door, settings=settings)
        alice = memory.scope(user="alice")
        ids = [
            (await alice.remember(f"{colour} {brand} number {n}", category="daily" if n % 3 else "core")).id
            for n, (colour, brand) in enumerate(_pairs())
        ]
        await alice.recall("red")
        await alice.session("talk").append([user(f"we rode the {brand}") for brand in _BRANDS])
        await alice.recall("red")
        for id_ in ids[::4]:
            await alice.forget(id_)
        await alice.revise(ids[1], "turquoise Bianchi number 1")
        await alice.session("talk").undo(2)
        await alice.recall("red")
        questions = ["red Bianchi", "number 7", "turquoise", "who rode the Trek"]

        async def answers(scope: Any) -> list[list[tuple[str, float]]]:
            return [
                [(hit.text, round(hit.score, 6)) for hit in await scope.recall(question, limit=30, **options)]
                for question in questions
                for options in ({}, {"category": "daily"}, {"kinds": ["item"]})
            ]

        before = await answers(alice)
        assert await answers(self.another(door, settings=settings).scope(user="alice")) == before
        assert await answers(self.another(door).scope(user="alice")) == before
        await memory.close()
        assert await answers(self.another(door, settings=settings).scope(user="alice")) == before

    async def test_another_embedder_makes_its_vectors_while_words_are_searched(self, door: Door) -> None:
        from bethink.settings import Settings

        settings = Settings(index_batch=4)
        memory = self.another(door, settings=settings)
        for colour in _COLOURS:
            await memory.scope(user="alice").remember(f"The door is {colour}.")
        assert len(await memory.scope(user="alice").recall("green door")) == 5
        await memory.close()
        gate = asyncio.Event()
        slow = _Gated("slow", asyncio.get_running_loop(), gate)
        memory = self.another(door, settings=settings, embedder=slow)
        alice = memory.scope(user="alice")
        during = await alice.recall("green door")
        assert during.degraded
        assert during[0].text == "The door is green."
        gate.set()
        await memory.close()
        memory = self.another(door, settings=settings, embedder=HashingEmbedder("slow"))
        after = await memory.scope(user="alice").recall("green door")
        assert after.degraded == ()
        assert after[0].text == "The door is green."

    async def test_indexes_stay_within_their_memory(self, door: Door) -> None:
        from bethink.settings import Settings

        memory = door.open(settings=Settings(index_megabytes=0))
        for number in range(4):
            await memory.scope(user=f"user-{number}").remember(f"Likes number {number}.")
        for number in (0, 1, 2, 3, 0, 1):
            found = await memory.scope(user=f"user-{number}").recall("likes number")
            assert texts(found) == [f"Likes number {number}."]


class ExportDoor(FaceDoor):
    """An export holds everything of a scope, and nothing of another."""

    async def test_an_export_holds_everything_as_plain_json(self, alice: Any, memory: Any) -> None:
        note = await alice.remember("aisle", key="seat", metadata={"a": [1]})
        await alice.revise("seat", "window")
        await alice.session("trip").remember("This time the middle.")
        odd = {"role": "user", "content": "\ud800\x00", "n": 10**40}
        await alice.session("trip").append([odd], speaker="Ann")
        await alice.profile.update({"city": "Lyon"})
        await alice.records.add("trip", {"to": "Paris"}, at=datetime(2025, 1, 1, tzinfo=UTC))
        await memory.scope(agent="concierge", user="bob").remember("not mine")
        found = json.loads(json.dumps(await alice.export()))
        assert (found["format"], found["namespace"]) == ("bethink-export", "agent:concierge:u:alice")
        assert [each["text"] for each in found["notes"]] == ["window", "This time the middle."]
        assert found["notes"][0]["id"] == note.id
        assert [each["note"]["text"] for each in found["history"]] == ["aisle"]
        assert found["sessions"][0]["items"][0]["body"] == odd
        assert found["sessions"][0]["items"][0]["speaker"] == "Ann"
        assert found["profile"]["fields"] == {"city": "Lyon"}
        assert found["records"][0]["value"] == {"to": "Paris"}
        assert "not mine" not in json.dumps(found)

    async def test_the_export_of_an_empty_scope_is_empty(self, alice: Any) -> None:
        found = await alice.export()
        assert (found["notes"], found["sessions"], found["history"], found["records"]) == ([], [], [], [])

    async def test_a_long_session_is_exported_whole(self, alice: Any) -> None:
        await alice.session("long").append([user(f"{n}") for n in range(2_500)])
        found = await alice.session("long").export()
        assert [entry["body"]["content"] for entry in found["items"]] == [f"{n}" for n in range(2_500)]
        with pytest.raises(NotFoundError):
            await alice.session("absent").export()


class LifeDoor(FaceDoor):
    """Opening and closing."""

    async def test_after_close_every_handle_is_closed(self, memory: Any, alice: Any) -> None:
        await alice.remember("x y")
        await memory.close()
        await memory.close()
        for attempt in (
            alice.remember("x y"),
            alice.notes(),
            alice.recall("x"),
            alice.session().append([user("x")]),
            alice.session().add_items([]),
            alice.session().get_items(),
        ):
            with pytest.raises(ClosedError):
                await attempt

    async def test_a_memory_is_closed_at_the_end_of_its_block(self, door: Door) -> None:
        async with door.open() as memory:
            await memory.scope().remember("x y")
        with pytest.raises(ClosedError):
            await memory.scope().notes()

    async def test_what_was_acknowledged_is_there_when_opened_again(self, door: Door, memory: Any) -> None:
        await memory.scope().remember("kept")
        again = self.another(door)
        await memory.close()
        assert texts(await again.scope().notes()) == ["kept"]

    async def test_a_memory_never_shows_a_password(self, door: Door) -> None:
        memory = door.open()
        assert "://" not in repr(memory) or "@" not in repr(memory).split("://")[1]
        assert door.tenant in repr(memory)


_COLOURS = ["red", "green", "blue", "black", "white"]
_BRANDS = ["Bianchi", "Trek", "Brompton", "Peugeot", "Dahon"]


def _pairs() -> list[tuple[str, str]]:
    return [(colour, brand) for colour in _COLOURS for brand in _BRANDS]


class _Gated(HashingEmbedder):
    """An embedder that embeds more than one text only once a gate is open."""

    def __init__(self, salt: str, loop: asyncio.AbstractEventLoop, gate: asyncio.Event) -> None:
        super().__init__(salt)
        self._loop = loop
        self._gate = gate

    def embed(self, texts: Any) -> Any:
        if len(texts) > 1:
            asyncio.run_coroutine_threadsafe(self._gate.wait(), self._loop).result()
        return super().embed(texts)
