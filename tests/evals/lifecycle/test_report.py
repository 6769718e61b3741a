"""`bethink eval lifecycle`: every metric, every failure, one file of HTML that needs nothing else."""

import json
import re
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from bethink.cli.app import app
from bethink.evals.lifecycle.metrics import METRICS, figures
from bethink.evals.lifecycle.page import page
from bethink.evals.lifecycle.values import Check, Outcome

HOSTILE = "</pre><script>alert('x')</script>&\"<img src=x onerror=y>"


def dialogues_of_others(folder):
    """Write a file of each data set that is measured only where it is given; return how it is named."""
    talk = {"query": "My name is Emily and I live in Leeds. Good morning!", "response": "Hello."}
    bank = {"en": {"Emily": {"history": {"2023-04-27": [talk]}}}}
    turns = [
        {
            "speaker": "Ann",
            "dia_id": "D1:1",
            "text": "I work as a nurse in Leeds. " + "It has been a long week. " * 5,
        },
        {"speaker": "Bob", "dia_id": "D1:2", "text": "Sleep well then."},
    ]
    sample = {
        "conversation": {"speaker_a": "Ann", "speaker_b": "Bob", "session_1": turns},
        "observation": {"session_1_observation": {"Ann": [["Ann is a nurse.", "D1:1"]]}},
    }
    for name, plain in (("bank", bank), ("talks", [sample])):
        (folder / name).write_text(json.dumps(plain), encoding="utf-8")
    return ["--memorybank", str(folder / "bank"), "--locomo", str(folder / "talks")]


@pytest.fixture(scope="module")
def answer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    path = folder / "report.html"
    command = [
        "eval",
        "lifecycle",
        "--users",
        "2",
        "--json",
        "--html",
        str(path),
        *dialogues_of_others(folder),
    ]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout), path.read_text(encoding="utf-8")


def test_every_metric_is_answered_and_measured(answer):
    plain, _ = answer
    found = {figure["metric"]["name"]: figure for figure in plain["figures"]}
    assert set(found) == set(METRICS)
    assert [name for name, figure in found.items() if figure["interval"] is None] == []
    for figure in found.values():
        assert figure["interval"]["low"] <= figure["interval"]["mean"] <= figure["interval"]["high"]


def test_failures_are_listed_one_by_one_and_are_as_many_as_the_figures_say(answer):
    plain, _ = answer
    assert len(plain["failures"]) == sum(figure["failed"] for figure in plain["figures"])
    assert all(failure["case"] and failure["wanted"] for failure in plain["failures"])


def test_what_production_counts_agrees_with_what_the_harness_saw(answer):
    plain, _ = answer
    counted = plain["tallies"]["practical metrics, as production counts them"]
    assert counted["memory_write_rate"] > 0
    assert counted["time_to_personalization"] >= 1


def test_a_context_is_never_longer_than_its_budget(answer):
    plain, _ = answer
    (figure,) = [each for each in plain["figures"] if each["metric"]["name"] == "injection.within_budget"]
    assert figure["interval"]["mean"] == 1


def test_the_report_needs_nothing_from_elsewhere(answer):
    _, html = answer
    assert html.count("<svg") > 5
    assert not re.search(r"<script|<link|<img|@import|url\(|src=|href=", html)
    assert "default-src 'none'" in html
    for name in METRICS:
        assert name in html


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)


def test_nothing_in_a_report_is_read_as_markup():
    checks = (
        Check(metric="safety.fences", case=HOSTILE, group=HOSTILE, value=0.0, wanted=HOSTILE, got=HOSTILE),
        Check(metric="safety.fences", case="b", group=f"{HOSTILE}2", value=1.0, wanted=HOSTILE),
    )
    outcome = Outcome(
        figures=tuple(figures(checks)),
        failures=checks[:1],
        tallies={HOSTILE: {HOSTILE: 2.0}},
        seed=1,
        seconds=1.0,
    )
    html = page(outcome)
    tags = Tags()
    tags.feed(html)
    assert not tags.seen & {"script", "img"}
    assert html.count("&lt;script&gt;") >= 5


def test_people_see_the_table_and_the_failures_if_they_ask():
    done = CliRunner().invoke(
        app, ["eval", "lifecycle", "--users", "1", "--failures"], env={"COLUMNS": "200"}
    )
    assert done.exit_code == 0, done.stderr
    for name in METRICS:
        assert name in done.stdout
    assert "wanted: " in done.stdout
    assert "got: " in done.stdout


def test_a_data_set_that_is_not_given_is_told_as_not_measured_and_one_that_is_none_as_an_error(tmp_path):
    odd = tmp_path / "odd.json"
    odd.write_text("[]")
    command = ["eval", "lifecycle", "--users", "1"]
    done = CliRunner().invoke(app, [*command, "--development", "--json"])
    measured = {each["metric"]["suite"] for each in json.loads(done.stdout)["figures"] if each["interval"]}
    assert {each.suite for each in METRICS.values()} - measured == {"memorybank", "observed"}
    done = CliRunner().invoke(app, [*command, "--memorybank", str(odd)])
    assert done.exit_code == 1
    assert "is not a valid MemoryBank file" in done.stderr


def test_a_report_that_cannot_be_written_is_one_line(tmp_path):
    done = CliRunner().invoke(
        app, ["eval", "lifecycle", "--users", "1", "--html", str(tmp_path / "no" / "report.html")]
    )
    assert done.exit_code == 1
    assert f"cannot write {tmp_path / 'no' / 'report.html'}" in done.stderr
