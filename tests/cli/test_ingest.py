"""Bringing in conversations from files."""

import asyncio
import json
import signal
from datetime import UTC, datetime

import pytest

from bethink import AsyncMemory, Memory
from bethink.imports.format_detection import open_source
from bethink.imports.service import ingest


@pytest.fixture
def lines(folder):
    """Write a JSONL file."""

    def write(*entries, name="talk.jsonl"):
        rows = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in entries]
        (folder / name).write_bytes(b"\n".join(rows) + b"\n")
        return folder / name

    return write


def said(text, role="user", **beside):
    return {"role": role, "content": text, **beside}


def log(session="dashboard", user=None, agent="default"):
    with Memory("memory.db") as memory:
        return list(memory.scope(agent=agent, user=user).session(session).items(limit=1000))


def bodies(*where, **named):
    return [item.body for item in log(*where, **named)]


def test_items_are_kept_with_what_stands_beside_them(bethink, lines):
    call = {"type": "function_call", "call_id": "c1", "name": "search", "arguments": "{}"}
    path = lines(
        said(
            "Hello.",
            session="paris",
            at="2025-04-05T10:00:00+02:00",
            speaker="Alice",
            user="alice",
            agent="guide",
        ),
        {
            "session": "paris",
            "user": "alice",
            "agent": "guide",
            "at": 1743840060,
            "item": {**call, "user": "kept"},
        },
        said("No session.", role="assistant"),
    )
    report = bethink("ingest", path, "--json").json
    assert (report["kept"], report["known"], report["broken"]) == (3, 0, [])
    assert report["sessions"] == {"agent:guide:u:alice": {"paris": 2}, "agent:default": {"dashboard": 1}}
    first, second = log("paris", "alice", "guide")
    assert first.body == {"role": "user", "content": "Hello."}
    assert (first.at, first.speaker, first.origin) == (datetime(2025, 4, 5, 8, tzinfo=UTC), "Alice", "import")
    assert second.body == {**call, "user": "kept"}
    assert second.at == datetime(2025, 4, 5, 8, 1, tzinfo=UTC)
    assert bodies() == [{"role": "assistant", "content": "No session."}]


def test_lines_that_name_nobody_go_where_the_options_say(bethink, lines):
    bethink("ingest", lines(said("Hi.")), "--session", "s", "--user", "bob", "--agent", "guide", status=0)
    assert len(bodies("s", "bob", "guide")) == 1


def test_an_array_of_items_is_read_too(bethink, folder):
    (folder / "talk.json").write_text(json.dumps([said("One."), 7, said("Two.")], indent=2))
    report = json.loads(bethink("ingest", "talk.json", "--json", status=1).out)
    assert report["kept"] == 2
    assert [broken["line"] for broken in report["broken"]] == [2]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{oops", "not valid JSON"),
        (b'"text"', "JSON object"),
        (b'{"content": "no role"}', "role or a type"),
        (b'{"role": "user", "content": NaN}', "NaN"),
        (b'{"role": "user", "content": "\xff"}', "UTF-8"),
        (b'{"role": "user", "content": "x", "at": "soon"}', "ISO 8601"),
        (b'{"role": "user", "content": "x", "at": 1e300}', "ISO 8601"),
        (b'{"role": "user", "content": "x", "at": true}', "ISO 8601"),
        (b'{"role": "user", "content": "x", "session": ""}', "session must not be empty"),
        (b'{"role": "user", "content": "x", "speaker": "a\\u0000"}', "control character"),
        (b'{"role": "user", "content": "x", "user": 7}', "user must be a str"),
        (b'{"item": {"role": "user", "content": "x"}, "title": "y"}', "beside an item"),
        (b"[" * 100_000, "too deeply"),
    ],
)
def test_a_broken_line_is_named_and_the_rest_is_kept(bethink, lines, line, says):
    path = lines(said("Before."), b"", line, said("After."))
    done = bethink("ingest", path, status=1)
    assert "line 3: " in done.out
    assert says in " ".join(done.out.split())
    assert [body["content"] for body in bodies()] == ["Before.", "After."]
    report = json.loads(bethink("ingest", path, "--json", status=1).out)
    assert (report["known"], report["broken"][0]["line"]) == (2, 3)


def test_many_broken_lines_are_counted(bethink, lines):
    done = bethink("ingest", lines(*[b"?"] * 50), status=1)
    assert "and 30 more" in done.out
    assert not bethink("sessions", "--json").json["total"]


def test_what_json_can_say_comes_through_untouched(bethink, lines):
    odd = said("\ud800 \x00 \u2028 日本語 😀", extra={"deep": [1, 2.5, None, True]})
    bethink("ingest", lines(odd), status=0)
    assert bodies() == [odd]


def test_running_it_again_changes_nothing(bethink, lines):
    path = lines(*[said(f"Line {number}.", session=f"s{number % 3}") for number in range(30)])
    bethink("ingest", path, status=0)
    before = bethink("export").json
    assert bethink("ingest", path, "--json").json["known"] == 30
    assert bethink("export").json == before


