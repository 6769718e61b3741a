"""What an item is, in the words of three frameworks."""

from __future__ import annotations

import pytest
from hypothesis import given

from bethink.sessions.item_kinds import ANSWERED_CALLS, LONE_CALLS, classify

from . import logs


def call_ids(body):
    return tuple(id_ for _, id_ in classify(body).opens if id_)


def result_ids(body):
    return tuple(id_ for _, id_ in classify(body).answers)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (logs.user(), "user"),
        ({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]}, "user"),
        (logs.said(), "assistant"),
        ({"role": "assistant", "content": "x", "tool_calls": []}, "assistant"),
        ({"role": "assistant", "content": "x", "tool_calls": None}, "assistant"),
        ({"role": "model", "parts": []}, "assistant"),
        (logs.system(), "system"),
        ({"role": "developer", "content": "x"}, "system"),
        (logs.thought(), "reasoning"),
        (logs.call(), "call"),
        (logs.asks("a"), "call"),
        (logs.uses("a"), "call"),
        (logs.uses(), "assistant"),
        (logs.result(), "result"),
        (logs.tool(), "result"),
        (logs.used("a", "b"), "result"),
        ({"type": "compaction", "encrypted_content": "x"}, "other"),
        ({"type": "item_reference", "id": "x"}, "other"),
        ({"role": "critic"}, "other"),
        ({}, "other"),
        ([], "other"),
        (None, "other"),
        ("user", "other"),
    ],
)
def test_each_item_has_one_kind(body, kind):
    assert classify(body).kind == kind


@pytest.mark.parametrize("type_", sorted(ANSWERED_CALLS))
def test_a_call_and_its_output_know_each_other_by_id(type_):
    opened = {"type": type_, "call_id": "c1", "id": "x"}
    answered = {"type": f"{type_}_output", "call_id": "c1", "id": "y", "output": "ok"}
    assert classify(opened).opens == classify(answered).answers != ()
    assert (call_ids(opened), result_ids(answered)) == (("c1",), ("c1",))


def test_calls_of_different_kinds_do_not_answer_one_another():
    assert (
        classify(logs.call("x")).opens != classify({"type": "computer_call_output", "call_id": "x"}).answers
    )


@pytest.mark.parametrize("type_", sorted(LONE_CALLS))
def test_what_the_provider_ran_itself_waits_for_no_result(type_):
    shape = classify({"type": type_, "id": "ws_1", "call_id": "c"})
    assert (shape.kind, shape.opens) == ("call", ())


def test_an_approval_answers_its_request():
    request = {"type": "mcp_approval_request", "id": "r1", "name": "x", "arguments": "{}"}
    response = {"type": "mcp_approval_response", "approval_request_id": "r1", "approve": True}
    assert classify(request).opens == classify(response).answers != ()


def test_a_shell_result_that_names_its_call_as_id_is_understood():
    assert result_ids({"type": "local_shell_call_output", "id": "c1", "output": "ok"}) == ("c1",)


def test_a_tool_search_of_the_provider_stands_alone_and_one_of_ours_is_a_pair():
    assert classify({"type": "tool_search_call", "call_id": None}) == ("call", (), ())
    assert classify({"type": "tool_search_output", "call_id": None}).kind == "other"
    ours = classify({"type": "tool_search_call", "call_id": "c"}).opens
    assert ours == classify({"type": "tool_search_output", "call_id": "c"}).answers != ()


def test_the_first_form_of_chat_calls_is_paired_by_name():
    opened = {"role": "assistant", "content": None, "function_call": {"name": "look", "arguments": "{}"}}
    assert (
        classify(opened).opens
        == classify({"role": "function", "name": "look", "content": "ok"}).answers
        != ()
    )


def test_all_parallel_calls_of_a_message_are_seen():
    assert (
        call_ids(logs.asks("a", "b"))
        == call_ids(logs.uses("a", "b"))
        == result_ids(logs.used("a", "b"))
        == ("a", "b")
    )


def test_a_call_without_a_usable_id_can_not_be_answered():
    for body in (
        logs.asks("a", 7),
        {"type": "function_call", "call_id": {}},
        {"role": "assistant", "tool_calls": [3]},
    ):
        assert ("",) in [ref[1:] for ref in classify(body).opens]
    assert classify({"role": "tool", "tool_call_id": 7}) == ("result", (), ())
    assert classify({"role": "user", "content": [{"type": "tool_result"}]}) == ("result", (), ())


@given(logs.JSON | logs.JUNK)
def test_no_json_value_raises(body):
    shape = classify(body)
    assert shape.kind in {"user", "assistant", "call", "result", "reasoning", "system", "other"}
    assert all(isinstance(id_, str) for id_ in (*call_ids(body), *result_ids(body)))
