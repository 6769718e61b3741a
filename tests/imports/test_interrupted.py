"""An import that is killed at any point, two imports at once, and ids that come twice: everything is there, once."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time

import pytest

from . import exports

IMPORT = "import sys; from bethink.cli import main; sys.argv[0] = 'bethink'; main()"
MESSAGES = 3_000
SESSIONS = 7


@pytest.fixture
def history(write):
    """Many messages of some sessions, and facts beside them in a file of their own."""
    rows = [
        {
            "role": "user",
            "content": f"Message {number}.",
            "session": f"s{number % SESSIONS}",
            "at": 1_700_000_000 + number,
        }
        for number in range(MESSAGES)
    ]
    return write("history.jsonl", *rows, lines=True)


def started(path, database, *options):
    command = [sys.executable, "-c", IMPORT, "import", str(path), "--db", str(database), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def check(memory):
    """See that every message is there once, in its order."""
    scope = memory.scope()
    for name in range(SESSIONS):
        said = [body["content"] for body in scope.session(f"s{name}").get_items()]
        assert said == [f"Message {number}." for number in range(name, MESSAGES, SESSIONS)]


@pytest.mark.parametrize("seed", range(3))
def test_an_import_that_is_killed_at_any_point_is_taken_up(history, tmp_path, memory, seed):
    chance = random.Random(seed)
    for _ in range(3):
        running = started(history, tmp_path / "memory.db")
        time.sleep(chance.uniform(0.3, 1.5))
        running.send_signal(signal.SIGKILL)
        running.communicate()
    done = started(history, tmp_path / "memory.db", "--json")
    out, err = done.communicate(timeout=300)
    assert done.returncode == 0, err
    report = json.loads(out)
    assert report["kept"] + report["known"] == MESSAGES
    check(memory)


def test_two_imports_at_once_keep_everything_once(history, tmp_path, memory):
    both = [started(history, tmp_path / "memory.db", "--json") for _ in range(2)]
    reports = []
    for each in both:
        out, err = each.communicate(timeout=300)
        assert each.returncode == 0, err
        reports.append(json.loads(out))
    assert sum(report["kept"] for report in reports) == MESSAGES
    check(memory)


@pytest.fixture
def facts(write):
    """Facts of one user."""
    return write("mem0.json", {"results": [
        {"id": f"m{number}", "memory": f"Likes the number {number}.", "hash": "x", "user_id": "ana"}
        for number in range(60)
    ]})  # fmt: skip


def test_facts_that_two_bring_at_once_are_notes_once(facts, tmp_path, memory):
    both = [started(facts, tmp_path / "memory.db") for _ in range(2)]
    for each in both:
        _, err = each.communicate(timeout=300)
        assert each.returncode == 0, err
    found = [note.text for note in memory.scope(user="ana").notes(limit=100)]
    assert sorted(found) == sorted(f"Likes the number {number}." for number in range(60))


def test_facts_of_an_import_that_was_killed_are_notes_once(facts, tmp_path, memory):
    killed = started(facts, tmp_path / "memory.db")
    while not memory.scope(user="ana").notes(limit=1).total:
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    done = started(facts, tmp_path / "memory.db")
    _, err = done.communicate(timeout=300)
    assert done.returncode == 0, err
    found = [note.text for note in memory.scope(user="ana").notes(limit=100)]
    assert sorted(found) == sorted(f"Likes the number {number}." for number in range(60))


@pytest.mark.parametrize("same", [True, False])
def test_ids_that_come_twice_leave_one_item_each(bring, memory, write, same):
    line = exports.claude_line("user", "u1", None, "I use pnpm.")
    other = line if same else exports.claude_line("user", "u1", None, "Something else under the same id.")
    report = bring(write("s1.jsonl", line, other, lines=True))
    (info,) = memory.scope().sessions()
    assert (info.count, report.kept, report.known) == (1, 1, 1)
    (item,) = memory.scope().session(info.id).items()
    assert item.body == line


def test_conversations_of_one_id_in_two_files_are_one(bring, memory, write, tmp_path):
    folder = tmp_path / "export"
    folder.mkdir()
    for number in range(2):
        (folder / f"conversations-00{number}.json").write_text(json.dumps([exports.chatgpt()]))
    report = bring(folder)
    assert report.known == report.kept > 0
    assert len({info.id for info in memory.scope().sessions()}) == memory.scope().sessions().total