def test_the_same_words_twice_are_two_items(bethink, lines):
    path = lines(*[said("ok")] * 5)
    bethink("ingest", path, status=0)
    bethink("ingest", path, status=0)
    assert len(bodies()) == 5


def test_a_file_that_has_grown_adds_what_is_new(bethink, lines):
    bethink("ingest", lines(said("One."), b"{oops", said("Two.")), status=1)
    bethink("ingest", lines(said("One."), said("Mended."), said("Two."), said("Three.")), status=0)
    assert [body["content"] for body in bodies()] == ["One.", "Two.", "Mended.", "Three."]


def test_what_was_undone_stays_undone(bethink, lines):
    path = lines(said("One."), said("Two."))
    bethink("ingest", path, status=0)
    bethink("sessions", "undo", "dashboard", status=0)
    bethink("ingest", path, status=0)
    assert [body["content"] for body in bodies()] == ["One."]


def test_a_run_that_broke_off_is_taken_up(bethink, lines, folder):
    path = lines(*[said(f"Line {number}.", session=f"s{number % 7}") for number in range(1500)])

    async def broken_off():
        def some():
            for number, entry in enumerate(open_source(path).entries):
                if number == 1100:
                    raise OSError("the disk is gone")
                yield entry

        async with AsyncMemory("memory.db") as memory:
            await ingest(memory, some(), agent="default", user=None, session="dashboard")

    with pytest.raises(OSError, match="gone"):
        asyncio.run(broken_off())
    assert 0 < bethink("stats", "--json").json["items"] < 1500
    report = bethink("ingest", path, "--json").json
    assert report["kept"] + report["known"] == 1500
    assert report["known"] > 0
    for session in range(7):
        wanted = [f"Line {number}." for number in range(1500) if number % 7 == session]
        assert [body["content"] for body in bodies(f"s{session}")] == wanted


def test_a_run_that_was_killed_is_taken_up(bethink, process, lines):
    path = lines(*[said(f"Line {number}. " * 20, session=f"s{number % 5}") for number in range(4000)])
    with Memory("memory.db") as memory:
        running = process("ingest", path)
        while running.poll() is None and memory.stats().items == 0:
            pass
        running.send_signal(signal.SIGKILL)
        running.communicate(timeout=60)
    assert bethink("ingest", path, "--json").json["broken"] == []
    for session in range(5):
        wanted = [f"Line {number}. " * 20 for number in range(4000) if number % 5 == session]
        assert [body["content"] for body in bodies(f"s{session}")] == wanted


def test_two_runs_at_once_keep_each_item_once(bethink, process, lines):
    path = lines(*[said(f"Line {number}.", session=f"s{number % 5}") for number in range(600)])
    bethink("remember", "Begin the file.", status=0)
    both = [process("ingest", path, "--json") for _ in range(2)]
    reports = [json.loads(running.communicate(timeout=120)[0]) for running in both]
    assert sum(report["kept"] for report in reports) == 600
    assert sorted(body["content"] for n in range(5) for body in bodies(f"s{n}")) == sorted(
        f"Line {number}." for number in range(600)
    )


def test_locomo_becomes_a_user_a_conversation(bethink, conversations):
    report = bethink("ingest", conversations, "--json").json
    assert report["sessions"]["agent:default:u:talk-1"] == {"session_1": 3, "session_2": 3, "session_10": 2}
    first = log("session_1", "talk-1")[0]
    assert (first.speaker, first.at) == ("Ines", datetime(2024, 5, 2, 9, 5, tzinfo=UTC))
    found = bethink("recall", "Which instrument does Ines learn?", "--user", "talk-1", "--json").json
    assert "cello" in found["hits"][0]["text"]
    assert bethink("ingest", conversations, "--json").json["known"] == 10


def test_locomo_of_one_user_keeps_its_conversations_apart(bethink, conversations):
    report = bethink("ingest", conversations, "--user", "me", "--json").json
    assert set(report["sessions"]["agent:default:u:me"]) == {
        "talk-1-session_1", "talk-1-session_2", "talk-1-session_10", "talk-2-session_1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[1, 2", "the JSON breaks off"),
        ('[{"conversation": {}}]', "not a valid LoCoMo file"),
        ('[{"conversation": 7}]', "not a valid LoCoMo file"),
    ],
)
def test_a_file_of_no_known_form_is_refused_whole(bethink, folder, text, says):
    (folder / "odd.json").write_text(text)
    assert says in bethink("ingest", "odd.json", status=1).err


def test_a_path_that_is_no_file_is_a_mistake(bethink, folder):
    assert "no file in a known format" in bethink("ingest", folder, status=1).err
    bethink("ingest", "nowhere.jsonl", status=2)
    (folder / "empty.jsonl").write_text("")
    assert bethink("ingest", "empty.jsonl", "--json").json["kept"] == 0
