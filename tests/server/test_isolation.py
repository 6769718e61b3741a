"""No route shows one caller what is another's: every route is tried, and one that is not tried fails."""

import json
from urllib.parse import quote

import pytest
from fastapi.routing import iter_route_contexts

from bethink.server.authentication import PUBLIC
from bethink.server.dashboard import uploads

pytestmark = pytest.mark.anyio

SECRET = "Keeps bees on the roof"
ALICE = "agent:concierge:u:alice"
OTHERS = ("bob", "mallory", "ali", "nobody", "other", "other-root")

#: Routes that name a scope: what is sent to each, as a stranger does.
SCOPED = {
    "GET /v1/scopes/{namespace}/export": None,
    "POST /v1/scopes/{namespace}/erase": {"everything": True},
    "GET /v1/scopes/{namespace}/records/{kind}": None,
    "POST /v1/scopes/{namespace}/records/{kind}": {"value": {"a": 1}, "at": "2026-01-01T00:00:00Z"},
    "POST /v1/scopes/{namespace}/notes": {"text": "Planted."},
    "GET /v1/scopes/{namespace}/notes": None,
    "GET /v1/scopes/{namespace}/quarantine": None,
    "GET /v1/scopes/{namespace}/review": None,
    "POST /v1/scopes/{namespace}/review": {"approve": ["secret"]},
    "GET /v1/scopes/{namespace}/notes/{note}/history": None,
    "GET /v1/scopes/{namespace}/notes/{note}": None,
    "PATCH /v1/scopes/{namespace}/notes/{note}": {"text": "Planted."},
    "DELETE /v1/scopes/{namespace}/notes/{note}": None,
    "POST /v1/scopes/{namespace}/notes/{note}/undo": {},
    "POST /v1/scopes/{namespace}/notes/{note}/approve": {},
    "POST /v1/scopes/{namespace}/notes/{note}/reject": {},
    "POST /v1/scopes/{namespace}/recall": {"query": "bees"},
    "POST /v1/scopes/{namespace}/timeline": {"query": "bees"},
    "POST /v1/scopes/{namespace}/why-not": {"query": "bees", "id": "{note}"},
    "POST /v1/scopes/{namespace}/context": {"query": "bees"},
    "GET /v1/scopes/{namespace}/profile": None,
    "PATCH /v1/scopes/{namespace}/profile": {"fields": {"a": 1}},
    "GET /v1/scopes/{namespace}/profile/history": None,
    "GET /v1/scopes/{namespace}/documents": None,
    "GET /v1/scopes/{namespace}/documents/paths": None,
    "GET /v1/scopes/{namespace}/documents/at/{key}": None,
    "PUT /v1/scopes/{namespace}/documents/at/{key}": {"value": "Planted"},
    "DELETE /v1/scopes/{namespace}/documents/at/{key}": None,
    "POST /v1/scopes/{namespace}/documents/search": {"query": "bees"},
    "POST /v1/scopes/{namespace}/documents/texts": {"key": "bees", "content": "Planted"},
    "GET /v1/scopes/{namespace}/sessions": None,
    "GET /v1/scopes/{namespace}/sessions/{session}": None,
    "PATCH /v1/scopes/{namespace}/sessions/{session}": {"title": "Planted"},
    "DELETE /v1/scopes/{namespace}/sessions/{session}": None,
    "GET /v1/scopes/{namespace}/sessions/{session}/expiry": None,
    "PUT /v1/scopes/{namespace}/sessions/{session}/expiry": {"seconds": 60},
    "GET /v1/scopes/{namespace}/sessions/{session}/items": None,
    "POST /v1/scopes/{namespace}/sessions/{session}/items": {"items": [{"role": "user", "content": "x"}]},
    "GET /v1/scopes/{namespace}/sessions/{session}/window": None,
    "POST /v1/scopes/{namespace}/sessions/{session}/undo": {},
    "POST /v1/scopes/{namespace}/sessions/{session}/clear": {},
    "POST /v1/scopes/{namespace}/sessions/{session}/fork": {"name": "copy"},
    "GET /v1/scopes/{namespace}/sessions/{session}/attempts": None,
    "GET /v1/scopes/{namespace}/sessions/{session}/usage": None,
    "GET /v1/scopes/{namespace}/sessions/{session}/export": None,
    "POST /v1/scopes/{namespace}/plans": {},
    "GET /v1/scopes/{namespace}/plans": None,
    "POST /v1/scopes/{namespace}/plans/{plan}/undo": {},
    "POST /v1/scopes/{namespace}/distill": {"session": "trip"},
}
#: Routes that answer each caller with their own: a stranger is answered, and finds nothing of the secret.
OWN = {
    "GET /v1/namespaces": None,
    "GET /v1/whoami": None,
    "GET /v1/agents": None,
    "GET /v1/agents/{name}": None,
    "GET /v1/agents/{name}/memory": None,
    "GET /v1/agents/{name}/tools": None,
    "POST /v1/agents/{name}/tools/{tool}": {"arguments": {"query": "bees"}},
    "POST /v1/agents/{name}/sessions/{session}/context": {"query": "bees"},
    "POST /v1/agents/{name}/chat": {"message": "What do you know of bees?", "session": "trip"},
    "GET /v1/agents/{name}/sessions/{session}/state": None,
    "POST /v1/agents/{name}/sessions/{session}/cancel": {},
    "GET /v1/pools": None,
    "GET /v1/teams": None,
    "GET /v1/subscriptions": None,
}
#: Routes that a stranger is refused.
REFUSED = {
    "POST /v1/erase": {"user": "alice"},
    "GET /v1/stats": None,
    "DELETE /v1/agents/{name}": None,
    "GET /v1/pools/{name}": None,
    "DELETE /v1/pools/{name}": None,
    "PUT /v1/pools/{name}/grants/{to}": {"rights": ["read"]},
    "DELETE /v1/pools/{name}/grants/{to}": None,
    "GET /v1/teams/{name}": None,
    "DELETE /v1/teams/{name}": None,
    "PUT /v1/teams/{name}/grants/{to}": {"rights": ["read"]},
    "DELETE /v1/teams/{name}/grants/{to}": None,
    "GET /v1/teams/{name}/spec": None,
    "DELETE /v1/teams/{name}/spec": None,
    "POST /v1/teams/{name}/runs": {"message": "What do you know of bees?"},
    "GET /v1/teams/{name}/runs": None,
    "GET /v1/teams/{name}/runs/{run}": None,
    "POST /v1/teams/{name}/runs/{run}/cancel": {},
    "POST /v1/agents/{name}/webhooks": {},
    "GET /v1/agents/{name}/webhooks": None,
    "GET /v1/agents/{name}/webhooks/{webhook}": None,
    "POST /v1/agents/{name}/webhooks/{webhook}/rotate": {},
    "DELETE /v1/agents/{name}/webhooks/{webhook}": None,
    "POST /v1/webhooks/{webhook}": {"message": "Planted."},
    "GET /v1/agents/{name}/tasks": None,
    "PUT /v1/agents/{name}/tasks/{task}": {"prompt": "Planted.", "every": 60},
    "GET /v1/agents/{name}/tasks/{task}": None,
    "DELETE /v1/agents/{name}/tasks/{task}": None,
    "POST /v1/agents/{name}/tasks/{task}/run": {},
    "GET /v1/subscriptions/{subscription}": None,
    "DELETE /v1/subscriptions/{subscription}": None,
    "POST /v1/subscriptions/{subscription}/rotate": {},
    "GET /v1/subscriptions/{subscription}/deliveries": None,
    "POST /v1/subscriptions/{subscription}/deliveries/{delivery}/retry": {},
    "GET /v1/jobs": None,
}
#: Routes that make something under the caller's own name.
MAKES = {
    "PUT /v1/agents/{name}",
    "PUT /v1/teams/{name}/spec",
    "POST /v1/pools",
    "POST /v1/teams",
    "POST /v1/subscriptions",
}
TRIED = {*SCOPED, *OWN, *REFUSED, *MAKES}


