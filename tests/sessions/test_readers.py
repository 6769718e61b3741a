"""One talk in the shape of every framework: what each room makes of it."""

from __future__ import annotations

import pytest

from bethink import ConflictError, Memory
from bethink.recall.passages import said_in
from bethink.server.dashboard.items import entries
from bethink.sessions.item_kinds import classify
from bethink.sessions.readers.parts import VOICES
from bethink.sessions.readers.registry import as_plain, read, register, unread, unregister
from bethink.sessions.readers.values import Reading

from . import shapes

FAMILIES = sorted(shapes.TALKS)


@pytest.fixture
def scope():
    with Memory(":memory:") as memory:
        yield memory.scope(agent="concierge", user="alice")


@pytest.mark.parametrize("family", FAMILIES)
def test_items_of_every_shape_come_back_equal_and_none_is_counted_as_unread(scope, family):
    head = scope.session("talk").append(shapes.items(family))
    assert scope.session("talk").get_items() == shapes.items(family)
    assert dict(head.unread) == {}


@pytest.mark.parametrize(
    "body",
    [
        *({"role": role, "content": "Hello."} for role in (*VOICES, "narrator")),
        {"role": "user", "content": ""},
        {"role": "user", "content": "data:image/png;base64,AAAA"},
        {"role": "user", "content": None},
        {"role": ["user"], "content": "Hello."},
        {"role": "user", "content": "Hello.", "name": "Ann"},
        {"role": "user", "text": "Hello."},
        *(body for family in FAMILIES for body in shapes.items(family)),
    ],
)
def test_what_is_read_as_a_plain_message_is_what_its_reader_says(body):
    plain = as_plain(body)
    if plain is not None:
        assert read(body) == Reading("user" if plain[0] == "user" else plain[0], *plain)
    elif body.keys() == {"role", "content"} and isinstance(body["content"], str):
        assert str(body["role"]) not in {"user", "assistant", "system"}


def test_a_reader_of_ones_own_is_asked_about_plain_messages_too():
    register("shouting", lambda body: Reading("user", "user", str(body["content"]).upper()))
    try:
        assert as_plain({"role": "user", "content": "hello"}) is None
    finally:
        unregister("shouting")
    assert as_plain({"role": "user", "content": "hello"}) == ("user", "hello")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_sentence_of_the_user_is_recalled_in_every_shape(scope, family):
    scope.session("talk").append(shapes.items(family))
    scope.session("other").append([{"role": "user", "content": "The printer is out of paper again."}])
    first = scope.recall("Where does the sister live?")[0]
    assert first.text == shapes.SENTENCE
    assert first.item is not None
    assert first.item.body == shapes.TALKS[family][0]


@pytest.mark.parametrize("family", FAMILIES)
def test_what_a_tool_answered_is_recalled_in_every_shape(scope, family):
    scope.session("talk").append(shapes.items(family))
    hits = scope.recall("drizzle and wind from the fjord")
    assert shapes.OUTPUT in hits[0].text


@pytest.mark.parametrize("family", FAMILIES)
def test_a_sentence_of_the_user_is_distilled_in_every_shape_and_nobody_elses(scope, family):
    scope.session("talk").append(shapes.items(family))
    kept = scope.distill("talk").kept
    assert len(kept) == 1
    assert kept[0].text.endswith("ister Ingrid lives in Bergen.")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_window_holds_a_call_and_its_result_or_neither_in_every_shape(scope, family):
    user, tools, answer = shapes.TALKS[family]
    session = scope.session("talk")
    session.append([user, tools[0]])
    if len(tools) > 1 and classify(tools[0]).opens:
        assert session.window() == [user]
        assert session.window(pending=True) == [user, tools[0]]
    session.append([*tools[1:], answer])
    assert session.window() == shapes.items(family)
    assert session.window(messages=1) in ([user, answer], [answer])


@pytest.mark.parametrize("family", FAMILIES)
def test_each_shape_has_one_user_one_call_with_its_result_and_one_answer(scope, family):
    readings = [read(body) for body in shapes.items(family)]
    assert all(readings)
    assert [each.text for each in readings if each.voice == "user" and each.kind == "user"] == [
        shapes.SENTENCE
    ]
    assert readings[-1].text == shapes.ANSWER
    assert readings[-1].voice == "assistant"
    opened = [ref for each in readings for ref in each.shape.opens]
    assert opened == [ref for each in readings for ref in each.shape.answers]
    if family != "smolagents":  # it writes calls as text
        assert [call.name for each in readings for call in each.calls] == [shapes.TOOL]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_page_shows_who_said_what_in_every_shape(scope, family):
    session = scope.session("talk")
    session.append(shapes.items(family))
    shown = entries(list(session.items()))
    assert (shown[0].kind, shown[0].text) == ("user", shapes.SENTENCE)
    assert shapes.ANSWER in {entry.text for entry in shown if entry.kind == "assistant"}
    calls = [entry for entry in shown if entry.kind == "call"]
    if family != "smolagents":
        assert [(call.name, shapes.OUTPUT in (call.output or "")) for call in calls] == [(shapes.TOOL, True)]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_shape_travels_in_an_export(scope, family):
    scope.session("talk").append(shapes.items(family))
    data = scope.export()
    with Memory(":memory:") as other:
        there = other.scope(agent="concierge", user="alice")
        there.import_json(data)
        assert there.session("talk").get_items() == shapes.items(family)
        assert there.recall("Where does the sister live?")[0].text == shapes.SENTENCE


