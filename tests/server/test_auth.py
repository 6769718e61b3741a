"""Who is let in, and as whom: tokens of an identity provider that really answers, and keys."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from starlette.datastructures import Headers

from bethink.errors import InvalidError
from bethink.server.api_keys import ApiKeys, add_key
from bethink.server.authentication import RequiredAuthentication
from bethink.server.jwt_tokens import JwtReader, KeySet
from bethink.server.options import Options, Tokens, check_bind
from bethink.server.problems import HttpError

pytestmark = pytest.mark.anyio


class Provider:
    """An identity provider on loopback."""

    def __init__(self):
        self.keys, self.down, self.asked = {}, False, 0
        provider = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self):
                provider.asked += 1
                if provider.down:
                    self.send_error(500)
                    return
                found = {"jwks_uri": f"{provider.url}/keys", "issuer": f"{provider.url}/"}
                if self.path == "/keys":
                    found = {"keys": [public(kid, key) for kid, key in provider.keys.items()]}
                text = json.dumps(found).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def add(self, kid):
        self.keys[kid] = KEYS[kid]

    def token(self, kid="one", /, **claims):
        given = {
            "sub": "alice",
            "iss": f"{self.url}/",
            "aud": "bethink",
            "exp": int(time.time()) + 60,
        } | claims
        given = {name: value for name, value in given.items() if value is not None}
        return jwt.encode(given, KEYS[kid], algorithm="RS256", headers={"kid": kid})


KEYS = {kid: rsa.generate_private_key(65537, 2048) for kid in ("one", "two")}


def public(kid, key):
    found = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    return found | {"kid": kid, "use": "sig", "alg": "RS256"}


@pytest.fixture
def provider():
    made = Provider()
    made.add("one")
    yield made
    made.close()


@pytest.fixture
def tokens(provider):
    return Tokens(issuer=f"{provider.url}/", audience="bethink", admin=("role", "memory-admin"))


@pytest.fixture
def clock():
    class Clock:
        now = 1_000.0

        def __call__(self):
            return self.now

    return Clock()


def reader(tokens, clock=time.monotonic):
    return JwtReader(tokens, "default", KeySet(tokens, clock=clock))


async def status(reading, token):
    try:
        await reading.caller(token)
    except HttpError as error:
        return error.status
    return 200


async def test_a_good_token_names_its_principal(provider, tokens):
    caller = await reader(tokens).caller(provider.token(groups=["staff"]))
    assert (caller.tenant, caller.principal.id, caller.principal.groups) == ("default", "alice", ("staff",))
    assert not caller.principal.admin


async def test_a_token_without_an_end_is_refused(provider, tokens):
    assert await status(reader(tokens), provider.token(exp=None)) == 401


async def test_a_token_that_has_ended_is_refused_but_clocks_may_differ_a_little(provider, tokens):
    reading = reader(tokens)
    assert await status(reading, provider.token(exp=int(time.time()) - 10)) == 200
    assert await status(reading, provider.token(exp=int(time.time()) - 100)) == 401


async def test_the_issuer_is_compared_as_it_is_configured(provider, tokens):
    reading = reader(tokens)
    assert tokens.issuer.endswith("/")
    assert await status(reading, provider.token()) == 200
    assert await status(reading, provider.token(iss=provider.url)) == 401


async def test_another_audience_or_none_is_refused(provider, tokens):
    reading = reader(tokens)
    for audience in ("other", None):
        assert await status(reading, provider.token(aud=audience)) == 401


@pytest.mark.parametrize("claims", [{"groups": ["admin"]}, {"scope": "admin"}, {"role": "admin"}])
async def test_a_group_called_admin_is_no_admin(provider, tokens, claims):
    assert not (await reader(tokens).caller(provider.token(**claims))).principal.admin


async def test_the_configured_claim_makes_an_admin(provider, tokens):
    caller = await reader(tokens).caller(provider.token(role="memory-admin"))
    assert caller.principal.admin


@pytest.mark.parametrize("subject", ["noop", "system", "anonymous", "", "*", "group:staff", "a\nb"])
async def test_an_id_that_nobody_may_have_is_refused(provider, tokens, subject):
    assert await status(reader(tokens), provider.token(sub=subject)) == 403


@pytest.mark.parametrize("token", ["", "a.b.c", "x" * 100_000, "\ud800", "e30.e30."])
async def test_what_is_no_token_is_refused(provider, tokens, token):
    assert await status(reader(tokens), token) == 401


async def test_a_token_signed_with_the_public_key_or_not_at_all_is_refused(provider, tokens):
    reading = reader(tokens)
    body = {"sub": "alice", "iss": tokens.issuer, "aud": "bethink", "exp": time.time() + 60}
    head = {"kid": "one"}
    assert await status(reading, jwt.encode(body, "s" * 64, algorithm="HS256", headers=head)) == 401
    assert await status(reading, jwt.encode(body, None, algorithm="none", headers=head)) == 401
    assert await status(reading, jwt.encode(body, KEYS["two"], algorithm="RS256", headers=head)) == 401


async def test_a_provider_that_is_down_is_503_and_never_open(provider, tokens):
    provider.down = True
    reading = reader(tokens)
    assert await status(reading, provider.token()) == 503
    with pytest.raises(HttpError) as error:
        await reading.keys.ready()
    assert error.value.status == 503


async def test_keys_at_hand_are_good_for_a_while_when_the_provider_goes_down(provider, tokens, clock):
    reading = reader(tokens, clock)
    assert await status(reading, provider.token()) == 200
    provider.down = True
    clock.now += tokens.keys_seconds + 1
    assert await status(reading, provider.token()) == 200
    clock.now += tokens.stale_seconds
    assert await status(reading, provider.token()) == 503


async def test_a_new_key_is_fetched_and_an_unknown_one_is_not_asked_for_again_and_again(
    provider, tokens, clock
):
    reading = reader(tokens, clock)
    assert await status(reading, provider.token("one")) == 200
    assert await status(reading, provider.token("two")) == 401
    clock.now += tokens.retry_seconds + 1
    provider.add("two")
    assert await status(reading, provider.token("two")) == 200
    before = reading.keys.fetches
    del provider.keys["two"]
    for _ in range(20):
        assert await status(reading, provider.token("one")) == 200
    assert reading.keys.fetches == before


async def test_a_tenant_comes_from_the_claim_that_is_configured(provider):
    tokens = Tokens(issuer=f"{provider.url}/", audience="bethink", tenant_claim="org")
    reading = reader(tokens)
    assert (await reading.caller(provider.token(org="acme"))).tenant == "acme"
    assert await status(reading, provider.token()) == 401


async def test_tokens_open_the_server(provider, tokens, serving):
    async with serving(auth="bearer", tokens=tokens) as client:
        door = client(authorization=f"Bearer {provider.token()}")
        assert (await door.get("/whoami")).json()["principal"]["id"] == "alice"
        refused = await client().get("/whoami")
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        reserved = await client(authorization=f"Bearer {provider.token(sub='noop')}").get("/whoami")
        assert reserved.status_code == 403


async def test_a_key_is_kept_as_a_digest_and_is_never_an_id(keys):
    path, made = keys
    text = path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    for key in made.values():
        assert key not in text
    door = RequiredAuthentication(None, ApiKeys(path, "default"))
    caller = await door.caller(Headers({"authorization": f"Bearer {made['alice']}"}))
    assert caller.principal.id == "alice"
    assert made["alice"] not in repr(caller)


async def test_a_key_is_withdrawn_by_removing_it(keys):
    path, made = keys
    door = RequiredAuthentication(None, ApiKeys(path, "default"))
    path.write_text("[]")
    with pytest.raises(HttpError) as error:
        await door.caller(Headers({"x-api-key": made["alice"]}))
    assert error.value.status == 401


def test_no_key_is_made_for_a_reserved_id(tmp_path):
    with pytest.raises(HttpError):
        add_key(tmp_path / "keys.json", "noop")


def test_without_authentication_only_this_machine_is_served():
    for host in ("0.0.0.0", "::", "192.168.1.1", "example.org"):
        for auth in ("noop", "off"):
            with pytest.raises(InvalidError):
                check_bind(host, auth, insecure=False)
            check_bind(host, auth, insecure=True)
        check_bind(host, "bearer", insecure=False)
    check_bind("127.0.0.1", "noop", insecure=False)


def test_bearer_without_anything_to_check_by_is_refused():
    with pytest.raises(InvalidError):
        Options(db=":memory:", auth="bearer").check()
    with pytest.raises(InvalidError):
        Options(db=":memory:", tokens=Tokens(issuer="i", audience="a", algorithms=("HS256",))).check()


@pytest.mark.parametrize(
    "broken", ['[{"digest": "', "{}", '[{"digest": "x"}]', "[1]", '[{"digest": "d", "principal": "noop"}]']
)
async def test_a_broken_file_of_keys_stops_nobody_and_tells_nobody_where_it_is(serving, keys, caplog, broken):
    path, made = keys
    whole = path.read_text()
    async with serving(auth="bearer", keys=path) as client:
        path.write_text(broken)
        guesser = client("bk_guess")
        answers = [await guesser.get("/namespaces"), await client(made["alice"]).get("/namespaces")]
        assert [answer.status_code for answer in answers] == [401, 200]
        assert not any(path.name in answer.text for answer in answers)
        logged = [json.loads(record.message) for record in caplog.records if record.name == "bethink.server"]
        assert [line["failed"] for line in logged] == ["reading the file of keys"]
        path.write_text(json.dumps([each for each in json.loads(whole) if each["principal"] != "bob"]))
        assert (await client(made["alice"]).get("/namespaces")).status_code == 200
        assert (await client(made["bob"]).get("/namespaces")).status_code == 401


async def test_a_file_of_keys_that_is_replaced_is_missed_by_nobody(serving, keys):
    path, made = keys
    whole = path.read_text()
    async with serving(auth="bearer", keys=path) as client:
        path.unlink()
        assert (await client(made["alice"]).get("/namespaces")).status_code == 200
        path.write_text(whole)
        assert (await client(made["alice"]).get("/namespaces")).status_code == 200


def test_a_server_does_not_start_on_a_file_that_holds_no_keys_and_says_what_makes_one(tmp_path):
    path = tmp_path / "keys.json"
    path.write_text("{")
    with pytest.raises(InvalidError, match="`bethink key WHO --keys"):
        ApiKeys(path, "default")
