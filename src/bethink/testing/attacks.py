"""Attack every operation of a server's OpenAPI document as every caller who may not use it.

    class TestAttacks(AttackConformance):
        @pytest.fixture
        def attacked(self, tmp_path): return str(tmp_path / "memory.db")     # or the URL of an empty PostgreSQL

The pages are no part of the description: they are taken from the routes of the server, so that a new one is attacked.
The kit starts a server of its own in this process, lets Alice keep something of every kind, and then asks for all of it
as Bob, as a user whose id looks like below hers, as another tenant's Alice and admin, and as nobody: by her names, by
other spellings of them, with tampered credentials, with bodies that no parser likes. Nothing of hers may be heard,
told apart from what is not there, or changed.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import tempfile
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import pytest

from bethink.testing.faces import HashingEmbedder
from bethink.testing.storage import Conformance

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Mapping

    import httpx

WORD: Final = "marigoldenrod"  #: in everything that Alice keeps, and in nothing that anybody sends
#: pages for everybody
EVERYBODY: Final = ("/sign-in", "/static/", "/favicon.ico", "/openapi.json", "/metrics")
PUBLIC: Final = frozenset({"/v1/health", "/v1/readiness"})
WRITES: Final = frozenset({"post", "put", "patch", "delete"})
OPERATIONS: Final = frozenset({"get", *WRITES})
AUDIENCE: Final = "bethink"
OWNER: Final = "alice"
#: what a body says where it may: the thing of Alice's that goes by this name
NAMED: Final[Mapping[str, Any]] = {
    "everything": True,
    "user": OWNER,
    "owner": OWNER,
    "session": "trip",
    "session_id": "trip",
    "url": "https://example.org/hook",
    "rights": ["read", "write", "delete", "admin"],
    "every": 3_600,
    "items": [{"role": "user", "content": "hello"}],
    "arguments": {"key": "secret", "query": "secret", "content": "x", "pool": "alice:pool"},
    "workers": ["desk"],
    "planner": "desk",
    "synthesizer": "desk",
    "shared_memory_namespace": "team:crew",
    "primitives": {"memory": {"shared_namespaces": ["alice:pool"], "team": "crew"}},
    "at": "2026-01-01T00:00:00Z",
}
#: what the forms of pages send, whichever they are
FORM: Final[Mapping[str, str]] = {
    **dict.fromkeys(("text", "message", "description", "prompt", "title", "q", "value"), "Planted."),
    **dict.fromkeys(
        ("read", "write", "delete", "admin", "note.added", "everything", "content", "enabled"), "yes"
    ),
    "as": "fields",
    "confirm": OWNER,
    "event": "erased",
    "expected": "1",
    "field": "flower",
    "injection": "beginning",
    "kind": "every",
    "max_turns": "5",
    "minutes": "5",
    "mode": "append",
    "name": "planted",
    "spec": "{}",
    "task": "morning",
    "to": "bob",
    "url": "https://example.org/hook",
}
#: ways to write that somebody is Alice, each of which is somebody else or nobody
SPELLINGS: Final = (
    "agent:desk:u:Alice",
    "AGENT:desk:u:alice",
    "agent:desk:u:ａｌｉｃｅ",
    "agent:desk:u:alice%00",
    "agent:desk:u:alice%0A",
    "agent:desk:u:alice ",
    "agent:desk:u:alice:s:trip",
    "agent:desk:u:%61lice",
    "agent:desk:u%3Aalice",
    "agent%3Adesk%3Au%3Aalice",
    "agent%253Adesk%253Au%253Aalice",
    "agent:desk%2F..%2Fdesk:u:alice",
    "agent:o:alice:desk:u:alice",
    "agent:o:system:desk:u:alice",
    "agent:system:desk:u:alice",
    "agent:desk",
    "agent:desk:alice",
    "agent:desk:u:*",
    "agent:desk:u:%2A",
    "agent:desk:u:alice:u:bob",
    "agent:desk:u:bob:u:alice",
    "x:u:alice",
    "Alice:Pool",
    "alice%3Apool",
    "alice:%70ool",
    "team%3Acrew",
    "TEAM:crew",
)
BODIES: Final = (
    b"",
    b"null",
    b"[]",
    b"{",
    b'{"text": "\\u0000"}',
    b'{"text": "\\ud800"}',
    b'{"a": NaN}',
    b'{"a": 1e400}',
    b'{"a": ' + b"9" * 5_000 + b"}",
    b"[" * 50_000,
    b'{"a":' * 5_000,
    b"\xff\xfe",
)


@dataclass(slots=True)
class AttackTarget:
    """A server under attack, what Alice has there, and who comes."""

    document: Mapping[str, Any]
    callers: Mapping[str, httpx.AsyncClient]
    tokens: Mapping[str, str]
    open: Any  #: makes a client of headers
    routes: Any  #: of the server, pages included
    things: dict[str, list[str]] = field(
        default_factory=dict[str, list[str]]
    )  #: Alice's, by the name in a path

    def operations(self) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        """Yield method, path and description of every operation."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                if method in OPERATIONS:
                    yield method, path, operation

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield method and path of every page that is not for everybody."""
        from fastapi.routing import iter_route_contexts

        for each in iter_route_contexts(self.routes):
            path = str(each.path_format)
            if each.endpoint is None or path in self.document["paths"] or path.startswith(EVERYBODY):
                continue
            for method in sorted({"GET", "POST"} & set(each.methods or ())):
                yield method.lower(), path

    # ---- what Alice has -----------------------------------------------------------------------------------------

    async def keep(self) -> None:
        """Let Alice keep something of every kind."""
        alice = self.callers[OWNER]
        agent: Any = {"system_prompt": f"Prompt {WORD}.", "description": f"About {WORD}."}
        await _done(alice.put("/v1/agents/desk", json=agent))
        for kind, name in (("pools", "alice:pool"), ("teams", "crew")):
            await _done(alice.post(f"/v1/{kind}", json={"name": name}))
        team: Any = {"planner": "desk", "workers": ["desk"], "synthesizer": "desk", "description": WORD}
        await _done(alice.put("/v1/teams/crew/spec", json=team))
        note = ""
        for scope in ("agent:o:alice:desk:u:alice", "agent:desk:u:alice", "alice:pool", "team:crew"):
            base = f"/v1/scopes/{scope}"
            kept = {"text": f"The {WORD} is kept here.", "key": "secret", "metadata": {"of": WORD}}
            note = (await _done(alice.post(f"{base}/notes", json=kept)))["id"]
            items = [{"role": "user", "content": f"I like {WORD}."}]
            await _done(alice.post(f"{base}/sessions/trip/items", json={"items": items}))
            await _done(alice.patch(f"{base}/sessions/trip", json={"title": f"Trip of {WORD}"}))
            await _done(alice.patch(f"{base}/profile", json={"fields": {"flower": WORD}}))
            record = {"value": {"flower": WORD}, "at": "2026-01-01T00:00:00Z"}
            await _done(alice.post(f"{base}/records/trips", json=record))
        staged = {"text": f"Wants {WORD} this time.", "session": "trip"}
        await _done(alice.post("/v1/scopes/agent:desk:u:alice/notes", json=staged))
        plan = (await _done(alice.post("/v1/scopes/agent:desk:u:alice/plans", json={})))["id"]
        task = {"prompt": f"Water the {WORD}.", "every": 86_400}
        await _done(alice.put("/v1/agents/desk/tasks/morning", json=task))
        webhook = await _done(alice.post("/v1/agents/desk/webhooks", json={"description": WORD}))
        subscribed = {"url": f"https://example.org/{WORD}", "description": WORD}
        subscription = await _done(alice.post("/v1/subscriptions", json=subscribed))
        self.things = {
            "namespace": ["agent:desk:u:alice", "agent:o:alice:desk:u:alice", "alice:pool", "team:crew"],
            "session": ["trip"],
            "note": [note, "secret"],
            "plan": [plan],
            "kind": ["trips"],
            "task": ["morning"],
            "webhook": [webhook["id"]],
            "subscription": [subscription["id"]],
            "tool": ["recall", "search_memory", "read_from_pool"],
            "to": ["bob"],
            "owner": [OWNER],
            "delivery": ["d1zz", "secret"],
            "run": ["t1zz"],
        }

    def named(self, path: str, name: str) -> list[str]:
        """Return what of Alice's a part of a path may name; of a part that is not known, everything she has."""
        if name == "name":
            kind = next(each for each in path.split("/") if each not in {"", "v1"})
            return {"pools": ["alice:pool"], "teams": ["crew"]}.get(kind, ["desk"])
        return self.things.get(name) or [each for all_ in self.things.values() for each in all_]

    def filled(self, path: str) -> Iterator[tuple[str, str]]:
        """Yield a path with Alice's names in it, and the same with names of what is not there, as often as needed."""
        names = re.findall(r"\{(\w+)\}", path)
        most = max((len(self.named(path, name)) for name in names), default=1)
        for number in range(most):
            hers, absent = path, path
            for name in names:
                choice = self.named(path, name)
                value = choice[number % len(choice)]
                hers = hers.replace(f"{{{name}}}", _quoted(value))
                absent = absent.replace(f"{{{name}}}", _quoted(_absent(value)))
            yield hers, absent

    async def seen(self) -> dict[str, Any]:
        """Return everything that Alice can see of hers, so that a change is noticed."""
        found: dict[str, Any] = {}
        for method, path, operation in self.operations():
            if method != "get" or path in PUBLIC or "metrics" in path:
                continue
            for hers, _ in self.filled(path):
                answer = await self.callers[OWNER].get(hers, params=_owner(operation))
                found[hers] = (answer.status_code, answer.text)
        return found


