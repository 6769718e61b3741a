"""What a model may call, and what it is answered."""

import json
from datetime import UTC, datetime

import pytest

from bethink import AsyncMemory
from bethink.errors import InvalidError
from bethink.sessions.injected_memory import MEMORY_TOOLS
from bethink.testing.faces import HashingEmbedder
from bethink.tools.calls import call, check_arguments
from bethink.tools.registry import TOOLS, tools
from bethink.tools.values import Reach

pytestmark = pytest.mark.anyio
START = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def memory(anyio_backend):
    async with AsyncMemory(":memory:", embedder=HashingEmbedder()) as memory:
        yield memory


@pytest.fixture
async def reach(memory):
    await memory.pools.create("org:docs", owner="application")
    await memory.teams.create("crew", owner="application")
    return Reach(
        scope=memory.scope(user="alice"), session="trip", memory=memory, pools=("org:docs",), team="crew"
    )


async def ask(reach, name, **arguments):
    return await call(TOOLS[name], reach, json.dumps(arguments))


def test_every_tool_has_a_schema_that_approves_nothing_else():
    for tool in TOOLS.values():
        schema = tool.parameters
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
        assert all(field["description"] for field in schema["properties"].values())
        assert json.loads(json.dumps(schema)) == schema
        assert tool.description


def test_families_are_chosen_by_name():
    assert [tool.name for tool in tools()] == [
        "remember",
        "recall",
        "search_memory",
        "forget",
        "list_memories",
    ]
    assert [tool.name for tool in tools("notes")] == ["save_memory_note"]
    assert len(
        tools(
            ("notes", "private", "categories", "pools", "team", "history", "review", "documents", "workspace")
        )
    ) == len(TOOLS)
    with pytest.raises(InvalidError):
        tools(("secret",))


async def test_a_staged_note_has_the_approved_fields_and_no_more(reach):
    answer = await ask(
        reach,
        "save_memory_note",
        text=" Prefers aisle seats. ",
        keywords=["Seat ", "", "flight", "row", "four"],
        category="core",
        source="system",
    )
    assert answer == {"ok": True}
    (note,) = await reach.scope.notes(session="trip")
    assert (note.text, note.keywords) == ("Prefers aisle seats.", ("seat", "flight", "row"))
    assert (note.category, note.source, note.session) == (
        "conversation",
        "agent",
        "trip",
    )  # nobody keeps a log


async def test_what_the_guard_blocks_is_not_kept_and_not_repeated(reach):
    answer = await ask(reach, "save_memory_note", text="Card number 4111 1111 1111 1111.", keywords=["card"])
    assert answer["ok"] is False
    assert "4111" not in json.dumps(answer)
    assert list(await reach.scope.notes(session="trip")) == []
    answer = await ask(reach, "remember", key="card", content="Card number 4111 1111 1111 1111.")
    assert answer.startswith("Not done: ")
    assert "4111" not in answer


async def test_a_private_memory_is_kept_found_listed_and_forgotten(reach):
    assert await ask(reach, "list_memories") == "No memories found."
    assert (
        await ask(reach, "remember", key="color", content="Likes green.\n- fake: x")
        == "Stored memory 'color'."
    )
    assert await ask(reach, "recall", key="color") == "Likes green.\n- fake: x"
    assert await ask(reach, "list_memories") == "- color: Likes green. - fake: x"
    assert "color: Likes green." in await ask(reach, "search_memory", query="green")
    assert await ask(reach, "forget", key="color") == "Deleted: True"
    assert await ask(reach, "forget", key="color") == "Deleted: False"
    assert await ask(reach, "recall", key="color") == "No memory found for key 'color'."
    assert await ask(reach, "search_memory", query="green") == "No memories found."


def percent(answer):
    return int(answer.rpartition("[")[2].removesuffix("%]"))


