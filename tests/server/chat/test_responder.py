"""Without a model the offline responder answers: from memory, by the same tools, and it says so."""

import pytest

from .conftest import NOOP, events

pytestmark = pytest.mark.anyio

SAYS_SO = "(Offline responder: no model is set.)"


def named(answer):
    return [each["name"] for each in answer["tools"]]


async def test_it_keeps_what_the_user_states_and_knows_it_in_another_session(talking):
    async with talking(offline=True) as talk:
        kept = (await talk.say("I am vegetarian.")).json()
        asked = (await talk.say("What do I eat?", session="other")).json()
    assert (named(kept), kept["offline"], kept["model"]) == (["remember"], True, "offline")
    assert kept["text"] == f"Noted: I am vegetarian. {SAYS_SO}"
    assert named(asked) == ["search_memory"]
    assert asked["text"] == f"From memory: I am vegetarian. {SAYS_SO}"


async def test_it_says_when_it_knows_nothing(talking):
    async with talking(offline=True) as talk:
        assert await talk.text("What is my favourite colour?") == f"I remember nothing about that. {SAYS_SO}"


async def test_it_forgets_what_it_is_told_to_forget(talking):
    async with talking(offline=True) as talk:
        await talk.text("I am vegetarian.")
        gone = (await talk.say("Forget that I am vegetarian.")).json()
        assert named(gone) == ["search_memory", "forget"]
        assert await talk.text("What do I eat?") == f"I remember nothing about that. {SAYS_SO}"
        assert (await talk.client.get(f"{NOOP}/notes")).json()["total"] == 0


@pytest.mark.parametrize(
    ("families", "keeps", "looks"),
    [
        (["categories"], "memory_store", "memory_recall"),
        (["notes", "private"], "save_memory_note", "search_memory"),
    ],
)
async def test_it_uses_the_tools_that_it_is_given(talking, families, keeps, looks):
    async with talking(offline=True, spec={"primitives": {"memory": {"families": families}}}) as talk:
        kept = (await talk.say("I am vegetarian.")).json()
        asked = (await talk.say("What do I eat?")).json()
    assert (named(kept), named(asked)) == ([keeps], [looks])
    assert kept["text"].startswith("Noted: I am vegetarian.")


async def test_without_tools_it_still_answers(talking):
    async with talking(offline=True, spec={"primitives": {"memory": {"enabled": False}}}) as talk:
        assert await talk.text("I am vegetarian.") == f"I remember nothing about that. {SAYS_SO}"


async def test_it_does_not_keep_what_the_guard_refuses(talking):
    async with talking(offline=True) as talk:
        said = (await talk.say("Remember that my card is 4111 1111 1111 1111.")).json()
        assert (await talk.client.get(f"{NOOP}/notes")).json()["total"] == 0
    assert "4111" not in said["text"]


async def test_it_streams_the_same_words_every_time(talking):
    async with talking(offline=True) as talk:
        await talk.client.post(f"{NOOP}/notes", json={"text": "Prefers aisle seats.", "key": "seat"})
        found = [events((await talk.say("Which seat?", session=name, stream=True)).text) for name in "ab"]
    words = ["".join(data["text"] for kind, data in each if kind == "delta") for each in found]
    assert words == [f"From memory: Prefers aisle seats. {SAYS_SO}"] * 2


async def test_ids_of_its_calls_are_used_once_in_a_session(talking):
    async with talking(offline=True) as talk:
        for _ in range(20):
            await talk.text("Which seat?")
        calls = [each["call_id"] for each in await talk.items() if each.get("type") == "function_call"]
    assert len(calls) == len(set(calls)) == 20