# ---- the attacks ------------------------------------------------------------------------------------------------


class AttackConformance(Conformance):
    """What a server promises to those who attack it; each test asks for `attacked`, the URL of an empty store."""

    @pytest.fixture
    def strangers(self) -> tuple[str, ...]:
        return ("bob", "below", "other", "other-admin")

    @pytest.fixture
    async def server(self, attacked: str, anyio_backend: str) -> AsyncGenerator[AttackTarget]:  # noqa: ARG002
        async with under_attack(attacked) as made:
            await made.keep()
            yield made

    async def test_nobody_hears_or_changes_anything_of_anothers(
        self, server: AttackTarget, strangers: tuple[str, ...]
    ) -> None:
        before, findings = await server.seen(), list[str]()
        for method, path, operation in server.operations():
            body = example(operation, server.document)
            for hers, absent in server.filled(path):
                for who in strangers:
                    findings += await _compared(server, who, method, (hers, absent), operation, body)
        assert findings == [], "\n".join(findings)
        assert _changed(before, await server.seen()) == []

    async def test_no_page_shows_or_changes_anything_of_anothers(
        self, server: AttackTarget, strangers: tuple[str, ...]
    ) -> None:
        before, findings, asked = await server.seen(), list[str](), 0
        for method, path in server.pages():
            for hers, absent in server.filled(path):
                for who in strangers:
                    answer, other = [await _page(server.callers[who], method, at) for at in (hers, absent)]
                    at, asked = f"{who} {method} {hers}", asked + 1
                    findings += _findings(at, answer)
                    if hers == absent or who.startswith("other"):
                        continue
                    if answer.status_code < 400:
                        findings.append(f"{at}: {answer.status_code}, as if it were theirs")
                    if answer.status_code != other.status_code:
                        findings.append(
                            f"{at}: {answer.status_code}, and {other.status_code} where nothing is"
                        )
        assert asked > 200, "the pages of the server were not found"
        assert findings == [], "\n".join(findings)
        assert _changed(before, await server.seen()) == []

    async def test_no_page_is_shown_to_who_is_not_signed_in(self, server: AttackTarget) -> None:
        findings: list[str] = []
        for headers in ({}, {"cookie": f"bethink={'A' * 60}.{'A' * 43}"}, {"hx-request": "true"}):
            async with server.open(**headers) as client:
                for method, path in server.pages():
                    hers = next(server.filled(path))[0]
                    answer = await _page(client, method, hers)
                    findings += _findings(f"{method} {hers}", answer)
                    led = answer.headers.get("location", answer.headers.get("hx-redirect", ""))
                    if answer.status_code not in {401, 403} and not led.startswith("/sign-in"):
                        findings.append(f"{method} {hers}: {answer.status_code}")
        assert findings == []

    async def test_no_spelling_of_a_name_leads_to_anothers(
        self, server: AttackTarget, strangers: tuple[str, ...]
    ) -> None:
        findings: list[str] = []
        for method, path, operation in server.operations():
            if "{namespace}" not in path:
                continue
            filled = next(server.filled(path.replace("{namespace}", "NAMESPACE")))[0]
            body = example(operation, server.document)
            for spelling in SPELLINGS if method == "get" else SPELLINGS[::5]:
                for who in strangers[:2]:
                    for text in (spelling, _quoted(spelling)):
                        at = filled.replace("NAMESPACE", text)
                        answer = await _asked(server.callers[who], method, at, operation, body)
                        findings += _findings(f"{who} {method} {at}", answer)
        assert findings == []

    async def test_without_good_credentials_nothing_is_answered(self, server: AttackTarget) -> None:
        findings: list[str] = []
        for method, path, operation in server.operations():
            if path in PUBLIC:
                continue
            hers = next(server.filled(path))[0]
            body = example(operation, server.document)
            for name, headers in tampered(server.tokens).items() if method == "get" else [("none", {})]:
                async with server.open(**headers) as client:
                    answer = await _asked(client, method, hers, operation, body)
                at = f"{name} {method} {hers}"
                findings += _findings(at, answer)
                if answer.status_code not in {401, 403} and not (
                    "webhook" in path and answer.status_code == 404
                ):
                    findings.append(f"{at}: {answer.status_code}")
        assert findings == []

    async def test_good_credentials_are_answered(self, server: AttackTarget) -> None:
        """Else the tampered ones would prove nothing."""
        async with server.open(authorization=f"Bearer {server.tokens['good']}") as client:
            assert (await client.get("/v1/whoami")).json()["principal"]["id"] == OWNER

    async def test_no_body_makes_the_server_fail_or_repeat_what_was_sent(self, server: AttackTarget) -> None:
        findings: list[str] = []
        for method, path, operation in server.operations():
            if method == "get":
                continue
            hers = next(server.filled(path))[0]
            for body in BODIES if "requestBody" in operation else BODIES[:3]:
                answer = await server.callers["bob"].request(
                    method, hers, content=body, headers={"content-type": "application/json"}
                )
                findings += _findings(f"{method} {hers} {body[:20]!r}", answer)
        assert findings == []

    async def test_a_method_that_a_path_has_not_is_405_with_those_that_it_has(
        self, server: AttackTarget
    ) -> None:
        findings: list[str] = []
        for path, methods in server.document["paths"].items():
            hers = next(server.filled(path))[0]
            for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
                if method.lower() in methods:
                    continue
                if path.startswith("/v1/webhooks/") and method == "POST":
                    continue
                answer = await server.callers[OWNER].request(method, hers)
                allowed = {each.strip() for each in answer.headers.get("allow", "").split(",")}
                if answer.status_code != 405 or allowed != {each.upper() for each in methods}:
                    findings.append(f"{method} {path}: {answer.status_code}, {sorted(allowed)}")
        assert findings == []

    async def test_a_repetition_of_anothers_request_is_a_request_of_ones_own(
        self, server: AttackTarget
    ) -> None:
        key = {"idempotency-key": "the-same"}
        made = {"text": f"Another {WORD}."}
        first = await server.callers[OWNER].post(
            "/v1/scopes/agent:desk:u:alice/notes", json=made, headers=key
        )
        again = await server.callers["bob"].post(
            "/v1/scopes/agent:desk:u:bob/notes", json={"text": "x"}, headers=key
        )
        assert first.status_code == again.status_code == 201
        assert "idempotency-replayed" not in again.headers
        assert again.json()["text"] == "x"

    async def test_a_cookie_that_nobody_signed_lets_nobody_in(self, server: AttackTarget) -> None:
        claims: dict[str, Any] = {
            "id": "x",
            "tenant": "default",
            "principal": [OWNER, [], True],
            "until": time.time() + 999,
            "key": None,
        }
        text = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode()
        for cookie in (
            f"bethink={text}.",
            f"bethink={text}.{'A' * 43}",
            f"__Host-bethink={text}.x",
            "bethink=.",
        ):
            async with server.open(cookie=cookie) as client:
                for path in ("/v1/whoami", "/memory/agent:desk:u:alice"):
                    answer = await client.get(path)
                    assert WORD not in answer.text
                    assert answer.status_code in {303, 401}


