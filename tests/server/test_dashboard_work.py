"""Pages for what agents and teams do, for whom memory is shared with, and for the specs of agents."""

import re

import httpx
import pytest

from bethink.ids import to_number
from bethink.scope.transactions import find
from bethink.server.background import transactions as background
from bethink.server.webhooks import queries as letters

pytestmark = pytest.mark.anyio

HTML = {"accept": "text/html"}
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
async def pages(serving, keys, anyio_backend):
    """Readers of pages by the name of their caller, on one server."""
    path, made = keys
    async with serving(auth="bearer", keys=path) as client:
        found = {
            name: httpx.AsyncClient(
                transport=httpx.ASGITransport(client.app, raise_app_exceptions=False),
                base_url="http://localhost",
                headers={**HTML, "x-api-key": key},
            )
            for name, key in made.items()
        }
        found["app"] = client.app
        yield found
        for each in found.values():
            if isinstance(each, httpx.AsyncClient):
                await each.aclose()


async def furnish(alice, *, shared_with=()):
    agent = {"description": f"Plans {SCRIPT}", "shared_with": list(shared_with)}
    assert (await alice.put("/v1/agents/lead", json=agent)).status_code == 200
    spec = {"planner": "lead", "workers": ["lead"], "synthesizer": "lead", "shared_with": list(shared_with)}
    assert (await alice.put("/v1/teams/desk", json={})).status_code in {404, 405}
    assert (await alice.put("/v1/teams/desk/spec", json=spec)).status_code == 200


# ---- runs of teams -----------------------------------------------------------------------------------------------


async def test_a_team_is_asked_and_its_run_is_seen_by_who_asked_alone(pages):
    pytest.importorskip("agents")
    alice, bob = pages["alice"], pages["bob"]
    await furnish(alice, shared_with=["bob"])
    assert "desk" in (await bob.get("/teams")).text
    assert "desk" not in (await pages["mallory"].get("/teams")).text
    asked = await alice.post("/teams/alice/desk/runs", data={"message": f"Where? {SCRIPT}"})
    assert asked.status_code == 303
    where = asked.headers["location"]
    for _ in range(400):
        page = await alice.get(where)
        if ">running<" not in page.text:
            break
        part = await alice.get(where, headers={"hx-request": "true"})
        assert "<html" not in part.text
    assert ">done<" in page.text
    assert "Where? &lt;script&gt;" in page.text
    assert SCRIPT not in page.text
    run = where.rsplit("/", 1)[1]
    assert run in (await alice.get("/teams/alice/desk")).text
    assert run not in (await bob.get("/teams/alice/desk")).text
    assert (await bob.get(where)).status_code == 404
    assert (await bob.post(f"{where}/cancel")).status_code == 404
    assert (await pages["mallory"].get("/teams/alice/desk")).status_code == 404


# ---- grants ------------------------------------------------------------------------------------------------------


async def test_a_pool_is_registered_and_granted_on_its_page(pages):
    alice, bob = pages["alice"], pages["bob"]
    made = await alice.post("/memory", data={"kind": "pool", "name": "alice:docs"})
    grants = made.headers["location"]
    assert grants == "/memory/alice%3Adocs/grants"
    assert (await bob.get(grants)).status_code == 404
    await alice.post(grants, data={"to": "bob", "read": "yes"})
    seen = (await bob.get(grants)).text
    assert "bob" in seen
    assert ">Grant</button>" not in seen  # who may only read is offered nothing else
    refused = await bob.post(grants, data={"to": "bob", "read": "yes", "admin": "yes"})
    assert refused.status_code in {403, 404}
    await alice.post(grants, data={"to": "bob"})
    assert (await bob.get(grants)).status_code == 404
    wrong = await alice.post(grants, data={"to": "group:", "read": "yes"})
    assert wrong.status_code == 422
    private = await alice.get("/memory/agent:bot:u:alice/grants")
    assert private.status_code == 422


# ---- jobs and deliveries -----------------------------------------------------------------------------------------