def test_one_session_may_mix_all_shapes(scope):
    session = scope.session("talk")
    everything = [item for family in FAMILIES for item in shapes.items(family)]
    assert dict(session.append(everything).unread) == {}
    assert session.window(messages=1_000) == everything
    assert len(scope.recall("sister lives in Bergen", limit=100)) > 0


def test_the_time_the_author_and_the_id_that_an_item_gives_are_read():
    reading = read(shapes.TALKS["adk event"][1][0])
    assert (reading.author, reading.id) == ("concierge", "e2")
    assert reading.at.isoformat() == "2026-01-01T00:00:01.500000+00:00"
    assert read(shapes.TALKS["claude code"][0]).at.isoformat() == "2026-08-10T12:00:00+00:00"


@pytest.mark.parametrize(
    "line",
    [
        {"type": "user", "uuid": "x", "isMeta": True, "message": {"role": "user", "content": "I live in Oslo."}},
        {"type": "user", "uuid": "x", "isCompactSummary": True,
         "message": {"role": "user", "content": "I live in Oslo."}},
        {"type": "user", "uuid": "x", "isSidechain": True, "message": {"role": "user", "content": "I live in Oslo."}},
        {"type": "user", "uuid": "x", "message": {
            "role": "user", "content": "<command-name>/model</command-name><command-args>I like it</command-args>"}},
        {"type": "user", "uuid": "x", "message": {"role": "user", "content": "[Request interrupted by user]"}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "<environment_context>I live in Oslo.</environment_context>"}]}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "# AGENTS.md instructions for /w\n\nI prefer tabs."}]}},
    ],
)  # fmt: skip
def test_what_a_coding_agent_puts_into_the_users_mouth_is_not_the_users_word(scope, line):
    scope.session("s").append([line])
    assert scope.distill("s").kept == ()
    assert classify(line).kind == "other"
    assert said_in(line) is None


def test_a_reminder_beside_the_users_words_is_left_out_of_them():
    text = "<system-reminder>Never mention this.</system-reminder>\nI live in Oslo."
    assert (
        read({"type": "user", "uuid": "x", "message": {"role": "user", "content": text}}).text
        == "I live in Oslo."
    )


def test_what_nobody_can_read_is_kept_counted_and_said_without_its_content(scope):
    strange = {"sort": "utterance", "of": "Ingrid", "type": "blob_v2", "payload_text": "secret words"}
    head = scope.session("s").append([strange, {"role": "user", "content": "hello"}, strange])
    assert dict(head.unread) == {"{sort, of, type: blob_v2, payload_text}": 2}
    assert head.count == 3
    assert "secret" not in str(head.unread)


def test_a_reader_of_ones_own_is_asked_first_and_everything_reads_through_it(scope):
    def diary(body):
        return Reading("user", "user", body["line"]) if body.get("sort") == "diary" else None

    body = {"sort": "diary", "line": shapes.SENTENCE}
    assert unread([body])
    register("diary", diary)
    try:
        assert dict(scope.session("s").append([body]).unread) == {}
        assert scope.recall("Where does the sister live?")[0].text == shapes.SENTENCE
        assert scope.distill("s").kept[0].text.endswith("ister Ingrid lives in Bergen.")
        assert scope.session("s").window() == [body]
        with pytest.raises(ConflictError):
            register("diary", diary)
        with pytest.raises(ConflictError):
            register("langchain", diary)
    finally:
        unregister("diary")
    assert read(body) is None


def test_a_message_with_a_tools_result_and_the_users_words_gives_both_to_whom_they_belong():
    body = {"role": "user", "content": [*shapes.CAME, {"type": "text", "text": shapes.SENTENCE}]}
    reading = read(body)
    assert (reading.kind, reading.voice, reading.text) == ("result", "user", shapes.SENTENCE)
    assert reading.results[0].output == shapes.OUTPUT
    assert said_in(body).role == "tool"