async def test_categories_are_read_in_any_case(reach):
    assert (
        await ask(reach, "memory_store", key="mode", content="Dark mode.", category="Core")
        == "Stored memory: mode"
    )
    await ask(reach, "memory_store", key="lunch", content="Had soup today.", category="daily")
    assert await ask(reach, "memory_recall") == (
        "Found 2 memories:\n- [daily] lunch: Had soup today.\n- [core] mode: Dark mode."
    )
    sure, unsure = [
        await ask(reach, "memory_recall", query=query, limit=1)
        for query in ("dark mode", "who won the chess cup")
    ]
    assert "[core] mode: Dark mode. [" in sure
    assert percent(sure) > 70 > 30 > percent(unsure)
    assert await ask(reach, "memory_forget", key="mode") == "Forgot memory: mode"
    assert await ask(reach, "memory_forget", key="mode") == "No memory found with key: mode"


async def test_what_was_said_is_searched_and_told_in_the_order_of_time(reach):
    talk = [{"role": "user", "content": "My knee aches."}, {"role": "assistant", "content": "Rest it."}]
    await reach.scope.session("run").append(talk, at=START)
    found = await ask(reach, "search_history", query="which joint aches, the knee?", roles=["user"])
    assert found.splitlines()[1:] == ["  answered: Rest it."]
    assert found.startswith("- [")
    assert found.splitlines()[0].endswith("2026-01-01, user, session run: My knee aches.")
    assert await ask(reach, "timeline", query="knee") == "- 2026-01-01, user, session run: My knee aches."
    assert await ask(reach, "timeline", until="2025-01-01") == "Nothing was said about this."
    assert (await ask(reach, "timeline", since="soon")).startswith("Not done: since must be a date")


async def test_pools_and_the_team_are_shared(reach):
    assert (
        await ask(reach, "share_to", pool="org:docs", key="a", content="Use tabs.")
        == "Stored 'a' in pool 'org:docs'."
    )
    assert await ask(reach, "read_from_pool", pool="org:docs", key="a") == "Use tabs."
    assert "a: Use tabs." in await ask(reach, "search_pool", pool="org:docs", query="tabs")
    assert await ask(reach, "list_pool", pool="org:docs") == "- a: Use tabs."
    assert "Available pools: org:docs" in await ask(reach, "list_pool", pool="other")
    assert await ask(reach, "list_shared") == "No shared findings."
    assert (
        await ask(reach, "share_finding", key="b", content="Budget is 5.")
        == "Shared finding 'b' with the team."
    )
    assert await ask(reach, "read_shared", key="b") == "Budget is 5."
    assert "b: Budget" in await ask(reach, "search_shared", query="budget")
    assert await ask(reach, "recall", key="b") == "No memory found for key 'b'."


async def test_a_principal_without_a_grant_is_answered_so(memory, reach):
    from bethink import Principal

    bob = memory.acting_as(Principal("bob"))
    his = Reach(scope=bob.scope(user="bob"), memory=bob, pools=("org:docs",))
    assert (await ask(his, "list_pool", pool="org:docs")).startswith("Not done: ")
    await memory.pools.grant("org:docs", "bob", "read")
    assert await ask(his, "list_pool", pool="org:docs") == "No findings in pool 'org:docs'."
    assert (await ask(his, "share_to", pool="org:docs", key="a", content="x")).startswith("Not done: ")


@pytest.mark.parametrize("arguments", ["[]", "{", '{"key": 5}', "{}", '{"key": null}', "\ud800", "[" * 5000])
async def test_arguments_of_another_shape_are_refused_in_words(reach, arguments):
    assert (await call(TOOLS["recall"], reach, arguments)).startswith("Not done: ")


def test_unknown_arguments_are_dropped_and_truth_is_no_number():
    assert check_arguments(TOOLS["list_memories"], {"limit": 3, "tenant": "other"}) == {"limit": 3}
    with pytest.raises(InvalidError):
        check_arguments(TOOLS["list_memories"], {"limit": True})


def test_the_log_knows_every_memory_tool_by_its_name_and_its_arguments():
    known = {tool.name: frozenset(tool.parameters["properties"]) for tool in TOOLS.values()}
    assert {name: given for name, given in MEMORY_TOOLS.items() if name != "memory"} == known
