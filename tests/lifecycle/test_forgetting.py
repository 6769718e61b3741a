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


@pytest.mark.parametrize(
    ("language", "asked", "texts"),
    [
        ("en", "my address", ("We live on Cobden Street.", "My aunt lives in Perth.", "I sing.")),
        ("en", "my medication", ("I'm on citalopram, 20 mg.", "I sleep badly.")),
        ("de", "meine Telefonnummer", ("Du erreichst mich unter 0171 2345678.", "Ich wohne in Kiel.")),
        ("fr", "ma religion", ("Je suis protestante.", "Je vote à gauche.")),
        ("es", "mis ahorros", ("Tengo 3.000 guardados en casa.", "Pago 400 de alquiler.")),
        ("it", "la mia mail", ("Scrivimi a rita@posta.example", "Abito a Siena")),
        ("pt", "a minha dívida", ("Devo mil ao meu cunhado", "Ganho pouco")),
        ("ja", "私の給料のこと", ("手取りは20万円です。", "犬を飼っています。")),
        ("zh", "我的宠物", ("家里养了一只仓鼠。", "我住在南京。")),
    ],
)
def test_a_matter_is_found_by_what_a_note_says_of_it(language, asked, texts):
    assert forgotten(asked, *texts, language=language) == [texts[0]]


@pytest.mark.parametrize(
    ("language", "asked", "text"),
    [
        ("en", "what I said about my brother", "My sister is a nurse."),
        ("en", "my passport number", "My licence plate is KX54 ABC."),
        ("de", "das mit der Oma", "Mein Opa war Bäcker."),
        ("fr", "ce que j'ai dit de mon dentiste", "Mon kiné s'appelle Luc."),
        ("zh", "我哥的事", "我姐在上海。"),
    ],
)
def test_another_one_of_a_kind_is_not_meant(language, asked, text):
    assert forgotten(asked, text, language=language) == []


def test_what_is_asked_of_oneself_is_not_meant_of_others():
    texts = ("My husband's birthday is 3 June.", "I was born on 9 May 1980.")
    assert forgotten("when I was born", *texts) == [texts[1]]


def test_a_request_in_another_language_than_the_note_finds_what_it_names():
    notes = [
        Note(id="n1", text="Ich wiege 84 Kilo.", created_at=THEN, updated_at=THEN, metadata={"language": "de"}),
        Note(id="n2", text="Ich wohne in Kiel.", created_at=THEN, updated_at=THEN, metadata={"language": "de"}),
    ]  # fmt: skip
    found = matching_notes(Forget(text="my weight", sources=("i1",), language="en"), notes)
    assert [note.id for note in found.notes] == ["n1"]


def test_where_the_memory_is_not_named_a_note_has_to_say_all_of_it_and_nothing_is_remarked():
    note = Note(id="n1", text="I work at the harbour.", created_at=THEN, updated_at=THEN)

    def match(asked, *, named):
        return matching_notes(Forget(text=asked, sources=("i1",), named=named), [note])

    assert match("my job", named=False).notes
    some = "the heading and the paragraph about my job"
    assert match(some, named=True).notes
    assert not match(some, named=False).notes
    assert match(some, named=False).remark == ""
