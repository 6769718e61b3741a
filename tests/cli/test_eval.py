"""Measuring the memory."""

import pytest

from bethink.evals.locomo import METRICS


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
    assert "no JSON array" in bethink("eval", "locomo", "odd.json", status=1).err
    (folder / "odd.json").write_text('[{"a": 1}]')
    assert "not LoCoMo" in bethink("eval", "locomo", "odd.json", status=1).err
    bethink("eval", "locomo", folder, status=2)
    bethink("eval", status=2)
