"""The embedding provider against a real endpoint."""

from __future__ import annotations

import numpy as np
import pytest

from bethink import Memory
from bethink.errors import InvalidError, ModelError
from bethink.models.embedding import Embedder
from bethink.models.openai_embedding import OpenAIEmbedder
from bethink.testing.model_server import Embeds, Sends, Status


def letters(text):
    """Return how often each of three letters occurs."""
    return [float(text.count(letter)) for letter in "abc"]


@pytest.fixture
def open_embedder(server):
    made = []

    def open_embedder(**options):
        bounds = {"timeout": 3.0, "deadline": 6.0, "backoff": 0.0, "base_url": server.url}
        made.append(OpenAIEmbedder("tiny", **{**bounds, **options}))
        return made[-1]

    yield open_embedder
    for embedder in made:
        embedder.close()


def test_rows_have_length_one_and_the_order_of_the_texts(server, open_embedder):
    server.then(Embeds(letters, shuffled=True))
    rows = open_embedder(dimensions=3).embed(["aa", "b", "aabb"])
    assert rows.dtype == np.float32
    assert np.allclose(rows, [[1, 0, 0], [0, 1, 0], [0.5**0.5, 0.5**0.5, 0]])


def test_texts_go_in_batches_and_blank_ones_not_at_all(server, open_embedder):
    server.then(Embeds(letters), Embeds(letters))
    rows = open_embedder(dimensions=3, batch=2, longest=4).embed(["a", " ", "b", "", "ccccccc"])
    assert [each.body["input"] for each in server.requests] == [["a", "b"], ["cccc"]]
    assert np.allclose(rows, [[1, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]])
    assert server.requests[0].body["encoding_format"] == "float"


def test_the_length_is_asked_for_once_where_it_was_not_chosen(server, open_embedder):
    server.then(Embeds(letters), Embeds(letters))
    embedder = open_embedder()
    assert (embedder.dimensions, embedder.dimensions) == (3, 3)
    embedder.embed(["a"])
    assert "dimensions" not in server.requests[1].body


def test_no_text_asks_nothing(open_embedder):
    assert open_embedder(dimensions=3).embed([]).shape == (0, 3)


def test_the_identity_names_model_and_chosen_length(open_embedder):
    assert open_embedder().identity == "openai:tiny"
    assert open_embedder(dimensions=3).identity == "openai:tiny:3"
    assert isinstance(open_embedder(dimensions=3), Embedder)


@pytest.mark.parametrize(
    "body",
    [
        {"data": []},
        {"data": [{"index": 1, "embedding": [1, 2, 3]}]},
        {"data": [{"index": 0, "embedding": [1, 2]}]},
        {"data": [{"index": 0, "embedding": ["a", "b", "c"]}]},
        {"data": [{"index": 0, "embedding": [1, None, 3]}]},
        {"data": [{"index": 0, "embedding": []}]},
        {"data": [{"index": 0}]},
        {"data": "nothing"},
        {},
    ],
)
def test_vectors_that_do_not_fit_are_refused(server, open_embedder, body):
    server.then(Sends(body))
    with pytest.raises(ModelError) as raised:
        open_embedder(dimensions=3).embed(["a"])
    assert raised.value.reason == "unreadable"


def test_tokens_are_counted_as_the_endpoint_tells_them(server, open_embedder):
    told = {"data": [{"index": 0, "embedding": [1, 2, 3]}], "usage": {"prompt_tokens": 7, "total_tokens": 7}}
    untold = [{**told, "usage": usage} for usage in (None, {"total_tokens": "7"}, {"total_tokens": True})]
    server.then(Sends(told), *(Sends(each) for each in untold), Sends(told))
    embedder = open_embedder(dimensions=3)
    assert embedder.tokens == 0
    for _ in range(5):
        embedder.embed(["a"])
    assert embedder.tokens == 14


def test_an_overloaded_endpoint_is_tried_again_and_a_refusal_is_not(server, open_embedder):
    server.then(Status(503), Embeds(letters), Status(401))
    embedder = open_embedder(dimensions=3)
    assert embedder.embed(["a"]).shape == (1, 3)
    with pytest.raises(ModelError, match="api_key"):
        embedder.embed(["a"])


def test_a_memory_searches_with_it(server, open_embedder):
    server.always(Embeds(letters))
    with Memory(":memory:", embedder=open_embedder(dimensions=3)) as memory:
        alice = memory.scope(user="alice")
        alice.remember("aaa")
        alice.remember("bbb")
        assert alice.recall("aa ab")[0].text == "aaa"


def test_a_bound_that_bounds_nothing_is_refused():
    with pytest.raises(InvalidError):
        OpenAIEmbedder("tiny", batch=0)
