"""Turns, and how many items an undo of them takes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import InvalidError
from bethink.sessions.turns import split_turns, starts_turn
from bethink.sessions.undo import newest_turns

from . import logs
from .logs import asks, call, exchange, result, said, system, tool, used, user, uses


def test_a_turn_is_a_word_of_the_user_with_all_that_follows():
    log = [user(), call(), result(), said(), user(), user(), said()]
    assert split_turns(log) == [range(4), range(4, 5), range(5, 7)]
    assert split_turns([]) == []


def test_what_precedes_the_first_user_is_a_turn():
    assert split_turns([said(), user()]) == [range(1), range(1, 2)]


def test_a_tool_result_in_the_users_role_starts_no_turn():
    assert not starts_turn(used("a"))
    assert split_turns([user(), uses("a"), used("a"), said()]) == [range(4)]


@given(logs.LOGS)
def test_turns_cover_the_log(log):
    assert [place for turn in split_turns(log) for place in turn] == list(range(len(log)))


def test_an_undo_takes_back_the_whole_turn_with_what_a_window_leaves_out():
    log = [*exchange(), user(), asks("a"), tool("a"), tool("orphan"), system(), call("waiting")]
    assert newest_turns(log) == (6, 1, True)
    assert newest_turns(log, 2) == (8, 2, True)


def test_an_undo_of_more_than_there_is_takes_all():
    assert newest_turns([said(), *exchange()], 5) == (3, 2, False)
    assert newest_turns([], 1) == (0, 0, False)
    assert newest_turns([said()], 1) == (1, 1, False)


@pytest.mark.parametrize("n", [0, -1, True, 1.0, None])
def test_an_undo_of_less_than_a_turn_is_refused(n):
    with pytest.raises(InvalidError) as caught:
        newest_turns([user()], n)
    assert caught.value.argument == "n"


@given(logs.LOGS, st.integers(1, 4), st.integers(0, 30))
def test_a_settled_span_is_that_of_the_whole_log(log, n, fed):
    span = newest_turns(log[max(0, len(log) - fed) :], n)
    if span.settled:
        assert span == newest_turns(log, n)
        assert span.items == sum(len(turn) for turn in split_turns(log)[-n:])
