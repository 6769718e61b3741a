"""Every language's file keeps what it promises: its examples are run."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from bethink.languages.loading import CODES, language
from bethink.lifecycle.distill.clauses import clauses
from bethink.lifecycle.distill.dates import expires_at, relative_day
from bethink.lifecycle.distill.intents import forbids, forgets, subject_words
from bethink.lifecycle.distill.wishes import wish

TODAY = date(2026, 3, 3)  # a Tuesday


def examples(name):
    return [
        pytest.param(code, each, id=f"{code}-{place}")
        for code in CODES
        for place, each in enumerate(language(code).section("examples")[name])
    ]


def first(text, book):
    return clauses(text, book)[0]


@pytest.mark.parametrize(("code", "example"), examples("clauses"))
def test_a_message_is_cut_into_its_clauses(code, example):
    text, wanted = example
    assert [clause.said for clause in clauses(text, language(code))] == wanted


@pytest.mark.parametrize(("code", "example"), examples("veto"))
def test_what_states_nothing_is_known_by_its_closed_class(code, example):
    text, name = example
    book = language(code)
    words, phrases = book.words(text), book.phrases("vetoes", name)
    found = {"reply": phrases.whole(words), "request": phrases.at(words, 0) > 0}
    assert found.get(name, phrases.within(words))


@pytest.mark.parametrize(("code", "example"), examples("wish"))
def test_a_standing_wish_is_told_from_an_order_and_from_a_habit(code, example):
    text, wanted = example
    book = language(code)
    assert wish(first(text, book), book) == wanted


@pytest.mark.parametrize(("code", "example"), examples("forget"))
def test_only_a_direct_imperative_asks_to_forget(code, example):
    text, wanted = example
    book = language(code)
    asked = forgets(first(text, book), (), book)
    assert bool(asked) == bool(wanted)
    assert set(subject_words(wanted, book)) <= set(subject_words(asked.text if asked else "", book))


@pytest.mark.parametrize(("code", "text"), examples("forbidden"))
def test_what_is_not_to_be_remembered_is_understood(code, text):
    book = language(code)
    assert forbids(first(text, book), book)


@pytest.mark.parametrize(("code", "text"), examples("once"))
def test_what_holds_for_this_time_only_is_understood(code, text):
    book = language(code)
    assert book.phrases("time", "once").within(book.words(text))


@pytest.mark.parametrize(("code", "example"), examples("until"))
def test_until_when_a_clause_holds_is_counted(code, example):
    text, wanted = example
    book = language(code)
    expires = expires_at(book.words(text), book, TODAY)
    assert expires is not None
    assert (expires.date() - timedelta(days=1)).isoformat() == wanted


@pytest.mark.parametrize(("code", "example"), examples("day"))
def test_a_relative_day_is_resolved(code, example):
    text, wanted = example
    book = language(code)
    found = relative_day(book.words(text), book, TODAY)
    assert found is not None
    assert found[1].isoformat() == wanted
