"""Runs of a team: what its members do, remember and share, and whose rights hold."""

import asyncio
import json

import pytest

from bethink.testing.model_server import Calls, Hangs, Says, Status
from tests.server.chat.conftest import Gate, events
from tests.server.chat.test_queue import until

from .conftest import SPEC, found, plan

pytestmark = pytest.mark.anyio


@pytest.fixture
async def desk(serving, cast, anyio_backend):
    """A client of a server with a team and a model."""
    async with serving(auth="noop", model="scripted-1", model_url=cast.url) as client:
        made = client()
        await found(made)
        yield made


async def ask(client, message="Budget and hotel, please.", **more):
    return await client.post("/teams/desk/runs", json={"message": message, **more})


async def test_one_plans_several_work_and_one_answers(desk, cast):
    plan(cast, researcher="Find the budget.", clerk="Find the hotel.")
    cast.then("researcher", Says("200 euros."))
    cast.then("clerk", Says("In the Marais."))
    cast.then("writer", Says("200 euros, in the Marais."))
    run = (await ask(desk)).json()
    assert (run["state"], run["text"], run["message"]) == (
        "done", "200 euros, in the Marais.", "Budget and hotel, please.",
    )  # fmt: skip
    assert [(each["worker"], each["task"], each["text"], each["error"]) for each in run["tasks"]] == [
        ("researcher", "Find the budget.", "200 euros.", None),
        ("clerk", "Find the hotel.", "In the Marais.", None),
    ]
    assert run["usage"] == {"requests": 5, "tokens_in": 500, "tokens_out": 100}
    assert (await desk.get(f"/teams/desk/runs/{run['run']}")).json() == run
    assert "- researcher: knows all of researchers" in cast.requests["lead"][0].system
    asked = cast.requests["writer"][0].body["messages"][-1]["content"]
    assert asked.endswith('- researcher: "200 euros."\n- clerk: "In the Marais."')


async def test_a_worker_has_its_own_notes_its_pools_and_what_the_team_shares_at_once(desk, cast):
    plan(cast, researcher="Find out.")
    cast.then(
        "researcher",
        Calls((
            ("remember", {"key": "colour", "content": "Alice likes green."}),
            ("share_to", {"pool": "org:docs", "key": "api", "content": "The API has a spec."}),
            ("share_finding", {"key": "budget", "content": "The budget is 200 euros."}),
        )),
        Says("Found out."),
    )  # fmt: skip
    cast.then("writer", Calls((("read_shared", {"key": "budget"}),)), Says("200 euros."))
    run = (await ask(desk)).json()
    assert run["text"] == "200 euros."
    kept = {
        name: [note["text"] for note in (await desk.get(f"/scopes/{name}/notes")).json()["entries"]]
        for name in ("agent:researcher:u:noop", "org:docs", "team:desk")
    }
    assert kept == {
        "agent:researcher:u:noop": ["Alice likes green."],
        "org:docs": ["The API has a spec."],
        "team:desk": ["The budget is 200 euros."],
    }
    tools = {each["function"]["name"] for each in cast.requests["researcher"][0].body["tools"]}
    assert {"remember", "share_to", "share_finding"} <= tools
    assert "Alice likes green." not in json.dumps(cast.requests["writer"][0].body)


async def test_private_notes_of_a_worker_are_there_in_the_next_run(desk, cast):
    for _ in range(2):
        plan(cast, researcher="Find out.")
        cast.then("writer", Says("Done."))
    cast.then("researcher", Calls((("remember", {"key": "colour", "content": "Likes green."}),)), Says("Ok."))
    cast.then("researcher", Says("Green."))
    await ask(desk)
    await ask(desk)
    assert "Likes green." not in cast.requests["researcher"][0].system
    assert "Likes green." in cast.requests["researcher"][2].system


async def test_each_member_reaches_its_own_memory_alone(desk, cast):
    plan(cast, researcher="Find out.", clerk="Find out.")
    for name in ("researcher", "clerk"):
        note = {"key": "me", "content": f"This is of the {name}."}
        cast.then(name, Calls((("remember", note),)), Calls((("recall", {"key": "me"}),)), Says("Ok."))
    cast.then("writer", Calls((("recall", {"key": "me"}),)), Says("Done."))
    await ask(desk)
    answers = {
        name: [each["content"] for each in cast.requests[name][-1].body["messages"] if each["role"] == "tool"]
        for name in ("researcher", "clerk", "writer")
    }
    assert answers == {
        "researcher": ["Stored memory 'me'.", "This is of the researcher."],
        "clerk": ["Stored memory 'me'.", "This is of the clerk."],
        "writer": ["No memory found for key 'me'."],
    }