async def test_jobs_are_for_admins_and_tasks_for_whose_they_are(pages):
    alice, bob, root = pages["alice"], pages["bob"], pages["root"]
    await furnish(alice)
    await alice.put("/v1/agents/lead/tasks/morning", json={"prompt": SCRIPT, "every": 3_600})
    async with pages["app"].state.tenants.using("default") as memory:
        await memory._runtime.store.write(background.add_job, "default", "idle", 0)
    seen = (await alice.get("/work")).text
    assert "morning" in seen
    assert ">Jobs<" not in seen
    assert "morning" not in (await bob.get("/work")).text
    admin = (await root.get("/work")).text
    assert ">Jobs<" in admin
    assert "<code>idle</code>" in admin
    assert SCRIPT not in seen + admin


async def test_a_subscription_is_made_its_news_are_seen_and_tried_again(pages):
    alice, bob = pages["alice"], pages["bob"]
    told = {"url": "https://example.org/hook", "description": SCRIPT}
    kinds = re.findall(
        r'type="checkbox" name="([a-z_.]+)" value="yes" checked', (await alice.get("/work")).text
    )
    made = await alice.post("/work/subscriptions", data={**told, kinds[0]: "yes"})
    secret = re.search(r'class="secret">([^<]+)<', made.text)[1]
    page = (await alice.get("/work")).text
    assert secret not in page
    assert SCRIPT not in page + made.text
    where = re.search(r'href="(/work/subscriptions/[^"]+)"', page)[1]
    word = where.rsplit("/", 1)[1]
    note = (await alice.post("/v1/scopes/agent:bot:u:alice/notes", json={"text": "Likes tea."})).json()["id"]

    async with pages["app"].state.tenants.using("default") as memory:
        runtime = memory._runtime

        def given_up():
            place = yield from find(memory.namespace("agent:bot:u:alice").namespace)
            yield from letters.add_delivery(
                tenant="default", scope=place.scope, delivery=77, target=word, event="e", kind=kinds[0],
                note=to_number("n", note), subject="{}", state="dead", at=runtime.now(), now=runtime.now(),
            )  # fmt: skip

        await runtime.store.write(given_up)
    shown = (await alice.get(where)).text
    assert '<span class="chip warn">dead' in shown
    again = re.search(r'action="([^"]+/retry)"', shown)[1]
    assert (await bob.get(where)).status_code == 404
    assert (await bob.post(again)).status_code == 404
    assert (await alice.post(again)).headers["location"] == where
    assert '<span class="chip ">pending' in (await alice.get(where)).text
    assert '<span class="chip ">pending' not in (await alice.get(where, params={"state": "dead"})).text
    assert (await bob.post(f"{where}/delete")).status_code == 404
    assert 'class="secret"' in (await alice.post(f"{where}/rotate")).text
    await alice.post(f"{where}/delete")
    assert (await alice.get(where)).status_code == 404
    nothing = await alice.post("/work/subscriptions", data={"url": "https://example.org/hook"})
    assert nothing.status_code == 422


# ---- the spec of an agent ----------------------------------------------------------------------------------------


async def test_an_agent_is_edited_by_fields_and_what_they_do_not_show_stays(pages):
    alice = pages["alice"]
    spec = {"description": "Old.", "primitives": {"memory": {"families": ["private"], "tools": ["recall"]}}}
    await alice.put("/v1/agents/mine", json=spec)
    page = (await alice.get("/agents/alice/mine/settings")).text
    assert ">Old.</textarea>" in page
    assert "&#34;tools&#34;" in page  # the JSON stands beside it
    sent = {
        "as": "fields", "expected": "1", "description": f"New {SCRIPT}.", "system_prompt": "Be brief.\r\nAlways.",
        "model": "gpt-test", "max_turns": "7", "temperature": "0.5", "enabled": "yes", "injection": "relevance",
        "shared_namespaces": "alice:notes\r\n", "team": "", "shared_with": "bob\r\ngroup:staff\r\n",
    }  # fmt: skip
    assert (await alice.post("/agents/alice/mine/settings", data=sent)).status_code == 303
    kept = (await alice.get("/v1/agents/mine")).json()
    memory = kept["spec"]["primitives"]["memory"]
    assert (kept["revision"], kept["spec"]["system_prompt"], kept["spec"]["max_turns"]) == (
        2,
        "Be brief.\nAlways.",
        7,
    )
    assert (kept["spec"]["model"], kept["spec"]["temperature"]) == ("gpt-test", 0.5)
    assert kept["spec"]["hooks"] == {"auto_memory": False, "injection": "relevance"}
    assert (memory["tools"], memory["families"]) == (["recall"], ["private"])
    assert (memory["shared_namespaces"], memory["team"]) == (["alice:notes"], None)
    assert kept["spec"]["shared_with"] == ["bob", "group:staff"]
    assert SCRIPT not in (await alice.get("/agents/alice/mine/settings")).text