async def _compared(
    server: AttackTarget,
    who: str,
    method: str,
    paths: tuple[str, str],
    operation: Mapping[str, Any],
    body: Any,
) -> list[str]:
    """Ask for something of Alice's and for what is not there, and return what is wrong with the answers."""
    hers, absent = paths
    answer = await _asked(server.callers[who], method, hers, operation, body)
    at = f"{who} {method} {hers}"
    found = _findings(at, answer)
    if hers == absent or who.startswith("other"):
        return found  # in another tenant the same names are their own
    if answer.is_success:
        found.append(f"{at}: {answer.status_code}, as if it were theirs")
    if operation.get("tags") == ["webhooks"] and hers.startswith("/v1/webhooks/"):
        return found  # its address is no secret to whom it was given, and its signature decides
    other = await _asked(server.callers[who], method, absent, operation, body)
    if (answer.status_code, _without_names(answer)) != (other.status_code, _without_names(other)):
        found.append(
            f"{at}: {answer.status_code}, and {other.status_code} where nothing is: {answer.text[:200]}"
        )
    return found


async def _asked(
    client: httpx.AsyncClient, method: str, path: str, operation: Mapping[str, Any], body: Any
) -> httpx.Response:
    sent = {"json": body} if "requestBody" in operation else {}
    return await client.request(method.upper(), path, params=_owner(operation), **sent)


