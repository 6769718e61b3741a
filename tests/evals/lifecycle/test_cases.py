"""The cases are what they say: apart from the rules, the same every time, and consistent in themselves."""

import re
from pathlib import Path

import pytest

from bethink.evals.lifecycle import cases
from bethink.evals.lifecycle.people import MONTHS, people
from bethink.evals.lifecycle.words import holds, mentions

ROOT = Path(__file__).parents[3]
WORDS = 6  #: in a row, that no case shares with the rules or with what they were tested on


def runs(text):
    words = re.findall(r"[^\W_]+", text.casefold())
    return {tuple(words[place : place + WORDS]) for place in range(len(words) - WORDS + 1)}


def sentences():
    yield from (case.say for case in cases.said())
    for topic in cases.topics():
        for value in (*topic.values, *([topic.once] if topic.once else [])):
            yield from value.say


def test_no_sentence_is_taken_from_the_rules_or_from_their_own_tests():
    theirs = set()
    for folder in ("src/bethink/lifecycle", "tests/lifecycle"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".jsonl", ".json"}:
                theirs |= runs(path.read_text(encoding="utf-8"))
    shared = [text for text in sentences() if runs(text) & theirs]
    assert shared == []


def test_every_message_that_is_to_be_kept_says_what_it_is_looked_for_by():
    found = cases.said()
    assert len({case.id for case in found}) == len(found)
    for case in found:
        assert bool(case.needles) == (case.scope != "nothing")
        assert not case.needles or mentions(case.say, case.needles)


def test_every_language_has_messages_to_keep_and_to_leave():
    for language in ("en", "de", "fr", "es", "ja", "zh"):
        scopes = {case.scope for case in cases.said() if case.language == language}
        assert scopes == {"lasting", "once", "nothing"}


def test_every_value_of_a_topic_is_told_from_the_others_of_it():
    for topic in cases.topics():
        values = [*topic.values, *([topic.once] if topic.once else [])]
        for value in values:
            for text in value.say:
                assert [each.needle for each in values if holds(text, each.needle)] == [value.needle]
        assert not any(holds(topic.question, value.needle) for value in values)


def test_small_talk_gives_no_answer_away():
    needles = [value.needle for topic in cases.topics() for value in topic.values]
    for pair in cases.talk().small:
        assert not any(holds(text, needle) for text in pair for needle in needles)


@pytest.mark.parametrize("seed", [1, 7])
def test_the_same_seed_makes_the_same_users(seed):
    def made():
        return people(5, seed=seed, topics=cases.topics(), talk=cases.talk())

    assert made() == made()
    assert made() != people(5, seed=seed + 1, topics=cases.topics(), talk=cases.talk())


def test_what_is_asked_in_the_end_was_said_last():
    for person in people(30, seed=3, topics=cases.topics(), talk=cases.talk()):
        assert len(person.sittings) == MONTHS
        for ask in person.asks:
            said = [
                each.needle
                for sitting in person.sittings
                for each in sitting.exchanges
                if each.topic == ask.topic and not each.once
            ]
            assert said[-1] == ask.needle
            assert list(dict.fromkeys(said)) == [*ask.older, ask.needle]
            months = [
                sitting.month
                for sitting in person.sittings
                for each in sitting.exchanges
                if each.topic == ask.topic
            ]
            assert len(months) == len(set(months))  # never two of one thing in a sitting
