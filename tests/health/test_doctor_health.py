"""`bethink doctor --health`: a score of any scope, and of an export."""

import json
from datetime import timedelta

import pytest
from typer.testing import CliRunner

from bethink import Memory
from bethink.cli.app import app


@pytest.fixture
def db(tmp_path, monkeypatch, clock):
    monkeypatch.setenv("BETHINK_DB", str(tmp_path / "memory.db"))
    with Memory(str(tmp_path / "memory.db"), clock=clock) as memory:
        ana, bo = memory.scope(agent="desk", user="ana"), memory.scope(agent="desk", user="bo")
        ana.remember("Prefers aisle seats.")
        clock.at += timedelta(days=1)
        ana.remember("Prefers window seats.")
        ana.remember("Thanks so much!")
        bo.remember("Prefers aisle seats.")
        gone = bo.remember("What time is it?")
        bo.forget(gone.id)
    return tmp_path


def run(*arguments):
    done = CliRunner().invoke(app, [str(each) for each in arguments])
    assert done.exit_code == 0, done.stderr
    return done.stdout


def test_every_scope_is_examined_and_each_finding_says_whose_it_is(db):
    answer = json.loads(run("doctor", "--health", "--json"))
    assert answer["notes"] == 4  # what was forgotten is not counted
    assert [(each["ailment"], each["owner"]) for each in answer["findings"]] == [
        ("junk", "agent:desk:u:ana"),
        ("contradiction", "agent:desk:u:ana"),
    ]
    assert answer["score"] == pytest.approx(100 * (1 - 1.6 / 4))
    assert answer["searched"] == 4
    assert {each["text"] for each in answer["findings"]} == {None}


def test_one_scope_is_examined_alone(db):
    answer = json.loads(run("doctor", "--health", "--namespace", "agent:desk:u:bo", "--json"))
    assert (answer["score"], answer["notes"], answer["findings"]) == (100, 1, [])


def test_people_see_the_score_the_rates_and_the_words_only_if_they_ask(db):
    shown = run("doctor", "--health")
    assert "60 of 100" in shown
    assert "contradiction" in shown
    assert "Thanks so much" not in shown
    assert "Thanks so much" in run("doctor", "--health", "--texts")


def test_an_export_of_mem0_is_examined_without_a_memory_of_ours(tmp_path, monkeypatch, mem0_export):
    monkeypatch.setenv("BETHINK_DB", str(tmp_path / "none.db"))
    answer = json.loads(run("doctor", "--mem0", mem0_export, "--json"))
    assert not (tmp_path / "none.db").exists()
    by_kind = {}
    for each in answer["findings"]:
        by_kind.setdefault(each["ailment"], []).append(each["id"])
    assert by_kind == {
        "secret": ["m-05"],
        "junk": ["m-04", "m-06"],
        "contradiction": ["m-01"],
        "duplicate": ["m-02"],
        "stale": ["m-07", "m-14"],
        "language": ["m-08", "m-15"],
    }
    assert 0 < answer["score"] < 100


def test_examining_writes_nothing(db):
    before = json.loads(run("stats", "--json"))
    run("doctor", "--health")
    after = json.loads(run("stats", "--json"))
    assert {**before, "bytes": None} == {**after, "bytes": None}


def test_without_health_doctor_reads_the_database_as_before(db):
    assert json.loads(run("doctor", "--json"))["healthy"] is True
