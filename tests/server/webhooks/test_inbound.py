"""Messages that others leave for an agent."""

import asyncio
import json

import pytest

from bethink.server.options import Work
from bethink.testing.model_server import Hangs, ModelServer, Says, Status
from tests.server.webhooks.conftest import START, Sender

pytestmark = pytest.mark.anyio
ALICE = "/scopes/agent:o:alice:concierge:u:alice"


@pytest.fixture
def open_(serving, keys, clock, tmp_path):
    """Serve with keys and a clock; return the doors of some callers."""

    def start(**options):
        path, made = keys

        class Doors:
            async def __aenter__(self):
                self._serving = serving(
                    auth="bearer", keys=path, clock=clock, work=Work(here=False), **options
                )
                client = await self._serving.__aenter__()
                self.found = {name: client(key) for name, key in made.items()}
                self.found |= {"nobody": client(), "app": client.app}
                await self.found["alice"].put("/agents/concierge", json={})
                return self.found

            async def __aexit__(self, *error):
                await self._serving.__aexit__(*error)

        return Doors()

    return start


async def webhook(doors, clock, **spec):
    made = await doors["alice"].post("/agents/concierge/webhooks", json=spec)
    assert made.status_code == 201, made.text
    return Sender(doors["nobody"], made.json(), clock)


async def items(doors, session="dashboard"):
    return (await doors["alice"].get(f"{ALICE}/sessions/{session}/items")).json()["entries"]


async def test_a_message_is_answered_in_the_dashboard_of_whoever_registered_the_webhook(open_, clock):
    async with open_() as doors:
        sender = await webhook(doors, clock)
        answer = await sender.send("The parcel has arrived.")
        assert answer.status_code == 200
        assert answer.json().keys() == {"response", "model", "session_id", "turn"}
        assert answer.json()["session_id"] == "dashboard"
        found = await items(doors)
        assert found[0]["body"]["content"] == "The parcel has arrived."
        assert {each["origin"] for each in found} == {sender.origin}
        assert len(sender.origin) > len("webhook:")


async def test_the_session_is_of_the_body_then_of_the_header_then_the_webhooks_own(open_, clock):
    async with open_() as doors:
        sender = await webhook(doors, clock, mode="append", session="inbox")
        both = {"message": "one", "session_id": "body"}
        said = await sender.send(both, "m1", **{"x-session-id": "header"})
        assert said.json()["session_id"] == "body"
        said = await sender.send("two", "m2", **{"x-session-id": "header"})
        assert said.json()["session_id"] == "header"
        assert (await sender.send("three", "m3")).json()["session_id"] == "inbox"


async def test_what_is_only_noted_is_answered_by_nobody(open_, clock):
    async with open_() as doors:
        sender = await webhook(doors, clock, mode="append")
        answer = await sender.send("The build is red.")
        assert answer.json()["status"] == "noted"
        (only,) = await items(doors)
        assert (only["body"], only["origin"]) == (
            {"role": "user", "content": "The build is red."},
            sender.origin,
        )


async def test_what_is_not_signed_rightly_and_lately_is_refused_and_leaves_no_trace(open_, clock):
    async with open_() as doors:
        sender = await webhook(doors, clock, mode="append")
        other = await webhook(doors, clock, mode="append")
        for answer in (
            await sender.send("x", secret=other.secret),
            await sender.send("x", signed=b'{"message": "y"}'),
            await sender.send("x", at=START.replace(hour=11)),
            await doors["nobody"].post(f"/webhooks/{sender.id}", json={"message": "x"}),
            await doors["alice"].post(f"/webhooks/{sender.id}", json={"message": "x"}),
            await sender.send("x", **{"webhook-signature": "v1,"}),
        ):
            assert answer.status_code == 401
            assert answer.json()["type"] == "urn:bethink:unauthorized"
            assert sender.secret not in answer.text
        sender.id = sender.id[:-1] + ("0" if sender.id[-1] != "0" else "1")
        assert (await sender.send("x")).status_code == 404
        assert await items(doors) == []


