"""Conformance of an OpenAI Agents SDK session, as a pytest class.

Give it a `make` fixture, and it runs on yours:

    class TestMine(AgentSessionConformance):
        @pytest.fixture
        def make(self, tmp_path):
            return lambda session_id: MySession(session_id, tmp_path)

`make(id)` returns a session; twice with one id, it returns two handles of one session.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.memory import Session

    Make = Callable[[str], Session]

ODD: list[dict[str, Any]] = [
    {"role": "user", "content": "line\nbreaks, \u2028, quotes \" ' and 🦜"},
    {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "", "annotations": []}],
    },
    {"type": "function_call", "call_id": "c1", "name": "look_up", "arguments": '{"a": [1, 2.5, null, true]}'},
    {"type": "function_call_output", "call_id": "c1", "output": "done"},
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "…"},
    {"type": "of_tomorrow", "number": 1 << 70, "nested": [[{"x": None}], {}], "": ""},
]


def said(*texts: str) -> list[Any]:
    """Return what users say."""
    return [{"role": "user", "content": text} for text in texts]


class AgentSessionConformance:
    """The four methods, exactly: order, limits, removal, handles, callers at once, and a run."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    async def test_nothing_is_there_before_the_first_item(self, make: Make) -> None:
        session = make("trip")
        assert session.session_id == "trip"
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.clear_session()
        await session.add_items([])
        assert await session.get_items() == []

    async def test_items_come_back_equal_and_in_order(self, make: Make) -> None:
        session = make("trip")
        odd: list[Any] = list(ODD)
        await session.add_items(odd[:2])
        await session.add_items(odd[2:])
        assert await session.get_items() == odd

    async def test_a_limit_is_the_newest_items_oldest_first(self, make: Make) -> None:
        session = make("trip")
        await session.add_items(said(*"abcdef"))
        assert await session.get_items(2) == said("e", "f")
        assert await session.get_items(limit=6) == said(*"abcdef")
        assert await session.get_items(99) == said(*"abcdef")
        assert await session.get_items(0) == []

    async def test_the_newest_item_is_popped(self, make: Make) -> None:
        session = make("trip")
        await session.add_items(said("a", "b"))
        assert await session.pop_item() == said("b")[0]
        assert await session.get_items() == said("a")
        await session.add_items(said("c"))
        assert await session.get_items() == said("a", "c")

    async def test_a_cleared_session_begins_anew(self, make: Make) -> None:
        session = make("trip")
        await session.add_items(said("a", "b"))
        await session.clear_session()
        assert await session.get_items() == []
        await session.add_items(said("c"))
        assert await session.get_items() == said("c")

    async def test_what_a_caller_does_with_its_lists_changes_nothing(self, make: Make) -> None:
        session = make("trip")
        given = said("a")
        await session.add_items(given)
        given[0]["content"] = "changed"
        found: list[Any] = await session.get_items()
        found[0]["content"] = "changed"
        found.append("more")
        assert await session.get_items() == said("a")

    async def test_sessions_of_other_ids_are_apart(self, make: Make) -> None:
        one, other = make("trip"), make("trip/../trip2")
        await one.add_items(said("a"))
        await other.add_items(said("b"))
        await other.clear_session()
        assert await one.get_items() == said("a")

    async def test_two_handles_are_one_session(self, make: Make) -> None:
        await make("trip").add_items(said("a"))
        session = make("trip")
        assert await session.get_items() == said("a")
        await session.add_items(said("b"))
        assert await make("trip").get_items() == said("a", "b")

    async def test_callers_at_once_lose_nothing_and_part_nothing(self, make: Make) -> None:
        sessions = [make("trip") for _ in range(4)]
        pairs = [said(f"{number}a", f"{number}b") for number in range(20)]
        await asyncio.gather(*(sessions[number % 4].add_items(pair) for number, pair in enumerate(pairs)))
        found: list[Any] = await make("trip").get_items()
        assert sorted(each["content"] for each in found) == sorted(
            each["content"] for pair in pairs for each in pair
        )
        assert all(found[place : place + 2] in pairs for place in range(0, len(found), 2))

    async def test_items_that_cannot_be_kept_leave_no_others(self, make: Make) -> None:
        session = make("trip")
        broken: Any = [*said("a"), {"role": "user", "content": object()}]
        with pytest.raises(Exception):  # noqa: B017, PT011 - which error it is, is the store's own affair
            await session.add_items(broken)
        assert await session.get_items() == []

    async def test_an_agent_goes_on_where_it_was(self, make: Make) -> None:
        from agents import Agent, Runner, set_tracing_disabled

        from bethink.testing.models import Script, says

        set_tracing_disabled(disabled=True)
        with Script(says("In San Francisco."), says("California.")) as model:
            guide = Agent(name="guide", model=model)
            await Runner.run(guide, "Where is the Golden Gate Bridge?", session=make("trip"))
            await Runner.run(guide, "And the state?", session=make("trip"))
        assert [each.get("role") for each in model.inputs[1]] == ["user", "assistant", "user"]
        assert len(await make("trip").get_items()) == 4
