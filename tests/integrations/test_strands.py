"""Strands over Bethink: sessions that go on, redaction, and a memory that is learned and injected."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("strands", reason="make conformance has an environment with it")

from strands.memory import MemoryManager
from strands.memory.types import AddMessagesContext
from strands.types.exceptions import SessionException
from strands.types.session import Session, SessionAgent, SessionMessage, SessionType

from bethink import AsyncMemory, InvalidError, Memory, RefusedError
from bethink.integrations.strands import BethinkMemoryStore, BethinkSessionRepository

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


@pytest.fixture
def memory(tmp_path):
    with Memory(tmp_path / "memory.db") as opened:
        yield opened


def says(text, role="user"):
    return {"role": role, "content": [{"text": text}]}


def begun(memory, user="ana", session="trip"):
    repository = BethinkSessionRepository(memory, user=user)
    repository.create_session(Session(session_id=session, session_type=SessionType.AGENT))
    repository.create_agent(session, SessionAgent("guide", {"step": 1}, {}))
    return repository


# ---- sessions -------------------------------------------------------------------------------------------------------


def test_bytes_come_back_as_they_were(memory):
    repository = begun(memory)
    image = {"image": {"format": "png", "source": {"bytes": b"\x89PNG\x00"}}}
    message = {"role": "user", "content": [{"text": "Where is that?"}, image]}
    repository.create_message("trip", "guide", SessionMessage.from_message(message, 0))
    assert repository.read_message("trip", "guide", 0).to_message() == message
    assert repository.list_messages("trip", "guide")[0].message == message


STRANGE = (
    {"role": "user", "content": [{"video": {"format": "mp4", "source": {"bytes": b"\x00\x01"}}}]},
    {"role": "user", "content": [{"hologram": {"x": 1}}]},
    {"role": "assistant", "content": [{"reasoningContent": {"reasoningText": {"text": "hm"}}}]},
    {"role": "user", "content": []},
)


async def test_messages_of_shapes_that_nobody_reads_are_kept_and_stop_nothing(memory):
    repository = begun(memory)
    for number, message in enumerate(STRANGE):
        repository.create_message("trip", "guide", SessionMessage.from_message(message, number))
    kept = repository.list_messages("trip", "guide")
    assert [each.message for each in kept] == list(STRANGE)
    store = BethinkMemoryStore(memory, user="ana")
    await store.add_messages([*STRANGE, says("Remember that I am vegetarian.")])
    assert [entry.content for entry in await store.search("vegetarian")] == ["I am vegetarian."]


async def test_a_repository_serves_in_the_thread_of_a_running_loop(tmp_path):
    async with AsyncMemory(tmp_path / "memory.db") as opened:
        repository = begun(opened)
        repository.create_message("trip", "guide", SessionMessage.from_message(says("one"), 0))
        assert len(repository.list_messages("trip", "guide")) == 1


async def test_what_a_cancelled_batch_left_is_learned_once_when_it_is_tried_again(memory):
    batch = [says(f"I own boat number {number}.") for number in range(12)]
    for moment in range(5):
        store = BethinkMemoryStore(memory, user=f"ana{moment}", session="learned")
        context = AddMessagesContext(sequence_numbers=list(range(12)))
        task = asyncio.ensure_future(store.add_messages(batch, context))
        for _ in range(moment):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert len(await store._session.get_items()) in {0, 12}
        await store.add_messages(batch, context)
        assert len(await store._session.get_items()) == 12


def test_what_a_guardrail_redacted_is_not_heard_any_more(memory):
    repository = begun(memory)
    said = SessionMessage.from_message(says("My locker is number four hundred."), 0)
    repository.create_message("trip", "guide", said)
    said.redact_message = says("Redacted.")
    repository.update_message("trip", "guide", said)
    kept = repository.read_message("trip", "guide", 0)
    assert kept.to_message() == says("Redacted.")
    assert kept.message == says("My locker is number four hundred.")
    scope = memory.scope(agent="strands", user="ana")
    assert not [hit for hit in scope.recall("Which locker?") if "four hundred" in hit.text]


def test_messages_are_found_by_recall_and_stand_in_the_order_of_their_ids(memory):
    repository = begun(memory)
    for number in (2, 0, 10, 1):
        repository.create_message(
            "trip", "guide", SessionMessage.from_message(says(f"stop {number}"), number)
        )
    assert [each.message_id for each in repository.list_messages("trip", "guide")] == [0, 1, 2, 10]
    assert [each.message_id for each in repository.list_messages("trip", "guide", limit=2, offset=1)] == [
        1,
        2,
    ]
    assert memory.scope(agent="strands", user="ana").recall("stop 10", kinds=("item",))


def test_what_is_there_twice_or_has_no_parent_is_refused(memory):
    repository = begun(memory)
    message = SessionMessage.from_message(says("one"), 0)
    repository.create_message("trip", "guide", message)
    for wrong in (
        lambda: repository.create_session(Session(session_id="trip", session_type=SessionType.AGENT)),
        lambda: repository.create_agent("trip", SessionAgent("guide", {}, {})),
        lambda: repository.create_agent("nowhere", SessionAgent("guide", {}, {})),
        lambda: repository.create_message("trip", "guide", message),
        lambda: repository.create_message("trip", "nobody", message),
        lambda: repository.update_message("trip", "guide", SessionMessage.from_message(says("x"), 9)),
        lambda: repository.update_agent("trip", SessionAgent("nobody", {}, {})),
        lambda: repository.list_messages("trip", "nobody"),
        lambda: repository.delete_session("nowhere"),
    ):
        with pytest.raises(SessionException):
            wrong()
    with pytest.raises(InvalidError):
        repository.read_message("trip", "guide", "../0")


def test_a_session_is_its_users_and_goes_with_them(memory):
    repository = begun(memory)
    repository.create_message("trip", "guide", SessionMessage.from_message(says("one"), 0))
    other = BethinkSessionRepository(memory, user="bob")
    assert other.read_session("trip") is None
    assert other.read_agent("trip", "guide") is None
    assert other.read_message("trip", "guide", 0) is None
    assert memory.erase(user="ana").remaining == 0
    assert repository.read_session("trip") is None
    assert repository.read_message("trip", "guide", 0) is None


def test_a_deleted_session_begins_anew(memory):
    repository = begun(memory)
    message = SessionMessage.from_message(says("one"), 0)
    repository.create_message("trip", "guide", message)
    repository.delete_session("trip")
    assert repository.read_session("trip") is None
    assert memory.scope(agent="strands", user="ana").sessions().total == 0
    begun(memory)
    assert repository.list_messages("trip", "guide") == []
    repository.create_message("trip", "guide", message)


# ---- memories -------------------------------------------------------------------------------------------------------


async def test_a_batch_that_is_retried_is_learned_once_and_equal_words_later_are_kept(memory, monkeypatch):
    store = BethinkMemoryStore(memory, user="ana", session="learned")
    batch, numbers = [says("Remember that I am vegetarian."), says("Noted.", "assistant")], [0, 1]
    append, lost = type(store._session).append, []

    async def answer_lost(self, *args, **options):
        await append(self, *args, **options)
        if not lost:
            lost.append(True)
            raise ConnectionError

    monkeypatch.setattr(type(store._session), "append", answer_lost)
    with pytest.raises(ConnectionError):
        await store.add_messages(batch, AddMessagesContext(sequence_numbers=numbers))
    await store.add_messages([*batch, says("ok")], AddMessagesContext(sequence_numbers=[0, 1, 2]))
    assert len(await store._session.get_items()) == 3
    await store.add_messages([says("ok")], AddMessagesContext(sequence_numbers=[2]))
    assert len(await store._session.get_items()) == 4
    assert len([entry for entry in await store.search("vegetarian") if "vegetarian" in entry.content]) == 1


def test_a_store_serves_loops_that_come_and_go(memory):
    store = BethinkMemoryStore(memory, user="ana")
    asyncio.run(store.add("Prefers dark mode."))
    assert [entry.content for entry in asyncio.run(store.search("dark mode"))] == ["Prefers dark mode."]


async def test_stores_of_two_users_share_nothing(tmp_path):
    async with AsyncMemory(tmp_path / "memory.db") as memory:
        ana, bob = (BethinkMemoryStore(memory, user=user, name=user) for user in ("ana", "bob"))
        manager = MemoryManager(stores=[ana, bob], add_tool_config=True)
        await ana.add("Prefers dark mode.")
        assert [entry.store_name for entry in await manager.search("dark mode")] == ["ana"]
        assert (await memory.erase(user="ana")).remaining == 0
        assert await manager.search("dark mode") == []


async def test_writes_that_are_not_wanted_are_refused(memory):
    store = BethinkMemoryStore(memory, user="ana", writable=False)
    assert store.extraction is False
    for refused in (store.add("one"), store.add_messages([says("one")])):
        with pytest.raises(InvalidError, match="not writable"):
            await refused
    with pytest.raises(RefusedError):
        await BethinkMemoryStore(memory, user="ana").add("The card is 4111 1111 1111 1111.")


def test_whose_it_is_has_to_be_said(memory):
    for made in (BethinkSessionRepository, BethinkMemoryStore):
        with pytest.raises(TypeError, match="user"):
            made(memory)
        with pytest.raises(InvalidError):
            made(memory, user="")


def test_another_version_is_refused_with_the_range():
    code = (
        "import importlib.metadata as m; v = m.version\n"
        "import bethink.integrations.versions as w\n"
        "w.version = lambda n: '2.1.0' if n == 'strands-agents' else v(n)\n"
        "import bethink.integrations.strands"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "strands-agents 2.1.0 is installed, but 1.62 or later and before 2 is required" in done.stderr


def test_an_agent_goes_on_and_knows_its_user_in_the_next_session(tmp_path):
    command = [sys.executable, ROOT / "examples" / "strands_memory.py", str(tmp_path / "memory.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert lines[0] == "ana, monday: I know nothing of you yet. (2 messages)"
    assert lines[1].endswith("(4 messages)")
    assert lines[2].startswith("ana, friday: I know: <entry")
    assert "I am vegetarian." in lines[2]
    assert lines[3:] == ["bob, monday: I know nothing of you yet. (2 messages)", "left after erasing: 0"]
