from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.evals import locomo
from bethink.evals.cases import Question
from bethink.evals.metrics import bootstrap, bootstrap_by, first_seen, ndcg_at, recall_at, reciprocal_rank
from bethink.evals.scores import METRICS, score, summary


def test_recall_is_the_share_of_gold_among_the_first():
    assert recall_at("abcde", {"a", "e", "z"}, 3) == pytest.approx(1 / 3)
    assert recall_at("abcde", {"a", "e"}, 5) == 1


def test_ndcg_is_one_for_the_best_order_and_falls_with_the_place():
    assert ndcg_at("abc", {"a", "b"}, 10) == 1
    assert ndcg_at("cab", {"a", "b"}, 10) < ndcg_at("acb", {"a", "b"}, 10) < 1
    assert ndcg_at("c", {"a"}, 10) == 0


def test_reciprocal_rank_counts_from_one():
    assert reciprocal_rank("abc", {"c"}) == pytest.approx(1 / 3)
    assert reciprocal_rank("abc", {"z"}) == 0


def test_sessions_rank_by_their_first_item():
    assert first_seen(["b", "a", "b", "c"]) == ["b", "a", "c"]


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_an_interval_holds_its_mean_and_is_the_same_every_time(values):
    found = bootstrap(values, rounds=50)
    assert found == bootstrap(values, rounds=50)
    assert min(values) - 1e-12 <= found.low <= found.high <= max(values) + 1e-12
    assert min(values) - 1e-12 <= found.mean <= max(values) + 1e-12


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        (["D8:6; D9:17"], ["D8:6", "D9:17"]),
        (["D:11:26"], ["D11:26"]),
        (["D30:05"], ["D30:5"]),
        (["D1:3", "D"], ["D1:3"]),
        ([""], []),
    ],
)
def test_evidence_is_read_however_it_was_typed(raw, clean):
    assert locomo.evidence(raw) == clean


def test_a_file_is_read_with_its_sessions_in_order(tmp_path):
    def turn(number, speaker, words, **more):
        return {"dia_id": number, "speaker": speaker, "text": words, **more}

    path = tmp_path / "sample.json"
    conversation = {
        "speaker_a": "Ines",
        "speaker_b": "Ruben",
        "session_10_date_time": "9:05 am on 12 June, 2024",
        "session_10": [turn("D10:1", "Ruben", "The boat is sold.")],
        "session_2_date_time": "1:30 pm on 2 May, 2024",
        "session_2": [turn("D2:1", "Ines", "Look!", blip_caption="a green boat")],
        "session_3_date_time": "1:30 pm on 3 May, 2024",
    }
    questions = [
        {"question": "What was sold?", "category": 4, "evidence": ["D10:01"]},
        {"question": "Without evidence?", "category": 1, "evidence": []},
        {"question": "Beyond the end?", "category": 1, "evidence": ["D99:1"]},
    ]
    path.write_text(json.dumps([{"sample_id": "x", "conversation": conversation, "qa": questions}]))
    (found,) = locomo.load(path)
    assert [t.id for t in found.turns] == ["D2:1", "D10:1"]
    assert found.turns[0].item.at.isoformat() == "2024-05-02T13:30:00+00:00"
    assert "a green boat" in str(found.turns[0].item.body)
    assert [q.gold for q in found.questions] == [{"D10:1"}]
    assert [q.category for q in found.questions] == ["single-hop"]
    assert found.left_out == 2


SESSIONS = {"a": "one", "b": "one", "c": "two", "d": "three"}


def ask(gold, sessions, category="some"):
    return Question("?", category, frozenset(gold), frozenset(sessions))


def test_any_is_met_by_one_turn_of_the_answer_and_all_only_by_every_one():
    half = score([*"xxxx", "a", *"yyyy"], ask("ac", {"one", "two"}), SESSIONS)
    assert (half.values["R@5"], half.values["any@5"], half.values["all@5"]) == (0.5, 1, 0)
    assert half.values["MRR"] == pytest.approx(1 / 5)
    whole = score([*"xxxx", "a", "c"], ask("ac", {"one", "two"}), SESSIONS)
    assert (whole.values["all@5"], whole.values["all@10"]) == (0, 1)


def test_sessions_are_ranked_by_their_best_turn_and_what_is_no_turn_is_none():
    found = score(["note", "c", "b", "a", "d"], ask("d", {"three"}), SESSIONS)
    assert found.values["session MRR"] == pytest.approx(1 / 3)
    assert found.values["MRR"] == pytest.approx(1 / 5)


def test_where_only_sessions_are_known_nothing_is_said_of_turns():
    found = score(["c"], ask("", {"two"}), SESSIONS)
    assert set(found.values) == {name for name in METRICS if name.startswith("session ")}
    assert summary([found])["all"][1]["session R@5"].mean == 1


def test_a_group_is_made_for_each_category_and_without_those_apart():
    scored = [score(["a"], ask("a", {"one"}, name), SESSIONS, conversation=name) for name in ("x", "y")]
    groups = summary(scored, apart={"x"})
    assert {name: len(members) for name, (members, _) in groups.items()} == {
        "all": 2,
        "without x": 1,
        "x": 1,
        "y": 1,
    }


def test_drawing_conversations_gives_a_wider_range_than_drawing_questions():
    values, groups = [1.0] * 50 + [0.0] * 50, ["a"] * 50 + ["b"] * 50
    by_group, by_value = bootstrap_by(values, groups), bootstrap(values)
    assert (by_group.low, by_group.high) == (0, 1)
    assert by_value.high - by_value.low < 0.3
    assert by_group.mean == by_value.mean == 0.5
    assert bootstrap_by(values, ["a"] * 100) == by_value
