"""The chat provider against a real endpoint that misbehaves."""

from __future__ import annotations

import email.utils
import importlib.util
import json
import pickle
import socket

import pytest

from bethink.errors import InvalidError, ModelError
from bethink.models.chat import Chat, Message, read_json
from bethink.models.openai_chat import OpenAIChat
from bethink.testing.model_server import (
    MODEL,
    Drips,
    Hangs,
    ModelServer,
    Resets,
    Says,
    Sends,
    Status,
)

SCHEMA = {
    "title": "answer",
    "type": "object",
    "properties": {},
    "required": [],
    "additionalProperties": False,
}
ASKED = (Message(role="system", content="Answer."), Message(role="user", content="Prefers aisle seats."))
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


@pytest.fixture
def open_chat(server):
    made = []

    def open_chat(**options):
        bounds = {"timeout": 3.0, "deadline": 6.0, "retries": 2, "backoff": 0.0, "base_url": server.url}
        made.append(OpenAIChat("small", **{**bounds, **options}))
        return made[-1]

    yield open_chat
    for chat in made:
        chat.close()


def complete(chat, **options):
    return chat.complete(ASKED, **{"schema": SCHEMA, "max_tokens": 50, **options})


def failure(chat):
    with pytest.raises(ModelError) as raised:
        complete(chat)
    return raised.value


def test_an_answer_comes_with_its_json_its_tokens_and_its_model(server, open_chat):
    server.then(Says({"a": 1}))
    answer = complete(open_chat())
    assert answer.parsed == {"a": 1}
    assert (answer.tokens_in, answer.tokens_out, answer.model, answer.calls) == (100, 20, MODEL, 1)


def test_the_request_says_model_messages_bound_and_schema(server, open_chat):
    server.then(Says("{}"))
    complete(open_chat(options={"temperature": 0, "seed": 7}))
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.body["model"] == "small"
    assert request.body["messages"] == [
        {"role": "system", "content": "Answer."},
        {"role": "user", "content": "Prefers aisle seats."},
    ]
    assert request.body["max_tokens"] == 50
    assert request.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA},
    }
    assert (request.body["temperature"], request.body["seed"]) == (0, 7)


@pytest.mark.parametrize(("answers", "asked"), [("json_object", {"type": "json_object"}), ("text", None)])
def test_older_servers_are_asked_for_json_as_they_know_it(server, open_chat, answers, asked):
    server.then(Says("{}"))
    complete(open_chat(answers=answers, limit_as="max_completion_tokens"))
    body = server.requests[0].body
    assert body.get("response_format") == asked
    assert body["max_completion_tokens"] == 50
    assert "max_tokens" not in body


def test_a_key_from_the_environment_is_sent_to_no_other_endpoint(server, open_chat, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody")
    server.then(Says("{}"), Says("{}"))
    complete(open_chat())
    complete(open_chat(api_key="mine"))
    assert [each.headers["authorization"] for each in server.requests] == ["Bearer unused", "Bearer mine"]


def test_without_a_base_url_the_environment_names_the_endpoint_and_the_key(server, open_chat, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    server.then(Says("{}"))
    complete(open_chat(base_url=None))
    assert server.requests[0].headers["authorization"] == "Bearer sk-mine"
    assert server.requests[0].body["max_completion_tokens"] == 50


def test_without_any_key_the_error_says_so_and_nothing_is_sent(server, open_chat):
    error = failure(open_chat(base_url=None))
    assert (error.reason, error.provider) == ("no key", "openai:small")
    assert "OPENAI_API_KEY" in str(error)
    assert not server.requests


@pytest.mark.parametrize(
    ("status", "error", "reason"),
    [
        (401, {"code": "invalid_api_key"}, "denied"),
        (403, {"code": None}, "denied"),
        (404, {"code": "model_not_found"}, "unknown model"),
        (404, {}, "unknown model"),
        (400, {"code": "unsupported_parameter"}, "rejected"),
        (422, {}, "rejected"),
        (429, {"code": "insufficient_quota"}, "quota"),
        (501, {}, "unavailable"),
    ],
)
def test_what_waiting_does_not_mend_is_not_tried_again(server, open_chat, status, error, reason):
    server.then(Status(status, error={"message": "Prefers aisle seats.", **error}))
    raised = failure(open_chat())
    assert (raised.reason, raised.status, raised.calls, raised.unsettled) == (reason, status, 1, 0)
    assert "aisle" not in str(raised)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_an_overloaded_endpoint_is_tried_again(server, open_chat, status):
    server.then(Status(status), Status(status, {"Retry-After": "0.01"}), Says({"a": 1}))
    answer = complete(open_chat())
    assert (answer.parsed, answer.calls, answer.unsettled) == ({"a": 1}, 3, 0)


def test_tries_are_bounded(server, open_chat):
    server.then(Status(500), Status(429), Status(503))
    error = failure(open_chat())
    assert (error.reason, error.calls) == ("unavailable", 3)


@pytest.mark.parametrize(
    "wish",
    [
        {"Retry-After": "3600"},
        {"retry-after-ms": "3600000"},
        {"Retry-After": email.utils.formatdate(4_000_000_000, usegmt=True)},
    ],
)
def test_an_endpoint_that_wants_to_be_left_alone_for_longer_than_the_deadline_is(server, open_chat, wish):
    server.then(Status(429, wish))
    error = failure(open_chat())
    assert (error.reason, error.calls) == ("rate limited", 1)


@pytest.mark.parametrize("wish", ["soon", "-5", "Fri, 01 Jan 1990 00:00:00 GMT"])
def test_a_wish_that_means_nothing_holds_nobody_up(server, open_chat, wish):
    server.then(Status(429, {"Retry-After": wish}), Says("{}"))
    assert complete(open_chat()).calls == 2


def test_a_hanging_endpoint_is_given_up_and_may_have_been_paid(server, open_chat):
    server.then(Hangs())
    error = failure(open_chat(timeout=0.1))
    assert (error.reason, error.calls, error.unsettled) == ("timeout", 1, 1)


def test_an_endpoint_that_drips_is_held_to_the_deadline(server, open_chat):
    server.then(Drips(pause=0.02))
    error = failure(open_chat(timeout=5, deadline=0.3))
    assert (error.reason, error.unsettled) == ("timeout", 1)


@pytest.mark.parametrize("after", [0, 40])
def test_a_lost_connection_is_tried_again_and_may_have_been_paid(server, open_chat, after):
    server.then(Resets(after), Says({"a": 1}))
    answer = complete(open_chat())
    assert (answer.parsed, answer.calls, answer.unsettled) == ({"a": 1}, 2, 1)


def test_nobody_at_home_is_a_lost_connection(open_chat):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    error = failure(open_chat(base_url=f"http://127.0.0.1:{port}/v1"))
    assert (error.reason, error.calls) == ("connection", 3)


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (Sends({"choices": [], "usage": USAGE}), "empty"),
        (Sends({"usage": USAGE}), "unreadable"),
        (Sends({"choices": ["x"], "usage": USAGE}), "unreadable"),
        (Sends({"choices": [{"message": {"content": None}}], "usage": USAGE}), "empty"),
        (Says("  ", usage=USAGE), "empty"),
        (Says('{"a": ', usage=USAGE, finish="length"), "cut off"),
        (Says(None, usage=USAGE, refusal="I would rather not."), "declined"),
        (Says("", usage=USAGE, finish="content_filter"), "declined"),
    ],
)
def test_an_answer_that_is_none_still_says_what_it_cost(server, open_chat, step, reason):
    server.then(step)
    error = failure(open_chat())
    assert (error.reason, error.tokens_in, error.tokens_out) == (reason, 100, 20)


