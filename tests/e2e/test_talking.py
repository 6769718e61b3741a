"""Talking to an agent in a browser."""

import json
import time

import httpx
from playwright.sync_api import expect

from bethink.server.webhooks.signing import headers, key_of

CHAT = "/agents/system/concierge/chat/"


def test_what_is_said_is_kept_answered_and_known_in_a_new_conversation(one):
    assert "Noted" in one.say("I am vegetarian.")
    assert one.text(".chat-head").find("offline responder") > 0
    one.see("#panel li:has-text('vegetarian')")
    one.see("#sessions a[aria-current]:has-text('4 items')")
    one.page.fill("[name=session]", "next trip")
    one.page.click("[aria-label='Begin the new conversation']")
    one.see("#chat-empty")
    assert one.page.url.endswith("/chat/next%20trip")
    assert "vegetarian" in one.say("What do you know about my vegetarian meals?")
    assert one.page.locator("#sessions li").count() == 2


def test_a_tool_call_is_folded_and_shows_what_it_was_given_and_what_came_of_it(one):
    one.say("I am vegetarian.")
    tool = one.see(".tool").first
    assert not tool.locator(".tool-box").is_visible()
    tool.locator("summary").click()
    assert "vegetarian" in tool.locator(".tool-arguments").inner_text()
    assert "Stored" in tool.locator(".tool-output").inner_text()
    one.go(CHAT + "dashboard")
    again = one.see(".tool").first
    again.locator("summary").click()
    assert "Stored" in again.locator(".tool-output").inner_text()


def test_a_conversation_is_named_found_and_deleted(one):
    one.say("I am vegetarian.")
    one.go(CHAT + "a%252Fb%253F")  # a name with a slash and a question mark
    one.say("I prefer trains.")
    one.page.click("[aria-label='This conversation']")
    one.page.fill("[name=title]", "Journeys by rail")
    one.page.click("text=Rename")
    one.see(".chat-title h1:has-text('Journeys by rail')")
    one.page.fill("[name=q]", "rail")
    expect(one.page.locator("#sessions li")).to_have_count(1)
    one.page.fill("[name=q]", "nothing like it")
    one.see("#sessions .none")
    one.page.click("[aria-label='This conversation']")
    one.page.click("text=Delete this conversation")
    one.page.click("button:has-text('Delete the conversation')")
    one.see("#message")
    expect(one.page.locator("#sessions li")).to_have_count(1)


def test_older_items_come_on_demand(one):
    items = [{"role": "user", "content": f"Line {number}."} for number in range(130)]
    path = "/v1/scopes/agent:concierge:u:noop/sessions/long/items"
    assert httpx.post(one.url + path, json={"items": items}).status_code == 201
    one.go(CHAT + "long")
    one.see("text=Line 129.")
    assert one.page.locator(".say").count() == 60
    one.page.click("text=Show earlier messages")
    expect(one.page.locator(".say")).to_have_count(120)
    one.page.click("text=Show earlier messages")
    expect(one.page.locator(".say")).to_have_count(130)
    assert one.page.locator(".say .words").first.inner_text() == "Line 0."


def test_a_webhook_lands_in_the_dashboard_session_while_somebody_looks_at_it(one):
    one.go(CHAT + "dashboard")
    one.see("#chat-empty")
    made = httpx.post(f"{one.url}/v1/agents/concierge/webhooks", json={}).json()
    body = json.dumps({"message": "I am vegetarian, says the caterer's form."}).encode()
    signed = headers([key_of(made["secret"])], "msg_1", int(time.time()), body)
    left = httpx.post(
        f"{one.url}/v1/webhooks/{made['id']}",
        content=body,
        headers={"content-type": "application/json", **signed},
    )
    assert left.status_code == 200, left.text
    said = one.see(".say.user:has-text('says the caterer')")
    assert said.locator(".origin").inner_text() == "webhook"
    one.see(".say.assistant:has-text('Offline responder')")
    one.see("#sessions a[aria-current]:has-text('items')")


def test_what_was_brought_in_from_elsewhere_says_so(one):
    path = "/v1/scopes/agent:concierge:u:noop/sessions/dashboard/items"
    said = {"items": [{"role": "user", "content": "Long ago."}], "origin": "import"}
    assert httpx.post(one.url + path, json=said).status_code == 201
    one.go(CHAT + "dashboard")
    assert one.text(".say:has-text('Long ago.') .origin") == "import"


def test_without_a_script_a_conversation_is_held_all_the_same(serve, looking):
    person = looking(serve().url, java_script_enabled=False)
    person.leave = lambda: None
    person.go("/")
    person.page.fill("[name=name]", "concierge")
    person.page.click("text=Make it")
    person.page.fill("#message", "I am vegetarian.")
    person.page.click("#send")
    person.see(".say.assistant:has-text('Noted')")
    person.see("#panel li:has-text('vegetarian')")