def routes(app):
    return {
        f"{method.upper()} {path}"
        for path, methods in app.openapi()["paths"].items()
        for method in methods
        if path not in PUBLIC
    }


async def test_every_route_is_tried(doors):
    assert routes(doors["app"]) == TRIED


@pytest.fixture
async def secret(doors):
    alice, root = doors["alice"], doors["root"]
    base = f"/scopes/{ALICE}"
    note = (await alice.post(f"{base}/notes", json={"text": SECRET, "key": "bees"})).json()
    await alice.patch(f"{base}/profile", json={"fields": {"hobby": SECRET}})
    await alice.post(f"{base}/sessions/trip/items", json={"items": [{"role": "user", "content": SECRET}]})
    await alice.post(f"{base}/records/trips", json={"value": {"where": SECRET}, "at": "2026-01-01T00:00:00Z"})
    await alice.put(f"{base}/documents/at/bees", json={"value": SECRET, "index": True})
    said = (await alice.get(f"{base}/sessions/trip/items")).json()["entries"]
    plan = (await alice.post(f"{base}/plans", json={})).json()
    assert (await root.put("/agents/concierge", json={"shared_with": ["*"]})).status_code == 200
    assert (await alice.post("/pools", json={"name": "org:bees"})).status_code == 201
    assert (await alice.post("/scopes/org:bees/notes", json={"text": SECRET})).status_code == 201
    assert (await alice.post("/teams", json={"name": "keepers"})).status_code == 201
    spec = {"planner": "concierge", "workers": ["concierge"], "synthesizer": "concierge"}
    assert (await alice.put("/teams/keepers/spec", json=spec)).status_code == 200
    run = await alice.post("/teams/keepers/runs", json={"message": SECRET})
    webhook = (await root.post("/agents/concierge/webhooks", json={})).json()
    task = {"prompt": SECRET, "every": 3_600}
    assert (await root.put("/agents/concierge/tasks/bees", json=task)).status_code == 200
    subscription = await alice.post("/subscriptions", json={"url": "https://example.com/bees"})
    return {
        "run": run.json()["run"],
        "webhook": webhook["id"],
        "task": "bees",
        "subscription": subscription.json()["id"],
        "delivery": "d1",
        "note": note["id"],
        "plan": plan["id"],
        "which": said[0]["id"],
        "session": "trip",
        "kind": "trips",
        "name": "concierge",
        "tool": "search_memory",
        "namespace": ALICE,
        "to": "bob",
        "key": "bees",
    }


