"""Nearness reckoned from main directions, beside the comparison of every vector."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bethink.recall import principal_components, scoring, vector_search
from bethink.recall.namespace_index import NamespaceIndex, SearchFilter
from bethink.recall.passage_blocks import block_of, quantise
from bethink.recall.principal_components import Directions

from .samples import ask, embed, index_of, keys, said

SYLLABLES = ("ba", "do", "fi", "gu", "ke", "lo", "mi", "nu", "pa", "re", "si", "tu")


def made_up(count, seed=1):
    """Return texts of words, some of which many have."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(SYLLABLES, k=3)) for _ in range(300)]
    weights = [1 / (place + 1) for place in range(len(words))]
    return [" ".join(chance.choices(words, weights, k=chance.randint(4, 12))) for _ in range(count)]


@pytest.fixture(scope="module")
def talk():
    texts = made_up(1_500)
    sessions = [said(owner, *texts[start : start + 100]) for owner, start in enumerate(range(0, 1_500, 100))]
    return [passage for session in sessions for passage in session]


@pytest.fixture
def reckoned(monkeypatch):
    """Compare few vectors in full."""
    monkeypatch.setattr(vector_search, "WHOLE", 0)
    monkeypatch.setattr(vector_search, "COMPARED", 64)


def ask_both(monkeypatch, passages, questions, **options):
    """Return what is found with every vector compared, and with few."""
    pairs = []
    for question in questions:
        monkeypatch.setattr(vector_search, "WHOLE", 1_000_000)
        whole = ask(index_of(passages), question, **options)
        monkeypatch.setattr(vector_search, "WHOLE", 0)
        pairs.append((whole, ask(index_of(passages), question, **options)))
    return pairs


def test_what_comes_first_is_the_same_as_when_every_vector_is_compared(monkeypatch, reckoned, talk):
    pairs = ask_both(monkeypatch, talk, made_up(12, seed=2))
    assert [keys(whole)[0] for whole, _ in pairs] == [keys(few)[0] for _, few in pairs]
    shared = [len(set(keys(whole)) & set(keys(few))) for whole, few in pairs]
    assert sum(shared) >= 9.5 * len(shared)


@pytest.mark.parametrize(
    "shape", [(0, 256, 32), (3, 256, 32), (1_024, 256, 32), (100, 1_536, 700), (33, 8, 8)]
)
def test_a_product_in_pieces_is_the_product(shape):
    n, width, wide = shape
    chance = np.random.default_rng(3)
    rows, columns = (chance.standard_normal(size, np.float32) for size in ((n, width), (width, wide)))
    assert np.allclose(principal_components._product(rows, columns), rows @ columns, atol=1e-3)


def test_a_filter_holds_before_the_few_are_chosen(monkeypatch, reckoned, talk):
    monkeypatch.setattr(
        principal_components, "KEPT", 24
    )  # fewer than vectors have numbers, else all would be exact
    for whole, few in ask_both(
        monkeypatch, talk, made_up(6, seed=3), allow=SearchFilter(sessions=[7]), limit=100
    ):
        assert {hit.owner for hit in few.hits} == {7}
        assert few.allowed == whole.allowed == 100
        assert len(few.hits) == 100
        assert set(keys(few)[:10]) == set(keys(whole)[:10])


def test_those_compared_in_full_have_their_own_cosine(monkeypatch, reckoned, talk):
    ((whole, few),) = ask_both(monkeypatch, talk, made_up(1, seed=4))
    exact = {key: hit.why.dense for key, hit in zip(keys(whole), whole.hits, strict=True)}
    for key, hit in zip(keys(few), few.hits, strict=True):
        if key in exact:  # the spread of all cosines is reckoned: it differs by a few hundredths
            assert hit.why.dense == pytest.approx(exact[key], rel=0.05, abs=0.05)


def test_what_is_added_is_found_at_once(reckoned, talk):
    index = index_of(talk)
    ask(index, "anything")
    for number, text in enumerate(("zeppelin over the harbour", "marmalade", "zeppelin")):
        index.extend(block_of(said(100 + number, text), embed([text])))
        assert keys(ask(index, text))[0] == ("item", 100 + number, 1)