async def test_workers_work_at_once_but_only_so_many(serving, cast, anyio_backend):
    gates = [Gate(f"Part {number}.") for number in range(3)]
    async with serving(auth="noop", model="scripted-1", model_url=cast.url) as client:
        desk = client()
        await found(desk, max_concurrent=2)
        given = tuple(("assign", {"worker": "clerk", "task": f"Part {number}."}) for number in range(3))
        cast.then("lead", Calls(given), Says("Given."))
        cast.then("clerk", *gates)
        cast.then("writer", Says("Done."))
        run = asyncio.create_task(ask(desk))
        for gate in gates[:2]:
            await asyncio.to_thread(gate.reached.wait, 10)
        assert not gates[2].reached.is_set()
        for gate in gates:
            gate.opened.set()
        assert (await run).json()["state"] == "done"


async def test_a_worker_that_fails_is_told_of_and_the_others_go_on(desk, cast):
    plan(cast, researcher="Find the budget.", clerk="Find the hotel.")
    cast.then("researcher", Status(401))
    cast.then("clerk", Says("In the Marais."))
    cast.then("writer", Says("In the Marais; the budget is missing."))
    run = (await ask(desk)).json()
    assert [each["error"] for each in run["tasks"]] == ["model", None]
    assert run["state"] == "done"
    asked = cast.requests["writer"][0].body["messages"][-1]["content"]
    assert "- researcher: (could not do it: model)" in asked
    assert (await desk.get(f"/teams/desk/runs/{run['run']}")).json()["tasks"] == run["tasks"]


async def test_a_run_fails_where_no_worker_can_work(desk, cast):
    plan(cast, researcher="Find the budget.")
    cast.then("researcher", Status(401))
    answer = await ask(desk)
    assert (answer.status_code, answer.json()["type"]) == (502, "urn:bethink:team")
    (run,) = (await desk.get("/teams/desk/runs")).json()["entries"]
    assert (run["state"], run["error"]) == ("failed", "team")


async def test_a_plan_names_workers_that_there_are(desk, cast):
    cast.then(
        "lead",
        Calls((("assign", {"worker": "nobody", "task": "x"}), ("assign", {"worker": "clerk", "task": "y"}))),
        Says("Given."),
    )
    cast.then("clerk", Says("Done."))
    cast.then("writer", Says("Done."))
    run = (await ask(desk)).json()
    assert [(each["worker"], each["task"]) for each in run["tasks"]] == [("clerk", "y")]
    said = [each["content"] for each in cast.requests["lead"][1].body["messages"] if each["role"] == "tool"]
    assert said == [
        "Not done: there is no such worker. There are: researcher, clerk.",
        "Assigned to clerk.",
    ]


async def test_where_nothing_is_given_out_every_worker_gets_the_whole(desk, cast):
    cast.then("lead", Says("You all know what to do."))
    for name in ("researcher", "clerk", "writer"):
        cast.then(name, Says("Done."))
    run = (await ask(desk, "All of it.")).json()
    assert [(each["worker"], each["task"]) for each in run["tasks"]] == [
        ("researcher", "All of it."),
        ("clerk", "All of it."),
    ]


async def test_the_models_are_called_only_so_often(serving, cast, anyio_backend):
    async with serving(auth="noop", model="scripted-1", model_url=cast.url) as client:
        desk = client()
        await found(desk, max_turns=3)
        plan(cast, clerk="Find the hotel.")
        cast.then("clerk", Says("In the Marais."))
        answer = await ask(desk)
    assert (answer.status_code, answer.json()["type"]) == (502, "urn:bethink:max-turns")
    assert "writer" not in cast.requests


async def test_a_run_takes_only_so_long(serving, cast, anyio_backend):
    async with serving(auth="noop", model="scripted-1", model_url=cast.url) as client:
        desk = client()
        await found(desk, timeout_seconds=1)
        cast.then("lead", Hangs())
        answer = await ask(desk)
        assert (answer.status_code, answer.json()["type"]) == (504, "urn:bethink:timeout")
        (run,) = (await desk.get("/teams/desk/runs")).json()["entries"]
        assert (run["state"], run["error"]) == ("failed", "timeout")


