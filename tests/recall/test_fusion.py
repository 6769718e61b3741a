from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.recall.fusion import neighbour_share, relevance_floor, short_turn_share

from .samples import ask, index_of, keys, note, said


def place_of(ranking, key):
    return keys(ranking).index(key)


def test_a_question_lends_more_to_its_reply_than_a_statement_lends_to_what_follows():
    filler = [f"Sunny day number {n}." for n in range(5)]
    asked = said(1, *filler, "Where is the violin?", "Up in the attic.", *filler)
    told = said(2, *filler, "Here is the violin.", "Up in the attic.", *filler, session="t")
    scores = {
        hit.owner: hit.score
        for hit in ask(index_of(asked, told), "violin", vectors=False, limit=50).hits
        if hit.seq == 7
    }
    assert scores[1] > scores[2]


def test_words_of_a_question_count_even_where_neighbours_share_them_out():
    together = said(1, "Piano lessons.", "They start on Monday.", "Fine weather.", minutes=0)
    apart = said(2, "Piano lessons.", "Fine weather.", "A new bus.", session="t", minutes=0)
    late = said(2, "Monday it rained.", start=9, session="t", minutes=9000)
    found = keys(ask(index_of(together, apart, late), "piano Monday", vectors=False))
    assert {found[0], found[1]} == {("item", 1, 1), ("item", 1, 2)}


def test_nothing_is_lent_across_a_long_silence():
    parts = [said(1, "The violin is new.", minutes=0), said(1, "Up in the attic.", start=2, minutes=600)]
    assert keys(ask(index_of(*parts), "violin", vectors=False)) == [("item", 1, 1)]


def test_who_is_named_comes_before_who_is_not():
    talk = [
        said(1, "I sold the boat.", speaker="Ruben"),
        said(2, "I sold the boat.", speaker="Ines", session="t"),
    ]
    assert place_of(ask(index_of(*talk), "What did Ines sell?", vectors=False), ("item", 2, 1)) == 0


def test_a_note_that_says_it_comes_before_talk_about_it():
    talk = said(1, "Shall we talk about seats?", "Yes, seats are a thing.", "Some like a window.")
    assert keys(ask(index_of(talk, [note(7, "Prefers aisle seats.")]), "prefers which seats"))[0] == (
        "note",
        7,
        0,
    )


def test_short_turns_and_long_messages_shade_into_one_another():
    assert short_turn_share(29 * 100, 100) == 1
    assert 0 < short_turn_share(80 * 100, 100) < 1
    assert short_turn_share(300 * 100, 100) == 0
    assert short_turn_share(0, 0) == 1
    assert neighbour_share(np.array([0, 40, 80, 120, 900])).tolist() == pytest.approx([1, 1, 0.8, 0.6, 0.6])


@settings(deadline=None)
@given(st.lists(st.floats(-5, 5, width=32), min_size=1, max_size=500), st.integers(1, 20))
def test_the_bound_lets_through_all_of_the_best(scores, limit):
    values = np.array(scores, np.float32)
    bound = relevance_floor(values, limit)
    assert np.count_nonzero(values >= bound) >= min(limit, len(values))
    assert bound <= np.sort(values)[::-1][:limit][-1]
