"""What is said is compared by meaning; who says it counts a little, and the day not at all."""

from __future__ import annotations

import numpy as np
import pytest

from bethink import Memory
from bethink.recall.passage_vectors import MOST_OF_SPEAKER, vectors_of

from .samples import embed, note, said


class Hashed:
    """Gives every word a direction of its own."""

    identity = "hashed"
    dimensions = 32

    def embed(self, texts):
        return embed(texts)


def vectors(*passages):
    return vectors_of(passages, Hashed())


def nearness(text, name="Ines"):
    """Return how near a text of a speaker is to the speaker's name, and how near it would be without."""
    (vector,), (bare,), (alone,) = vectors(*said(1, text, speaker=name)), embed([text]), embed([name])
    return float(vector @ alone), float(bare @ alone)


def test_the_day_is_no_part_of_the_meaning():
    now, later = said(1, "The ferry leaves."), said(1, "The ferry leaves.", minutes=60 * 24 * 40)
    assert now[0].text != later[0].text
    assert np.array_equal(vectors(*now), vectors(*later))


@pytest.mark.parametrize("text", ["No", "Good for you!", "The ferry to the islands leaves at seven"])
def test_a_name_is_a_small_part_of_even_the_shortest_text(text):
    named, bare = nearness(text)
    assert bare < named < bare + 1.1 * MOST_OF_SPEAKER


def test_the_same_words_of_two_speakers_are_told_apart():
    ines, hugo = vectors(*said(1, "I sold it."), *said(1, "I sold it.", speaker="Hugo"))
    assert 0.9 < float(ines @ hugo) < 1


def test_a_name_fades_among_many_words():
    short, long = (nearness(" ".join(["kelp"] * count)) for count in (4, 100))
    assert short[0] - short[1] > 2 * (long[0] - long[1]) > 0


def test_what_has_no_known_word_has_no_vector_though_its_speaker_has_a_name():
    (empty,) = vectors(*said(1, "...", speaker="Ines"))
    assert not empty.any()


def test_a_vector_is_the_same_among_others_as_alone():
    passages = [
        *said(1, "I sold it.", "Why?", speaker="Ines"),
        note(3, "Sold it."),
        *said(2, "Oh.", speaker="Hugo"),
    ]
    together = vectors(*passages)
    assert len(together) == len(passages)
    assert np.allclose(together, [vectors(each)[0] for each in passages])
    assert np.allclose(np.linalg.norm(together, axis=1), 1)


def test_nobody_has_nothing():
    assert vectors_of([], Hashed()).shape == (0, 32)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("My thesis was accepted, it is about tidal marshes.", "What did Ines do research on?"),
        ("On Thursdays I volunteer at the hospice.", "Where does Ines help without pay?"),
        ("Our choir rehearses in the fire station now.", "Where does Ines sing with others?"),
        ("My grandmother left me her vineyard.", "What did Ines inherit?"),
    ],
)
def test_what_somebody_told_comes_before_their_short_replies(told, question):
    replies = ("Good for you!", "You must be joking.", "That is big news.", "Time flies.", "I had no idea.")
    replies += (
        "Only bread and cheese, standing up.",
        "Sunday is fine, but not before ten.",
        "You sound tired.",
    )
    replies += ("I liked the last half hour.", "The same people and the same coffee.", "I miss the sea.")
    with Memory(":memory:") as memory:
        friends = memory.scope(user="friends")
        talk = friends.session("talk")
        talk.append([{"role": "user", "content": told}], speaker="Ines")
        for reply in replies:
            talk.append([{"role": "user", "content": reply}], speaker="Ines")
            talk.append([{"role": "user", "content": reply}], speaker="Hugo")
        assert friends.recall(question)[0].text == told
