"""The page on measuring names every metric and every weight."""

from pathlib import Path

from bethink.evals.lifecycle.metrics import METRICS
from bethink.health.condition.health_score import WEIGHTS

PAGE = (Path(__file__).parents[3] / "docs" / "evals.md").read_text(encoding="utf-8")


def test_every_suite_is_explained():
    assert {f"`{metric.suite}.*`" for metric in METRICS.values()} <= {
        word.strip("():,") for word in PAGE.split()
    }


def test_every_weight_of_the_score_is_as_the_page_says():
    for ailment, weight in WEIGHTS.items():
        assert f"| {ailment} | {weight:g} |" in PAGE
