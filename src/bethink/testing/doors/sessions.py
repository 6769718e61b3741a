"""Conformance of session logs, as a pytest class."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import (
    ConflictError,
    InvalidError,
    NotFoundError,
)
from bethink.testing.doors.fixtures import (
    FaceConformance,
    assistant,
    call,
    outcomes,
    pages,
    result,
    texts,
    user,
)

if TYPE_CHECKING:
    from bethink.testing.faces import FaceOpener


class SessionsApiConformance(FaceConformance):
    """The log: appends, reads, and everything that takes something away."""

    @pytest.fixture
    def talk(self, alice: Any) -> Any:
        return alice.session("talk")

    async def test_what_was_appended_is_in_every_later_read(self, talk: Any, door: FaceOpener) -> None:
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


def _nested(depth: int) -> Any:
    value: Any = 1
    for level in range(depth):
        value = [value] if level % 2 else {"in": value}
    return value


def _exactly(body: Any) -> str:
    return json.dumps(body, sort_keys=True)
