"""Stores of other systems, as their own programs wrote them."""

from __future__ import annotations

import asyncio
import json
import pickle
import shutil
import socketserver
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bethink import InvalidError
from bethink.imports.format_detection import open_source
from bethink.imports.msgpack_and_pickle import Shell, decode_msgpack, decode_pickle

agents = pytest.importorskip("agents")
DATA = Path(__file__).parent.parent / "data" / "imports"
TALK = [
    {"role": "user", "content": "I work nights at the harbour."},
    {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c", "output": "ok"},
    {"role": "assistant", "content": "Understood."},
]


def texts(memory, user=None):
    return sorted(note.text for note in memory.scope(user=user).notes(limit=100))


# ---- LangGraph: written by langgraph 1.2 with langgraph-checkpoint-sqlite 3.1 --------------------------------------


def test_threads_of_langgraph_are_sessions_with_calls_results_and_times(bring, memory):
    report = bring(DATA / "langgraph_checkpoints.sqlite", wanted="langgraph")
    trip = memory.scope().session("langgraph-trip")
    assert [body["type"] for body in trip.get_items()] == ["human", "ai", "human", "ai", "tool", "ai"]
    assert trip.get_items()[3]["tool_calls"][0]["args"] == {"city": "Porto"}
    times = [item.at for item in trip.items()]
    assert times == sorted(times)
    assert len(set(times)) > 2, "each message has the time of its step"
    assert times[0].date() == datetime(2026, 11, 22, tzinfo=UTC).date()
    assert report.unread == {}
    assert report.left == {"an earlier step of a thread": 8}
    assert memory.scope().recall("Who works nights?")[0].text == "I work nights at the harbour."
    assert bring(DATA / "langgraph_checkpoints.sqlite").kept == 0


def test_items_of_langgraphs_store_are_notes_of_the_user_that_their_namespace_names(bring, memory):
    report = bring(DATA / "langgraph_store.sqlite")
    assert texts(memory, "ana") == ["Allergic to nuts", "Prefers window seats"]
    assert report.left == {"an item without words": 1}
    assert [each.reason for each in report.unkept] == [], report.unkept


def test_a_checkpoint_that_is_damaged_is_named_and_the_other_threads_are_read(bring, memory, tmp_path):
    import apsw

    path = tmp_path / "broken.db"
    shutil.copy(DATA / "langgraph_checkpoints.sqlite", path)
    connection = apsw.Connection(str(path))
    connection.execute(
        "update checkpoints set checkpoint = substr(checkpoint, 1, 200) where thread_id = 'trip'"
    )
    connection.close()
    report = bring(path)
    assert ["trip" in each.reason for each in report.broken] == [True]
    assert memory.scope().session("langgraph-other").info().count == 2


@pytest.mark.parametrize(
    "data", [b"", b"\x92\x01", b"\xdb\xff\xff\xff\xff", b"\xc1", b"\x91" * 300, b"\x01\x01"]
)
def test_msgpack_that_is_none_is_refused(data):
    with pytest.raises(InvalidError):
        decode_msgpack(data)


# ---- mem0: written by mem0ai 2 with a local Qdrant -----------------------------------------------------------------


def test_points_of_a_local_qdrant_are_notes_of_their_users(bring, memory):
    report = bring(DATA / "mem0_qdrant.sqlite", wanted="mem0")
    assert report.notes == 3
    assert texts(memory, "ana") == ["Prefers window seats"]
    assert sorted(note.text for note in memory.scope(agent="bot", user="ana").notes()) == [
        "Lives in Lisbon",
        "Nice city",
    ]
    (seats,) = memory.scope(user="ana").notes()
    assert seats.metadata["topic"] == "travel"


def test_a_folder_of_mem0_is_read_once_from_its_points(bring, memory, tmp_path):
    folder = tmp_path / "mem0"
    (folder / "qdrant/collection/mem0").mkdir(parents=True)
    shutil.copy(DATA / "mem0_qdrant.sqlite", folder / "qdrant/collection/mem0/storage.sqlite")
    shutil.copy(DATA / "mem0_history.sqlite", folder / "history.db")
    (folder / "qdrant/meta.json").write_text('{"collections": {}}')
    assert bring(folder).notes == 3


def test_a_history_of_mem0_has_the_newest_wording_and_nothing_that_was_deleted(bring, memory):
    report = bring(DATA / "mem0_history.sqlite", user="ana")
    assert texts(memory, "ana") == ["Lives in Lisbon", "Nice city", "Prefers window seats"]
    assert report.left == {"a memory that was deleted": 1, "an earlier wording of a memory": 2}


class Order:
    """What would run a command if it were unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (Path.touch, (Path(self.path),))


def test_nothing_in_a_pickle_is_run(tmp_path, bring):
    target = tmp_path / "run"
    assert isinstance(decode_pickle(pickle.dumps(Order(str(target)))), Shell)
    import apsw

    connection = apsw.Connection(str(tmp_path / "storage.sqlite"))
    connection.execute("create table points (id text primary key, point blob)")
    connection.execute(
        "insert into points values ('a', ?), ('b', ?)", (pickle.dumps(Order(str(target))), b"\x80\x04")
    )
    connection.close()
    report = bring(tmp_path / "storage.sqlite")
    assert not target.exists()
    assert report.left == {"a point that is not a memory": 1}
    assert len(report.broken) == 1


# ---- the OpenAI Agents SDK -----------------------------------------------------------------------------------------


async def _advanced(path):
    from agents.extensions.memory import AdvancedSQLiteSession

    session = AdvancedSQLiteSession(session_id="s1", db_path=path, create_tables=True)
    await session.add_items(TALK[:4])
    usage = agents.Usage(requests=2, input_tokens=300, output_tokens=40, total_tokens=340)

    class Result:
        context_wrapper = agents.RunContextWrapper(context=None, usage=usage)

    await session.store_run_usage(Result())
    await session.add_items(
        [{"role": "user", "content": "And days?"}, {"role": "assistant", "content": "Sure."}]
    )
    await session.create_branch_from_turn(2, "other")
    await session.add_items([{"role": "user", "content": "And weekends?"}])
    session.close()


def test_usage_of_turns_and_branches_of_the_advanced_session_come_along(bring, memory, tmp_path):
    asyncio.run(_advanced(tmp_path / "agents.db"))
    report = bring(tmp_path / "agents.db", wanted="openai-agents")
    scope = memory.scope()
    assert [body.get("content") for body in scope.session("s1").get_items()][-2:] == ["And days?", "Sure."]
    assert scope.session("s1-other").get_items()[-1]["content"] == "And weekends?"
    (usage,) = [each for each in scope.session("s1").usage() if each.tokens_in == 300]
    assert (usage.requests, usage.tokens_out, usage.last) == (2, 40, 4)
    assert report.turns >= 1
    assert bring(tmp_path / "agents.db").turns == 0


async def _encrypted(path, key):
    from agents import SQLiteSession
    from agents.extensions.memory.encrypt_session import EncryptedSession

    inner = SQLiteSession("s1", path)
    session = EncryptedSession("s1", inner, encryption_key=key, ttl=600)
    await session.add_items(TALK)
    inner.close()


@pytest.mark.parametrize("key", ["a plain secret of my own", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="])
def test_encrypted_items_are_opened_with_their_key(bring, memory, tmp_path, key):
    asyncio.run(_encrypted(tmp_path / "agents.db", key))
    wrong = open_source(tmp_path / "agents.db", key="another")
    assert [type(each).__name__ for each in wrong.entries] == ["Skipped"]
    assert bring(tmp_path / "agents.db").left == {"an encrypted message (pass its key with --key-file)": 4}
    bring(tmp_path / "agents.db", key=key)
    assert memory.scope().session("s1").get_items() == TALK


@pytest.fixture
def database(postgresql_cluster):
    """A PostgreSQL database of another program: what makes its tables, and its address."""
    name = postgresql_cluster.create()

    def fill(*statements):
        grant = "grant select on all tables in schema public to public"
        postgresql_cluster.command(*statements, grant, database=name)
        return postgresql_cluster.url(name)

    yield fill
    postgresql_cluster.drop(name)


def test_the_tables_of_sqlalchemy_sessions_in_postgresql_are_read(bring, memory, database):
    url = database(
        "drop schema public cascade",
        "create schema public",
        "grant usage on schema public to public",
        "create table agent_sessions (session_id text primary key, created_at timestamp)",
        "create table agent_messages (id serial primary key, session_id text, message_data text, "
        "created_at timestamp default '2026-05-01 10:00:00')",
        *(
            f"insert into agent_messages (session_id, message_data) values ('s1', '{json.dumps(body)}')"
            for body in TALK
        ),
    )
    report = bring(url.replace("postgresql://", "postgresql+asyncpg://"))
    assert (report.format, report.kept) == ("openai-agents", 4)
    assert memory.scope().session("s1").get_items() == TALK
    assert memory.scope().session("s1").items()[0].at == datetime(2026, 5, 1, 10, tzinfo=UTC)


def test_a_table_of_mem0_in_pgvector_is_read(bring, memory, database):
    payload = {"data": "Likes tea", "hash": "x", "user_id": "ana", "created_at": "2026-03-02T10:00:00+00:00"}
    url = database(
        "drop schema public cascade",
        "create schema public",
        "grant usage on schema public to public",
        "create table mem0 (id uuid primary key, vector text, payload jsonb)",
        f"insert into mem0 values (gen_random_uuid(), '[1]', '{json.dumps(payload)}')",
    )
    assert bring(url, wanted="mem0").notes == 1
    assert texts(memory, "ana") == ["Likes tea"]


class Redis(socketserver.StreamRequestHandler):
    """Answers the few commands that a reader needs, as a Redis server does."""

    lists = {b"agents:session:s1:messages": [json.dumps(body).encode() for body in TALK]}  # noqa: RUF012
    hashes = {b"agents:session:s1": [b"session_id", b"s1", b"updated_at", b"1767225600"]}  # noqa: RUF012

    def handle(self):
        while line := self.rfile.readline():
            command = []
            for _ in range(int(line[1:])):
                size = int(self.rfile.readline()[1:])
                command.append(self.rfile.read(size + 2)[:-2])
            self.wfile.write(self.answer([command[0].upper(), *command[1:]]))

    def answer(self, command):
        match command:
            case [b"SCAN", *_]:
                return b"*2\r\n$1\r\n0\r\n" + _listed(list(self.lists))
            case [b"LRANGE", key, *_]:
                return _listed(self.lists.get(key, []))
            case [b"HGETALL", key]:
                return _listed(self.hashes.get(key, []))
            case [b"HELLO", *_]:
                return b"-ERR unknown command\r\n"
        return b"+OK\r\n"


def _listed(values):
    return b"*%d\r\n" % len(values) + b"".join(b"$%d\r\n%s\r\n" % (len(each), each) for each in values)


def test_sessions_in_redis_are_read(bring, memory):
    pytest.importorskip("redis")
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Redis) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        report = bring(f"redis://127.0.0.1:{server.server_address[1]}/0?protocol=2")
        assert (report.format, report.kept) == ("openai-agents", 4)
        server.shutdown()
    session = memory.scope().session("s1")
    assert session.get_items() == TALK
    assert session.items()[0].at == datetime(2026, 1, 1, tzinfo=UTC)


def test_an_address_that_is_none_is_told(bring):
    with pytest.raises(InvalidError, match="postgresql://"):
        bring("mysql://host/db")
    with pytest.raises(InvalidError, match="permissions"):
        bring("postgresql://127.0.0.1:1/none")
