"""Backups made while others write, and what a restored one must not bring back."""

import shutil
import subprocess
import sys
import threading
from datetime import UTC, datetime

import apsw
import pytest

from bethink import Memory
from bethink.errors import ConflictError, InvalidError, NotFoundError, StorageError
from bethink.lifecycle.erase.backup_restore import restore
from bethink.storage.backup import backup, check_database_file
from bethink.times import to_micros

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def user(text):
    return {"role": "user", "content": text}


@pytest.fixture
def path(tmp_path):
    """A memory of two users."""
    path = tmp_path / "memory.db"
    with Memory(str(path), embedder=None) as memory:
        for name in ("alice", "bob"):
            scope = memory.scope(agent="concierge", user=name)
            scope.remember(f"The passphrase of {name} is a walrus named Gertrude.", key="pet")
            scope.remember(f"Prefers aisle seats, says {name}.", key="seat")
            scope.session("trip").append([user(f"{name} flies to Reykjavik on Sunday.")])
            scope.session("trip").remember(f"{name} wants a window seat this time.")
            scope.session("home").append([user(f"{name} waters the plants.")])
            scope.profile.update({"city": f"the town of {name}"})
    return path


@pytest.fixture
def kept(path, tmp_path):
    """A backup of it."""
    backup(str(path), tmp_path / "kept.db")
    return tmp_path / "kept.db"


def put_back(kept, path, **options):
    return restore(kept, str(path), now=to_micros(NOW), force=True, **options)


def exports(path):
    with Memory(str(path), embedder=None) as memory:
        return {str(scope.namespace): scope.export() for scope in memory.scopes()}


def raw(path):
    return b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*") if each.is_file())


def test_a_backup_is_one_file_that_holds_everything(path, tmp_path):
    told = []
    made = backup(str(path), tmp_path / "kept.db", step=1, done=lambda done, of: told.append((done, of)))
    assert made.bytes == (tmp_path / "kept.db").stat().st_size
    assert told[-1][0] == told[-1][1] == made.pages
    assert len(told) >= made.pages
    assert sorted(each.name for each in tmp_path.glob("*kept.db*")) == ["kept.db"]
    assert check_database_file(tmp_path / "kept.db") == made.schema
    before = exports(path)
    assert exports(tmp_path / "kept.db") == before


