"""Notes that the first release worded in the third person live on beside the user's own words.

`release-0.1.db.gz` was made by that release: two users whose conversations were consolidated.
"""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bethink import Memory

OLD = Path(__file__).parents[1] / "data" / "release-0.1.db.gz"


class Clock:
    def __init__(self):
        self.at = datetime(2026, 6, 1, tzinfo=UTC)

    def __call__(self):
        self.at += timedelta(seconds=1)
        return self.at


@pytest.fixture
def memory(tmp_path):
    path = tmp_path / "memory.db"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    with Memory(str(path), clock=Clock()) as opened:
        yield opened


def texts(scope):
    return {note.text for note in scope.notes()}


def say(scope, text):
    scope.session("now").append([{"role": "user", "content": text}])
    return scope.consolidate()


def test_a_store_of_the_first_release_opens_with_its_notes(memory):
    alice = memory.scope(agent="concierge", user="alice")
    assert texts(alice) == {"Is vegetarian.", "Lives in Oslo.", "Prefers aisle seats.", "Speaks Norwegian."}


def test_an_old_note_merges_with_the_users_own_words(memory):
    alice = memory.scope(agent="concierge", user="alice")
    say(alice, "I am vegetarian.")
    (diet,) = [text for text in texts(alice) if "vegetarian" in text]
    assert diet in {"Is vegetarian.", "I am vegetarian."}


def test_an_old_note_is_superseded_by_the_users_own_words_and_undo_brings_it_back(memory):
    alice = memory.scope(agent="concierge", user="alice")
    plan = say(alice, "I'm no longer vegetarian.")
    assert [text for text in texts(alice) if "vegetarian" in text] == ["I'm no longer vegetarian."]
    alice.undo(plan.id)
    assert [text for text in texts(alice) if "vegetarian" in text] == ["Is vegetarian."]


def test_an_old_home_is_superseded_and_nothing_else(memory):
    alice = memory.scope(agent="concierge", user="alice")
    say(alice, "I live in Bergen now.")
    assert texts(alice) == {
        "Is vegetarian.",
        "I live in Bergen now.",
        "Prefers aisle seats.",
        "Speaks Norwegian.",
    }


def test_an_old_note_is_shown_with_its_subject(memory):
    alice = memory.scope(agent="concierge", user="alice")
    shown = alice.context().text
    assert "- User is vegetarian. (" in shown
    assert "- User lives in Oslo. (" in shown
    assert "- Speaks Norwegian. (" in shown  # what the application wrote is shown as it is


def test_an_old_german_note_merges_too(memory):
    bert = memory.scope(agent="concierge", user="bert")
    say(bert, "Ich wohne jetzt in Wien.")
    assert texts(bert) == {"Ich wohne jetzt in Wien.", "Ich bin Vegetarier."}
