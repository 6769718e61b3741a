"""Two processes in one workspace at once, and a clock that runs back: nothing is lost, nothing is doubled."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta

import pytest

from bethink import Memory

from .conftest import START
from .runs import names, shell

RUNS = 6  #: of each process

WORKER = """
import json, sys
from bethink import Memory
from tests.workspace.runs import LESSON, shell

database, root, me, runs = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
with Memory(database, embedder=None) as memory:
    scope = memory.scope(agent="reviewer", user="alice")
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(runs):
        with scope.workspace(root) as space:
            asked = f"Build part {me}{number}. Always check part {me}{number} twice."
            space.record(asked, [*LESSON, *shell(f"make {me}{number}", "ok")], final_output="ok", session_id=me)
            space.record(f"Go on with {me}{number}.", shell("ls", "x"), final_output="ok", session_id="shared")
"""


@pytest.fixture
def two(tmp_path, root):
    """Let two processes work in one directory and one database, and return what they said."""
    database = str(tmp_path / "memory.db")
    with Memory(database, embedder=None) as memory:
        with memory.scope(agent="reviewer", user="alice").workspace(root):
            pass
        (root / "memories/MEMORY.md").write_text("# Rules\n\n- Asks Bob before a release.\n")
        command = [sys.executable, "-c", WORKER, database, str(root)]
        workers = [
            subprocess.Popen(
                [*command, me, str(RUNS)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for me in "ab"
        ]
        for worker in workers:
            assert worker.stdout.readline() == "ready\n", worker.communicate()[1]
        for worker in workers:
            worker.stdin.write("\n")
            worker.stdin.flush()
        for worker in workers:
            _, errors = worker.communicate(timeout=300)
            assert worker.returncode == 0, errors
        yield memory.scope(agent="reviewer", user="alice")


def test_two_processes_at_once_keep_every_run_and_every_lesson_once(two, root):
    with two.workspace(root):
        pass
    assert names(root / "sessions") == ["a.jsonl", "b.jsonl", "shared.jsonl"]
    for me in "ab":
        asked = [
            json.loads(row)["input"][0]["content"]
            for row in (root / f"sessions/{me}.jsonl").read_text().splitlines()
        ]
        assert asked == [
            f"Build part {me}{number}. Always check part {me}{number} twice." for number in range(RUNS)
        ]
    shared = (root / "sessions/shared.jsonl").read_text()
    rows = [json.loads(row)["input"][0]["content"] for row in shared.splitlines()]
    assert sorted(rows) == sorted(f"Go on with {me}{number}." for me in "ab" for number in range(RUNS))
    texts = [note.text for note in two.notes(limit=1000)]
    assert sorted(texts) == sorted(set(texts))
    wanted = {f"Always check part {me}{number} twice." for me in "ab" for number in range(RUNS)}
    assert wanted <= set(texts)
    index = (root / "memories/MEMORY.md").read_text()
    assert "Asks Bob before a release." in index
    assert all(index.count(f"- {each}\n") == 1 for each in wanted)


class Backwards:
    """A clock that goes back by an hour whenever it is looked at."""

    def __init__(self):
        self.at = START

    def __call__(self):
        self.at -= timedelta(hours=1)
        return self.at


def test_a_clock_that_runs_back_loses_no_run_no_edit_and_no_undo(tmp_path, root):
    with Memory(str(tmp_path / "memory.db"), embedder=None, clock=Backwards()) as memory:
        scope = memory.scope(agent="reviewer", user="alice")
        index = root / "memories/MEMORY.md"
        for number in range(4):
            with scope.workspace(root) as space:
                space.record(
                    f"Build {number}. Always check part {number} twice.",
                    shell(f"make part-{number}", "ok"),
                    final_output="ok",
                    session_id="w",
                )
            index.write_text(f"{index.read_text()}\n- Asks Bob before release {number}.\n")
            report = scope.workspace(root).sync()
            assert not report.remarks
            assert len(report.notes) == 1
        scope.undo(report.undo)
        scope.workspace(root).sync()
        text = index.read_text()
        assert [f"check part {number} twice" in text for number in range(4)] == [True] * 4
        assert [f"before release {number}." in text for number in range(4)] == [True, True, True, False]
        assert len((root / "sessions/w.jsonl").read_text().splitlines()) == 4
        assert memory.scope(agent="reviewer", user="alice").workspace(root).open().written == ()


def test_the_notes_of_one_sync_are_revised_and_forgotten_under_a_clock_that_runs_back(tmp_path):
    with Memory(str(tmp_path / "memory.db"), embedder=None, clock=Backwards()) as memory:
        scope = memory.scope(agent="coder", user="alice")
        note = scope.remember("Prefers pnpm to npm.", keywords=["packages"])
        book = scope.notebook(tmp_path / "notes")
        book.sync()
        page = tmp_path / "notes/packages.md"
        page.write_text(page.read_text().replace("pnpm to npm", "bun to npm"))
        book.sync(source="user")
        assert scope.get(note.id).text == "Prefers bun to npm."
        page.write_text(page.read_text().replace("- Prefers bun to npm.", ""))
        book.sync(source="user", confirm=True)
        assert scope.notes().total == 0
        assert not page.exists() or "bun" not in page.read_text()
