"""The filter of Open WebUI, called as Open WebUI calls its functions; Open WebUI itself is not installed."""

import inspect
import re
import types
from pathlib import Path

import pytest

from bethink import AsyncMemory

pytestmark = pytest.mark.anyio
FILE = Path(__file__).parents[2] / "examples" / "openwebui_filter.py"


class Functions:
    """Does with a pasted file what Open WebUI does: it is executed, valves are set, what is asked for is passed."""

    def __init__(self, **valves):
        module = types.ModuleType("function_bethink")
        exec(compile(FILE.read_text(encoding="utf-8"), str(FILE), "exec"), module.__dict__)
        self.filter = module.Filter()
        self.valves = valves

    async def call(self, name, body, **given):
        handler = getattr(self.filter, name)
        self.filter.valves = self.filter.Valves(**self.valves)
        user = given.get("__user__")
        if user is not None:
            user["valves"] = self.filter.UserValves(**user.pop("wants", {}))
        asked_for = inspect.signature(handler).parameters
        return await handler(body=body, **{key: value for key, value in given.items() if key in asked_for})

    async def chat(self, user, chat, *texts, answer="Noted.", before=(), **wants):
        """Do a turn, and return what the model was sent."""
        told = {
            "__user__": user and {"id": user, "name": "N", "wants": wants},
            "__model__": {},
            "__request__": None,
        }
        told["__metadata__"] = {"chat_id": chat, "message_id": "m", "user_id": user, "session_id": "socket"}
        messages = [*before, *({"role": "user", "content": text} for text in texts)]
        sent = await self.call("inlet", {"model": "m", "messages": messages, "stream": True}, **told)
        done = [
            {"id": f"{chat}-{number}", "timestamp": 1, "info": None, **each}
            for number, each in enumerate([*messages, {"role": "assistant", "content": answer}])
            if each["role"] != "system"
        ]
        told["__user__"] = user and {"id": user, "name": "N", "wants": wants}
        body = {"model": "m", "messages": done, "chat_id": chat, "session_id": "socket", "id": "m"}
        assert await self.call("outlet", body, **told) is body
        return sent["messages"]


@pytest.fixture
async def functions(tmp_path):
    made = Functions(url=str(tmp_path / "memory.db"))
    yield made
    if made.filter._memory is not None:
        await made.filter._memory.close()


async def of(functions, user):
    memory = functions.filter._memory
    scope = memory.scope(agent="openwebui", user=user)
    return {info.id: await scope.session(info.id).get_items() for info in await scope.sessions()}


def test_the_file_begins_with_what_open_webui_reads_from_it():
    lines = FILE.read_text(encoding="utf-8").splitlines()
    assert lines[0] == '"""'
    head = dict(re.match(r"([a-z_]+):\s*(.*)", line).groups() for line in lines[1 : lines.index('"""', 1)])
    assert head["title"] == "Bethink"
    assert head["requirements"] == "bethink"
    assert not re.search(r"from (utils|apps|main|config)", "\n".join(lines))  # it would rewrite these


async def test_what_was_said_in_one_chat_is_told_in_the_next_and_to_nobody_else(functions):
    prompt = {"role": "system", "content": "Be brief."}
    first = await functions.chat("ana", "monday", "Remember that I am vegetarian.", before=[prompt])
    assert "vegetarian" not in first[0]["content"]
    sent = await functions.chat("ana", "friday", "Find a restaurant.", before=[prompt])
    assert sent[0]["content"].startswith("Be brief.\n\n")
    assert "I am vegetarian." in sent[0]["content"]
    assert sent[1:] == [{"role": "user", "content": "Find a restaurant."}]
    assert "vegetarian" not in str(await functions.chat("bob", "friday", "Find a restaurant."))
    kept = await of(functions, "ana")
    assert [item["content"] for item in kept["friday"]] == ["Find a restaurant.", "Noted."]
    assert "vegetarian" not in str(kept["friday"])


async def test_a_message_is_kept_once_however_often_the_chat_comes_back(functions):
    await functions.chat("ana", "trip", "one")
    before = [{"role": "user", "content": "one"}, {"role": "assistant", "content": "Noted."}]
    await functions.chat("ana", "trip", "two", before=before)
    assert [item["content"] for item in (await of(functions, "ana"))["trip"]] == [
        "one",
        "Noted.",
        "two",
        "Noted.",
    ]


async def test_pictures_are_left_out_and_words_beside_them_are_heard(functions):
    content = [
        {"type": "text", "text": "Remember that I am vegetarian."},
        {"type": "image_url", "image_url": {}},
    ]
    await functions.chat("ana", "monday", content)
    assert "vegetarian" in str(await functions.chat("ana", "friday", "Find a restaurant."))


@pytest.mark.parametrize("chat", ["local:socket", "channel:1", None])
async def test_a_temporary_chat_and_a_channel_leave_no_trace(functions, chat):
    sent = await functions.chat("ana", chat, "Remember that I am vegetarian.")
    assert sent[0]["role"] == "system"
    assert await of(functions, "ana") == {}


async def test_who_does_not_want_it_is_not_remembered_and_nobody_has_no_memory(functions):
    for user, wants in (("ana", {"remember": False}), (None, {})):
        sent = await functions.chat(user, "trip", "Remember that I am vegetarian.", **wants)
        assert sent == [{"role": "user", "content": "Remember that I am vegetarian."}]
    assert functions.filter._memory is None


async def test_what_open_webui_asks_for_itself_is_left_alone(functions):
    body = {"messages": [{"role": "user", "content": "Write a title."}]}
    told = {"__user__": {"id": "ana"}, "__metadata__": {"task": "title_generation", "chat_id": "trip"}}
    assert await functions.call("inlet", body, **told) is body


async def test_without_a_valve_the_memory_is_in_the_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    functions = Functions()
    await functions.chat("ana", "trip", "Hello.")
    assert (tmp_path / "data" / "bethink.db").exists()
    assert (await functions.filter._memory.erase(user="ana")).remaining == 0
    assert await of(functions, "ana") == {}
    await functions.filter._memory.close()


async def test_a_memory_that_cannot_be_asked_leaves_the_request_as_it_is(functions, monkeypatch):
    from bethink import StorageError
    from bethink.memory.scope import AsyncScope

    async def fails(self, **options):
        raise StorageError("the disk is gone", outcome="none")

    monkeypatch.setattr(AsyncScope, "context", fails)
    assert await functions.chat("ana", "trip", "Hello.") == [{"role": "user", "content": "Hello."}]


async def test_another_process_reads_what_the_filter_kept(functions, tmp_path):
    await functions.chat("ana", "trip", "Remember that I am vegetarian.")
    async with AsyncMemory(tmp_path / "memory.db") as memory:
        hits = await memory.scope(agent="openwebui", user="ana").recall("diet")
        assert "vegetarian" in hits[0].text