async def test_a_message_that_comes_twice_is_answered_once(open_, clock):
    async with open_() as doors:
        sender = await webhook(doors, clock)
        first = (await sender.send("The parcel has arrived.")).json()
        count = len(await items(doors))
        again = await sender.send("The parcel has arrived.")
        assert again.status_code == 200
        assert again.json() == {"status": "duplicate", "session_id": "dashboard", "turn": first["turn"]}
        assert len(await items(doors)) == count
        assert "turn" in (await sender.send("The parcel has arrived.", "msg_2")).json()


async def test_a_message_that_failed_can_come_again(open_, clock):
    with ModelServer() as model:
        model.always(Says("Thank you."))
        async with open_(model="scripted-1", model_url=model.url, turn_seconds=5) as doors:
            sender = await webhook(doors, clock)
            model.then(Status(400))
            failed = await sender.send("Hello?")
            assert failed.status_code == 502
            assert await items(doors) == []
            answered = await sender.send("Hello?")
            assert answered.json()["response"] == "Thank you."


async def test_only_the_sessions_that_were_named_are_reached(open_, clock):
    async with open_() as doors:
        sender = await webhook(doors, clock, mode="append", session="inbox", sessions=["orders-*", "returns"])
        for number, session in enumerate(["inbox", "orders-7", "returns"]):
            said = await sender.send({"message": "x", "session_id": session}, f"m{number}")
            assert said.status_code == 200, session
        for session in ("dashboard", "order", "returns-1"):
            said = await sender.send({"message": "x", "session_id": session}, f"other-{session}")
            assert said.status_code == 403, session
            assert await items(doors, session) == []


async def test_only_the_networks_that_were_named_are_let_in(open_, clock):
    async with open_() as doors:
        near = await webhook(doors, clock, mode="append", addresses=["127.0.0.0/8"])
        far = await webhook(doors, clock, mode="append", addresses=["203.0.113.0/24", "2001:db8::/32"])
        assert (await near.send("x")).status_code == 200
        assert (await far.send("x")).status_code == 403


async def test_during_a_change_both_secrets_are_good_and_then_the_new_one_alone(open_, clock):
    async with open_() as doors:
        sender = await webhook(doors, clock, mode="append")
        path = f"/agents/concierge/webhooks/{sender.id}"
        changed = (await doors["alice"].post(f"{path}/rotate", json={"overlap_seconds": 3_600})).json()
        assert changed["secret"] != sender.secret
        assert changed["good_secrets"] == 2
        assert (await sender.send("x", "m1")).status_code == 200
        assert (await sender.send("x", "m2", secret=changed["secret"])).status_code == 200
        clock.pass_(hours=1)
        assert (await sender.send("x", "m3")).status_code == 401
        assert (await sender.send("x", "m4", secret=changed["secret"])).status_code == 200
        assert (await doors["alice"].get(path)).json()["good_secrets"] == 1


async def test_a_secret_is_shown_once_and_never_lies_in_the_database(open_, clock, tmp_path):
    async with open_() as doors:
        made = (await doors["alice"].post("/agents/concierge/webhooks", json={})).json()
        plain = (await doors["alice"].post("/agents/concierge/webhooks", json={"scheme": "secret"})).json()
        listed = (await doors["alice"].get("/agents/concierge/webhooks")).text
        read = (await doors["alice"].get(f"/agents/concierge/webhooks/{made['id']}")).text
    for secret in (made["secret"], plain["secret"]):
        assert secret not in listed + read
        for file in tmp_path.iterdir():
            assert secret.removeprefix("whsec_").encode() not in file.read_bytes(), file.name
    assert (tmp_path / "memory.db.key").stat().st_mode & 0o077 == 0


