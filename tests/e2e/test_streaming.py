"""Answers that come word by word, are stopped, or fail: with an endpoint that does as it is told."""

import threading

import pytest
from playwright.sync_api import expect

from bethink.testing.model_server import Calls, ModelServer, Resets, Says, Status
from tests.e2e.conftest import make_agent

CHAT = "/agents/system/concierge/chat/dashboard"
BROKEN = Status(500, {"x-should-retry": "false"})


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    for name in ("OPENAI_API_KEY", "BETHINK_MODEL_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def model():
    with ModelServer() as server:
        yield server


@pytest.fixture
def one(serve, looking, model):
    person = looking(serve(model="scripted-1", model_url=model.url).url)
    make_agent(person)
    return person


class Held:
    """An answer that waits until it is let through."""

    def __init__(self, answer):
        self.reached = threading.Event()
        self.opened = threading.Event()
        self._answer = answer

    def __call__(self, _request):
        self.reached.set()
        assert self.opened.wait(20)
        return self._answer


def begin(person, message):
    person.see("#message")
    person.page.fill("#message", message)
    person.page.press("#message", "Enter")


def test_an_answer_is_shown_with_the_model_that_gave_it(one, model):
    model.then(Calls((("remember", {"key": "seat", "content": "Prefers aisle seats."}),)), Says("I will."))
    assert one.say("Aisle seats, please.") == "I will."
    assert one.text(".chat-head .chip") == "scripted-1"
    assert one.page.locator(".tool .tool-name").inner_text() == "remember"
    one.see("#panel li:has-text('Prefers aisle seats.')")


def test_while_it_is_answered_another_page_sees_that_a_turn_is_under_way(one, model):
    held = Held(Says("Done at last."))
    model.then(held)
    begin(one, "Take your time.")
    assert held.reached.wait(20)
    one.see("#stop:visible")
    other = one.open()
    other.goto(one.url + CHAT)
    other.locator("#state:has-text('A turn is running')").wait_for()
    held.opened.set()
    one.see(".say.assistant:not(.pending):has-text('Done at last.')")
    other.locator(".say.assistant:has-text('Done at last.')").wait_for()
    other.locator("#state:has-text('A turn is running')").wait_for(state="detached")


def test_a_turn_that_is_stopped_leaves_no_trace_and_can_be_tried_again(one, model):
    held = Held(Says("Never heard."))
    model.then(held)
    begin(one, "Tell me a long story.")
    assert held.reached.wait(20)
    one.page.click("#stop")
    one.see(".failed:has-text('Stopped.')")
    held.opened.set()
    model.then(Says("Once upon a time."))
    one.page.click(".retry")
    one.see(".say.assistant:not(.pending):has-text('Once upon a time.')")
    expect(one.page.locator(".say.user")).to_have_count(1)
    one.go(CHAT)
    expect(one.page.locator(".say.user")).to_have_count(1)
    assert one.page.locator("text=Never heard.").count() == 0


@pytest.mark.parametrize("steps", [[BROKEN], [Resets()] * 3], ids=["fails", "is gone"])
def test_a_turn_that_fails_says_so_and_the_history_is_as_it_was(one, model, steps):
    model.then(Says("Hello."), *steps)
    one.say("Good day.")
    begin(one, "And now?")
    failure = one.see(".failed")
    assert "The turn failed." in failure.inner_text()
    assert "Nothing of this turn was stored." in failure.inner_text()
    one.see(".say.user.lost:has-text('And now?')")
    one.go(CHAT)
    assert one.page.locator(".say").count() == 2
    assert "A turn failed here" in one.text(".failed")
    model.then(Says("Here I am."))
    assert one.say("Are you there?") == "Here I am."
    said = [each["content"] for each in model.requests[-1].body["messages"] if each["role"] == "user"]
    assert said == ["Good day.", "Are you there?"]


def test_a_turn_that_fails_without_a_script_gives_the_words_back(serve, looking, model):
    person = looking(serve(model="scripted-1", model_url=model.url).url, java_script_enabled=False)
    person.leave = lambda: None
    person.expected.append("502")
    make_agent(person)
    model.then(BROKEN)
    person.page.fill("#message", "And now?")
    person.page.click("#send")
    assert "The turn failed." in person.text(".problem")
    assert person.page.input_value("#message") == "And now?"