async def ask(door, route, body, names):
    method, path = route.split(" ", 1)
    for name, value in names.items():
        path = path.replace(f"{{{name}}}", value)
    text = None if body is None else json.dumps(body).replace("{note}", names["note"])
    headers = {"content-type": "application/json"}
    return await door.request(method, path.removeprefix("/v1"), content=text, headers=headers)


async def state(doors):
    found = (await doors["alice"].get(f"/scopes/{ALICE}/export")).json()
    pool = (await doors["alice"].get("/scopes/org:bees/export")).json()
    return found, pool


@pytest.mark.parametrize("namespace", [ALICE, "org:bees"])
async def test_a_stranger_neither_reads_nor_changes_a_scope(doors, secret, namespace):
    before = await state(doors)
    for route, body in SCOPED.items():
        for name in OTHERS:
            answer = await ask(doors[name], route, body, secret | {"namespace": namespace})
            allowed = {401, 403, 404} | ({200, 201, 204, 409} if name == "other-root" else set())
            allowed |= {200, 201, 204, 404} if name == "other" and namespace == ALICE else set()
            assert answer.status_code in allowed, f"{name}: {route}: {answer.status_code}"
            assert SECRET not in answer.text, f"{name}: {route}"
    assert await state(doors) == before


async def test_a_stranger_finds_nothing_in_what_is_their_own(doors, secret):
    for route, body in OWN.items():
        for name in OTHERS:
            answer = await ask(doors[name], route, body, secret)
            assert answer.status_code in {200, 401, 404}, f"{name}: {route}: {answer.text}"
            assert SECRET not in answer.text, f"{name}: {route}"
            assert 'u:alice"' not in answer.text or name == "other", f"{name}: {route}: {answer.text}"


