"""Bad input: each a clear error with its facts, and nothing lost."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta, timezone

import apsw
import pytest

from bethink import (
    AsyncMemory,
    ClosedError,
    InvalidError,
    LimitError,
    Memory,
    NotFoundError,
    Settings,
    StorageError,
)
from bethink.testing.faces import HashingEmbedder

HI = {"role": "user", "content": "hi"}
LONE, NUL = "cut \ud83d", "a\x00b"


def opened(path, **options):
    return Memory(str(path), embedder=HashingEmbedder(), **options)


@pytest.fixture
def memory(tmp_path):
    with opened(tmp_path / "memory.db") as memory:
        yield memory


@pytest.fixture
def alice(memory):
    """A scope with something in it that no bad call may take away."""
    scope = memory.scope(agent="concierge", user="alice")
    scope.remember("Prefers aisle seats.", key="seat")
    scope.session("talk").append([HI])
    yield scope
    assert [note.text for note in scope.notes()] == ["Prefers aisle seats."]
    assert scope.session("talk").get_items() == [HI]


def raised(error, argument, verb, *args, **options):
    """Assert that a call is refused for one argument, in a sentence without the text itself."""
    with pytest.raises(error) as caught:
        verb(*args, **options)
    assert caught.value.argument == argument
    assert str(caught.value)
    assert LONE not in str(caught.value)
    return caught.value


# ---- texts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [LONE, NUL, "", "   \n", 7, None, b"bytes"])
def test_a_note_refuses_what_is_no_storable_text(alice, text):
    raised(InvalidError, "text", alice.remember, text)
    raised(InvalidError, "text", alice.session("talk").remember, text)
    raised(InvalidError, "text", alice.revise, "seat", text)
    raised(InvalidError, "query", alice.recall, text)


def test_items_keep_what_notes_refuse(memory):
    session = memory.scope().session()
    session.append([{"role": "user", "content": LONE + NUL}])
    assert session.get_items() == [{"role": "user", "content": LONE + NUL}]
    assert memory.scope().recall("cut").hits


def test_a_note_that_is_too_long_says_by_how_much(alice):
    error = raised(LimitError, "text", alice.remember, "x" * 8_001)
    assert (error.limit, error.actual, error.unit) == (8_000, 8_001, "characters")
    raised(LimitError, "query", alice.recall, "x" * 100_000)
    raised(LimitError, "keywords", alice.remember, "x y", keywords=["k" * 65])
    raised(LimitError, "keywords", alice.remember, "x y", keywords=[f"k{n}" for n in range(17)])
    raised(LimitError, "metadata", alice.remember, "x y", metadata={"a": "x" * 20_000})


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("key", LONE), ("key", NUL), ("key", ""), ("key", "a\nb"), ("key", 7),
        ("category", "no spaces"), ("category", ""), ("category", None), ("category", "x" * 65), ("category", LONE),
        ("keywords", "one text"), ("keywords", [LONE]), ("keywords", [7]), ("keywords", 7),
        ("source", "gossip"), ("source", None),
        ("confidence", 1.01), ("confidence", -1), ("confidence", float("nan")), ("confidence", "high"),
        ("metadata", {"a": object()}), ("metadata", {"a": float("inf")}), ("metadata", {"a": NUL}),
        ("metadata", {LONE: 1}), ("metadata", [1]), ("metadata", "text"),
        ("valid_from", datetime(2026, 1, 1)), ("expires_at", "tomorrow"), ("expires_at", 7),  # noqa: DTZ001
        ("expires_at", datetime.max.replace(tzinfo=timezone(-timedelta(hours=5)))),
    ],
)  # fmt: skip
def test_what_stands_beside_a_note_is_checked(alice, argument, value):
    raised(InvalidError, argument, alice.remember, "x y", **{argument: value})


def test_metadata_may_hold_the_letters_of_an_escape(memory):
    plain = {"path": "C:\\u0000dir", "two": "\\\\u0000"}
    assert memory.scope().remember("x y", metadata=plain).metadata == plain


# ---- items ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "item", ["text", None, 7, [HI], {"x": object()}, {"x": {1, 2}}, {"x": float("nan")}, {"x": b"bytes"}]
)
def test_an_item_that_is_not_json_is_refused_with_all_that_came_with_it(alice, item):
    raised(InvalidError, "items", alice.session("talk").append, [HI, item])
    turn = alice.session("talk").turn()
    with turn:
        raised(InvalidError, "items", turn.append, [HI, item])


@pytest.mark.parametrize("items", [HI, "text", 7, None, b"bytes"])
def test_items_are_a_list(alice, items):
    raised(InvalidError, "items", alice.session("talk").append, items)


def test_an_item_is_not_nested_deeper_than_every_reader_can_follow(alice):
    def nested(depth):
        value = "bottom"
        for _ in range(depth):
            value = [value]
        return {"x": value}

    error = raised(InvalidError, "items", alice.session("talk").append, [nested(400)])
    assert error.limit == 256
    raised(InvalidError, "items", alice.session("talk").append, [nested(100_000)])
    alice.session("deep").append([nested(255)])
    assert alice.session("deep").get_items() == [nested(255)]
    wide = {"x": [[n] for n in range(5_000)]}
    alice.session("wide").append([wide])
    assert alice.session("wide").get_items() == [wide]


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("at", datetime(2026, 1, 1)), ("at", "2026-01-01"), ("at", ["2026"]), ("at", 7),  # noqa: DTZ001
        ("at", datetime.min.replace(tzinfo=timezone(timedelta(hours=5)))),
        ("at", [None, None]), ("speaker", ["Ann", "Ben"]), ("speaker", [7]), ("speaker", 7), ("speaker", NUL),
        ("origin", ""), ("origin", 7), ("operation", ""), ("operation", LONE), ("operation", NUL), ("operation", 7),
        ("operation", "x" * 300),
    ],
)  # fmt: skip
def test_what_stands_beside_items_is_checked(alice, argument, value):
    raised(InvalidError, argument, alice.session("talk").append, [HI], **{argument: value})


# ---- names ------------------------------------------------------------------------------------------------------

BAD_NAMES = ["", " ", ".", "..", "a\x00b", "a\nb", "\x1b[2J", LONE, "x" * 129, "é" * 65, "x" * 300, 7]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_are_checked_when_a_handle_is_made(memory, name):
    raised(InvalidError, "agent", memory.scope, agent=name)
    raised(InvalidError, "user", memory.scope, user=name)
    raised(InvalidError, "owner", memory.scope, owner=name)
    raised(InvalidError, "session", memory.scope().session, name)
    raised(InvalidError, "team", memory.team, name)
    with pytest.raises(InvalidError):
        memory.pool(name)
    with pytest.raises(InvalidError):
        opened(":memory:", tenant=name)


@pytest.mark.parametrize("name", [LONE, NUL, "", "x" * 300])
def test_a_session_named_as_a_filter_is_checked_as_well(alice, name):
    raised(InvalidError, "session", alice.notes, session=name)
    raised(InvalidError, "session", alice.recall, "seat", session=name)
    raised(InvalidError, "session", alice.stage, name, "x y")


@pytest.mark.parametrize(
    "name", ["a:b", "a/b", "../../etc/passwd", "..a", "u", "s", "%3A", "{agent_name}", "'; drop"]
)
def test_odd_names_are_only_names(memory, name):
    scope = memory.scope(agent=name, user=name)
    session = scope.session(name)
    session.append([HI])
    scope.remember("x y", key=name)
    assert scope.get(name).text == "x y"
    assert [info.id for info in scope.sessions()] == [name]
    assert memory.namespace(str(scope.namespace)).session(name).get_items() == [HI]
    assert memory.scope(agent="a", user="b").sessions().total == 0


@pytest.mark.parametrize("word", [LONE, NUL, "", "a\nb"])
def test_ids_that_cannot_be_are_refused(alice, word):
    for verb in (alice.get, alice.forget, alice.history, alice.undo, alice.approve, alice.reject):
        with pytest.raises(InvalidError):
            verb(word)
    with pytest.raises(InvalidError):
        alice.revise(word, "x y")


@pytest.mark.parametrize("word", ["n1", "n0", "nothing", "i1.1", "zzz", "n" + "z" * 13, "absent key"])
def test_foreign_and_old_ids_are_not_found(alice, memory, word):
    foreign = memory.scope(agent="concierge", user="bob").remember("His.").id
    for id_ in (word, foreign):
        assert alice.get(id_) is None
        for verb in (alice.forget, alice.history, alice.undo, alice.approve, alice.reject):
            with pytest.raises(NotFoundError) as caught:
                verb(id_)
            assert caught.value.id == id_
    for id_ in ("i", "i1", "i1.", "i1.x", "i1.-1", "i1.99999999999999999999", "!", "plain words"):
        with pytest.raises(NotFoundError):
            alice.why_not("seat", id_)


# ---- limits, cursors, filters --------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0, -1, 10**9, 10**30, 1.5, "5", None, True])
def test_limits_of_lists_are_between_one_and_a_bound(alice, limit):
    for verb in (alice.notes, alice.sessions, alice.quarantine, alice.session("talk").items):
        raised(InvalidError, "limit", verb, limit=limit)
    raised(InvalidError, "limit", alice.recall, "seat", limit=limit)
    raised(InvalidError, "limit", alice.session("talk").attempts, limit=limit)
    raised(InvalidError, "limit", alice.records.latest, "trip", limit)


@pytest.mark.parametrize("name", ["messages", "turns", "tokens"])
@pytest.mark.parametrize("limit", [0, -1, 1.5, "5", True])
def test_limits_of_a_window_are_whole_numbers_from_one(alice, name, limit):
    raised(InvalidError, name, alice.session("talk").window, **{name: limit})
    raised(InvalidError, name, alice.session("absent").window, **{name: limit})


def test_huge_limits_of_a_log_are_only_large(alice):
    talk = alice.session("talk")
    assert talk.get_items(10**30) == talk.window(messages=10**30) == talk.window(tokens=10**30) == [HI]
    assert talk.get_items(-(10**30)) == []


@pytest.mark.parametrize("n", [0, -1, 1.5, "1", None, True])
def test_an_undo_takes_back_one_turn_or_more(alice, n):
    for session in ("talk", "absent"):
        raised(InvalidError, "n", alice.session(session).undo, n)


@pytest.mark.parametrize("at", [-1, 10**30, "1", 1.5, True])
def test_a_fork_is_at_the_place_of_an_item(alice, at):
    raised(InvalidError, "at", alice.session("talk").fork, at, "copy")


@pytest.mark.parametrize("cursor", ["", "nonsense", "é", LONE, 7, "WzFd", "W" * 5_000, "bnVsbA"])
def test_a_cursor_comes_from_a_page(alice, cursor):
    for verb in (alice.notes, alice.sessions, alice.quarantine):
        raised(InvalidError, "cursor", verb, cursor=cursor)
    with pytest.raises(InvalidError):
        alice.session("talk").items(cursor="WzEsMl0")


def test_a_cursor_cannot_be_made_to_overflow(alice):
    import base64

    huge = base64.urlsafe_b64encode(json.dumps([10**30, 1]).encode()).decode()
    raised(InvalidError, "cursor", alice.notes, cursor=huge)


@pytest.mark.parametrize(
    "where",
    [
        {"a": {"$near": 1}},
        {"a": {"$gt": 1, "$or": []}},
        {"a": {"$in": 5}},
        {"a": {"$nin": "text"}},
        "text",
        [1],
        7,
    ],
)
def test_a_filter_that_cannot_be_evaluated_is_refused(alice, where):
    raised(InvalidError, "where", alice.notes, where=where)
    raised(InvalidError, "where", alice.recall, "seat", where=where)


@pytest.mark.parametrize("kinds", ["note", [], ["notes"], None, 7, ["note", []]])
def test_kinds_are_a_selection(alice, kinds):
    raised(InvalidError, "kinds", alice.recall, "seat", kinds=kinds)


@pytest.mark.parametrize("status", ["gone", LONE, 7, ""])
def test_a_status_is_one_of_those_there_are(alice, status):
    raised(InvalidError, "status", alice.notes, status=status)


@pytest.mark.parametrize("title", [LONE, NUL, "x" * 513, 7])
def test_a_title_is_a_short_text(alice, title):
    raised(InvalidError, "title", alice.session("talk").rename, title)
    raised(InvalidError, "title", alice.session("talk").annotate, title=title)


@pytest.mark.parametrize("fields", [{"a": object()}, {"a": NUL}, {"a": float("nan")}, [1], "text"])
def test_a_profile_holds_json(alice, fields):
    raised(InvalidError, "fields", alice.profile.update, fields)
    raised(InvalidError, "value", alice.records.add, "trip", fields, at=datetime(2026, 1, 1, tzinfo=UTC))


def test_a_record_has_a_kind_and_an_instant(alice):
    raised(
        InvalidError,
        "kind",
        alice.records.add,
        "two words",
        {"a": 1},
        at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    raised(InvalidError, "at", alice.records.add, "trip", {"a": 1}, at="yesterday")
    raised(InvalidError, "as_of", alice.notes, as_of=datetime(2026, 1, 1))  # noqa: DTZ001
    raised(InvalidError, "as_of", alice.profile.get, as_of="yesterday")


# ---- databases ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["", "mysql://host/db", "http://x", "sqlite://", "a\x00b"])
def test_an_address_of_no_store_is_refused(url):
    raised(InvalidError, "url", opened, url)


def test_a_directory_is_no_database(tmp_path):
    with pytest.raises(StorageError) as caught:
        opened(tmp_path)
    assert caught.value.outcome == "none"


def test_a_file_of_something_else_is_left_alone(tmp_path):
    text = tmp_path / "letter.txt"
    text.write_bytes(b"Dear Sir or Madam, " * 500)
    with pytest.raises(StorageError):
        opened(text)
    assert text.read_bytes() == b"Dear Sir or Madam, " * 500
    other = tmp_path / "other.db"
    connection = apsw.Connection(str(other))
    connection.execute("create table theirs (x); insert into theirs values (1)")
    connection.close()
    with pytest.raises(StorageError) as caught:
        opened(other)
    assert caught.value.reason == "foreign database"
    connection = apsw.Connection(str(other))
    assert connection.execute("select name from sqlite_master").fetchall() == [("theirs",)]
    connection.close()


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(StorageError, match="absent"):
        opened(tmp_path / "absent" / "memory.db")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_is_read_only_says_so(tmp_path):
    path = tmp_path / "memory.db"
    opened(path).close()
    path.chmod(0o444)
    with pytest.raises(StorageError):
        opened(path)


def test_a_newer_schema_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path) as memory:
        memory.scope().remember("kept")
    connection = apsw.Connection(str(path))
    connection.execute("insert into bethink_migrations values (9999, 'future', 'x', 0)")
    with pytest.raises(StorageError) as caught:
        opened(path)
    assert (caught.value.reason, caught.value.actual, caught.value.outcome) == ("newer schema", 9999, "none")
    connection.execute("delete from bethink_migrations where number = 9999")
    connection.close()
    with opened(path) as memory:
        assert memory.scope().notes().total == 1


def test_a_full_database_keeps_what_it_has_and_goes_on(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path) as memory:
        scope = memory.scope()
        scope.remember("kept")
        writer = memory._twin._runtime.store.driver._writer.connection
        ((pages,),) = writer.execute("pragma page_count").fetchall()
        writer.execute(f"pragma max_page_count = {pages + 2}")
        with pytest.raises(StorageError) as caught:
            scope.session().append([{"role": "user", "content": "x" * 200_000}])
        assert (caught.value.reason, caught.value.outcome) == ("FullError", "none")
        assert scope.session().get_items() == []
        assert [note.text for note in scope.notes()] == ["kept"]
        writer.execute("pragma max_page_count = 1073741823")
        scope.session().append([{"role": "user", "content": "x" * 200_000}])
        assert len(scope.session().get_items()) == 1


def test_settings_are_checked(tmp_path):
    raised(InvalidError, "synchronous", opened, tmp_path / "a.db", settings=Settings(synchronous="OFF"))
    raised(InvalidError, "index_batch", Settings.from_environment, {"BETHINK_INDEX_BATCH": "many"})


CHILD = """
import sys
from bethink import Memory
from bethink.testing.faces import HashingEmbedder
print("ready", flush=True)
sys.stdin.readline()
with Memory(sys.argv[1], embedder=HashingEmbedder()) as memory:
    scope = memory.scope()
    %s
