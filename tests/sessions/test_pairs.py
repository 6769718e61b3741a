"""What belongs together, and what is left out because its other half is missing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bethink.sessions.item_kinds import classify
from bethink.sessions.pairs import units

from . import logs
from .logs import asks, call, result, said, system, thought, tool, used, user, uses


def groups(*bodies, pending=False):
    return units([classify(each) for each in bodies], pending=pending)


def test_a_call_is_one_group_with_its_result():
    assert groups(user(), call(), result(), said()) == [[0], [1, 2], [3]]


def test_parallel_calls_are_one_group_in_whatever_order_their_results_come():
    assert groups(call("a"), call("b"), result("b"), result("a")) == [[0, 1, 2, 3]]
    assert groups(asks("a", "b"), tool("b"), tool("a")) == [[0, 1, 2]]
    assert groups(uses("a", "b"), used("b", "a")) == [[0, 1]]
    assert groups(uses("a", "b"), used("b"), used("a")) == [[0, 1, 2]]


def test_one_missing_result_takes_all_parallel_calls_with_it():
    assert groups(user(), call("a"), call("b"), result("a"), said()) == [[0], [4]]
    assert groups(user(), asks("a", "b"), tool("a"), said()) == [[0], [3]]
    assert groups(user(), uses("a", "b"), used("a"), user()) == [[0], [3]]


def test_the_text_beside_unanswered_calls_stays_where_it_is_an_item_of_its_own():
    assert groups(user(), said(), call(), user()) == [[0], [1], [3]]


def test_a_result_without_its_call_is_left_out():
    assert groups(result("a"), user(), result("b"), said()) == [[1], [3]]


def test_a_message_of_results_is_left_out_if_one_of_them_answers_nothing():
    assert groups(uses("a"), used("a", "b"), said()) == [[2]]
    assert groups(uses("a"), used("a", "a"), said()) == [[2]]


def test_a_result_answers_the_nearest_step_only():
    assert groups(call("a"), result("a"), call("a"), result("a")) == [[0, 1], [2, 3]]
    assert groups(call("a"), user(), result("a")) == [[1]]
    assert groups(call("a"), call("b"), result("b"), said(), result("a")) == [[3]]


def test_the_first_of_two_results_counts():
    assert groups(call("a"), result("a", "one"), result("a", "two")) == [[0, 1]]


def test_a_call_given_twice_before_its_result_counts_once():
    assert groups(call("a"), call("a"), result("a")) == [[0, 2]]


def test_reasoning_goes_with_what_follows_it():
    assert groups(thought(), call("a"), call("b"), result("a"), result("b")) == [[0, 1, 2, 3, 4]]
    assert groups(thought(), thought(), said(), thought(), said()) == [[0, 1, 2], [3, 4]]
    assert groups(thought(), said(), call("a"), result("a")) == [[0, 1, 2, 3]]


def test_reasoning_without_its_call_is_left_out():
    assert groups(user(), thought(), call("a"), user()) == [[0], [3]]
    assert groups(user(), thought(), user()) == [[0], [2]]
    assert groups(call("a"), thought(), result("a"), {"type": "something_new"}) == [[0, 2], [3]]
    assert groups(user(), thought("1"), said(), thought("2"), call("a"), user()) == [[0], [1, 2], [5]]


def test_calls_that_wait_at_the_end_are_kept_on_request_only():
    log = [user(), thought(), call("a"), call("b"), result("a")]
    assert groups(*log) == [[0]]
    assert groups(*log, pending=True) == [[0], [1, 2, 3, 4]]


def test_a_call_that_waits_in_the_middle_is_no_pending_call():
    assert groups(call("a"), user(), pending=True) == [[1]]
    assert groups(call("a"), call("b"), result("b"), said(), pending=True) == [[3]]


def test_what_the_provider_ran_stands_alone():
    search = {"type": "web_search_call", "id": "ws"}
    assert groups(user(), search, said()) == [[0], [1], [2]]
    assert groups(user(), thought(), search, said()) == [[0], [1, 2, 3]]


def test_an_approval_is_a_pair():
    request = {"type": "mcp_approval_request", "id": "r"}
    response = {"type": "mcp_approval_response", "approval_request_id": "r", "approve": True}
    assert groups(request, response, {"type": "mcp_call", "id": "m"}) == [[0, 1], [2]]
    assert groups(user(), request) == [[0]]


def test_what_is_not_known_is_kept_and_parts_no_pair():
    unknown = {"type": "something_new"}
    assert groups(call("a"), unknown, result("a")) == [[0, 1, 2]]
    assert groups(call("a"), call("b"), result("a"), unknown, result("b")) == [[0, 1, 2, 3, 4]]
    assert groups(user(), unknown, {}) == [[0], [1], [2]]


def test_system_items_are_left_out_and_part_no_pair():
    assert groups(system(), user(), call("a"), system(), result("a")) == [[1], [2, 4]]


@given(logs.GOOD_LOGS)
def test_a_sound_log_is_kept_whole(log):
    assert [place for group in groups(*log) for place in group] == list(range(len(log)))


@given(logs.LOGS, st.booleans())
def test_what_is_kept_is_paired_in_order_and_kept_again(log, pending):
    found = groups(*log, pending=pending)
    places = [place for group in found for place in group]
    assert places == sorted(set(places))
    kept = [log[place] for place in places]
    assert logs.is_paired(kept, pending=pending)
    again = groups(*kept, pending=pending)
    assert [place for group in again for place in group] == list(range(len(kept)))


@given(logs.LOGS)
def test_each_group_alone_is_sound(log):
    for group in groups(*log):
        alone = [log[place] for place in group]
        assert groups(*alone) == [list(range(len(alone)))]