async def _page(client: httpx.AsyncClient, method: str, path: str) -> httpx.Response:
    sent: Any = {"data": dict(FORM)} if method == "post" else {}
    return await client.request(method.upper(), path, headers={"accept": "text/html"}, **sent)


def _findings(at: str, answer: httpx.Response) -> list[str]:
    """Return what no answer may have: Alice's word, or a failure of the server."""
    found: list[str] = []
    if WORD in answer.text or WORD in str(answer.headers):
        found.append(f"{at}: {answer.status_code}, tells of hers")
    if answer.status_code >= 500 and answer.status_code != 501:
        found.append(f"{at}: {answer.status_code} {answer.text[:200]}")
    return found


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return [path for path in before if before[path] != after.get(path)]


def _without_names(answer: httpx.Response) -> Any:
    """Return an answer without the names that were asked for."""
    return re.sub(r'"(id|name|namespace|subject)": ?"[^"]*"', "", answer.text)


def _owner(operation: Mapping[str, Any]) -> dict[str, str]:
    """Name Alice as the owner, where an operation lets one be named."""
    names = {each["name"] for each in operation.get("parameters", ()) if each.get("in") == "query"}
    return {"owner": OWNER} if "owner" in names else {}


def _absent(value: str) -> str:
    """Return the name of something of the same kind that is not there."""
    if re.fullmatch(r"[a-z][0-9a-z]{6,}", value):
        return value[0] + "1" * (len(value) - 1)
    return value.replace("alice", "nobody").replace("crew", "none").replace("desk", "none") + (
        "" if re.search("alice|crew|desk", value) else "-none"
    )


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="")


