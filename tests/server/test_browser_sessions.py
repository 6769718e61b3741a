"""Who signed in with a browser, for how long, and what no foreign page can make that browser do."""

import re
import time

import httpx
import pytest
from starlette.datastructures import Headers

from bethink.server.api_keys import ApiKeys
from bethink.server.authentication import RequiredAuthentication
from bethink.server.browser_sessions import LONGEST, BrowserSessions
from bethink.server.csrf_and_host_check import check_host, check_origin
from bethink.server.jwt_tokens import JwtReader
from bethink.server.options import Tokens
from bethink.server.problems import HttpError
from tests.server.test_auth import Provider

pytestmark = pytest.mark.anyio

HTML = {"accept": "text/html"}
OWN = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
NOTES = "/v1/scopes/agent:bot:u:alice/notes"


class Clock:
    def __init__(self):
        self.now = time.time()

    def __call__(self):
        return self.now


@pytest.fixture
async def browser(serving, keys, anyio_backend):
    """A browser without scripts, before it signs in."""
    path, made = keys
    async with (
        serving(auth="bearer", keys=path) as client,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(client.app, raise_app_exceptions=False),
            base_url="http://localhost",
            headers=HTML,
        ) as opened,
    ):
        opened.key = made["alice"]
        opened.keys = path
        yield opened


async def sign_in(browser):
    answer = await browser.post("/sign-in", data={"credential": browser.key, "next": "/stats"}, headers=OWN)
    assert (answer.status_code, answer.headers["location"]) == (303, "/stats")
    page = await browser.get("/account")
    return re.search(r'name="csrf" value="([^"]+)"', page.text)[1]


# ---- signing in ------------------------------------------------------------------------------------------------


async def test_who_is_not_signed_in_is_led_to_the_form_and_back(browser):
    led = await browser.get("/memory/agent:bot:u:alice")
    assert led.headers["location"] == "/sign-in?next=/memory/agent%3Abot%3Au%3Aalice"
    assert (await browser.get("/v1/namespaces")).status_code == 401
    part = await browser.get("/memory", headers={"hx-request": "true"})
    assert part.headers["hx-redirect"] == "/sign-in?next=/"
    assert (await browser.post("/agents", data={"name": "x"})).status_code == 401


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example", "/\\evil.example", "x", "/a\nb"])
async def test_signing_in_leads_nowhere_else(browser, to):
    answer = await browser.post("/sign-in", data={"credential": browser.key, "next": to}, headers=OWN)
    assert answer.headers["location"] == "/"
    assert "evil" not in (await browser.get("/sign-in", params={"next": to})).text


async def test_the_cookie_is_out_of_reach_and_holds_no_key(browser):
    answer = await browser.post("/sign-in", data={"credential": browser.key}, headers=OWN)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert browser.key not in cookie
    secure = await browser.post("https://localhost/sign-in", data={"credential": browser.key}, headers=OWN)
    assert secure.headers["set-cookie"].startswith("__Host-bethink=")
    assert "Secure" in secure.headers["set-cookie"]


async def test_a_wrong_key_is_no_way_in(browser):
    for credential in ("", "bk_wrong", "eyJhbGciOiJub25lIn0.e30."):
        answer = await browser.post("/sign-in", data={"credential": credential}, headers=OWN)
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers


async def test_signing_out_ends_the_visit_even_for_who_kept_the_cookie(browser):
    csrf = await sign_in(browser)
    kept = dict(browser.cookies)
    out = await browser.post("/sign-out", data={"csrf": csrf}, headers=OWN)
    assert out.headers["location"] == "/sign-in"
    browser.cookies.update(kept)
    assert (await browser.get("/v1/namespaces")).status_code == 401


async def test_a_withdrawn_key_ends_the_visit(browser):
    await sign_in(browser)
    assert (await browser.get("/v1/namespaces")).status_code == 200
    browser.keys.write_text("[]")
    assert (await browser.get("/v1/namespaces")).status_code == 401


async def test_a_cookie_that_was_changed_or_signed_elsewhere_is_worth_nothing(keys):
    path, made = keys
    door = RequiredAuthentication(None, ApiKeys(path, "default"))
    here, there = BrowserSessions(door, "one secret"), BrowserSessions(door, "one secret")
    cookie = here.write(await here.begin(made["alice"]))
    assert there.read({"bethink": cookie}).caller.principal.id == "alice"
    assert BrowserSessions(door, "another").read({"bethink": cookie}) is None
    assert BrowserSessions(door).read({"bethink": cookie}) is None
    text, _, signature = cookie.partition(".")
    for changed in (
        f"{text[:-2]}AA.{signature}",
        f"{text}.",
        f"{text}.{signature[:-1]}",
        ".",
        "é",
        "",
        "a.b",
    ):
        assert here.read({"bethink": changed}) is None


async def test_a_visit_lasts_no_longer_than_its_token_or_half_a_day(keys):
    path, made = keys
    provider, clock = Provider(), Clock()
    provider.add("one")
    try:
        tokens = JwtReader(Tokens(issuer=f"{provider.url}/", audience="bethink"), "default")
        visits = BrowserSessions(RequiredAuthentication(tokens, ApiKeys(path, "default")), clock=clock)
        short = visits.write(await visits.begin(provider.token(exp=int(time.time()) + 60, groups=["staff"])))
        long = visits.write(await visits.begin(made["alice"]))
    finally:
        provider.close()
    assert visits.read({"bethink": short}).caller.principal.groups == ("staff",)
    clock.now += 61
    assert visits.read({"bethink": short}) is None
    assert visits.read({"bethink": long}).caller.principal.id == "alice"
    clock.now += LONGEST
    assert visits.read({"bethink": long}) is None