"""


def child(path, code):
    """Start another process that does something in the scope, once it is told to."""
    return subprocess.Popen(
        [sys.executable, "-c", CHILD % code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def finish(*children):
    """Let processes go at once, and wait for them."""
    for each in children:
        assert each.stdout.readline() == "ready\n"
    for each in children:
        each.stdin.write("\n")
        each.stdin.flush()
    for each in children:
        each.communicate(timeout=60)
        assert each.returncode == 0


def test_processes_that_open_a_new_file_at_once_all_write(tmp_path):
    path = tmp_path / "memory.db"
    finish(*(child(path, f"scope.remember('from process {number}')") for number in range(3)))
    with opened(path) as memory:
        assert memory.scope().notes().total == 3
        assert len(memory.scope().recall("process")) == 3


def test_what_another_process_wrote_and_took_away_is_seen_at_once(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path) as memory:
        note = memory.scope().remember("The key is under the mat.")
        assert len(memory.scope().recall("key")) == 1
        for code, found in (
            (f"scope.forget({note.id!r})", 0),
            ("scope.session().append([{'role': 'user', 'content': 'The key is with Ben.'}])", 1),
            ("scope.session().clear()", 0),
        ):
            finish(child(path, code))
            assert len(memory.scope().recall("key")) == found


def test_a_damaged_row_is_skipped_and_the_rest_is_there(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path) as memory:
        session = memory.scope().session()
        session.append([{"role": "user", "content": f"parcel {n}"} for n in range(10)])
    connection = apsw.Connection(str(path))
    connection.execute('update items set body = \'{"role": "us\' where seq in (5, 9)')
    connection.close()
    readable = [f"parcel {n}" for n in range(10) if n not in {4, 8}]
    with opened(path) as memory:
        session = memory.scope().session()
        assert [body["content"] for body in session.get_items()] == readable
        assert [body["content"] for body in session.get_items(2)] == ["parcel 7", "parcel 9"]
        assert [body["content"] for body in session.window()] == readable
        seen, cursor = [], None
        while True:
            page = session.items(limit=2, cursor=cursor)
            seen = [item.body["content"] for item in page] + seen
            cursor = page.next
            if cursor is None:
                break
        assert seen == readable
        assert len(memory.scope().recall("parcel", limit=100)) == 8
        assert [entry["body"]["content"] for entry in session.export()["items"]] == readable
        assert session.pop_item() == {"role": "user", "content": "parcel 9"}
        session.append([HI])
        assert session.get_items(2)[1] == HI


# ---- closing, cancelling -------------------------------------------------------------------------------------------


def test_use_after_close_is_refused(tmp_path):
    memory = opened(tmp_path / "memory.db")
    session = memory.scope().session()
    memory.close()
    with pytest.raises(ClosedError) as caught:
        session.append([HI])
    assert caught.value.reason == "closed"


def test_a_forked_child_does_not_use_its_parents_memory(tmp_path):
    with opened(tmp_path / "memory.db") as memory:
        scope = memory.scope()
        scope.remember("kept")
        child = os.fork()
        if child == 0:
            try:
                scope.notes()
            except ClosedError:
                os._exit(0)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert scope.notes().total == 1


async def _cancelled_many_times(path):
    async with AsyncMemory(str(path), embedder=HashingEmbedder()) as memory:
        session = memory.scope().session()
        acknowledged = set()

        async def say(number):
            await session.append([{"n": number}, {"n": number}])
            acknowledged.add(number)

        tasks = [asyncio.create_task(say(number)) for number in range(40)]
        for at, task in enumerate(tasks):
            if at % 3 == 0:
                await asyncio.sleep(0)
            if at % 2:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        stored = [body["n"] for body in await session.get_items()]
        assert stored[::2] == stored[1::2]
        assert acknowledged <= set(stored)
        assert set(range(0, 40, 2)) <= acknowledged


def test_a_cancelled_append_is_whole_or_not_there(tmp_path):
    asyncio.run(_cancelled_many_times(tmp_path / "memory.db"))


def test_threads_share_one_memory(memory):
    scope = memory.scope(user="alice")

    def work(number):
        scope.remember(f"note {number}")
        scope.session("talk").append([{"role": "user", "content": f"item {number}"}])
        scope.recall(f"note {number}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scope.notes().total == 8
    assert (scope.session("talk").head()).count == 8
    assert len(scope.recall("note item", limit=50)) == 16
