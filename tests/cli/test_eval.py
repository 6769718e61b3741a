"""Measuring the memory."""

import json

import pytest

from bethink.evals.scores import METRICS


def test_locomo_is_scored_by_category(bethink, conversations, folder):
    outcome = bethink("eval", "locomo", conversations, "--json").json
    assert (outcome["conversations"], outcome["turns"]) == (2, 10)
    groups = outcome["groups"]
    assert {name: group["questions"] for name, group in groups.items()} == {
        "all": 6, "without adversarial": 5, "multi-hop": 1, "temporal": 1, "open-domain": 1, "single-hop": 2,
        "adversarial": 1,
    }  # fmt: skip
    for group in groups.values():
        assert tuple(group["metrics"]) == METRICS
        assert group["milliseconds"] > 0
    assert groups["all"]["metrics"]["R@10"]["mean"] == 1
    assert groups["all"]["metrics"]["R@5"]["mean"] == pytest.approx(1, abs=0.2)
    assert not list(folder.iterdir())


def test_the_table_has_a_line_a_category(bethink, conversations):
    shown = bethink("eval", "locomo", conversations, status=0).out
    for word in ("multi-hop", "adversarial", "R@10", "nDCG@10"):
        assert word in shown


def test_a_file_that_is_not_locomo_is_refused(bethink, folder):
    (folder / "odd.json").write_text('{"a": 1}')
    assert "does not contain a JSON array" in bethink("eval", "locomo", "odd.json", status=1).err
    (folder / "odd.json").write_text('[{"a": 1}]')
    assert (
        "not a valid LoCoMo file: in entry 1, 'conversation' is missing"
        in bethink("eval", "locomo", "odd.json", status=1).err
    )
    bethink("eval", "locomo", folder, status=2)
    bethink("eval", status=2)


@pytest.mark.parametrize(
    ("name", "place", "questions", "left_out"),
    [("longmemeval", "longmemeval.json", 2, 1), ("beam", "beam", 3, 3), ("convomem", "convomem", 3, 2)],
)
def test_each_data_set_is_asked_and_scored(bethink, conversations, name, place, questions, left_out):
    outcome = bethink("eval", name, conversations.parent / place, "--json").json
    assert (outcome["dataset"], outcome["left_out"]) == (name, left_out)
    assert outcome["groups"]["all"]["questions"] == questions
    assert outcome["groups"]["all"]["metrics"]["session any@5"]["mean"] == 1


def test_no_more_questions_are_asked_than_the_limit(bethink, conversations):
    outcome = bethink("eval", "locomo", conversations, "--limit", "2", "--json").json
    assert (outcome["conversations"], outcome["groups"]["all"]["questions"]) == (1, 2)


def test_each_failure_is_written_with_what_was_wanted_and_what_was_found(bethink, folder):
    talk = [
        {"dia_id": f"D1:{n}", "speaker": "Ines", "text": f"The kettle number {n} whistles."}
        for n in range(1, 40)
    ]
    talk.append({"dia_id": "D1:40", "speaker": "Ines", "text": "Elsewhere."})
    conversation = {"speaker_a": "Ines", "session_1": talk, "session_1_date_time": "1:30 pm on 2 May, 2024"}
    asked = {"question": "Which kettle whistles?", "category": 4, "evidence": ["D1:40"]}
    (folder / "talk.json").write_text(
        json.dumps([{"sample_id": "talk", "conversation": conversation, "qa": [asked]}])
    )
    outcome = bethink("eval", "locomo", "talk.json", "--failures", "failures.jsonl", "--json").json
    assert outcome["failures"] == 1
    (failure,) = [json.loads(line) for line in (folder / "failures.jsonl").read_text().splitlines()]
    assert (failure["text"], failure["metric"]) == ("Which kettle whistles?", "all@10")
    assert [(one["turn"], one["text"]) for one in failure["wanted"]] == [("D1:40", "Elsewhere.")]
    assert [one["place"] for one in failure["found"]] == list(range(1, 11))
    assert "kettle" in failure["found"][0]["text"]
    assert bethink("eval", "locomo", "talk.json", "--failures", "no/such/folder", status=1).err
