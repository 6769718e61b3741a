"""Requests that are answered at once are answered as the framework would answer them."""

import json

import pytest

pytestmark = pytest.mark.anyio

SCOPE = "/scopes/agent:concierge:u:alice"
#: a kind of JSON that no route is answered at once for
SLOWLY = {"content-type": "application/merge+json"}
AT_ONCE = {"content-type": "application/json; charset=utf-8"}
ASKED = [
    (f"{SCOPE}/recall", {"query": "where does she sit?", "limit": 3}),
    (f"{SCOPE}/recall", {"query": "where does she sit?", "as_of": "2020-01-01T00:00:00Z", "roles": ["user"]}),
    (f"{SCOPE}/recall", {"limit": 3}),
    (f"{SCOPE}/recall", {"query": "seat", "limits": 3}),
    (f"{SCOPE}/recall", {"query": "seat", "limit": 0}),
    (f"{SCOPE}/recall", {"query": "seat", "kinds": []}),
    (f"{SCOPE}/recall", {"query": "seat", "rerank": True}),
    (f"{SCOPE}/recall", ["seat"]),
    (f"{SCOPE}/recall", None),
    ("/scopes/agent:concierge:u:/recall", {"query": "seat"}),
    ("/scopes/agent:concierge:u:bob/recall", {"query": "seat"}),
    (f"/scopes/{'x' * 2_049}/recall", {"query": "seat"}),
    (f"{SCOPE}/context", {"query": "seat", "session": "trip"}),
    (f"{SCOPE}/context", {}),
    (f"{SCOPE}/timeline", {"query": "seat"}),
    (f"{SCOPE}/sessions/{'x' * 129}/items", {"items": []}),
    (f"{SCOPE}/sessions/trip%2Fone/items", {"items": [], "expected": 7}),
    (f"{SCOPE}/sessions/trip/fork", {"name": "other", "at": 99}),
    (f"{SCOPE}/notes", {"text": ""}),
    (f"{SCOPE}/notes", {"text": "A seat.", "expires_at": "2020-01-01T00:00:00"}),
    ("/pools", {"name": 5}),
    (f"{SCOPE}/nothing", {}),
]


@pytest.fixture
async def alice(doors):
    await doors["alice"].post(f"{SCOPE}/notes", json={"text": "She sits at the aisle.", "metadata": {"n": 1}})
    await doors["alice"].post(
        f"{SCOPE}/sessions/trip%2Fone/items",
        json={"items": [{"role": "user", "content": "A window, today."}]},
    )
    await doors["alice"].post(f"{SCOPE}/recall", json={"query": "seat"})
    return doors["alice"]


@pytest.mark.parametrize(("path", "body"), ASKED)
async def test_a_request_is_answered_at_once_as_the_framework_answers_it(alice, path, body):
    text = json.dumps(body).encode()
    ways = [await alice.post(path, content=text, headers=kind) for kind in (AT_ONCE, SLOWLY)]

    assert ways[0].status_code == ways[1].status_code
    assert ways[0].headers == ways[1].headers
    assert ways[0].content == ways[1].content


@pytest.mark.parametrize("text", [b"", b"{", b"[" * 5_000, b'{"query": "\xff"}', b'{"query": NaN}'])
async def test_what_is_no_json_is_refused_in_the_same_words(alice, text):
    ways = [await alice.post(f"{SCOPE}/recall", content=text, headers=kind) for kind in (AT_ONCE, SLOWLY)]

    assert ways[0].status_code == ways[1].status_code
    assert ways[0].content == ways[1].content


async def test_a_body_of_another_kind_is_no_json(alice):
    for kind in ("text/plain", "application/octet-stream", "multipart/form-data; boundary=x"):
        answer = await alice.post(
            f"{SCOPE}/recall", content=b'{"query": "seat"}', headers={"content-type": kind}
        )
        assert answer.status_code in {400, 422}


async def test_an_expected_revision_is_looked_at_on_a_route_that_is_answered_at_once(alice):
    items = {"items": [{"role": "user", "content": "And tomorrow?"}]}
    path = f"{SCOPE}/sessions/trip%2Fone/items"

    assert (await alice.post(path, json=items, headers={"if-match": '"999"'})).status_code == 412
    assert (await alice.post(path, json=items)).status_code == 201


async def test_a_repeated_append_is_known_by_its_key_on_a_route_that_is_answered_at_once(alice):
    items = {"items": [{"role": "user", "content": "Once."}]}
    path, key = f"{SCOPE}/sessions/trip%2Fone/items", {"idempotency-key": "one"}
    await alice.post(path, json=items, headers=key)
    await alice.post(path, json=items, headers=key)

    found = (await alice.get(path)).json()
    assert [each["body"]["content"] for each in found["entries"]].count("Once.") == 1


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (f"{SCOPE}/recall", {"query": "seat"}),
        (f"{SCOPE}/context", {"query": "seat"}),
        (f"{SCOPE}/notes", {"text": "She sits by the window."}),
        (f"{SCOPE}/sessions/trip/items", {"items": []}),
    ],
)
async def test_the_most_frequent_requests_do_not_pass_the_router_of_the_framework(doors, keys, path, body):
    async def asked(kind):
        text, sent = json.dumps(body).encode(), []
        headers = {
            "host": "localhost",
            "x-api-key": keys[1]["alice"],
            "content-length": str(len(text)),
            **kind,
        }
        scope = {
            "type": "http",
            "method": "POST",
            "path": f"/v1{path}",
            "raw_path": f"/v1{path}".encode(),
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }

        async def receive():
            return {"type": "http.request", "body": text, "more_body": False}

        async def send(message):
            sent.append(message)

        await doors["app"](scope, receive, send)
        return sent[0]["status"] in {200, 201}, "router" in scope

    assert await asked(AT_ONCE) == (True, False)
    assert await asked(SLOWLY) == (True, True)
