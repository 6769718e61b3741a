"""Google ADK over Bethink: what its in-memory services answer, ours answer; and what they cannot do."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("google.adk", reason="make conformance has an environment with it")

from google.adk.errors._stale_session_error import StaleSessionError
from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.errors.session_not_found_error import SessionNotFoundError
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.memory.in_memory_memory_service import InMemoryMemoryService
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.genai import types

from bethink import AsyncMemory, InvalidError, Memory
from bethink.integrations.google_adk import (
    BethinkMemoryService,
    BethinkSessionService,
    _url,
    open_memory_service,
    open_session_service,
)

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
ROOT = Path(__file__).parents[2]
ANA = {"app_name": "app", "user_id": "ana"}


@pytest.fixture
async def memory(tmp_path):
    async with AsyncMemory(tmp_path / "memory.db") as opened:
        yield opened


@pytest.fixture(params=["theirs", "ours"])
def sessions(request, memory):
    return InMemorySessionService() if request.param == "theirs" else BethinkSessionService(memory)


@pytest.fixture(params=["theirs", "ours"])
def memories(request, memory):
    return InMemoryMemoryService() if request.param == "theirs" else BethinkMemoryService(memory)


def said(text, at=1000.0, author="user", **more):
    content = types.Content(role=author, parts=[types.Part(text=text)])
    return Event(author=author, content=content, timestamp=at, invocation_id="run", **more)


def changes(at=1000.0, **delta):
    return Event(author="guide", timestamp=at, actions=EventActions(state_delta=delta))


# ---- sessions: the same answers as ADK's own ------------------------------------------------------------------------


async def test_states_are_the_sessions_the_users_and_the_apps(sessions):
    first = await sessions.create_session(
        **ANA, session_id=" one ", state={"app:a": 1, "user:u": 2, "s": 3, "temp:t": 4}
    )
    assert first.id == "one"
    assert first.state == {"app:a": 1, "user:u": 2, "s": 3}
    other = await sessions.create_session(**ANA, session_id="two")
    assert other.state == {"app:a": 1, "user:u": 2}
    bob = await sessions.create_session(app_name="app", user_id="bob", session_id="one")
    assert bob.state == {"app:a": 1}
    elsewhere = await sessions.create_session(app_name="app2", user_id="ana", session_id="one")
    assert elsewhere.state == {}
    assert await sessions.get_user_state(**ANA) == {"u": 2}
    assert await sessions.get_user_state(app_name="app", user_id="nobody") == {}


async def test_an_event_changes_states_and_what_is_temporary_lives_in_the_run(sessions):
    session = await sessions.create_session(**ANA, session_id="one")
    delta = {"app:a": 1, "user:u": [2], "s": {"deep": 3}, "temp:t": 4}
    event = await sessions.append_event(session, changes(**delta))
    assert session.state == delta
    assert event.actions.state_delta == {"app:a": 1, "user:u": [2], "s": {"deep": 3}}
    assert (session.last_update_time, session.events) == (1000.0, [event])
    again = await sessions.get_session(**ANA, session_id="one")
    assert again.state == {"app:a": 1, "user:u": [2], "s": {"deep": 3}}
    assert again.events == [event]
    assert again.last_update_time == 1000.0


async def test_events_come_back_as_they_were(sessions):
    session = await sessions.create_session(**ANA, session_id="one")
    call = types.Part(function_call=types.FunctionCall(id="c", name="find", args={"q": "x"}))
    came = types.Part(function_response=types.FunctionResponse(id="c", name="find", response={"n": 1}))
    image = types.Part(inline_data=types.Blob(data=b"\x89PNG\xff\x00", mime_type="image/png"))
    for number, part in enumerate((call, came, image)):
        content = types.Content(role="model", parts=[part])
        event = Event(author="guide", content=content, branch="a.b", timestamp=1000.0 + number)
        await sessions.append_event(session, event)
    assert (await sessions.get_session(**ANA, session_id="one")).events == session.events


async def test_partial_events_are_not_kept_and_an_event_is_kept_once(sessions):
    session = await sessions.create_session(**ANA, session_id="one")
    await sessions.append_event(session, said("par", partial=True))
    event = said("whole", id="e")
    await sessions.append_event(session, event)
    await sessions.append_event(session, event.model_copy(deep=True))
    await sessions.append_event(session, said("another", id="e"))
    found = (await sessions.get_session(**ANA, session_id="one")).events
    assert [each.content.parts[0].text for each in found] == ["whole", "another"]


async def test_a_part_of_the_events_is_shown_where_it_is_asked_for(sessions):
    session = await sessions.create_session(**ANA, session_id="one")
    for number in range(5):
        await sessions.append_event(session, said(str(number), at=1000.0 + number))

    async def shown(**config):
        found = await sessions.get_session(**ANA, session_id="one", config=GetSessionConfig(**config))
        return "".join(each.content.parts[0].text for each in found.events)

    assert await shown(num_recent_events=2) == "34"
    assert await shown(num_recent_events=0) == ""
    assert await shown(after_timestamp=1002.0) == "234"
    assert await shown(after_timestamp=1002.0, num_recent_events=2) == "34"


async def test_lists_are_by_user_or_of_all_and_the_one_written_last_is_the_last(sessions):
    for user, name, at in (("ana", "one", 3e9), ("ana", "two", 2.5e9), ("bob", "one", 2.8e9)):
        session = await sessions.create_session(app_name="app", user_id=user, session_id=name)
        await sessions.append_event(session, said("hi", at=at))

    async def listed(**whose):
        found = (await sessions.list_sessions(app_name="app", **whose)).sessions
        assert not any(each.events for each in found)
        return [(each.user_id, each.id) for each in found]

    assert await listed(user_id="ana") == [("ana", "two"), ("ana", "one")]
    assert await listed() == [("ana", "two"), ("bob", "one"), ("ana", "one")]
    assert await listed(user_id="nobody") == []


async def test_what_is_there_is_not_made_twice_and_what_is_not_is_not_written(sessions):
    session = await sessions.create_session(**ANA, session_id="one", state={"user:u": 1})
    with pytest.raises(AlreadyExistsError):
        await sessions.create_session(**ANA, session_id="one")
    await sessions.append_event(session, said("hi"))
    await sessions.delete_session(**ANA, session_id="one")
    await sessions.delete_session(**ANA, session_id="one")
    assert await sessions.get_session(**ANA, session_id="one") is None
    with pytest.raises(SessionNotFoundError):
        await sessions.append_event(session, said("hi"))
    anew = await sessions.create_session(**ANA, session_id="one")
    assert (anew.events, anew.state) == ([], {"user:u": 1})
    await sessions.append_event(anew, said("hi again"))
    assert len((await sessions.get_session(**ANA, session_id="one")).events) == 1


# ---- sessions: what theirs do not do --------------------------------------------------------------------------------


async def test_a_session_that_another_writer_went_past_is_refused(memory):
    service = BethinkSessionService(memory)
    await service.create_session(**ANA, session_id="one")
    one, two = [await service.get_session(**ANA, session_id="one") for _ in range(2)]
    await service.append_event(one, said("first"))
    with pytest.raises(StaleSessionError):
        await service.append_event(two, changes(lost=True))
    fresh = await service.get_session(**ANA, session_id="one")
    assert "lost" not in fresh.state
    await service.append_event(fresh, said("second"))
    await service.append_event(fresh, said("third"))
    made = fresh.model_copy(deep=True)
    made._storage_update_marker = None
    await service.append_event(made, said("fourth"))
    fresh._storage_update_marker = None
    with pytest.raises(StaleSessionError):
        await service.append_event(fresh, said("fifth"))


async def test_what_users_share_survives_writers_at_the_same_time(memory):
    service = BethinkSessionService(memory)
    opened = [await service.create_session(**ANA, session_id=f"s{number}") for number in range(8)]
    await asyncio.gather(
        *(
            service.append_event(each, changes(**{f"user:k{number}": number, f"app:k{number}": number}))
            for number, each in enumerate(opened)
        )
    )
    assert await service.get_user_state(**ANA) == {f"k{number}": number for number in range(8)}
    state = (await service.get_session(**ANA, session_id="s0")).state
    assert len([key for key in state if key.startswith("app:")]) == 8


@pytest.mark.parametrize("config", [None, GetSessionConfig(num_recent_events=0)])
async def test_states_are_made_up_for_where_a_process_ended_in_between(memory, monkeypatch, config):
    service = BethinkSessionService(memory)
    session = await service.create_session(**ANA, session_id="one")

    async def ended(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(service, "_put", ended)
        with pytest.raises(KeyboardInterrupt):
            await service.append_event(session, changes(**{"s": 1, "user:u": 2}))
    found = await BethinkSessionService(memory).get_session(**ANA, session_id="one", config=config)
    assert found.state == {"s": 1, "user:u": 2}
    await service.append_event(found, changes(s=3))
    assert (await service.get_session(**ANA, session_id="one")).state == {"s": 3, "user:u": 2}


async def test_an_event_whose_append_is_cancelled_is_there_as_a_whole_or_not_at_all(memory):
    service = BethinkSessionService(memory)
    for moment in range(8):
        name = f"c{moment}"
        session = await service.create_session(**ANA, session_id=name)
        task = asyncio.ensure_future(
            service.append_event(session, changes(**{"s": moment, "user:u": moment}))
        )
        for _ in range(moment):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        found = await service.get_session(**ANA, session_id=name)
        assert found.state.get("s") == (moment if found.events else None)
        await service.append_event(found, changes(s=99))
        assert (await service.get_session(**ANA, session_id=name)).state["s"] == 99


async def test_parts_that_nobody_reads_are_kept_and_stop_nothing(memory):
    service, learned = BethinkSessionService(memory), BethinkMemoryService(memory)
    session = await service.create_session(**ANA, session_id="odd")
    blob = types.Part(inline_data=types.Blob(data=b"\x00\x01", mime_type="image/png"))
    call = types.Part(function_call=types.FunctionCall(name="look", args={"deep": [1, None]}))
    for parts in ([blob], [call], []):
        content = types.Content(role="user", parts=parts)
        event = Event(author="user", content=content, timestamp=1000.0, invocation_id="run")
        await service.append_event(session, event)
    await service.append_event(session, said("Remember that I am vegetarian.", at=1001.0))
    found = await service.get_session(**ANA, session_id="odd")
    assert found.events[0].content.parts[0].inline_data.data == b"\x00\x01"
    await learned.add_session_to_memory(found)
    assert "Remember that I am vegetarian." in texts(await learned.search_memory(**ANA, query="vegetarian"))


async def test_values_that_are_not_json_are_kept_as_words(memory):
    service = BethinkSessionService(memory)
    session = await service.create_session(**ANA, session_id="one", state={"p": Path("/x"), "f": asyncio.run})
    assert session.state["p"] == "/x"
    assert session.state["f"].startswith("<function run")


async def test_erasing_a_user_takes_sessions_states_and_memories(memory):
    service, learned = BethinkSessionService(memory), BethinkMemoryService(memory)
    session = await service.create_session(**ANA, session_id="voyage", state={"user:seat": "window"})
    await service.append_event(session, said("Remember that I am vegetarian."))
    await learned.add_session_to_memory(session)
    assert (await memory.erase(user="ana")).remaining == 0
    assert await service.get_session(**ANA, session_id="voyage") is None
    assert await service.get_user_state(**ANA) == {}
    assert not (await learned.search_memory(**ANA, query="vegetarian")).memories


async def test_no_user_is_refused_and_not_shared(memory):
    for call in (
        BethinkSessionService(memory).create_session(app_name="app", user_id=""),
        BethinkSessionService(memory).get_user_state(app_name="app", user_id=""),
        BethinkMemoryService(memory).search_memory(app_name="app", user_id="", query="x"),
    ):
        with pytest.raises(InvalidError, match="user"):
            await call


# ---- memory ---------------------------------------------------------------------------------------------------------


def texts(found):
    return [entry.content.parts[0].text for entry in found.memories]


async def added(service, *events, user="ana", session="one"):
    await service.add_events_to_memory(app_name="app", user_id=user, events=events, session_id=session)


async def test_what_was_added_is_found_by_that_user_alone_and_once(memories):
    event = said("The harbour closes at noon in winter.")
    for _ in range(2):
        await added(memories, event, Event(author="user"))
    found = await memories.search_memory(**ANA, query="When does the harbour close?")
    assert texts(found) == ["The harbour closes at noon in winter."]
    assert (found.memories[0].id, found.memories[0].author) == (event.id, "user")
    assert not (await memories.search_memory(app_name="app", user_id="bob", query="harbour")).memories
    assert not (await memories.search_memory(app_name="other", user_id="ana", query="harbour")).memories


async def test_what_was_deleted_does_not_come_back(memories):
    event = said("The harbour closes at noon in winter.")
    await added(memories, event)
    await memories.delete_memory(**ANA, memory_id=event.id)
    await memories.delete_memory(**ANA, memory_id=None)
    await added(memories, event)
    assert not (await memories.search_memory(**ANA, query="harbour")).memories


async def test_what_is_learned_is_found_in_other_words_and_can_be_deleted(memory):
    service = BethinkMemoryService(memory)
    await added(service, said("Remember that I am vegetarian."))
    found = await service.search_memory(**ANA, query="Do I eat meat?")
    notes = [entry for entry in found.memories if "category" in entry.custom_metadata]
    assert "vegetarian" in notes[0].content.parts[0].text
    await service.delete_memory(**ANA, memory_id=notes[0].id)
    assert notes[0].id not in [
        entry.id for entry in (await service.search_memory(**ANA, query="meat")).memories
    ]


async def test_a_question_that_was_not_added_does_not_find_itself(memory):
    sessions, service = BethinkSessionService(memory), BethinkMemoryService(memory)
    session = await sessions.create_session(**ANA, session_id="one")
    await sessions.append_event(session, said("When does the harbour close?"))
    assert not (await service.search_memory(**ANA, query="When does the harbour close?")).memories


async def test_memories_are_added_as_they_are_and_take_each_others_place(memory):
    service = BethinkMemoryService(memory)
    for text in ("Fees are due in May.", "Fees are due in June."):
        entry = MemoryEntry(id="fees", content=types.Content(parts=[types.Part(text=text)]))
        await service.add_memory(**ANA, memories=[entry])
    assert texts(await service.search_memory(**ANA, query="When are fees due?")) == ["Fees are due in June."]


async def test_a_blocking_memory_serves_as_well(tmp_path):
    with Memory(tmp_path / "memory.db") as memory:
        service = BethinkSessionService(memory)
        session = await service.create_session(**ANA, session_id="x" * 300)
        await service.append_event(session, said("hi"))
        assert len((await service.get_session(**ANA, session_id="x" * 300)).events) == 1


def test_another_version_is_refused_with_the_range():
    code = (
        "import importlib.metadata as m; v = m.version\n"
        "import bethink.integrations.versions as w\n"
        "w.version = lambda n: '1.20.0' if n == 'google-adk' else v(n)\n"
        "import bethink.integrations.google_adk"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "google-adk 1.20.0 is installed, but 2.13 or later and before 3 is required" in done.stderr


def test_a_runner_knows_its_user_in_the_next_session(tmp_path):
    command = [sys.executable, ROOT / "examples" / "google_adk_memory.py", str(tmp_path / "memory.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "ana, monday: I know nothing of you yet. (2 events)",
        "ana, monday: You are vegetarian. (4 events)",
        "ana, friday: You are vegetarian. (2 events)",
        "bob, friday: I know nothing of you yet. (2 events)",
        "kept of ana: {'answer': 'You are vegetarian.'}",
        "left after erasing: 0",
    ]


# ---- by a URI -------------------------------------------------------------------------------------------------------

AGENT = """
from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai import types