async def test_what_happens_is_sent_as_it_happens(desk, cast):
    plan(cast, clerk="Find the hotel.")
    cast.then("clerk", Calls((("list_shared", {}),)), Says("In the Marais."))
    cast.then("writer", Says("In Marais."))
    seen = events((await ask(desk, stream=True)).text)
    assert [kind for kind, _ in seen] == [
        "run", "tool_call", "tool_result", "plan", "tool_call", "tool_result", "task", "delta", "delta", "done",
    ]  # fmt: skip
    data = [data for _, data in seen]
    assert [each["agent"] for each in (*data[1:3], *data[4:6])] == ["lead", "lead", "clerk", "clerk"]
    assert data[3] == {"tasks": [{"worker": "clerk", "task": "Find the hotel."}]}
    assert data[6] == {"worker": "clerk", "text": "In the Marais.", "error": None}
    assert (data[-1]["text"], data[-1]["run"]) == ("In Marais.", data[0]["run"])


async def test_a_run_is_asked_for_now_and_looked_at_later(desk, cast):
    gate = Gate("In the Marais.")
    plan(cast, clerk="Find the hotel.")
    cast.then("clerk", gate)
    cast.then("writer", Says("Done."))
    begun = await ask(desk, wait=False)
    assert (begun.status_code, begun.json()["state"]) == (202, "running")
    path = f"/teams/desk/runs/{begun.json()['run']}"
    assert (await desk.get(path)).json()["state"] == "running"
    gate.opened.set()

    async def done():
        return (await desk.get(path)).json()["state"] == "done"

    await until(done)
    assert (await desk.get(path)).json()["text"] == "Done."


@pytest.mark.parametrize("streamed", [False, True], ids=["json", "events"])
async def test_a_run_is_stopped(desk, cast, streamed):
    gate = Gate()
    plan(cast, clerk="Find the hotel.")
    cast.then("clerk", gate)
    run = asyncio.create_task(ask(desk, stream=streamed))
    await asyncio.to_thread(gate.reached.wait, 10)
    (listed,) = (await desk.get("/teams/desk/runs")).json()["entries"]
    path = f"/teams/desk/runs/{listed['run']}"
    assert (await desk.post(f"{path}/cancel")).json() == {"cancelled": True}
    answer = await run
    gate.opened.set()
    kept = (await desk.get(path)).json()
    assert (kept["state"], kept["text"]) == ("cancelled", None)
    assert [each["error"] for each in kept["tasks"]] == ["unfinished"]
    assert (await desk.post(f"{path}/cancel")).json() == {"cancelled": False}
    if streamed:
        assert events(answer.text)[-1] == ("cancelled", {"run": listed["run"]})
    else:
        assert answer.status_code == 409


async def test_a_repeated_request_does_not_run_again(desk, cast):
    plan(cast, clerk="Find the hotel.")
    cast.then("clerk", Says("In the Marais."))
    cast.then("writer", Says("Done."))
    key = {"idempotency-key": "k1"}
    body = {"message": "Where?"}
    first = (await desk.post("/teams/desk/runs", json=body, headers=key)).json()
    again = (await desk.post("/teams/desk/runs", json=body, headers=key)).json()
    assert again == {**first, "repeated": True}
    streamed = await desk.post("/teams/desk/runs", json={**body, "stream": True}, headers=key)
    assert events(streamed.text)[-1][1]["text"] == "Done."
    other = await desk.post("/teams/desk/runs", json={"message": "Who?"}, headers=key)
    assert (other.status_code, other.json()["type"]) == (422, "urn:bethink:key-reused")
    assert (await desk.get("/teams/desk/runs")).json()["total"] == 1


async def test_a_run_whose_process_is_gone_is_lost(desk, cast):
    from bethink.server.teams.records import begin
    from bethink.server.teams.register import Teams

    app = desk._transport.app
    async with app.state.tenants.using("default") as memory:
        from bethink.scope.values import Principal

        teams = Teams(memory.acting_as(Principal("noop", admin=True)))
        await begin(teams.scope(await teams.get("desk")), "t1", "Where?")
    assert (await desk.get("/teams/desk/runs/t1")).json()["state"] == "lost"


