"""Finding what is damaged, and bringing a schema up."""

import json
import subprocess
import sys

import apsw
import pytest

from bethink import Memory, Principal, Settings
from bethink.errors import DeniedError


@pytest.fixture
def filled(folder):
    """A memory with something of every kind in it."""
    with Memory("memory.db", settings=Settings(index_batch=2)) as memory:
        alice = memory.scope(agent="guide", user="alice")
        session = alice.session("paris")
        for number in range(5):
            session.append([{"role": "user", "content": f"Sentence number {number}."}])
        note = alice.remember("Prefers aisle seats.", metadata={"a": 1})
        alice.revise(note.id, "Prefers window seats.")
        alice.profile.update({"home_city": "Paris"})
        alice.recall("seats")
    return note


@pytest.fixture
def damage(filled):
    """Change the file behind the library's back."""

    def run(statement):
        connection = apsw.Connection("memory.db")
        connection.execute(statement).fetchall()
        assert connection.changes() > 0
        connection.close()

    return run


def test_a_sound_memory_is_healthy(bethink, filled):
    health = bethink("doctor", "--json").json
    assert health["healthy"]
    assert health["problems"] == []
    assert (health["sessions"], health["items"], health["notes"]) == (1, 5, 1)
    assert health["store"]["schema"] == health["store"]["newest_schema"]
    assert health["store"]["settings"] == {"journal_mode": "wal", "synchronous": "FULL"}
    assert health["store"]["bytes"]["database"] > 0
    assert health["index"]["passages"] == 6
    assert health["index"]["embedder"]
    assert "no damage found" in bethink("doctor", status=0).out


@pytest.mark.parametrize(
    ("statement", "kind", "place"),
    [
        ("update items set body = '{oops' where seq = 3", "item", "paris, "),
        ("update items set body = '[1]' where seq = 3", "item", ".3"),
        ("update sessions set count = 9", "session", "paris"),
        ("update notes set metadata = 'x'", "note", "n"),
        ("update note_history set note = 'x'", "note version", "revision"),
        ("update profiles set fields = 'x'", "profile", "version 1"),
        ("update passage_blocks set payload = x'00'", "passages", "block"),
    ],
)
def test_what_is_damaged_is_named_with_its_place(bethink, damage, statement, kind, place):
    damage(statement)
    health = json.loads(bethink("doctor", "--json", status=1).out)
    (problem,) = health["problems"]
    assert not health["healthy"]
    assert problem["kind"] == kind
    assert problem["namespace"] == "agent:guide:u:alice"
    assert place in problem["place"]
    assert "agent:guide" in bethink("doctor", status=1).out


def test_a_damaged_item_is_passed_over_by_reads(bethink, damage):
    damage("update items set body = '{oops' where seq = 3")
    whose = ["--agent", "guide", "--user", "alice"]
    shown = bethink("sessions", "show", "paris", *whose, "--json").json["entries"]
    assert [item["seq"] for item in shown] == [1, 2, 4, 5]
    assert bethink("recall", "sentence", *whose, "--json").json["hits"]


@pytest.mark.parametrize("column", ["metadata", "keywords", "sources"])
def test_a_note_is_read_without_what_is_damaged_beside_it(bethink, damage, column):
    damage(f"update notes set {column} = '{{oops'")
    whose = ["--agent", "guide", "--user", "alice"]
    (note,) = bethink("notes", *whose, "--json").json["entries"]
    assert note["text"] == "Prefers window seats."
    assert not note[column]
    assert bethink("recall", "seats", *whose, "--json").json["hits"]


@pytest.mark.parametrize(
    ("statement", "commands"),
    [
        ("update note_history set note = '{}'", [["notes", "history"], ["notes", "undo"]]),
        ("update profiles set fields = '7'", [["profile"], ["profile", "history"], ["context"]]),
    ],
)
def test_a_version_that_is_damaged_is_one_clear_line(bethink, filled, damage, statement, commands):
    damage(statement)
    for command in commands:
        about = [filled.id] if command[0] == "notes" else []
        done = bethink(*command, *about, "--agent", "guide", "--user", "alice", status=1)
        assert "bethink doctor" in done.err
    assert bethink("notes", "--agent", "guide", "--user", "alice", "--json").json["total"] == 1


def test_a_file_with_broken_pages_is_told_without_a_traceback(bethink, filled, folder):
    with Memory("memory.db") as memory:
        session = memory.scope().session("long")
        session.append([{"role": "user", "content": "word " * 200} for _ in range(500)])
    content = bytearray((folder / "memory.db").read_bytes())
    for page in range(len(content) // 4096 // 2, len(content) // 4096):
        content[page * 4096 : page * 4096 + 4096] = b"\xa5" * 4096
    (folder / "memory.db").write_bytes(content)
    health = json.loads(bethink("doctor", "--json", status=1).out)
    assert {problem["kind"] for problem in health["problems"]} >= {"store"}


def test_only_the_application_and_admins_see_the_whole_tenant(filled):
    with Memory("memory.db") as memory:
        for look in (memory.acting_as(Principal("alice")).doctor, memory.acting_as(Principal("alice")).stats):
            with pytest.raises(DeniedError):
                look()
        assert memory.acting_as(Principal("root", admin=True)).doctor().healthy


def test_another_embedder_is_told(bethink, damage):
    damage("update passage_blocks set embedder = 'of old'")
    assert "of old" in bethink("doctor", status=0).out


def test_a_schema_is_checked_and_brought_up(bethink, folder):
    apsw.Connection("empty.db").execute("pragma user_version = 1")
    checked = json.loads(bethink("migrate", "--check", "--db", "empty.db", "--json", status=1).out)
    assert "first" in checked["pending"]
    assert checked["applied"] == []
    assert "pending" in bethink("migrate", "--check", "--db", "empty.db", status=1).out
    assert bethink("migrate", "--db", "empty.db", "--json").json["applied"] == checked["pending"]
    assert "up to date" in bethink("migrate", "--db", "empty.db", status=0).out
    bethink("migrate", "--check", "--db", "empty.db", status=0)
    bethink("migrate", "--check", "--db", "none.db", status=1)


def test_a_newer_schema_is_refused_by_every_command(bethink, damage):
    damage("insert into bethink_migrations values (9999, 'of_tomorrow', 'x', 0)")
    for command in (["notes"], ["doctor"], ["migrate"], ["migrate", "--check"]):
        assert "upgrade Bethink" in bethink(*command, status=1).err


def test_a_file_that_may_not_be_written_is_a_clear_line(process, filled, folder):
    done = subprocess.run(
        [sys.executable, "-c", "import os; print(os.geteuid())"], capture_output=True, text=True, check=True
    )
    if done.stdout.strip() == "0":
        pytest.skip("the superuser may write everywhere")
    (folder / "memory.db").chmod(0o400)
    running = process("remember", "x")
    _, err = running.communicate(timeout=60)
    assert running.returncode == 1
    assert err.startswith("bethink: ")
