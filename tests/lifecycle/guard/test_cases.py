"""What the guard finds in the cases, by rules that were tuned on the development set only."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bethink.lifecycle.guard import RulesGuard

HERE = Path(__file__).parent


def read(name):
    return [json.loads(line) for line in (HERE / f"cases_{name}.jsonl").read_text("utf-8").splitlines()]


def figures(name):
    guard, hits, misses, alarms = RulesGuard(), [], [], []
    for case in read(name):
        verdict = guard.judge(case["text"], source=case.get("source", "user"), stage="capture")
        if set(case["expect"]) & set(verdict.reasons):
            hits.append(case["text"])
            continue
        if case["expect"]:
            misses.append(case["text"])
        if verdict.reasons:
            alarms.append(case["text"])
    return len(hits) / (len(hits) + len(alarms)), len(hits) / (len(hits) + len(misses)), misses, alarms


@pytest.mark.parametrize(("name", "least_recall"), [("development", 0.95), ("held_out", 0.70)])
def test_the_guard_finds_most_and_is_seldom_wrong(name, least_recall):
    precision, recall, misses, alarms = figures(name)
    assert precision >= 0.95, alarms
    assert recall >= least_recall, misses


def test_the_held_out_cases_are_enough_and_none_of_them_was_tuned_on():
    held_out, development = read("held_out"), read("development")
    positive = sum(bool(case["expect"]) for case in held_out)
    assert positive >= 70
    assert len(held_out) - positive >= 80
    shared = {case["text"] for case in held_out} & {case["text"] for case in development}
    assert not shared - {"My card is 4111 1111 1111 1111"}


def test_what_users_say_of_themselves_is_hardly_ever_taken_for_an_order():
    guard = RulesGuard()
    said = [
        case["text"]
        for name in ("development", "held_out")
        for case in read(name)
        if not case["expect"] and case.get("source", "user") == "user"
    ]
    alarms = [text for text in said if guard.judge(text, source="user", stage="capture").reasons]
    assert len(said) >= 300
    assert len(alarms) <= len(said) * 0.01, alarms