async def test_without_a_model_a_team_works_from_its_memories(serving, anyio_backend):
    async with serving(auth="noop") as client:
        desk = client()
        await found(desk)
        for name, text in (
            ("researcher", "The budget is 200 euros."),
            ("clerk", "The hotel is in the Marais."),
        ):
            await desk.post(f"/scopes/agent:{name}:u:noop/notes", json={"text": text, "key": name})
        run = (await ask(desk, "What is the budget? Where is the hotel?")).json()
        shared = (await desk.get("/scopes/team:desk/notes")).json()["entries"]
    assert run["offline"]
    assert [each["task"] for each in run["tasks"]] == ["What is the budget?", "Where is the hotel?"]
    assert run["text"] == (
        "From memory: The budget is 200 euros. The hotel is in the Marais. (Offline responder: no model is set.)"
    )
    assert {note["text"] for note in shared} == {"The budget is 200 euros.", "The hotel is in the Marais."}


async def test_a_spec_that_cannot_be_used_is_refused(desk):
    for change, status in (
        ({"workers": []}, 422),
        ({"workers": ["clerk", "clerk"]}, 422),
        ({"workers": ["nobody"]}, 404),
        ({"shared_memory_namespace": "agent:clerk:u:alice"}, 422),
        ({"shared_memory_namespace": "team:{nonsense}"}, 422),
        ({"shared_with": ["group:"]}, 422),
        ({"colour": 1}, 422),
    ):
        refused = await desk.put("/teams/desk/spec", json={**SPEC, **change})
        assert refused.status_code == status, change
    assert (await desk.get("/teams/desk/spec")).json()["revision"] == 1
    stale = await desk.put("/teams/desk/spec", json=SPEC, headers={"if-match": '"7"'})
    assert stale.status_code == 412
    assert (await desk.delete("/teams/desk/spec")).status_code == 204
    assert (await desk.get("/teams/desk/spec")).status_code == 404


async def test_whatever_somebody_writes_into_their_own_run_it_is_shown_or_not_there(desk, cast):
    plan(cast, clerk="Find the hotel.")
    cast.then("clerk", Says("In the Marais."))
    cast.then("writer", Says("Done."))
    run = (await ask(desk)).json()["run"]
    session = f"/scopes/agent:team.desk:u:noop/sessions/{run}"
    for mark in ("x", {"tasks": [{"bad": 1}]}, {"usage": {"requests": "many"}}, {"state": "splendid"}):
        assert (await desk.patch(session, json={"metadata": {"team_run": mark}})).status_code == 200
        await desk.post(f"{session}/items", json={"items": [{"type": "function_call", "call_id": "c"}]})
        assert (await desk.get(f"/teams/desk/runs/{run}")).json()["state"] == "lost"
        assert (await desk.get("/teams/desk/runs")).json()["entries"][0]["state"] == "lost"
    await desk.patch(session, json={"metadata": {}})
    assert (await desk.get(f"/teams/desk/runs/{run}")).status_code == 404


async def test_a_run_that_another_process_plays_is_seen_and_stopped_there(serving, cast, monkeypatch):
    from bethink.server.chat import running_turns

    monkeypatch.setattr(running_turns, "LOOK_SECONDS", 0.02)
    gate = Gate()
    plan(cast, clerk="Find the hotel.")
    cast.then("clerk", gate)
    options = {"auth": "noop", "model": "scripted-1", "model_url": cast.url}
    async with serving(**options) as one, serving(**options) as other:
        here, there = one(), other()
        await found(here)
        run = (await ask(here, wait=False)).json()["run"]
        await asyncio.to_thread(gate.reached.wait, 20)
        assert (await there.get(f"/teams/desk/runs/{run}")).json()["state"] == "running"
        assert (await there.get("/teams/desk/runs")).json()["entries"][0]["state"] == "running"
        assert (await there.post(f"/teams/desk/runs/{run}/cancel")).json() == {"cancelled": True}
        gate.opened.set()
        for client in (here, there):
            assert (await client.get(f"/teams/desk/runs/{run}")).json()["state"] == "cancelled"
        assert (await there.post(f"/teams/desk/runs/{run}/cancel")).json() == {"cancelled": False}
