"""What measures us beside others keeps its own promises."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module


@pytest.fixture
def worker(tmp_path):
    """Speak with a peer as the driver does, in this environment."""
    command = [sys.executable, str(BENCH / "peers/worker.py"), "bethink", str(tmp_path / "data")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def ask(**request):
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        assert set(json.loads(process.stdout.readline())) == {"import", "open"}
        yield ask
        process.stdin.close()
        assert process.wait(30) == 0


def test_a_peer_keeps_and_finds_by_lines_of_json_each_namespace_for_itself(bench, worker):
    (talk,) = bench("corpus").made_up(1)
    turns, told = talk.turns[:40], {turn for each in talk.questions for turn in each.gold}
    memory = bench("compare").memory
    assert worker(do="add", space="a", memories=[memory(each) for each in turns])["seconds"] > 0
    wanted = next(each for each in turns if each.id in told)
    asked = wanted.item.body["content"]
    assert worker(do="find", space="a", query=asked, limit=3)["ids"][0] == wanted.id
    assert worker(do="find", space="b", query=asked, limit=3)["ids"] == []
    assert worker(do="memory")["resident"] > 1_000_000
    assert worker(do="close")["bytes"] > 10_000


def test_a_peer_may_connect_to_nobody_else(bench, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH / "peers"))
    stay_here = bench("worker").stay_here
    with pytest.raises(PermissionError):
        stay_here("socket.getaddrinfo", ("model.example", 443, 0, 0, 0))
    stay_here("socket.getaddrinfo", ("localhost", 80, 0, 0, 0))
    stay_here("open", ("some file", "r", 0))


def test_a_text_has_its_vector_back_whatever_blanks_are_around_it(bench, tmp_path):
    numpy, vectors = bench("numpy"), bench("peers.vectors")
    vectors.save(tmp_path, ["one", "two", "one "], numpy.eye(3))
    known = vectors.Vectors(tmp_path)
    assert known([" two", "one"]).tolist() == [[0, 1, 0], [1, 0, 0]]
    with pytest.raises(LookupError):
        known(["three"])


def test_made_up_talks_are_the_same_for_a_seed_and_say_which_turns_answer(bench):
    corpus = bench("corpus")
    (one,), (same,), (other,) = corpus.made_up(1), corpus.made_up(1), corpus.made_up(1, seed=8)
    assert one == same != other
    assert {each.category for each in one.questions} == {
        "in other words",
        "in the same words",
        "several answers",
    }
    known = {each.id for each in one.turns}
    assert all(each.gold <= known for each in one.questions)
    assert {len(each.gold) for each in one.questions if each.category == "several answers"} == {3}
    assert len(set(corpus.sentences(500))) == 500


def test_tables_are_filled_between_their_marks_and_nowhere_else(bench, tmp_path):
    report = bench("report")
    peer = {
        "title": "Bethink",
        "packages": 16,
        "megabytes": 94.2,
        "import_cpu_ms": 50.0,
        "import_ms_least": 60.0,
    }
    machine = {"cores": 2, "cpu": "some", "python": "3.11", "load": 0.1, "when": "2026-01-01"}
    (tmp_path / "install.json").write_text(
        json.dumps({"peers": {"bethink": peer}, "from_nothing_s": 5.0, "machine": machine})
    )
    before = "by hand\n<!-- table: install -->\nold\n<!-- end -->\n<!-- table: long -->\nkept\n<!-- end -->\n"
    after = report.filled(before, tmp_path)
    assert after.startswith(
        "by hand\n<!-- table: install -->\n2 cores of some, Python 3.11, load 0.1, 2026-01-01.\n"
    )
    assert "| **Bethink** | 16 | 94 | 50 | × 1.0 | 60 |" in after
    assert "old" not in after
    assert after.endswith("<!-- table: long -->\nkept\n<!-- end -->\n")
    assert report.filled(after, tmp_path) == after


def test_curves_are_well_formed_and_leave_out_what_has_no_place(bench):
    curves = bench("plots").curves
    picture = curves(
        {"a < b": [(1_000, 0.5), (10_000, 2.0)], "none": [(1_000, 0)]}, title="t & u", across="x", up="y"
    )
    root = ET.fromstring(picture)
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "a < b" in texts
    assert "none" not in texts
    assert curves({}, title="t", across="x", up="y") == ""
