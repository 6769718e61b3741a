"""Who shares a team shares what it found, and neither runs nor notes."""

import pytest

from bethink.testing.model_server import Calls, Says

from .conftest import found, plan

pytestmark = pytest.mark.anyio

OWNER = {"owner": "alice"}


@pytest.fixture
async def people(serving, keys, cast, anyio_backend):
    """Alice's team, shared with Bob."""
    path, made = keys
    async with serving(auth="bearer", keys=path, model="scripted-1", model_url=cast.url) as client:
        doors = {name: client(key) for name, key in made.items()}
        await found(doors["alice"], shared_with=["bob"])
        yield doors


async def ask(client, message="Where?"):
    return await client.post("/teams/desk/runs", json={"message": message}, params=OWNER)


def play(cast, *steps):
    plan(cast, researcher="Find the hotel.")
    cast.then("researcher", *steps, Says("In the Marais."))
    cast.then("writer", Says("In the Marais."))


async def test_a_run_is_its_callers_alone(people, cast):
    play(cast)
    run = (await ask(people["alice"])).json()["run"]
    path = f"/teams/desk/runs/{run}"
    assert (await people["alice"].get(path, params=OWNER)).status_code == 200
    for name in ("bob", "root", "mallory", "other"):
        assert (await people[name].get(path, params=OWNER)).status_code == 404
        assert (await people[name].post(f"{path}/cancel", params=OWNER)).status_code == 404
    assert (await people["bob"].get("/teams/desk/runs", params=OWNER)).json()["total"] == 0


async def test_a_team_that_is_not_shared_is_not_there(people):
    for name in ("mallory", "ali", "other"):
        assert (await people[name].get("/teams/desk/spec", params=OWNER)).status_code == 404
        assert (await ask(people[name])).status_code == 404
    assert (await people["bob"].get("/teams/desk/spec", params=OWNER)).status_code == 200
    assert (await people["bob"].delete("/teams/desk/spec", params=OWNER)).status_code == 403


async def test_a_team_works_by_the_rights_of_who_asks(people, cast):
    finding = ("share_finding", {"key": "hotel", "content": "The hotel is in the Marais."})
    note = ("remember", {"key": "colour", "content": "Bob likes red."})
    play(cast, Calls((finding, note)))
    assert (await ask(people["bob"])).status_code == 200
    said = [
        each["content"] for each in cast.requests["researcher"][1].body["messages"] if each["role"] == "tool"
    ]
    assert said[0].startswith("Not done: ")
    assert said[1] == "Stored memory 'colour'."
    assert (await people["alice"].get("/scopes/team:desk/notes")).json()["total"] == 0
    await people["alice"].put("/teams/desk/grants/bob", json={"rights": ["read", "write"]})
    play(cast, Calls((finding,)))
    await ask(people["bob"])
    assert (await people["alice"].get("/scopes/team:desk/notes")).json()["total"] == 1
    play(cast, Calls((("recall", {"key": "colour"}),)))
    await ask(people["alice"])
    seen = [
        each["content"] for each in cast.requests["researcher"][-1].body["messages"] if each["role"] == "tool"
    ]
    assert seen == ["No memory found for key 'colour'."]


async def test_a_member_that_is_not_shared_is_missing(people):
    agent = (await people["alice"].get("/agents/clerk")).json()["spec"]
    await people["alice"].put("/agents/clerk", json={**agent, "shared_with": []})
    refused = await ask(people["bob"])
    assert (refused.status_code, refused.json()["id"]) == (404, "clerk")
    assert (await people["bob"].get("/teams/desk/runs", params=OWNER)).json()["total"] == 0


async def test_erasing_a_user_takes_runs_and_teams_with_it(people, cast):
    play(cast)
    await ask(people["bob"], "My name is Robert Paulson.")
    receipt = (await people["root"].post("/erase", json={"user": "bob"})).json()
    assert receipt["remaining"] == 0
    assert receipt["erased"]["sessions"] == 1
    assert (await people["alice"].get("/teams/desk/spec")).json()["spec"]["shared_with"] == []
    receipt = (await people["root"].post("/erase", json={"user": "alice"})).json()
    assert receipt["erased"]["team_specs"] == 1
