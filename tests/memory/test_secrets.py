"""What nobody may read is in no note, no hit and no context, and what was said beside it is."""

from __future__ import annotations

import pytest

from bethink import Memory
from bethink.errors import RefusedError

SECRETS = {
    "my passport number is X4RTBPFW4": "X4RTBPFW4",
    "The PIN of the cabin is four two seven one": "four two seven one",
    "the password is purple monkey dishwasher": "purple monkey dishwasher",
    "security code 737": "737",
    "booking reference ZK83QP": "ZK83QP",
    "my home address is 742 Evergreen Terrace": "742 Evergreen Terrace",
}


@pytest.fixture
def alice():
    with Memory(":memory:") as memory:
        yield memory.scope(agent="concierge", user="alice")


@pytest.mark.parametrize("text", SECRETS)
def test_a_note_that_is_hardly_more_than_a_secret_is_refused(alice, text):
    with pytest.raises(RefusedError):
        alice.remember(text)


def test_the_clause_beside_a_secret_is_remembered(alice):
    note = alice.remember("I am vegetarian and my Amex is 3782 822463 10005")
    assert note.text == "I am vegetarian"
    assert "3782" not in alice.context(query="card").text


@pytest.mark.parametrize(("text", "secret"), SECRETS.items())
def test_recall_shows_a_turn_without_its_secret(alice, text, secret):
    alice.session("trip").append([{"role": "user", "content": f"For the weekend in the mountains: {text}"}])
    hits = alice.recall("weekend in the mountains")
    assert len(hits) == 1
    assert secret not in hits[0].text


def test_a_conversation_teaches_what_was_said_beside_a_secret(alice):
    session = alice.session("trip")
    session.append([{"role": "user", "content": "I am vegetarian and my Amex is 3782 822463 10005."}])
    alice.consolidate(session="trip")
    kept = [note.text for note in alice.notes()]
    assert any("vegetarian" in text for text in kept)
    assert not any("Amex" in text or "card" in text for text in kept)
