"""What a request to forget means: the note with its words, else the one note that speaks of the same."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bethink.lifecycle.forget_requests import matching_notes
from bethink.lifecycle.values import Forget
from bethink.notes.values import Note

THEN = datetime(2026, 1, 1, tzinfo=UTC)


def forgotten(asked, *texts, language="en"):
    """Return the texts of the notes that a request means."""
    notes = [
        Note(id=f"n{place}", text=text, created_at=THEN, updated_at=THEN, metadata={"language": language})
        for place, text in enumerate(texts)
    ]
    found = matching_notes(Forget(text=asked, sources=("i1",), language=language), notes)
    assert bool(found.notes) != bool(found.remark)
    return [note.text for note in found.notes]


def test_the_note_with_the_words_of_the_request_is_meant():
    texts = ("I'm allergic to peanuts.", "I live in Oslo.", "I play tennis.")
    assert forgotten("that I'm allergic to peanuts", *texts) == ["I'm allergic to peanuts."]


@pytest.mark.parametrize(
    ("language", "asked", "texts"),
    [
        ("en", "my salary", ("I earn 3,400 a month.", "I have a dog.", "I live in Oslo.")),
        ("de", "das mit dem Hund", ("Unser Dackel heißt Rübe.", "Ich wohne in Bonn.")),
        ("es", "lo de mi curro", ("Tengo un empleo en el puerto.", "Ceno a las diez.")),
        ("zh", "我亏钱的事", ("我炒股亏了二十万。", "我住浦东。")),
    ],
)
def test_where_no_note_has_the_words_the_one_that_speaks_of_the_same_is_meant(language, asked, texts):
    assert forgotten(asked, *texts, language=language) == [texts[0]]


def test_of_two_notes_that_speak_of_the_same_none_is_forgotten():
    assert forgotten("the thing with my dog", "My terrier is ill.", "Our spaniel bites.") == []


def test_what_no_note_speaks_of_forgets_nothing():
    assert forgotten("my blood type", "I live in Oslo.", "I play tennis.") == []
