"""A secret is found near its name, whatever words stand between them; what only looks alike is let be."""

from __future__ import annotations

import pytest

from bethink.lifecycle.guard import RulesGuard


def masked(text):
    return RulesGuard().judge(text, source="user", stage="capture").text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("wifi at ours, in case you need it: Tr4in-Set", "Tr4in-Set"),
        ("login for the portal hasn't changed since March, still Kestrel#19", "Kestrel#19"),
        ("the gate code, if you get there before me, 4471", "4471"),
        ("Der Türcode unten, den kriegst du hier: 60 71 93", "60 71 93"),
        ("le digicode de l'immeuble, je te le redis, 7A? non : 5512", "5512"),
        ("codice per la cassaforte, mi raccomando: 902144", "902144"),
        ("玄関の暗証番号、前に聞かれたけど 8820 です", "8820"),
        ("门禁我再发你一次 7713", "7713"),
    ],
)
def test_a_value_of_the_shape_of_a_secret_near_its_name_is_taken_out(text, secret):
    assert secret not in (masked(text) or "")


@pytest.mark.parametrize(
    "text",
    [
        "code 200 means OK",
        "The postal code of my parents is 50667",
        "I reviewed 4000 lines of code in 2024",
        "My password manager has 2300 entries, I want fewer",
        "the code review took 1200 minutes last year",
        "wifi 6 is faster than wifi 5 in our flat",
        "My promo code expired in 2023",
    ],
)
def test_what_only_looks_like_one_is_kept(text):
    assert masked(text) == text
