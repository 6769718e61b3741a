"""Where news may be sent."""

from ipaddress import ip_address

import pytest

from bethink.errors import InvalidError
from bethink.server.webhooks.ssrf import ForbiddenAddress, check_url, is_public, way_to

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/hook",
        "ftp://example.com/hook",
        "https:///hook",
        "https://user:word@example.com/hook",
        "https://127.0.0.1/hook",
        "https://[::1]/hook",
        "https://169.254.169.254/latest/meta-data",
        "https://10.0.0.8/",
        "https://[::ffff:10.0.0.8]/",
        "https://example.com/ hook",
        "https://example.com:notaport/",
        "https://exämple.com/",
        "hook",
    ],
)
def test_a_url_that_leads_elsewhere_than_out_is_refused(url):
    with pytest.raises(InvalidError):
        check_url(url, private=False)


@pytest.mark.parametrize(
    "url", ["https://example.com/hook?a=b", "https://93.184.215.14:8443/", "https://[2606:2800::1]/"]
)
def test_a_public_url_is_taken(url):
    assert check_url(url, private=False) == url


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::", False),
        ("::1", False),
        ("fe80::1", False),
        ("fc00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::5db8:d70e", True),
        ("2002:7f00:1::", False),
        ("2002:0a00:0001::", False),
    ],
)
def test_an_address_is_public_or_not_whatever_it_is_dressed_as(address, public):
    assert is_public(ip_address(address)) is public


async def test_a_name_that_stands_for_a_private_address_is_not_called():
    with pytest.raises(ForbiddenAddress, match="private address"):
        await way_to("https://localhost/hook", private=False)


async def test_a_name_that_nobody_has_is_no_way():
    with pytest.raises(ForbiddenAddress, match="unknown host"):
        await way_to("https://nobody.invalid/hook", private=False)


async def test_what_was_looked_up_is_what_is_called():
    way = await way_to("http://localhost:8080/hook?a=b#c", private=True)
    assert way.url in {"http://127.0.0.1:8080/hook?a=b", "http://[::1]:8080/hook?a=b"}
    assert (way.host, way.name) == ("localhost:8080", "localhost")