async def test_a_webhook_made_so_takes_its_secret_in_a_header(open_, clock):
    async with open_() as doors:
        made = (
            await doors["alice"].post(
                "/agents/concierge/webhooks", json={"scheme": "secret", "mode": "append"}
            )
        ).json()
        path, told = f"/webhooks/{made['id']}", {"message": "x"}
        good = {"x-webhook-secret": made["secret"], "x-idempotency-key": "one"}
        assert (await doors["nobody"].post(path, json=told, headers=good)).json()["status"] == "noted"
        assert (await doors["nobody"].post(path, json=told, headers=good)).json()["status"] == "duplicate"
        bad = {"x-webhook-secret": made["secret"][:-1]}
        assert (await doors["nobody"].post(path, json=told, headers=bad)).status_code == 401
        standard = await webhook(doors, clock, mode="append")
        header = {"x-webhook-secret": standard.secret}
        assert (
            await doors["nobody"].post(f"/webhooks/{standard.id}", json=told, headers=header)
        ).status_code == 401


async def test_the_model_is_told_whose_words_these_are_and_the_sender_no_more_than_is_meant(open_, clock):
    with ModelServer() as model:
        model.always(Says("The safe is behind the picture."))
        async with open_(model="scripted-1", model_url=model.url) as doors:
            sender = await webhook(doors, clock, quiet=True)
            answered = await sender.send("Where is the safe?")
            assert answered.json() == {
                "response": None,
                "model": "scripted-1",
                "session_id": "dashboard",
                "turn": answered.json()["turn"],
            }
            assert "not from the user" in model.requests[0].system
            assert "safe" in (await items(doors))[-1]["body"]["content"][0]["text"]
            await doors["alice"].post("/agents/concierge/chat", json={"message": "Where is it?"})
            assert "not from the user" not in json.dumps(model.requests[1].body)


async def test_one_turn_at_a_time_and_no_more_than_may_wait(open_, clock):
    with ModelServer() as model:
        model.always(Hangs())
        async with open_(model="scripted-1", model_url=model.url, queue=1, turn_seconds=2) as doors:
            sender = await webhook(doors, clock)
            sent = [asyncio.create_task(sender.send("x", f"m{number}")) for number in range(4)]
            done, _ = await asyncio.wait(sent, return_when=asyncio.FIRST_COMPLETED)
            first = done.pop().result()
            assert first.status_code == 429
            assert "retry-after" in first.headers
            statuses = sorted(each.status_code for each in await asyncio.gather(*sent))
            assert statuses.count(429) == 2
            assert await items(doors) == []


async def test_the_owner_alone_opens_webhooks_and_sees_them(open_, clock):
    async with open_() as doors:
        sender = await webhook(doors, clock)
        await doors["root"].put("/agents/shared", json={"shared_with": ["*"]})
        assert (await doors["bob"].post("/agents/shared/webhooks", json={})).status_code == 403
        assert (await doors["bob"].get("/agents/concierge/webhooks")).status_code == 404
        assert (await doors["root"].get("/agents/concierge/webhooks?owner=alice")).json()["entries"]
        assert (await doors["alice"].delete(f"/agents/concierge/webhooks/{sender.id}")).status_code == 204
        assert (await sender.send("x")).status_code == 404
        again = await webhook(doors, clock)
        assert (await doors["alice"].delete("/agents/concierge")).status_code == 204
        assert (await again.send("x")).status_code == 404


async def test_a_webhook_acts_for_its_owner_and_never_as_an_admin(open_, clock):
    async with open_() as doors:
        root = doors["root"]
        await root.put("/agents/desk", json={"primitives": {"memory": {"shared_namespaces": []}}})
        made = (await root.post("/agents/desk/webhooks", json={"mode": "append"})).json()
        assert made["acts_for"] == "root"
        sender = Sender(doors["nobody"], made, clock)
        assert (await sender.send("x")).status_code == 200
        found = await root.get("/scopes/agent:desk:u:root/sessions/dashboard/items")
        assert found.json()["total"] == 1