async def test_what_cannot_be_taken_is_shown_again_and_nothing_is_changed(pages):
    alice = pages["alice"]
    await alice.put("/v1/agents/mine", json={"description": "Old."})
    for change in (
        {"max_turns": "many"},
        {"temperature": "9"},
        {"shared_with": "group:"},
        {"injection": "never"},
    ):
        sent = {
            "as": "fields", "expected": "1", "description": "Typed.", "max_turns": "20", "enabled": "yes",
            "injection": "beginning", **change,
        }  # fmt: skip
        answer = await alice.post("/agents/alice/mine/settings", data=sent)
        assert answer.status_code == 422, change
        assert "Nothing was changed." in answer.text
        assert ">Typed.</textarea>" in answer.text
    wrong = await alice.post("/agents/alice/mine/settings", data={"spec": '{"colour": 1}', "expected": "1"})
    assert (wrong.status_code, "colour" in wrong.text) == (422, True)
    stale = await alice.post(
        "/agents/alice/mine/settings", data={"spec": '{"description": "Late."}', "expected": "7"}
    )
    assert stale.status_code == 409
    assert (await alice.get("/v1/agents/mine")).json()["spec"]["description"] == "Old."


# ---- names with a slash ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["team/desk", "a/b/c", "50%2F50", "who?", "a b", "agent:x"])
async def test_an_agent_of_any_name_is_reached_on_its_pages(pages, name):
    alice = pages["alice"]
    made = await alice.post("/agents", data={"name": name, "description": "Of an odd name."})
    assert made.status_code == 303
    listed = (await alice.get("/")).text
    addresses = set(re.findall(r'href="(/agents/[^"]+/settings)"', listed))
    assert len(addresses) == 1
    page = (await alice.get(addresses.pop())).text
    assert "Of an odd name." in page
    assert (await alice.get(made.headers["location"])).status_code == 200
    for link in set(
        re.findall(r'href="(/(?:agents|memory)/[^"]+)"', (await alice.get(made.headers["location"])).text)
    ):
        assert (await alice.get(link)).status_code in {200, 303}, link


@pytest.mark.parametrize("written", ["team%2Fdesk", "team%252Fdesk"])
async def test_a_slash_in_a_name_may_be_written_as_in_the_api(pages, written):
    alice = pages["alice"]
    assert (await alice.put("/v1/agents/team%2Fdesk", json={"description": "Of a slash."})).status_code == 200
    page = await alice.get(f"/agents/alice/{written}/settings")
    assert "Of a slash." in page.text
    assert (await alice.get(f"/agents/alice/{written}/chat/dashboard")).status_code == 200
    assert (await alice.get("/memory/agent:o:alice:team%2Fdesk:u:alice")).status_code == 200


async def test_who_signs_in_is_led_to_a_name_with_a_slash(pages):
    transport = httpx.ASGITransport(pages["app"], raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=HTML) as browser:
        await pages["alice"].put("/v1/agents/team%2Fdesk", json={"description": "Of a slash."})
        asked = "/agents/alice/team%2Fdesk/settings"
        form = await browser.get((await browser.get(asked)).headers["location"])
        to = re.search(r'name="next" value="([^"]+)"', form.text)[1]
        sent = {"credential": pages["alice"].headers["x-api-key"], "next": to}
        own = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
        landed = await browser.post("/sign-in", data=sent, headers=own)
        assert "Of a slash." in (await browser.get(landed.headers["location"])).text
