"""What stands before every route: in which order its concerns are met, and that none of them is met twice."""

import pytest

from bethink.server.app import create_app
from bethink.server.options import Options


@pytest.fixture
def anyio_backend():
    return "asyncio"


def order(**options):
    return [each.cls.__name__ for each in create_app(Options(db=":memory:", **options)).user_middleware]


def test_who_asks_is_known_before_the_body_is_read_and_the_body_before_what_needs_it(keys):
    path, _ = keys
    found = order(auth="bearer", keys=path, rate=1.0, tenant_entries=1)
    assert len(found) == len(set(found))
    for before, after in (
        ("AccessLog", "ErrorResponses"),
        ("ErrorResponses", "OriginCheck"),
        ("OriginCheck", "Authentication"),
        ("Authentication", "RateLimit"),
        ("RateLimit", "BodyLimit"),
        ("BodyLimit", "WebhookSignature"),
        ("BodyLimit", "CsrfCheck"),
        ("WebhookSignature", "TenantMemory"),
        ("CsrfCheck", "TenantMemory"),
        ("TenantMemory", "Quota"),
        ("Quota", "Idempotency"),
    ):
        assert found.index(before) < found.index(after), (before, after)


def test_what_is_not_set_up_stands_before_no_route():
    assert not {"RateLimit", "CsrfCheck", "Quota"} & set(order())


def test_cors_is_there_only_where_an_origin_is_allowed():
    assert "CORSMiddleware" not in order()
    assert order(origins=("https://app.example",))[0] == "CORSMiddleware"


@pytest.mark.anyio
async def test_a_refused_caller_is_refused_before_a_byte_of_the_body_is_read(serving, keys):
    path, _ = keys
    async with serving(auth="bearer", keys=path) as client:
        read = []

        async def body():
            read.append(True)
            yield b"x"

        answer = await client().post("/scopes/agent:a:u:b/notes", content=body())
        assert answer.status_code == 401
        assert not read
