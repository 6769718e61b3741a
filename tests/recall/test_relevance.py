"""How likely it is that an answer was found, from what the ranking knows."""

import pytest

from bethink.recall.index import Ranked, Ranking
from bethink.recall.relevance import relevance
from bethink.recall.values import Why

HIT = Ranked("note", 1, 0, 1.0, Why(lexical=1.0))


def ranking(covered, nearest, hits=(HIT,)):
    return Ranking(hits, ("seat",), (), 9, 9, covered, nearest)


@pytest.mark.parametrize("nearest", [None, 0.4])
def test_it_grows_with_what_is_covered(nearest):
    values = [relevance(ranking(covered / 10, nearest)) for covered in range(11)]
    assert values == sorted(set(values))
    assert 0 < values[0] < 0.2
    assert 0.8 < values[-1] < 1


def test_it_grows_with_nearness():
    assert relevance(ranking(0.5, 0.1)) < 0.5 < relevance(ranking(0.5, 0.9))


def test_no_hit_is_no_answer():
    assert relevance(ranking(1.0, 1.0, ())) == 0


def test_words_that_nothing_has_weigh_against_an_answer(kitchen):
    known = kitchen.search("boiler").covered
    assert known > kitchen.search("boiler xylophone").covered > 0
