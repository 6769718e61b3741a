"""What the server keeps beside memories is the same on PostgreSQL, held to a tenant by the database itself."""

import pytest

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["file", "postgresql"])
def db(request, tmp_path):
    if request.param == "file":
        return str(tmp_path / "memory.db")
    cluster = request.getfixturevalue("postgresql_cluster")
    return cluster.url(cluster.create())


async def test_specs_repetitions_and_erasures_stay_with_their_tenant(serving, keys, db):
    path, made = keys
    async with serving(auth="bearer", keys=path, db=db) as client:
        alice, other, root = client(made["alice"]), client(made["other"]), client(made["other-root"])
        key = {"idempotency-key": "same"}
        note = {"text": "Likes tea."}
        assert (await alice.put("/agents/mine", json={"description": "One."})).json()["revision"] == 1
        assert (await alice.put("/agents/mine", json={"description": "Two."})).json()["revision"] == 2
        assert (await other.get("/agents")).json()["total"] == 0
        for door in (alice, other):
            answer = await door.post("/scopes/agent:bot:u:alice/notes", json=note, headers=key)
            assert "idempotency-replayed" not in answer.headers
        again = await alice.post("/scopes/agent:bot:u:alice/notes", json=note, headers=key)
        assert again.headers["idempotency-replayed"] == "true"
        assert (await root.post("/erase", json={"tenant": "other"})).json()["remaining"] == 0
        assert (await alice.get("/agents/mine")).json()["spec"]["description"] == "Two."
        receipt = (await alice.post("/erase", json={"user": "alice"})).json()
        assert receipt["erased"]["agents"] == 1
        assert receipt["erased"]["answered_requests"] == 1
        assert (await alice.get("/agents")).json()["total"] == 0
        assert (await alice.get("/scopes/agent:bot:u:alice/notes")).json()["total"] == 0


async def test_chats_and_teams_are_kept_and_erased_on_both_stores(serving, keys, db):
    pytest.importorskip("agents")
    path, made = keys
    async with serving(auth="bearer", keys=path, db=db) as client:
        alice, root = client(made["alice"]), client(made["root"])
        key = {"idempotency-key": "same"}
        await alice.put("/agents/mine", json={})
        for _ in range(2):
            said = (
                await alice.post("/agents/mine/chat", json={"message": "I am vegetarian."}, headers=key)
            ).json()
        assert (said["repeated"], said["text"][:23]) == (True, "Noted: I am vegetarian.")
        spec = {"planner": "mine", "workers": ["mine"], "synthesizer": "mine", "shared_with": ["bob"]}
        assert (await alice.put("/teams/desk/spec", json=spec)).json()["revision"] == 1
        assert (await alice.put("/teams/desk/spec", json=spec)).json()["revision"] == 2
        run = (await alice.post("/teams/desk/runs", json={"message": "What do I eat?"}, headers=key)).json()
        assert (run["state"], run["text"][:29]) == ("done", "From memory: I am vegetarian.")
        assert (await alice.get(f"/teams/desk/runs/{run['run']}")).json() == run
        receipt = (await root.post("/erase", json={"user": "alice"})).json()
        assert (receipt["remaining"], receipt["erased"]["team_specs"]) == (0, 1)
        assert (await alice.get("/teams/desk/spec")).status_code == 404


async def test_what_a_tenant_holds_is_counted_the_same_on_both(serving, keys, db):
    path, made = keys
    async with serving(auth="bearer", keys=path, db=db, metrics="admin", tenant_entries=3) as client:
        alice, other, root = client(made["alice"]), client(made["other"]), client(made["root"])
        scope = "/scopes/agent:bot:u:alice"
        await alice.post(f"{scope}/notes", json={"text": "Likes tea."})
        await alice.post(f"{scope}/sessions/s/items", json={"items": [{"role": "user", "content": "Hi"}] * 2})
        await other.post(f"{scope}/notes", json={"text": "Of another tenant."})
        told = (await root.get("http://localhost/metrics")).text
        assert 'bethink_notes{status="active",tenant="default"} 1.0' in told
        assert 'bethink_items{tenant="default"} 2.0' in told
        assert 'bethink_items{tenant="other"} 0.0' in told
        client.app.state.quotas.forget()
        assert (await alice.post(f"{scope}/notes", json={"text": "One more."})).status_code == 429
        assert (await other.post(f"{scope}/notes", json={"text": "One more."})).status_code == 201