async def _done(asked: Any) -> Any:
    answer = await asked
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


# ---- what a body looks like -------------------------------------------------------------------------------------


def example(operation: Mapping[str, Any], document: Mapping[str, Any]) -> Any:
    """Return a body that an operation takes, with Alice's names where it may name something."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    return None if content is None else _example("", content["schema"], document)


def _example(name: str, schema: Mapping[str, Any], document: Mapping[str, Any]) -> Any:  # noqa: C901, PLR0911
    if name in NAMED:
        return NAMED[name]
    if "$ref" in schema:
        found: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return _example(name, found, document)
    for way in ("anyOf", "oneOf", "allOf"):
        if way in schema:
            chosen = next((each for each in schema[way] if each.get("type") != "null"), schema[way][0])
            return _example(name, chosen, document)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "object":
            required = schema.get("required", ())
            return {
                each: _example(each, about, document)
                for each, about in schema.get("properties", {}).items()
                if each in required or each in NAMED
            }
        case "array":
            return [_example("", schema.get("items", {}), document)] * schema.get("minItems", 0)
        case "integer" | "number":
            return max(1, int(schema.get("minimum", 1)))
        case "boolean":
            return False
        case _:
            return "secret"


# ---- credentials ------------------------------------------------------------------------------------------------


def tampered(tokens: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return headers that look like Alice's credentials and are not."""
    head, claims, signature = tokens["good"].split(".")
    bare = _part({"alg": "none", "typ": "JWT"})
    root = _part({**json.loads(_bytes(claims)), "sub": "root", "role": "admin"})
    shared = hmac.new(
        tokens["public"].encode(), f"{_part({'alg': 'HS256'})}.{claims}".encode(), hashlib.sha256
    )
    mixed = f"{_part({'alg': 'HS256'})}.{claims}.{base64.urlsafe_b64encode(shared.digest()).rstrip(b'=').decode()}"
    words = {
        "no signature": f"{head}.{claims}.",
        "alg none": f"{bare}.{claims}.",
        "other claims": f"{head}.{root}.{signature}",
        "public key as a secret": mixed,
        "cut": tokens["good"][:-8],
        "expired": tokens["expired"],
        "another audience": tokens["audience"],
        "another issuer": tokens["issuer"],
        "another key": tokens["foreign"],
        "no word at all": "",
        "letters": "x" * 5_000,
    }
    found = {name: {"authorization": f"Bearer {word}"} for name, word in words.items()}
    key = tokens["key"]
    found |= {
        "none": {},
        "half a key": {"x-api-key": key[: len(key) // 2]},
        "a key and a letter": {"x-api-key": f"{key}A"},
        "the prefix of keys": {"x-api-key": "bk_"},
        "a key's digest": {"x-api-key": hashlib.sha256(key.encode()).hexdigest()},
        "basic": {"authorization": "Basic " + base64.b64encode(f"alice:{key}".encode()).decode()},
    }
    return found


def _part(claims: Mapping[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()


def _bytes(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _tokens(issuer: str) -> tuple[dict[str, str], Any]:
    """Return tokens, good and bad, and the key set that verifies the good one."""
    import jwt
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa
    from jwt.algorithms import RSAAlgorithm

    own, foreign = (rsa.generate_private_key(public_exponent=65_537, key_size=2_048) for _ in range(2))
    now = int(time.time())
    claims = {"sub": OWNER, "iss": issuer, "aud": AUDIENCE, "exp": now + 3_600, "iat": now}

    def signed(key: Any = own, **changed: Any) -> str:
        return jwt.encode({**claims, **changed}, key, algorithm="RS256", headers={"kid": "one"})

    public = own.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    found = {
        "good": signed(),
        "expired": signed(exp=now - 3_600),
        "audience": signed(aud="somebody"),
        "issuer": signed(iss="https://example.org"),
        "foreign": signed(foreign),
        "public": public.decode(),
    }
    return found, {
        "keys": [{**json.loads(RSAAlgorithm.to_jwk(own.public_key())), "kid": "one", "alg": "RS256"}]
    }


class _KeySet:
    """The published keys of an identity provider, on loopback."""

    def __init__(self) -> None:
        self.keys: Any = {}
        published = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                text = json.dumps(published.keys).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@asynccontextmanager
async def under_attack(url: str) -> AsyncGenerator[AttackTarget]:
    """Start a server on a store, with those who come to it."""
    import httpx

    from bethink.server.api_keys import add_key
    from bethink.server.app import create_app
    from bethink.server.options import Options, Tokens, Work

    provider = _KeySet()
    with tempfile.TemporaryDirectory() as folder:
        keys = Path(folder) / "keys.json"
        made = {
            OWNER: add_key(keys, OWNER),
            "bob": add_key(keys, "bob"),
            "below": add_key(keys, "alice:x"),
            "other": add_key(keys, OWNER, tenant="other"),
            "other-admin": add_key(keys, "root", tenant="other", admin=True),
        }
        tokens, provider.keys = _tokens(provider.url)
        app = create_app(
            Options(
                db=url,
                auth="bearer",
                keys=keys,
                tokens=Tokens(issuer=provider.url, audience=AUDIENCE, jwks=provider.url),
                embedder=HashingEmbedder(),
                secrets_key=base64.b64encode(b"k" * 32).decode(),
                work=Work(here=False),
            )
        )

        def client(**headers: str) -> httpx.AsyncClient:
            transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
            return httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers)

        async with app.router.lifespan_context(app):
            callers = {name: client(**{"x-api-key": key}) for name, key in made.items()}
            try:
                yield AttackTarget(
                    document=app.openapi(),
                    callers=callers,
                    tokens={**tokens, "key": made[OWNER]},
                    open=client,
                    routes=app.routes,
                )
            finally:
                for each in callers.values():
                    await each.aclose()
                provider.close()
