"""The cases are what they say: apart from the rules, the same every time, and consistent in themselves."""

import json
import re
from itertools import chain
from pathlib import Path

import pytest

from bethink.evals.lifecycle import cases
from bethink.evals.lifecycle.dialogues import labels
from bethink.evals.lifecycle.people import MONTHS, simulated_users
from bethink.evals.lifecycle.text_checks import contains_word

ROOT = Path(__file__).parents[3]
WORDS = 6  #: in a row, that no case shares with the rules, their tests, or what the score was trained on
SIGNS = 12  #: the same of a script without spaces
SIGN = "[\u3040-\u30ff\u3400-\u9fff]"
WORD = re.compile(rf"{SIGN}|(?:(?!{SIGN})[^\W_])+(?:['’](?:(?!{SIGN})[^\W_])+)*")
LANGUAGES = {"en", "de", "fr", "es", "it", "pt", "ja", "zh"}
FOLDERS = ("src/bethink/lifecycle", "src/bethink/languages", "tests/lifecycle", "tests/languages", "training")
PARTS = ("development", "held_out")


def runs(text):
    many = SIGNS if re.search(SIGN, text) else WORDS
    words = WORD.findall(text.casefold())
    return {tuple(words[place : place + many]) for place in range(len(words) - many + 1)}


def said():
    """Return everything that the held-out cases have people say, and the made-up users."""
    for turn in chain(cases.everyday(), cases.chatter(), *(day.turns for day in cases.days())):
        yield turn.text
    for case in cases.corrections():
        yield from (case.first, case.second)
    for case in cases.requests():
        yield from (case.text, *case.stored)
    for topic in cases.topics():
        for value in (*topic.values, *([topic.once] if topic.once else [])):
            yield from value.say


def theirs():
    """Return the runs of words of the rules, of the files of languages, of their tests and of the training."""
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".toml", ".json"}:
                yield from runs(path.read_text(encoding="utf-8"))
            if path.suffix in {".jsonl", ".toml"}:
                for line in path.read_text(encoding="utf-8").splitlines():
                    texts = json.loads(line).values() if path.suffix == ".jsonl" else [line]
                    yield from chain.from_iterable(runs(text) for text in texts if isinstance(text, str))


def test_no_sentence_is_taken_from_the_rules_or_from_their_own_tests_or_their_training():
    known = set(theirs())
    assert len(known) > 100_000
    assert [text for text in said() if runs(text) & known] == []


@pytest.mark.parametrize("read", [cases.everyday, cases.chatter, cases.corrections, cases.requests])
def test_the_halves_share_no_case_and_have_every_language_alike(read):
    development, held_out = (read(part) for part in PARTS)
    for half in (development, held_out):
        assert len({case.id for case in half}) == len(half)
        counts = [sum(case.language == code for case in half) for code in LANGUAGES]
        assert {case.language for case in half} == LANGUAGES
        assert len(set(counts)) == 1
    ours, theirs = (
        {getattr(case, "text", None) or case.first for case in half} for half in (development, held_out)
    )
    assert [text for text in ours & theirs if len(text) > 1] == []  # a laugh in one sign is nobody's own


@pytest.mark.parametrize("part", PARTS)
def test_every_clause_that_is_marked_is_in_its_message_word_for_word(part):
    turns = [*cases.everyday(part), *chain.from_iterable(day.turns for day in cases.days())]
    for turn in turns:
        assert all(span in turn.text for span in (*turn.lasting, *turn.passing)), turn.id
        assert not set(turn.lasting) & set(turn.passing)
    assert not any((*turn.lasting, *turn.passing) for turn in cases.chatter(part))


@pytest.mark.parametrize("part", PARTS)
def test_everyday_messages_are_mixed_with_some_in_which_nothing_lasts(part):
    for code in LANGUAGES:
        lasting = [bool(turn.lasting) for turn in cases.everyday(part) if turn.language == code]
        assert 0.3 < sum(lasting) / len(lasting) < 0.8


@pytest.mark.parametrize("part", PARTS)
def test_corrections_name_what_is_over_and_what_holds_word_for_word(part):
    for case in cases.corrections(part):
        assert case.old in case.first
        assert case.new is None or case.new in case.second
        assert all(span in case.first or span in case.second for span in case.stands)


@pytest.mark.parametrize("part", PARTS)
def test_requests_mean_one_note_or_none_and_some_only_sound_like_it(part):
    wanted = [case.forget for case in cases.requests(part)]
    assert all(
        each is None or each in range(len(case.stored))
        for each, case in zip(wanted, cases.requests(part), strict=True)
    )
    assert 0.2 < wanted.count(None) / len(wanted) < 0.5


def test_a_month_has_its_days_in_order_and_every_mark_belongs_to_a_message():
    days = [day.day for day in cases.days()]
    assert len(days) == 30
    assert days == sorted(set(days))
    marked = sum(bool(turn.lasting or turn.passing) for day in cases.days() for turn in day.turns)
    gold = (ROOT / "src/bethink/evals/lifecycle/data/days_gold.jsonl").read_text("utf-8").splitlines()
    assert marked == len(gold)


def test_two_labelled_every_sentence_and_agree_as_far_as_the_page_says():
    found = labels()
    page = (ROOT / "docs" / "evals.md").read_text("utf-8")
    for code, shown in (("en", "94.4 %"), ("zh", "94.0 %")):
        both = [pair for key, pair in found.items() if key.startswith(f"{code}|")]
        assert {label for pair in both for label in pair} == {"L", "W", "N"}
        assert f"{100 * sum(one == other for one, other in both) / len(both):.1f} %" == shown
        assert shown in page


def test_every_value_of_a_topic_is_told_from_the_others_of_it():
    for topic in cases.topics():
        values = [*topic.values, *([topic.once] if topic.once else [])]
        for value in values:
            for text in value.say:
                assert [each.needle for each in values if contains_word(text, each.needle)] == [value.needle]
        assert not any(contains_word(topic.question, value.needle) for value in values)


def test_small_talk_gives_no_answer_away():
    needles = [value.needle for topic in cases.topics() for value in topic.values]
    for pair in cases.talk().small:
        assert not any(contains_word(text, needle) for text in pair for needle in needles)


@pytest.mark.parametrize("seed", [1, 7])
def test_the_same_seed_makes_the_same_users(seed):
    def made():
        return simulated_users(5, seed=seed, topics=cases.topics(), talk=cases.talk())

    assert made() == made()
    assert made() != simulated_users(5, seed=seed + 1, topics=cases.topics(), talk=cases.talk())


def test_what_is_asked_in_the_end_was_said_last():
    for person in simulated_users(30, seed=3, topics=cases.topics(), talk=cases.talk()):
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
