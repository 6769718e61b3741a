from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.evals import locomo
from bethink.evals.metrics import bootstrap, first_seen, ndcg_at, recall_at, reciprocal_rank


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
    scored = locomo.score(["D2:1", "D10:1"], found.questions[0])
    assert scored.values["R@5"] == 1
    assert scored.values["nDCG@10"] == pytest.approx(0.6309, abs=1e-4)
    assert set(locomo.summary([scored])) == {"all", "without adversarial", "single-hop"}