def test_what_is_removed_is_gone(reckoned, talk):
    index = index_of(talk)
    assert ("item", 3, 5) in keys(ask(index, talk[304].text))
    index.remove("item", 3, [5])
    assert ("item", 3, 5) not in keys(ask(index, talk[304].text, limit=2_000))


def test_the_spread_is_that_of_what_is_left(talk):
    vectors, scales = quantise(embed([passage.text for passage in talk]))
    scales[7] = 0.0
    kept = np.ones(len(talk), np.bool_)
    kept[::4] = kept[7] = False
    reckoner = Directions(vectors, scales)
    reckoner.keep(kept, vectors, scales)
    assert reckoner.n == np.count_nonzero(kept)
    for question in embed(made_up(8, seed=6)):
        exact = (vectors[kept] * scales[kept, None]) @ question
        near, scale = reckoner.deviations(question, 1.0)
        assert scale.mean == pytest.approx(exact.mean(), abs=1e-5)
        assert 1 / scale.step == pytest.approx(exact.std(), rel=0.01)
        # 32 directions are all there are
        assert near == pytest.approx((exact - exact.mean()) * scale.step, abs=0.01)


@pytest.mark.parametrize("everything", [True, False], ids=["every row scored", "some rows scored"])
def test_after_a_removal_the_rest_is_found_as_if_it_had_been_alone(monkeypatch, reckoned, talk, everything):
    monkeypatch.setattr(scoring, "EXACT", 1_000_000 if everything else 0)
    index = index_of(talk)
    question = made_up(1, seed=8)[0]
    before = keys(ask(index, question, limit=40))
    for kind, owner, seq in before[::2]:
        index.remove(kind, owner, [seq])
    gone = set(before[::2])
    alone = index_of([passage for passage in talk if (passage.kind, passage.owner, passage.seq) not in gone])
    left, fresh = (ask(one, question, limit=10) for one in (index, alone))
    assert not gone & set(keys(left))
    assert len(set(keys(left)) & set(keys(fresh))) >= 9
    assert left.hits[0].why.dense == pytest.approx(fresh.hits[0].why.dense, rel=0.05, abs=0.05)


def test_passages_without_a_vector_are_as_near_as_the_mean(reckoned, talk):
    vectors = embed([passage.text for passage in talk])
    vectors[::3] = 0.0
    index = NamespaceIndex()
    index.extend(block_of(talk, vectors))
    dense = {
        key: hit.why.dense
        for hit in ask(index, talk[301].text, limit=1_500).hits
        for key in [(hit.owner, hit.seq)]
    }
    blank = [dense[passage.owner, passage.seq] for passage in talk[::3]]
    assert blank == pytest.approx([0.0] * len(blank), abs=0.05)
    assert max(dense.values()) > 1


def test_without_any_vector_words_alone_rank(reckoned, talk):
    index = NamespaceIndex()
    index.extend(block_of(talk, np.zeros((len(talk), 32), np.float32)))
    hits = ask(index, talk[301].text).hits
    assert hits[0].why.lexical > 0
    assert {hit.why.dense for hit in hits} == {0.0}


def test_the_spread_of_cosines_is_reckoned_from_what_lies_along_and_across(talk):
    vectors, scales = quantise(embed([passage.text for passage in talk], dimensions=96))
    reckoner = Directions(vectors, scales)
    cosines = (vectors * scales[:, None]) @ embed(made_up(20, seed=5), dimensions=96).T
    for question, exact in zip(embed(made_up(20, seed=5), dimensions=96), cosines.T, strict=True):
        near, scale = reckoner.deviations(question, 1.0)
        assert scale.mean == pytest.approx(exact.mean(), abs=1e-4)
        assert 1 / scale.step == pytest.approx(exact.std(), rel=0.2)
        assert np.corrcoef(near, exact)[0, 1] > 0.7