@pytest.mark.parametrize("body", [b"<html>hello</html>", b"[1, 2]", b'"text"', b"[" * 100_000, b"\xff\xfe"])
def test_what_is_not_the_protocol_is_unreadable(server, open_chat, body):
    server.then(Sends(body))
    error = failure(open_chat())
    assert (error.reason, error.unsettled) == ("unreadable", 1)


def test_a_huge_answer_is_read_no_further_than_its_bound(server, open_chat):
    server.then(Says("x" * 300_000))
    error = failure(open_chat(most_bytes=50_000))
    assert (error.reason, error.unsettled) == ("too large", 1)


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": -4, "completion_tokens": "many"}, {"prompt_tokens": True}]
)
def test_usage_that_is_missing_or_absurd_is_not_known(server, open_chat, usage):
    server.then(Says("{}", usage=usage))
    answer = complete(open_chat())
    assert (answer.tokens_in, answer.tokens_out) == (None, None)


def test_halves_of_characters_can_be_asked_about(server, open_chat):
    server.then(Says("{}"))
    open_chat().complete([Message(role="user", content="half \ud83d")], schema=SCHEMA, max_tokens=9)
    assert server.requests[0].body["messages"][0]["content"] == "half ?"


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ('{"a": 1}', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('```\n{"a": 1}```', {"a": 1}),
        ('<think>{"a": 2}, or rather</think>\n{"a": 1}', {"a": 1}),
        ("Sure! Here you are: {}", None),
        ('{"a": 1} I hope this helps.', None),
        ('{"a": NaN}', None),
        ("[" * 100_000, None),
        ("", None),
    ],
)
def test_json_is_read_from_a_fence_and_never_out_of_prose(text, parsed):
    assert read_json(text) == parsed


def test_an_endpoint_can_be_closed_and_used_again(server, open_chat):
    server.then(Says("{}"), Says("{}"))
    chat = open_chat()
    complete(chat)
    chat.close()
    assert complete(chat).calls == 1


def test_the_provider_is_a_chat_and_shows_no_key(open_chat):
    chat = open_chat(api_key="sk-secret")
    assert isinstance(chat, Chat)
    assert "sk-secret" not in repr(chat) + repr(vars(chat))


def test_an_error_survives_pickling(server, open_chat):
    server.then(Status(401))
    error = failure(open_chat())
    assert pickle.loads(pickle.dumps(error)).reason == "denied"


def test_without_the_package_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr("bethink.models.openai_calls.find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install 'bethink\[llm\]'"):
        OpenAIChat("small")


@pytest.mark.parametrize("bound", [{"timeout": 0}, {"deadline": -1}, {"retries": -1}, {"most_bytes": 0}])
def test_a_bound_that_bounds_nothing_is_refused(bound):
    with pytest.raises(InvalidError):
        OpenAIChat("small", base_url="http://localhost/v1", **bound)


def test_the_server_is_strict():
    with pytest.raises(AssertionError, match="not used"), ModelServer() as server:
        server.then(Says("{}"))
    with (
        pytest.raises(AssertionError, match="no step"),
        ModelServer() as server,
        OpenAIChat("small", base_url=server.url, retries=0) as chat,
        pytest.raises(ModelError),
    ):
        complete(chat)
    assert json.loads(json.dumps(server.unexpected[0].body))["model"] == "small"
