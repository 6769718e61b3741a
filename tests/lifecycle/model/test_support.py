"""What a model may make of what was said, and what it may not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bethink.lifecycle.model import ModelConsolidator
from bethink.lifecycle.model.support import UserMessage, is_covered, unsupported_part
from bethink.lifecycle.values import Retire
from bethink.testing.model_server import Says

NOW = datetime(2026, 2, 1, tzinfo=UTC)


def wrong(text, sentence, code="en"):
    return unsupported_part(text, [UserMessage(item="i1", sentences=(sentence,), code=code)], now=NOW)


@pytest.mark.parametrize(
    ("text", "sentence", "code"),
    [
        ("Moved to Rome.", "I moved to Rome this week.", "en"),
        ("User moved to Rome.", "I moved to Rome this week.", "en"),
        ("User lives in Rome.", "I moved to Rome this week.", "en"),
        ("Gets seasick; no ferries.", "I get seasick, so no ferries please.", "en"),
        ("User gets seasick.", "I get seasick so no ferries please.", "en"),
        ("User goes by Max.", "I go by Max, by the way.", "en"),
        ("User speaks German.", "I live in Graz and speak German.", "en"),
        ("Ich wohne in Graz.", "Ich wohne in Graz und arbeite als Lehrerin.", "de"),
        ("Ich arbeite als Lehrerin.", "Ich wohne in Graz und arbeite als Lehrerin.", "de"),
        ("Je parle allemand.", "J'habite à Metz et je parle allemand.", "fr"),
        ("我住在西安。", "我住在西安，会说德语。", "zh"),
    ],
)
def test_a_split_or_a_paraphrase_of_what_was_said_is_let_through(text, sentence, code):
    assert wrong(text, sentence, code) is None


@pytest.mark.parametrize(
    ("text", "sentence", "code"),
    [
        ("Moved to Milan.", "I moved to Rome this week.", "en"),
        ("User does not live in Rome.", "I moved to Rome this week.", "en"),
        ("User lives in Rome.", "I might move to Rome.", "en"),
        ("User lives in Rome.", "My sister moved to Rome.", "en"),
        ("Gets seasick; likes ferries.", "I get seasick, so no ferries please.", "en"),
        ("User takes window seats.", "If I fly alone, I take window seats.", "en"),
        (
            "User takes window seats.",
            "I take window seats when I fly alone, and aisle seats otherwise.",
            "en",
        ),
        ("User hates opera.", "My wife loves jazz, hates opera.", "en"),
        ("User works at Siemens as a director.", "I started at Siemens last month.", "en"),
        ("Ich wohne in Linz.", "Ich wohne in Graz und arbeite als Lehrerin.", "de"),
        ("Ich esse Fleisch.", "Ich esse kein Fleisch und trinke Wein.", "de"),
        ("Syön lihaa.", "En syö lihaa.", "en"),
    ],
)
def test_what_was_not_said_is_still_refused(text, sentence, code):
    assert wrong(text, sentence, code) is not None


def test_when_something_was_may_be_left_out_and_nothing_else():
    assert is_covered("I moved to Rome this week.", ["Moved to Rome."])
    assert is_covered("I moved to Rome this week.", ["User lives in Rome."])
    assert not is_covered("I moved to Rome with my dog.", ["Moved to Rome."])
    assert not is_covered("I no longer live in Rome.", ["User lives in Rome."])


def test_a_new_employer_takes_the_place_of_the_old_one_in_the_models_words(server, chat, note):
    server.then(
        Says(
            {"decisions": [{"note": "s1", "as": "replaces", "of": ["g1"], "text": "User works at Siemens."}]}
        )
    )
    staged = [note("n2", "I started at Siemens last month.", session="s", day=20)]
    proposal = ModelConsolidator(chat).propose(staged, [note("n1", "Works at Bosch.")], now=NOW)
    assert proposal.remarks == ()
    ended = {each.note: each.outcome for each in proposal.changes if isinstance(each, Retire)}
    assert ended == {"n2": "promoted", "n1": "superseded"}
