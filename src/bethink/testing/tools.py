"""Conformance of a scope's tools, as a pytest class."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from bethink.errors import InvalidError
from bethink.scope.values import Principal
from bethink.testing.doors.fixtures import BOB, FaceConformance, texts
from bethink.tools.values import Family

FAMILIES: tuple[Family, ...] = tuple(each for each in get_args(Family) if each != "workspace")  #: of scopes
#: what a model may write, by the name of the argument
_WRITTEN = {
    "key": "secret",
    "content": "Bob was here.",
    "text": "Bob was here.",
    "query": "marmalade",
    "keywords": ["bob"],
    "category": "core",
    "source": "bob",
    "pool": "org:docs",
    "limit": 5,
    "top_k": 5,
    "session": "secret-talk",
    "roles": ["user"],
    "since": "1990-01-01",
    "until": "2190-01-01",
    "cursor": "",
    "path": "secrets",
    "value": '"Bob was here."',
    "expected": 0,
}


def by_name(tools: list[Any]) -> dict[str, Any]:
    """Return tools by their names."""
    return {tool.name: tool for tool in tools}


class ToolsConformance(FaceConformance):
    """Tools are listed as a provider wants them, and reach what they are bound to and no more."""

    async def test_a_model_keeps_finds_and_forgets_by_tools(self, alice: Any) -> None:
        tools = by_name(alice.tools())
        assert list(tools) == ["remember", "recall", "search_memory", "forget", "list_memories"]
        given = {"key": "seat", "content": "Prefers aisle seats."}
        assert await tools["remember"].call(json.dumps(given)) == "Stored memory 'seat'."
        assert await tools["recall"].call({"key": "seat"}) == "Prefers aisle seats."
        assert (note := await alice.get("seat")) is not None
        assert (note.text, note.source) == ("Prefers aisle seats.", "agent")
        assert "Prefers aisle seats." in await tools["search_memory"].call({"query": "aisle"})
        assert await tools["forget"].call({"key": "seat"}) == "Deleted: True"
        assert await alice.get("seat") is None

    async def test_a_note_is_staged_in_the_session_that_is_named(self, alice: Any) -> None:
        (save,) = alice.tools(("notes",), session="trip")
        answer = await save.call({"text": "Wants a window this time.", "keywords": ["seat"]})
        assert json.loads(answer) == {"ok": True}
        assert texts(await alice.notes(session="trip")) == ["Wants a window this time."]
        (save,) = alice.tools(("notes",))
        await save.call({"text": "Wants an early train.", "keywords": ["train"]})
        assert texts(await alice.notes(session="dashboard")) == ["Wants an early train."]

    async def test_each_provider_is_told_of_a_tool_in_its_own_words(self, alice: Any) -> None:
        tools = alice.tools(FAMILIES, pools=["org:docs"], team="crew")
        for tool in tools:
            schema = tool.parameters
            assert schema["type"] == "object"
            assert tool.openai() == {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": schema,
                "strict": set(schema["required"]) == set(schema["properties"]),
            }
            assert tool.openai_chat()["function"] | {"type": "function"} == tool.openai()
            assert tool.anthropic() == {
                "name": tool.name,
                "description": tool.description,
                "input_schema": schema,
            }
        assert len(by_name(tools)) == len(tools)

    async def test_a_schema_that_a_caller_changes_changes_no_other(self, alice: Any) -> None:
        first = alice.tools()[0]
        first.openai()["parameters"]["properties"].clear()
        first.parameters["properties"].clear()
        assert alice.tools()[0].parameters["properties"]
        assert await first.call({"key": "seat", "content": "Prefers aisle seats."}) == "Stored memory 'seat'."

    async def test_what_is_not_done_is_said_and_not_raised(self, alice: Any) -> None:
        tools = by_name(alice.tools())
        for wrong in ("", "[]", "{}", '{"key": 5}', {"key": None}):
            assert (await tools["recall"].call(wrong)).startswith("Not done: ")
        answer = await tools["remember"].call({"key": "card", "content": "Card number 4111 1111 1111 1111."})
        assert answer.startswith("Not done: ")
        assert "4111" not in answer

    async def test_shared_tools_want_to_know_where(self, alice: Any) -> None:
        for wrong in (
            {"families": ("secrets",)},
            {"families": ("pools",)},
            {"families": ("team",)},
            {"families": ("workspace",)},
        ):
            with pytest.raises(InvalidError):
                alice.tools(**wrong)

    async def test_pools_and_the_team_answer_by_the_rights_of_who_asks(self, memory: Any) -> None:
        await memory.pools.create("org:docs", owner="alice")
        await memory.teams.create("crew", owner="alice")
        asked = {"families": ("pools", "team"), "pools": ["org:docs"], "team": "crew"}
        hers = by_name(memory.acting_as(Principal("alice")).scope(user="alice").tools(**asked))
        his = by_name(memory.acting_as(BOB).scope(user="bob").tools(**asked))
        given = {"pool": "org:docs", "key": "tabs", "content": "Use tabs."}
        assert await hers["share_to"].call(given) == "Stored 'tabs' in pool 'org:docs'."
        assert (await hers["share_finding"].call({"key": "budget", "content": "It is 5."})).startswith(
            "Shared"
        )
        assert (await his["read_from_pool"].call({"pool": "org:docs", "key": "tabs"})).startswith(
            "Not done: "
        )
        assert (await his["read_shared"].call({"key": "budget"})).startswith("Not done: ")
        await memory.pools.grant("org:docs", "bob", "read")
        assert await his["read_from_pool"].call({"pool": "org:docs", "key": "tabs"}) == "Use tabs."
        assert (await his["share_to"].call(given)).startswith("Not done: ")
        assert "Available pools: org:docs" in await his["list_pool"].call({"pool": "org:payroll"})

    async def test_no_tool_shows_or_changes_what_is_anothers(self, memory: Any) -> None:
        alice = memory.scope(agent="concierge", user="alice")
        await alice.remember("The marmalade is in the attic.", key="secret")
        await alice.documents.put("secrets", "secret", "The marmalade is in the attic.", index=True)
        await memory.pools.create("org:docs", owner="alice")
        await memory.teams.create("crew", owner="alice")
        await memory.pool("org:docs").remember("The marmalade is in the attic.", key="secret")
        await memory.team("crew").remember("The marmalade is in the attic.", key="secret")
        kept = [alice, memory.pool("org:docs"), memory.team("crew")]
        before = [await scope.export() for scope in kept]
        asking = memory.acting_as(BOB)
        for user in ("alice", "bob"):
            scope = asking.scope(agent="concierge", user=user)
            for tool in scope.tools(FAMILIES, session="secret-talk", pools=["org:docs"], team="crew"):
                written = {name: _WRITTEN[name] for name in tool.parameters["properties"]}
                answer = await tool.call(written)
                assert "marmalade is" not in answer, tool.name
                if user == "alice":
                    assert answer.startswith("Not done: "), tool.name
        assert [await scope.export() for scope in kept] == before