def test_a_backup_shows_one_moment_while_a_process_goes_on_writing(path, tmp_path):
    script = """
import sys, itertools
from bethink import Memory
with Memory(sys.argv[1], embedder=None) as memory:
    session = memory.scope(agent="concierge", user="carol").session("counting")
    for number in itertools.count():
        session.append([{"role": "user", "content": str(number)}, {"role": "assistant", "content": str(number)}])
        print(number, flush=True)
"""
    writer = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
    try:
        for _ in range(50):
            writer.stdout.readline()
        lasts = []

        def told(done, of):
            lasts.append(int(writer.stdout.readline()))  # between two steps somebody has written

        backup(str(path), tmp_path / "kept.db", step=4, done=told)
    finally:
        writer.kill()
        writer.communicate()
    assert lasts == sorted(set(lasts))
    assert len(lasts) > 3
    with Memory(str(tmp_path / "kept.db"), embedder=None) as memory:
        page = memory.scope(agent="concierge", user="carol").session("counting").items(limit=1000)
    numbers = [int(item.body["content"]) for item in page]
    assert numbers == [number for number in range(len(numbers) // 2) for _ in range(2)], "a torn moment"
    assert len(numbers) // 2 >= 50
    assert max(numbers) < lasts[-1], "what was written after the backup began is not in it"


def test_a_backup_never_takes_the_place_of_a_file_unasked(path, tmp_path):
    (tmp_path / "kept.db").write_text("mine")
    with pytest.raises(ConflictError):
        backup(str(path), tmp_path / "kept.db")
    assert (tmp_path / "kept.db").read_text() == "mine"
    backup(str(path), tmp_path / "kept.db", force=True)
    assert check_database_file(tmp_path / "kept.db")


def test_what_cannot_be_backed_up_says_what_to_do(tmp_path):
    with pytest.raises(InvalidError, match="pg_dump"):
        backup("postgresql://host/name", tmp_path / "kept.db")
    with pytest.raises(InvalidError, match="memory"):
        backup(":memory:", tmp_path / "kept.db")
    with pytest.raises(NotFoundError):
        backup(str(tmp_path / "absent.db"), tmp_path / "kept.db")
    with pytest.raises(InvalidError, match="pg_dump"):
        restore(tmp_path / "kept.db", "postgresql://host/name", now=0)


def test_a_restored_database_is_what_was_backed_up(path, kept):
    before = exports(path)
    with Memory(str(path), embedder=None) as memory:
        memory.scope(agent="concierge", user="alice").remember("Something newer.")
    with pytest.raises(ConflictError, match="--force"):
        restore(kept, str(path), now=to_micros(NOW))
    restored = put_back(kept, path)
    assert restored.receipts == ()
    assert exports(path) == before
    assert not list(path.parent.glob(".*"))
    assert exports(kept) == before, "the backup stays as it is"


def test_a_backup_is_restored_where_there_is_nothing(kept, tmp_path):
    put_back(kept, tmp_path / "fresh.db")
    assert exports(tmp_path / "fresh.db") == exports(kept)


@pytest.mark.parametrize("subject", ["user", "namespace", "tenant"])
def test_who_was_erased_after_the_backup_does_not_come_back(path, kept, subject):
    with Memory(str(path), embedder=None) as memory:
        alice = memory.scope(agent="concierge", user="alice")
        match subject:
            case "user":
                memory.erase(user="alice")
            case "namespace":
                alice.erase()
            case _:
                memory.erase(tenant="default")
        alice.remember("A new beginning.")
        stone = alice.export()
    (receipt,) = put_back(kept, path).receipts
    assert (receipt.subject, receipt.remaining) == ("backup", 0)
    assert receipt.erased["scopes"] == (2 if subject == "tenant" else 1)
    found = exports(path)
    assert "agent:concierge:u:alice" not in found, "what was made after the backup is not in it"
    assert ("agent:concierge:u:bob" in found) == (subject != "tenant")
    assert b"of alice is a walrus" not in raw(path)
    assert stone["notes"][0]["text"] == "A new beginning."
    assert put_back(kept, path).receipts, "the tombstones are still there"


def test_what_an_erased_user_had_beside_notes_does_not_come_back(path, tmp_path):
    with Memory(str(path), embedder=None) as memory:
        memory.pools.create("org:docs", owner="carol")
        for name in ("alice", "bob"):
            memory.pools.grant("org:docs", name, "read")
    connection = apsw.Connection(str(path))
    for name in ("alice", "bob"):
        for table in ("agents", "team_specs"):
            insert = f"insert into {table} values ('default', '{name}', 'desk', ?, 1, 1, 1)"
            connection.execute(insert, ['{"shared_with": ["alice", "*"]}'])
        connection.execute(
            f"insert into answered_requests values ('default', '{name}', 'a', 'b', 200, null, 1)"
        )
    connection.close()
    backup(str(path), tmp_path / "kept.db")
    with Memory(str(path), embedder=None) as memory:
        memory.erase(user="alice")
    (receipt,) = put_back(tmp_path / "kept.db", path).receipts
    tables = ("agents", "team_specs", "answered_requests", "grants")
    assert {table: receipt.erased[table] for table in tables} == dict.fromkeys(tables, 1)
    with Memory(str(path), embedder=None) as memory:
        assert [grant.to for grant in memory.pools.get("org:docs").grants] == ["bob"]
    assert receipt.erased["shared_with"] == 2
    left = apsw.Connection(str(path)).execute("select owner, spec from agents").fetchall()
    assert left == [("bob", '{"shared_with": ["*"]}')]


def test_what_was_made_anew_under_an_erased_name_is_restored(path, tmp_path):
    with Memory(str(path), embedder=None) as memory:
        alice = memory.scope(agent="concierge", user="alice")
        alice.erase()
        alice.remember("A new beginning.")
        alice.session("trip").append([user("Hello again.")])
    backup(str(path), tmp_path / "later.db")
    assert put_back(tmp_path / "later.db", path).receipts == ()
    assert [note["text"] for note in exports(path)["agent:concierge:u:alice"]["notes"]] == [
        "A new beginning."
    ]


@pytest.mark.parametrize("how", ["erase", "delete", "delete, its notes kept"])
def test_a_session_that_was_deleted_after_the_backup_does_not_come_back(path, kept, how):
    with Memory(str(path), embedder=None) as memory:
        alice = memory.scope(agent="concierge", user="alice")
        if how == "erase":
            alice.erase(session="trip")
        else:
            alice.session("trip").delete(keep_notes=how != "delete")
    (receipt,) = put_back(kept, path).receipts
    assert receipt.remaining == 0
    found = exports(path)["agent:concierge:u:alice"]
    assert [session["session"] for session in found["sessions"]] == ["home"]
    staged = [note for note in found["notes"] if note["session"] == "trip"]
    assert len(staged) == (1 if "kept" in how else 0)
    assert len(exports(path)["agent:concierge:u:bob"]["sessions"]) == 2
    assert b"alice flies to Reykjavik" not in raw(path)


def test_a_note_that_was_erased_after_the_backup_does_not_come_back(path, kept):
    with Memory(str(path), embedder=None) as memory:
        alice = memory.scope(agent="concierge", user="alice")
        alice.erase(note=alice.get("pet").id)
    (receipt,) = put_back(kept, path).receipts
    assert receipt.erased["notes"] == 1
    assert receipt.remaining == 0
    assert {note["key"] for note in exports(path)["agent:concierge:u:alice"]["notes"]} == {"seat", None}
    assert b"of alice is a walrus" not in raw(path)
    assert b"of bob is a walrus" in raw(path)


def test_a_database_that_is_open_is_not_replaced(path, kept):
    with Memory(str(path), embedder=None) as memory:
        alice = memory.scope(agent="concierge", user="alice")
        alice.remember("Written before.")
        with pytest.raises(ConflictError, match="open"):
            put_back(kept, path)
        alice.remember("Written after.")
    assert "Written after." in str(exports(path))
    assert not list(path.parent.glob(".*"))


def test_a_damaged_backup_is_not_restored(path, kept):
    before = exports(path)
    data = bytearray(kept.read_bytes())
    data[8192:40960] = b"\xff" * (40960 - 8192)
    kept.write_bytes(data)
    with pytest.raises(StorageError):
        put_back(kept, path)
    kept.write_bytes(b"not a database at all, but long enough to be looked at" * 100)
    with pytest.raises(StorageError):
        put_back(kept, path)
    assert exports(path) == before


def test_the_file_of_another_application_is_neither_restored_nor_replaced(path, kept, tmp_path):
    other = tmp_path / "other.db"
    connection = apsw.Connection(str(other))
    connection.execute("create table theirs(a)")
    connection.close()
    with pytest.raises(StorageError, match="not a Bethink database"):
        put_back(other, path)
    with pytest.raises(StorageError, match="another application"):
        put_back(kept, other)


def test_a_database_too_damaged_to_be_read_is_set_aside_when_told_so(path, kept):
    before = exports(kept)
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 20_000)
    with pytest.raises(StorageError, match="--unread") as caught:
        put_back(kept, path)
    assert caught.value.reason == "unread tombstones"
    restored = put_back(kept, path, unread=True)
    assert exports(path) == before
    assert restored.set_aside == f"{path}.damaged"
    assert (path.parent / "memory.db.damaged").exists()


def test_a_backup_waits_for_nobody_and_nobody_waits_for_it(path, tmp_path):
    with Memory(str(path), embedder=None) as memory:
        alice = memory.scope(agent="concierge", user="alice")
        steps = iter(range(10_000))

        def told(done, of):
            alice.remember(f"Written during step {next(steps)}.")

        thread = threading.Thread(
            target=backup, args=(str(path), tmp_path / "kept.db"), kwargs={"step": 8, "done": told}
        )
        thread.start()
        thread.join(60)
        assert not thread.is_alive()
        written = next(steps)
        assert alice.notes(limit=1).total == 2 + written
    with Memory(str(tmp_path / "kept.db"), embedder=None) as memory:
        assert memory.scope(agent="concierge", user="alice").notes().total == 2


def test_a_backup_is_a_database_like_any_other(path, kept):
    assert put_back(kept, path).schema == check_database_file(path)
    shutil.copy(kept, path)
    assert exports(path) == exports(kept)