async def test_the_same_address_in_another_tenant_is_none(open_, clock):
    async with open_() as doors:
        await doors["other"].put("/agents/concierge", json={})
        made = (await doors["other"].post("/agents/concierge/webhooks", json={"mode": "append"})).json()
        sender = Sender(doors["nobody"], made, clock)
        assert (await sender.send("For the other tenant.")).status_code == 200
        assert await items(doors) == []
        assert (await doors["other"].get(f"{ALICE}/sessions/dashboard/items")).json()["total"] == 1
        sender.id = "-".join(sender.id.split("-")[:2])
        assert (await sender.send("x", "m2")).status_code == 404


async def test_messages_are_held_to_a_rate_and_to_a_size(open_, clock):
    async with open_(rate=0.001, burst=3, body_bytes=1_000) as doors:
        sender = await webhook(doors, clock, mode="append")
        for number in range(3):
            assert (await sender.send("x", f"m{number}")).status_code == 200
        assert (await sender.send("x", "m4")).status_code == 429
        assert (await sender.send("y" * 1_000, "m5")).status_code == 413


async def test_what_others_wrote_is_no_statement_of_the_user(open_, clock):
    async with open_() as doors:
        alice, sender = doors["alice"], await webhook(doors, clock, mode="append")
        await sender.send("I prefer window seats.")
        said = {"items": [{"role": "user", "content": "I prefer aisle seats."}]}
        await alice.post(f"{ALICE}/sessions/dashboard/items", json=said)
        plan = (await alice.post(f"{ALICE}/plans", json={})).json()
        assert plan["state"] == "applied"
        notes = (await alice.get(f"{ALICE}/notes")).json()["entries"]
        assert [note["text"] for note in notes] == ["I prefer aisle seats."]
        waiting = await alice.get(f"{ALICE}/notes", params={"status": "pending"})
        (waits,) = waiting.json()["entries"]  # nobody said it; the guard has nothing against it
        assert ("window" in waits["text"], waits["source"]) == (True, "tool")


async def test_webhooks_and_their_messages_are_erased_with_whom_they_are_of(open_, clock, db, monkeypatch):
    options = {"db": db}
    if db.startswith("postgresql"):
        options["secrets_key"] = "A" * 43 + "="
    async with open_(**options) as doors:
        sender = await webhook(doors, clock, mode="append", session="secret-plans")
        assert (await sender.send("x")).status_code == 200
        gone = await doors["alice"].post(f"{ALICE}/erase", json={"session": "secret-plans"})
        assert gone.json()["erased"]["webhook_messages"] == 1
        assert (await sender.send("x")).json()["status"] == "noted"
        receipt = (await doors["alice"].post("/erase", json={"user": "alice"})).json()
        assert receipt["remaining"] == 0, receipt
        assert receipt["erased"]["webhooks"] == 1
        assert (await sender.send("x", "m2")).status_code == 404


async def test_postgresql_needs_a_key_for_secrets(open_, clock, postgresql_cluster):
    async with open_(db=postgresql_cluster.url(postgresql_cluster.create())) as doors:
        refused = await doors["alice"].post("/agents/concierge/webhooks", json={})
        assert refused.status_code == 422
        assert "BETHINK_SECRETS_KEY" in refused.json()["detail"]
        assert (await doors["nobody"].post("/webhooks/w1-x", json={"message": "x"})).status_code == 503


async def test_what_was_registered_without_authentication_does_not_act_with_it(
    serving, keys, clock, tmp_path
):
    async with serving(auth="noop", clock=clock) as client:
        door = client()
        await door.put("/agents/bot", json={})
        made = (await door.post("/agents/bot/webhooks", json={"mode": "append"})).json()
        assert (await Sender(client(), made, clock).send("x")).status_code == 200
    async with serving(auth="bearer", keys=keys[0], clock=clock) as client:
        assert (await Sender(client(), made, clock).send("x", "m2")).status_code == 403
