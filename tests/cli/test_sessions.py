"""What can be done with sessions."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from bethink import Memory


@pytest.fixture
def talk(bethink, folder):
    """A session of three turns, one of them with a call."""
    items = [
        {"role": "user", "content": "Find me a hotel.", "speaker": "Alice", "at": "2025-04-05T10:00:00Z"},
        {"type": "function_call", "call_id": "c1", "name": "search", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "Lutetia"},
        {"role": "assistant", "content": "The Lutetia has a room."},
        {"role": "user", "content": "Too expensive."},
        {"role": "user", "content": "Look again \x1b[2J\ud800."},
    ]
    path = folder / "talk.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    bethink("ingest", path, "--session", "paris", status=0)
    return bethink


def test_sessions_are_listed_and_shown(talk):
    (info,) = talk("sessions", "--json").json["entries"]
    assert (info["id"], info["count"]) == ("paris", 6)
    assert "paris" in talk("sessions", status=0).out
    page = talk("sessions", "show", "paris", "--json").json
    assert page["entries"][0]["body"] == {"role": "user", "content": "Find me a hotel."}
    assert (page["entries"][0]["speaker"], page["entries"][0]["at"]) == ("Alice", "2025-04-05T10:00:00+00:00")
    assert page["entries"][5]["body"]["content"] == "Look again \x1b[2J\ud800."
    shown = talk("sessions", "show", "paris", status=0).out
    assert "The Lutetia has a room." in shown
    assert "\x1b" not in shown
    assert "no items" in talk("sessions", "show", "none", status=0).out


def test_a_long_session_is_paged_backwards(talk):
    first = talk("sessions", "show", "paris", "-n", "4", "--json").json
    rest = talk("sessions", "show", "paris", "-n", "4", "--cursor", first["next"], "--json").json
    assert [each["seq"] for each in rest["entries"] + first["entries"]] == [1, 2, 3, 4, 5, 6]


def test_the_window_keeps_a_call_with_its_result(talk):
    window = talk("sessions", "window", "paris", "--messages", "5", "--json").json
    assert [body.get("content") for body in window] == ["Too expensive.", "Look again \x1b[2J\ud800."]
    assert len(talk("sessions", "window", "paris", "--json").json) == 6
    assert "Too expensive." in talk("sessions", "window", "paris", "--turns", "2", status=0).out


def test_a_session_is_renamed_undone_and_deleted(talk):
    assert talk("sessions", "rename", "paris", "In spring", "--json").json["title"] == "In spring"
    assert "In spring" in talk("sessions", status=0).out
    assert talk("sessions", "undo", "paris", "-n", "2", "--json").json["count"] == 4
    talk("remember", "A window seat this time.", "--session", "paris", status=0)
    assert talk("sessions", "delete", "paris", "--json").json == {"deleted": "paris"}
    assert talk("sessions", "--json").json["total"] == 0
    assert talk("notes", "--session", "paris", "--json").json["total"] == 0


def test_deleting_may_keep_the_notes(talk):
    talk("remember", "A window seat this time.", "--session", "paris", status=0)
    talk("sessions", "delete", "paris", "--keep-notes", status=0)
    assert talk("notes", "--session", "paris", "--json").json["total"] == 1


def test_a_session_is_exported_whole(talk):
    whole = talk("sessions", "export", "paris").json
    assert [entry["seq"] for entry in whole["items"]] == [1, 2, 3, 4, 5, 6]
    assert whole["items"][2]["body"]["output"] == "Lutetia"


def test_recall_looks_into_one_session(talk):
    talk("remember", "Hotels must have a gym.", status=0)
    hits = talk("recall", "hotel", "--session", "paris", "--kind", "item", "--json").json["hits"]
    assert hits
    assert all(hit["item"]["session"] == "paris" for hit in hits)


def test_items_are_kept_for_a_time_and_overdue_ones_are_in_no_list_and_no_backup(talk, folder):
    assert "forever" in talk("sessions", "expire", "paris", status=0).out
    talk("remember", "Likes trains.", status=0)
    assert talk("sessions", "expire", "paris", "--after", "30d", "--json").json["seconds"] == 2_592_000
    # Alice spoke in April 2025; what the others said has the time of the import
    assert talk("sessions", "show", "paris", "--json").json["total"] == 5
    assert "30 days" in talk("sessions", "expire", "paris", status=0).out
    talk("sessions", "expire", "paris", "--never", status=0)
    assert talk("sessions", "expire", "paris", "--json").json["seconds"] is None


def test_a_backup_is_without_what_is_overdue(talk, folder):
    then = datetime(2025, 4, 5, 11, tzinfo=UTC)
    with Memory(str(folder / "memory.db"), embedder=None, clock=lambda: then) as memory:
        session = memory.scope().session("paris")
        session.expire(timedelta(days=30))
        assert session.info().count == 6
    talk("backup", "kept.db", status=0)
    with Memory(str(folder / "kept.db"), embedder=None, clock=lambda: then) as memory:
        bodies = memory.scope().session("paris").get_items()
    said = [body["content"] for body in bodies if body.get("role") == "user"]
    assert said[0] == "Too expensive."


@pytest.mark.parametrize("given", ["soon", "-1d", "30", "1y", ""])
def test_a_length_of_time_that_is_none_is_refused(talk, given):
    answer = talk("sessions", "expire", "paris", "--after", given)
    assert answer.status == 1
    assert "30d" in answer.err
