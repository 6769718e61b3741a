"""The part of a log that a model sees, its edge cases, and what holds for every log."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import InvalidError
from bethink.sessions.item_kinds import classify
from bethink.sessions.pairs import units
from bethink.sessions.token_counts import item_tokens
from bethink.sessions.turns import split_turns
from bethink.sessions.windows import choose_window, first_look, window

from . import logs
from .logs import asks, call, exchange, result, said, system, thought, tool, used, user, uses


def window_bodies(bodies, **limits):
    """Return the items themselves that a model sees."""
    return [bodies[place] for place in window(bodies, **limits)]


def exchanges(count):
    return [item for number in range(count) for item in exchange(number)]


def tool_turn(count):
    return [user(), *(item for number in range(count) for item in (call(f"c{number}"), result(f"c{number}")))]


# The edge cases, one by one.


def test_01_fifty_messages_stay_and_the_fifty_first_costs_the_oldest_turn():
    assert window(exchanges(25)) == list(range(50))
    assert window([*exchanges(25), user()]) == list(range(2, 51))


@pytest.mark.parametrize(
    "step",
    [
        [call("a"), call("b"), result("b"), result("a")],
        [asks("a", "b"), tool("b"), tool("a")],
        [uses("a", "b"), used("b", "a")],
        [uses("a", "b"), used("a"), used("b")],
    ],
)
def test_02_parallel_calls_are_all_there_or_none(step):
    log = [user(), *step, user(), said()]
    assert window(log) == list(range(len(log)))
    for messages in range(2, len(log)):
        assert window(log, messages=messages) == [len(log) - 2, len(log) - 1]
    del log[len(step)]
    assert window(log) == [0, len(log) - 2, len(log) - 1]


def test_03_a_cut_between_call_and_result_moves_on_to_the_next_turn():
    log = [user(), call(), result(), said(), user(), said()]
    assert window(log, messages=4) == [4, 5]


def test_04_a_window_never_begins_with_a_call_of_a_turn_that_was_cut_off():
    log = [user(), asks("a"), tool("a"), said(), user(), said()]
    for messages in range(2, 6):
        assert log[window(log, messages=messages)[0]] == user()


def test_05_a_turn_over_the_cap_keeps_its_user_and_its_newest_whole_groups():
    log = [*exchange(), *tool_turn(40)]
    kept = window(log)
    assert kept == [2, *range(35, 83)]
    assert len(kept) == 49
    assert logs.is_paired([log[place] for place in kept])


def test_05_a_group_over_the_cap_is_kept_whole():
    ids = [f"c{number}" for number in range(60)]
    log = [user(), said(), *map(call, ids), *map(result, ids)]
    assert window(log) == [0, *range(2, 122)]


def test_05_a_cap_of_one_keeps_the_newest_exchange():
    assert window(exchanges(3), messages=1) == [4, 5]
    assert window([*exchanges(3), user()], messages=1) == [6]


def test_06_an_orphan_result_a_lost_result_and_a_waiting_call_are_left_out():
    log = [user(), result("orphan"), call("lost"), said(), user(), call("waiting")]
    assert window(log) == [0, 3, 4]
    assert window(log, pending=True) == [0, 3, 4, 5]
    assert window([*log, user()], pending=True) == [0, 3, 4, 6]


def test_07_an_id_used_again_in_a_later_turn_is_another_call():
    log = [user(), call("call_0"), result("call_0"), said(), user(), call("call_0"), result("call_0"), said()]
    assert window(log) == list(range(8))
    assert window(log, turns=1) == [4, 5, 6, 7]
    del log[2]
    assert window(log) == [0, 2, 3, 4, 5, 6]


def test_08_of_two_results_the_first_is_kept():
    assert window([user(), call(), result("c", "one"), result("c", "two"), said()]) == [0, 1, 2, 4]


def test_09_reasoning_and_text_travel_with_their_calls():
    log = [user(), thought(), said("let me look"), call(), result(), said()]
    assert window(log) == list(range(6))
    assert window(log, messages=5) == [0, 5]
    del log[4]
    assert window(log) == [0, 1, 2, 4]
    assert window([user(), thought(), call(), user()]) == [0, 3]
    assert window([user(), asks("a", text="let me look"), user()]) == [0, 2]


def test_10_nothing_is_put_in_and_no_text_of_a_user_is_taken_for_a_notice():
    notice = user("[Earlier turns were left out.]")
    log = [notice, said(), notice, said()]
    assert window_bodies(log) == log
    trimmed = window_bodies([*exchanges(30), *log], messages=4)
    assert trimmed == log
    assert window_bodies(trimmed, messages=4) == log


def test_11_system_items_are_neither_counted_nor_shown():
    log = [system(), *exchanges(24), system("late"), *exchange(), {"role": "developer", "content": "x"}]
    assert len(window(log)) == 50
    assert all(classify(each).kind != "system" for each in window_bodies(log))
    assert window([system()]) == []


def test_12_two_user_items_in_a_row_are_two_turns():
    log = [user("one"), user("two"), said()]
    assert window(log) == [0, 1, 2]
    assert window(log, turns=1) == [1, 2]


def test_13_a_log_without_a_user_is_shown_and_cut_by_groups():
    log = [said(), call(), result(), said()]
    assert window(log) == [0, 1, 2, 3]
    assert window(log, messages=3) == [1, 2, 3]
    assert window(log, messages=2) == [3]


def test_14_a_window_of_a_window_is_itself():
    log = [*exchanges(30), *tool_turn(10), thought(), call("waiting")]
    shown = window_bodies(log)
    assert window_bodies(shown) == shown
    assert shown == log[-len(shown) - 2 : -2]


# Limits.


def test_the_newest_turns_are_counted_from_the_end():
    assert window(exchanges(20), turns=8) == list(range(24, 40))


def test_all_limits_hold_at_once():
    log = exchanges(20)
    assert window(log, messages=10, turns=8) == list(range(30, 40))
    each = item_tokens(log[-1])
    assert len(window(log, tokens=each * 6, turns=8)) == 6
    assert len(window(log, messages=None)) == 40


def test_the_token_budget_counts_with_the_callers_tokenizer():
    log = exchanges(10)
    assert window(log, tokens=4 * 104, count_tokens=lambda _: 100) == [16, 17, 18, 19]
    assert window(log, tokens=1, count_tokens=lambda _: 100) == [18, 19]


@pytest.mark.parametrize("name", ["messages", "turns", "tokens"])
@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "50"])
def test_a_limit_below_one_is_refused_with_its_name(name, limit):
    with pytest.raises(InvalidError) as caught:
        window([user()], **{name: limit})
    assert caught.value.argument == name


@pytest.mark.parametrize("name", ["messages", "turns", "tokens"])
def test_a_huge_limit_is_no_limit(name):
    assert window(exchanges(3), **{"messages": None, name: 10**30}) == list(range(6))


# A long log is read from its end.


class Watched(list):
    """A log that counts how many of its items were looked at."""

    def __init__(self, items):
        super().__init__(items)
        self.seen = set()

    def __getitem__(self, place):
        self.seen.add(place)
        return super().__getitem__(place)

    def __iter__(self):
        raise AssertionError("the whole log was read")


def test_of_ten_thousand_items_only_the_end_is_looked_at():
    log = Watched(exchanges(5000))
    assert window(log) == list(range(9950, 10000))
    assert min(log.seen) == 9950


def test_feeding_the_end_and_widening_finds_the_window_of_the_whole():
    log = [*exchanges(3000), *tool_turn(200), *exchanges(5)]
    fed, reads = first_look(), 1
    while not choose_window(log[-fed:]).settled and fed < len(log):
        fed, reads = 2 * fed, reads + 1
    start = len(log) - fed
    assert [start + place for place in window(log[-fed:])] == window(log)
    assert fed < 1000
    assert reads == 4


def test_the_first_look_is_enough_for_an_ordinary_log():
    assert choose_window(exchanges(5000)[-first_look() :]).settled


# What holds for every log.

LIMITS = st.fixed_dictionaries(
    {"messages": st.none() | st.integers(1, 12)},
    optional={"turns": st.integers(1, 4), "tokens": st.integers(1, 120), "pending": st.booleans()},
)


def showable(log, *, pending=False, **_):
    return [place for group in units([classify(each) for each in log], pending=pending) for place in group]


@given(logs.LOGS, LIMITS)
def test_it_is_an_order_preserving_part_of_the_log_with_every_call_paired(log, limits):
    places = window(log, **limits)
    assert places == sorted(set(places))
    assert logs.is_paired([log[place] for place in places], pending=limits.get("pending", False))
    assert set(places) <= set(showable(log, **limits))


@given(logs.LOGS, LIMITS)
def test_it_is_never_empty_where_there_is_something_to_show(log, limits):
    assert bool(window(log, **limits)) == bool(showable(log, **limits))


@given(logs.LOGS, LIMITS)
def test_trimming_twice_changes_nothing(log, limits):
    once = window_bodies(log, **limits)
    assert window_bodies(once, **limits) == once


@given(logs.LOGS, LIMITS)
def test_it_is_a_suffix_of_whole_turns_unless_the_newest_alone_is_over_a_limit(log, limits):
    places = window(log, **limits)
    all_places = showable(log, **limits)
    whole = [
        turn for turn in ([p for p in range_ if p in set(all_places)] for range_ in split_turns(log)) if turn
    ]
    tails = [logs.flat(whole[start:]) for start in range(len(whole))]
    if places in tails or not whole:
        return
    newest = whole[-1]
    assert set(places) < set(newest)
    assert over(log, newest, limits)
    head = [newest[0]] if classify(log[newest[0]]).kind == "user" else []
    assert places[: len(head)] == head
    assert places[len(head) :] == newest[len(newest) - len(places) + len(head) :]


def over(log, places, limits):
    tokens = sum(item_tokens(log[place]) for place in places)
    return len(places) > (limits["messages"] or 10**9) or tokens > limits.get("tokens", 10**9)


@given(logs.LOGS, LIMITS)
def test_a_limit_is_exceeded_by_a_users_item_and_one_group_at_most(log, limits):
    places = window(log, **limits)
    assert sum(classify(log[place]).kind == "user" for place in places) <= limits.get("turns", 10**9)
    if over(log, places, limits):
        groups = units([classify(log[place]) for place in places], pending=limits.get("pending", False))
        if groups and classify(log[places[0]]).kind == "user":
            del groups[0]
        assert len(groups) <= 1


@given(logs.GOOD_LOGS, LIMITS)
def test_no_older_turn_that_would_fit_is_left_out(log, limits):
    places = window(log, **limits)
    if not places or places[0] == 0 or over(log, places, limits):
        return
    turns = split_turns(log)
    starts = [turn.start for turn in turns]
    if places != list(range(places[0], len(log))):
        return
    longer = range(starts[starts.index(places[0]) - 1], len(log))
    counted = len([start for start in starts if start >= longer.start])
    assert over(log, longer, limits) or counted > limits.get("turns", 10**9)


@given(logs.LOGS, LIMITS, st.integers(0, 40))
def test_a_settled_look_at_the_end_is_the_window_of_the_whole_log(log, limits, fed):
    start = max(0, len(log) - fed)
    view = choose_window(log[start:], **limits)
    if view.settled:
        assert [start + place for place in view.indexes] == window(log, **limits)


@given(logs.LOGS)
def test_a_log_within_the_limits_is_shown_whole(log):
    assert window(log, messages=10**6) == showable(log)


# In blocks.


def test_in_blocks_the_start_stays_until_a_whole_block_has_to_go():
    starts = [window(exchanges(count), block=36)[0] for count in range(1, 100)]
    assert starts[:25] == [0] * 25
    moves = [before != after for before, after in pairwise(starts)]
    assert sum(moves) == 5
    assert {start % 36 for start in starts} == {0}


def test_a_block_leaves_a_quarter_of_the_window():
    assert len(window(exchanges(40), messages=10, block=36)) >= 2
    assert window(exchanges(40), messages=1, block=36) == [78, 79]


def test_the_end_of_a_log_knows_its_places_in_the_whole():
    log = exchanges(100)
    whole = window(log, block=36)
    view = choose_window(log[-80:], block=36, places=range(120, 200))
    assert view.settled
    assert [120 + place for place in view.indexes] == whole


BLOCKS = st.integers(1, 12)


@given(logs.LOGS, LIMITS, BLOCKS)
def test_a_window_in_blocks_is_the_end_of_the_exact_one(log, limits, block):
    exact, blocked = window(log, **limits), window(log, **limits, block=block)
    assert bool(blocked) == bool(exact)
    assert blocked == exact[len(exact) - len(blocked) :]


@given(logs.LOGS, LIMITS, BLOCKS)
def test_trimming_in_blocks_twice_changes_nothing(log, limits, block):
    once = window_bodies(log, **limits, block=block)
    assert window_bodies(once, **limits, block=block) == once


@given(logs.LOGS, LIMITS, BLOCKS, st.integers(0, 40))
def test_a_settled_look_at_the_end_is_the_window_in_blocks_of_the_whole_log(log, limits, block, fed):
    start = max(0, len(log) - fed)
    view = choose_window(log[start:], **limits, block=block, places=range(start, len(log)))
    if view.settled:
        assert [start + place for place in view.indexes] == window(log, **limits, block=block)