async def test_a_stranger_is_refused_what_is_for_owners_and_admins(doors, secret):
    before = await state(doors)
    for route, body in REFUSED.items():
        for name in OTHERS[:4]:
            names = dict(secret)
            if "/pools/" in route or "/teams/" in route:
                names |= {"name": "org:bees" if "/pools/" in route else "keepers"}
            answer = await ask(doors[name], route, body, names)
            assert answer.status_code in {401, 403, 404}, f"{name}: {route}: {answer.text}"
    assert await state(doors) == before


async def test_the_same_ids_in_another_tenant_are_others(doors, secret):
    other = doors["other"]
    assert (await other.get(f"/scopes/{ALICE}/notes")).json()["total"] == 0
    assert (await other.get(f"/scopes/{ALICE}/notes/{secret['note']}")).status_code == 404
    assert (await doors["other-root"].get("/namespaces")).json()["total"] == 0
    await other.post("/erase", json={"user": "alice"})
    assert (await doors["alice"].get(f"/scopes/{ALICE}/notes")).json()["total"] == 1


#: What every form of a page may hold: each page takes what it knows.
FORM = {
    "text": "Planted.",
    "message": "Planted.",
    "title": "Planted",
    "name": "planted",
    "field": "hobby",
    "value": "Planted.",
    "key": "planted",
    "confirm": ALICE,
    "namespace": ALICE,
    "everything": "on",
}


def pages(app):
    """Return the routes that the description of the API leaves out, but for the few that show nobody's memory."""
    described = app.openapi()["paths"]
    shown = [each for each in iter_route_contexts(app.routes) if each.path_format and each.endpoint]
    hidden = [each for each in shown if each.path_format not in described]
    return [
        (method, each.path_format)
        for each in hidden
        for method in sorted(set(each.methods or ()) - {"HEAD"})
        if not each.path_format.startswith(("/static", "/favicon", "/sign-", "/openapi"))
    ]


async def uploaded(door, namespace):
    """Return the id of an upload that waits to be imported."""
    base, text = f"http://localhost/memory/{quote(namespace, safe='')}/import", f"- {SECRET}\n"
    upload = (await door.post(f"{base}/uploads", data={"size": str(len(text))})).json()["upload"]
    sent = await door.put(f"{base}/{upload}/files", params={"name": "bees.md", "at": 0}, content=text)
    assert sent.status_code == 204
    return upload


@pytest.mark.parametrize("namespace", [ALICE, "org:bees"])
async def test_no_page_shows_a_stranger_what_is_anothers(doors, secret, namespace, monkeypatch, tmp_path):
    monkeypatch.setattr(uploads.tempfile, "gettempdir", lambda: str(tmp_path))
    before, tried = await state(doors), pages(doors["app"])
    assert len(tried) > 30
    upload = await uploaded(doors["alice"], namespace)
    names = secret | {"namespace": namespace, "owner": "system", "name": "concierge", "upload": upload}
    (waiting,) = tmp_path.glob("**/files/bees.md")
    content = waiting.read_bytes()
    for method, template in tried:
        path = template
        for each, value in names.items():
            path = path.replace(f"{{{each}}}", quote(value, safe=""))
        assert "{" not in path, f"say above what stands for the names in {template}"
        for name in OTHERS[:5]:
            if name == "other":  # of another tenant, where a namespace of this name is their own
                continue
            answer = await doors[name].request(
                method,
                f"http://localhost{path}",
                params={"name": "bees.md", "at": 0} if method == "PUT" else None,  # a piece of a file
                content=b"Planted." if method == "PUT" else None,
                data=FORM if method == "POST" else None,
                headers={"accept": "text/html"},
            )
            assert answer.status_code < 500, f"{name}: {method} {path}"
            assert SECRET not in answer.text, f"{name}: {method} {path}"
    assert await state(doors) == before
    assert waiting.read_bytes() == content


async def test_the_owner_sees_it_on_the_same_pages(doors, secret):
    """Else the test above would pass on pages that show nothing."""
    for path in (
        f"/memory/{ALICE}",
        f"/memory/{ALICE}/said/{secret['which']}",
        "/memory/org:bees",
        "/agents/system/concierge/chat/trip",
    ):
        answer = await doors["alice"].get(f"http://localhost{path}", headers={"accept": "text/html"})
        assert SECRET in answer.text, path
