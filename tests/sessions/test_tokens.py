"""An estimate of tokens, close enough to keep a budget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.sessions.token_counts import ATTACHMENT, ITEM_OVERHEAD, estimate_tokens, item_tokens

from . import logs


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("four", 1),
        ("fives", 2),
        ("日本語", 3),
        ("привет", 3),
        ("नमस्ते", 3),
        ("🙂", 2),
        ("\ud800", 1),
        ("\x00", 1),
    ],
)
def test_a_text_is_estimated_by_its_scripts(text, tokens):
    assert estimate_tokens(text) == tokens


@given(st.text(), st.text())
def test_more_text_is_never_fewer_tokens(one, other):
    assert estimate_tokens(one + other) >= max(estimate_tokens(one), estimate_tokens(other))
    assert estimate_tokens(one + other) <= estimate_tokens(one) + estimate_tokens(other)


def test_an_items_texts_arguments_and_results_count_and_its_ids_do_not():
    assert item_tokens(logs.user("four")) == ITEM_OVERHEAD + 1
    long_id = {**logs.call("c" * 1000), "id": "x" * 1000}
    assert item_tokens(long_id) == item_tokens(logs.call("c"))
    assert item_tokens(logs.result("c", "x" * 400)) == ITEM_OVERHEAD + 100
    assert item_tokens({"type": "reasoning", "encrypted_content": "x" * 4000}) == ITEM_OVERHEAD


def test_an_image_counts_as_an_image_and_not_as_its_bytes():
    image = {"type": "input_image", "image_url": "data:image/png;base64," + "A" * 100_000}
    assert item_tokens({"role": "user", "content": [image]}) == ITEM_OVERHEAD + ATTACHMENT


def test_the_callers_own_tokenizer_is_used():
    assert item_tokens(logs.user("a b c"), lambda text: len(text.split())) == ITEM_OVERHEAD + 3


def test_an_item_however_deep_is_counted():
    body = {"content": "four"}
    for _ in range(5000):
        body = {"content": [body]}
    assert item_tokens(body) == ITEM_OVERHEAD + 1


@given(logs.JSON | logs.JUNK)
def test_any_item_has_a_count(body):
    assert item_tokens(body) >= ITEM_OVERHEAD
