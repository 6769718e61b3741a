"""A name is learned however it is said, and kept for good."""

from __future__ import annotations

import pytest

from bethink import Memory


def kept(text):
    """Return the notes for good that a message of its own leaves."""
    with Memory(":memory:") as memory:
        scope = memory.scope(agent="concierge", user="somebody")
        scope.session("talk").append([{"role": "user", "content": text}])
        scope.consolidate()
        return [note.text for note in scope.notes() if note.category == "core"]


@pytest.mark.parametrize(
    "text",
    [
        "I'm Samira.", "The name's Otto.", "Everybody knows me as Red.", "This is Wendy speaking.", "Just Lou is fine.",
        "I go by Quinn.", "Name: Tomasz.",
        "Ich bin die Ronja.", "Hallo, hier ist Detlef.", "Ich werde Lumpi genannt.", "Sag einfach Toni zu mir.",
        "Je suis Maëlle.", "On me surnomme Kiki.", "Mon prénom, c'est Yann.",
        "Soy Macarena.", "Me conocen como Chema.", "Puedes decirme Quique.",
        "Comunque io sono Loredana.", "Di cognome faccio Ferri.", "Gli amici mi dicono Pippo.",
        "Sou a Benedita.", "Me chamo Iara.", "Meu sobrenome é Pacheco.",
        "中村と申します。", "下の名前は遥です。", "ニックネームはポチです。",
        "我小名叫毛毛。", "本人孙悦。", "免贵姓赵。",
    ],
)  # fmt: skip
def test_a_name_is_kept_however_it_is_given(text):
    assert kept(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm tired.", "Is this Wendy speaking?", "Just Monday is fine.", "Ich bin müde.", "Mein Name ist Hase.",
        "Sono stanca.", "名前は何ですか？",
    ],
)  # fmt: skip
def test_what_is_no_name_is_not_taken_for_one(text):
    assert not kept(text)


def test_a_name_that_is_given_behind_a_request_is_not_forgotten_with_it():
    text = "Could you drop the pet name? I go by Margaret with everybody now, even the dog walker."
    assert any("Margaret" in note for note in kept(text))