# ---- what other pages cannot do ----------------------------------------------------------------------------------


async def test_a_cookie_alone_changes_nothing(browser):
    csrf = await sign_in(browser)
    body = {"text": "Likes tea."}
    assert (await browser.post(NOTES, json=body, headers=OWN)).json()["type"] == "urn:bethink:csrf"
    wrong = {"x-csrf-token": csrf[:-1]}
    assert (await browser.post(NOTES, json=body, headers=OWN | wrong)).status_code == 403
    for foreign in ({"origin": "http://localhost:9"}, {"origin": "null"}, {"sec-fetch-site": "same-site"}):
        answer = await browser.post(NOTES, json=body, headers={"x-csrf-token": csrf} | foreign)
        assert answer.json()["type"] == "urn:bethink:foreign-origin"
    assert (await browser.get(NOTES)).json()["total"] == 0
    assert (await browser.post(NOTES, json=body, headers=OWN | {"x-csrf-token": csrf})).status_code == 201
    form = {"text": "Likes coffee.", "csrf": csrf}
    added = await browser.post("/memory/agent:bot:u:alice/notes", data=form, headers=OWN)
    assert added.status_code == 303
    assert (await browser.get(NOTES)).json()["total"] == 2


async def test_a_form_with_more_fields_than_any_of_ours_is_no_form_of_ours(browser):
    csrf = await sign_in(browser)
    form = {f"field{number}": "x" for number in range(200)} | {"csrf": csrf}
    assert (await browser.post("/agents", data=form, headers=OWN)).status_code == 403


async def test_a_key_in_a_header_needs_no_token(browser):
    sent = {"x-api-key": browser.key, "origin": "http://elsewhere.example"}
    assert (await browser.post(NOTES, json={"text": "Likes tea."}, headers=sent)).status_code == 201


async def test_without_authentication_a_foreign_page_changes_nothing(serving):
    async with serving(auth="noop", origins=("https://friend.example",)) as client:
        door = client()
        path, body = "/scopes/agent:bot:u:noop/notes", {"text": "Planted."}
        for foreign in (
            {"origin": "http://evil.example"},
            {"origin": "http://localhost:3000"},
            {"origin": "null"},
            {"sec-fetch-site": "cross-site"},
            {"origin": "http://localhost", "sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
        ):
            assert (await door.post(path, json=body, headers=foreign)).status_code == 403
            assert (await door.delete(path + "/n1", headers=foreign)).status_code == 403
        assert (await door.get(path, headers={"sec-fetch-site": "cross-site"})).json()["total"] == 0
        for own in ({}, OWN, {"origin": "http://localhost"}, {"origin": "https://friend.example"}):
            assert (await door.post(path, json={"text": "Mine."}, headers=own)).status_code == 201


@pytest.mark.parametrize("path", ["/", "/v1/namespaces", "/sign-in", "/v1/whoami"])
async def test_a_name_that_was_pointed_here_is_refused(serving, path):
    async with serving(auth="noop", hosts=("memory.example",)) as client:
        door = client()
        answer = await door.get(f"http://evil.example{path}")
        assert answer.status_code == 421
        assert (await door.get("http://memory.example/v1/whoami")).status_code == 200
        assert (await door.get("http://10.1.2.3:8000/v1/whoami")).status_code == 200
        assert (await door.get("http://evil.example/v1/health")).status_code == 200


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "a.localhost", "127.0.0.1:1", "[::1]:8", "a.b:1"]
)
def test_hosts_of_ours_pass(host):
    check_host({"host": host}, ("a.b",))


@pytest.mark.parametrize(
    "host", ["", "evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "a.b.c:1"]
)
def test_hosts_of_others_do_not(host):
    with pytest.raises(HttpError):
        check_host({"host": host}, ("a.b",))


def test_a_proxy_in_between_is_no_foreign_page():
    sent = {"host": "127.0.0.1:8000", "origin": "https://memory.example", "sec-fetch-site": "same-origin"}
    check_origin("POST", Headers(sent), ())


@pytest.mark.parametrize("kind", ["file", "postgresql"])
async def test_who_signs_out_is_signed_out_of_every_process(serving, keys, kind, tmp_path, request):
    if kind == "postgresql":
        cluster = request.getfixturevalue("postgresql_cluster")
        db = cluster.url(cluster.create())
    else:
        db = str(tmp_path / "memory.db")
    path, made = keys
    options = {"auth": "bearer", "keys": path, "db": db, "cookie_key": "a secret that both of them have"}
    async with serving(**options) as one, serving(**options) as other:
        browsers = [
            httpx.AsyncClient(
                transport=httpx.ASGITransport(each.app, raise_app_exceptions=False),
                base_url="http://localhost",
                headers=HTML,
            )
            for each in (one, other)
        ]
        for each in browsers:
            each.key = made["alice"]
        here, there = browsers
        csrf = await sign_in(here)
        await sign_in(there)
        own = dict(there.cookies)
        there.cookies = httpx.Cookies(dict(here.cookies))  # the same browser, led to another process
        assert (await there.get("/account")).status_code == 200
        await here.post("/sign-out", data={"csrf": csrf}, headers=OWN)
        led = await there.get("/account")
        assert (led.status_code, led.headers["location"]) == (303, "/sign-in?next=/account")
        assert (await there.get("/v1/whoami")).status_code == 401
        there.cookies = httpx.Cookies(own)
        assert (await there.get("/account")).status_code == 200  # another visit of the same person goes on
        for each in browsers:
            await each.aclose()
