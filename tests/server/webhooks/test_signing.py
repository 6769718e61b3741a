"""Signatures as the Standard Webhooks scheme has them."""

import pytest

from bethink.server.webhooks.signing import headers, key_of, secret_text, signature_error

#: The example that the scheme's own libraries are tested with.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"
AT = 1_614_265_330
BODY = b'{"test": 2432232314}'
SIGNED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def given(**other):
    return {"webhook-id": ID, "webhook-timestamp": str(AT), "webhook-signature": SIGNED, **other}


def test_the_example_of_the_scheme_is_signed_as_it_says():
    assert headers([key_of(SECRET)], ID, AT, BODY) == given()
    assert signature_error([key_of(SECRET)], given(), BODY, now=AT) is None


def test_any_of_several_secrets_and_any_of_several_signatures_will_do():
    other = b"another key of thirty-two bytes!"
    assert signature_error([other, key_of(SECRET)], given(), BODY, now=AT) is None
    both = headers([other, key_of(SECRET)], ID, AT, BODY)
    assert signature_error([key_of(SECRET)], both, BODY, now=AT) is None
    many = given(**{"webhook-signature": f"v2,else v1a,what {SIGNED}"})
    assert signature_error([key_of(SECRET)], many, BODY, now=AT) is None


@pytest.mark.parametrize(
    ("changed", "body", "now"),
    [
        ({}, BODY + b" ", AT),
        ({"webhook-id": ID + "x"}, BODY, AT),
        ({"webhook-timestamp": str(AT + 1)}, BODY, AT),
        ({"webhook-signature": SIGNED[:-4] + "AAA="}, BODY, AT),
        ({"webhook-signature": SIGNED.removeprefix("v1,")}, BODY, AT),
        ({"webhook-signature": ""}, BODY, AT),
        ({"webhook-id": ""}, BODY, AT),
        ({"webhook-id": "a" * 300}, BODY, AT),
        ({"webhook-timestamp": "now"}, BODY, AT),
        ({"webhook-timestamp": "-1"}, BODY, AT),
        ({}, BODY, AT + 301),
        ({}, BODY, AT - 301),
    ],
)
def test_what_was_changed_or_is_too_old_is_not_believed(changed, body, now):
    assert signature_error([key_of(SECRET)], given(**changed), body, now=now)


def test_a_secret_is_read_as_it_is_shown():
    assert key_of(secret_text(b"\x00\xff" * 16)) == b"\x00\xff" * 16
    assert key_of("whsec_not base64") is None
