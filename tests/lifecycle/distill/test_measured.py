"""Precision and recall stay above floors.

Three parts: `development` is what the rules are tuned on; `held_out` was written before the rules, `later` after them.
`held_out` and the rules are of one hand and one hour, so it flatters. `later` tells better what unseen turns give: its
first measurement had a recall of 0.23 to 0.62; the rules were then widened once by kinds of sentence, seeing its totals
only. `once` holds wishes for this time, written before the rules were widened for them (first recall 0.39). Turns for
tuning go to `development`.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[3] / "bench" / "distill.py"
FLOORS = {
    ("held_out", "en"): (0.9, 0.9),
    ("held_out", "de"): (0.93, 0.93),
    ("held_out", "fr"): (0.93, 0.93),
    ("held_out", "es"): (0.93, 0.85),
    ("held_out", "ja"): (0.95, 0.9),
    ("held_out", "zh"): (0.95, 0.93),
    ("later", "en"): (0.9, 0.55),
    ("later", "de"): (0.85, 0.65),
    ("later", "fr"): (0.9, 0.5),
    ("later", "es"): (0.9, 0.5),
    ("later", "ja"): (0.9, 0.45),
    ("later", "zh"): (0.9, 0.7),
    **{("once", code): (0.93, 0.8) for code in ("en", "de", "fr", "es", "ja", "zh")},
    ("development", "en"): (0.97, 0.97),
    ("development", "de"): (0.97, 0.97),
    ("development", "fr"): (0.97, 0.97),
    ("development", "es"): (0.97, 0.97),
    ("development", "ja"): (0.97, 0.97),
    ("development", "zh"): (0.97, 0.97),
}


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("bench_distill", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH.parent))
        spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("part", "language"), FLOORS)
def test_precision_and_recall_stay_above_their_floors(bench, part, language):
    precision, recall = FLOORS[part, language]
    done = bench.score(part, language)
    assert done.precision >= precision, done
    assert done.recall >= recall, done


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "ja", "zh"])
def test_the_parts_share_no_turn_and_half_of_the_held_out_turns_are_keepers(bench, language):
    held_out = bench.turns("held_out", language)
    texts = {case["text"] for case in held_out}
    assert len(texts) >= 50
    assert not texts & {case["text"] for case in bench.turns("development", language)}
    assert not texts & {case["text"] for case in bench.turns("later", language)}
    keepers = sum("keep" in case for case in held_out) / len(held_out)
    assert 0.4 <= keepers <= 0.65