class Scripted(BaseLlm):
    async def generate_content_async(self, request, stream=False):
        told = f"{request.config.system_instruction} {request.contents}"
        text = "You are vegetarian." if "vegetarian" in told else "I know nothing of you yet."
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]))


async def learn(callback_context):
    await callback_context.add_session_to_memory()


root_agent = LlmAgent(
    name="guide", model=Scripted(model="scripted"), tools=[PreloadMemoryTool()], after_agent_callback=learn
)
"""
SERVICES = {
    "services.yaml": """
services:
  - {scheme: bethink, type: session, class: bethink.integrations.google_adk.open_session_service}
  - {scheme: bethink, type: memory, class: bethink.integrations.google_adk.open_memory_service}
""",
    "services.py": "from bethink.integrations.google_adk import register\n\nregister()\n",
}


@pytest.mark.parametrize("how", list(SERVICES))
def test_the_command_line_of_adk_keeps_and_remembers_by_a_uri(tmp_path, how):
    folder = tmp_path / "agents"
    (folder / "guide").mkdir(parents=True)
    (folder / "guide" / how).write_text(SERVICES[how])  # `adk web` looks into the folder above
    (folder / "guide" / "__init__.py").write_text("from . import agent\n")
    (folder / "guide" / "agent.py").write_text(AGENT)
    uri = f"bethink:///{tmp_path / 'memory.db'}"

    def adk(text):
        done = subprocess.run(
            [
                Path(sys.executable).with_name("adk"),
                "run",
                f"--session_service_uri={uri}",
                f"--memory_service_uri={uri}",
                folder / "guide",
                text,
            ],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
        )
        return done.stdout

    assert "I know nothing of you yet." in adk("What do you know of my food?")
    adk("Remember that I am vegetarian.")
    assert "You are vegetarian." in adk("What do you know of my food?")
    with Memory(tmp_path / "memory.db") as memory:
        (space,) = [scope.namespace for scope in memory.scopes() if scope.namespace.user]
        scope = memory.scope(agent="guide", user=space.user)
        assert "vegetarian" in scope.notes()[0].text
        assert len([info for info in scope.sessions() if info.id.startswith("session/")]) == 3


async def test_services_of_one_uri_share_one_memory_and_see_what_others_wrote(tmp_path):
    sessions = open_session_service(f"bethink:///{tmp_path / 'memory.db'}", agents_dir="agents")
    again = open_session_service(f"bethink+sqlite:///{tmp_path / 'memory.db'}")
    remembered = open_memory_service(f"bethink:///{tmp_path / 'memory.db'}")
    assert sessions._memory._runtime.store.driver is remembered._memory._runtime.store.driver
    await sessions.create_session(**ANA, session_id="trip")
    assert (await again.get_session(**ANA, session_id="trip")).id == "trip"


@pytest.mark.parametrize(
    "uri", ["bethink://", "bethink:///", "bethink://memory.db", "mysql://host/db", "memory.db"]
)
def test_a_uri_that_names_no_database_is_refused_with_those_that_do(uri):
    with pytest.raises(InvalidError, match=r"bethink:///memory\.db"):
        open_session_service(uri)


def test_a_uri_of_postgresql_is_taken_as_it_is():
    assert _url("bethink+postgresql://me:secret@host:5432/db?sslmode=require").startswith(
        "postgresql://me:secret@"
    )
    assert _url("bethink:///relative.db") == "sqlite:///relative.db"
    assert _url("bethink:////srv/memory.db") == "sqlite:////srv/memory.db"
