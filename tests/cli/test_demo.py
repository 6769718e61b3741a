"""The travel concierge."""

import shlex

import pytest

from bethink import Memory
from bethink.cli.concierge import Call, play
from bethink.recall.values import Recall
from bethink.server.demo_script import NEXT_TRIP, OLD_NOTES, TRIP, Script


@pytest.fixture
def played():
    """Play a script on a fresh memory; answer its calls by what was called."""

    def run(script):
        with Memory(":memory:") as memory:
            return [step for step in play(memory, script) if isinstance(step, Call)]

    return run


def recalls(calls, who):
    return [
        call.answer for call in calls if isinstance(call.answer, Recall) and call.text.startswith(f"{who}.")
    ]


def test_the_concierge_knows_in_the_next_session_what_it_was_told(bethink):
    shown = bethink("demo", status=0).out
    before, _, after = shown.partition(NEXT_TRIP)
    assert "Usually prefers aisle seats." in before
    for answer in ("Usually prefers aisle seats.", "I am vegetarian.", "200 euros"):
        assert answer in after
    assert "nothing stored" in after


def test_what_was_for_one_trip_stays_with_it(played):
    calls = played(Script())
    (context,) = [call.answer for call in calls if ".context(" in call.text]
    assert "vegetarian" in context.text
    assert "home_city: San Francisco" in context.text
    assert "window" not in context.text
    (staged,) = [call.answer for call in calls if f"session='{TRIP}'" in call.text and ".notes(" in call.text]
    assert any("window" in note.text for note in staged)


def test_the_conversation_of_the_seed_ends_as_the_seed_shows(played):
    calls = played(Script())
    (plan,) = [call.answer for call in calls if ".consolidate(" in call.text]
    *_, after = [call.answer for call in calls if call.text == "alice.notes()"]
    texts = [note.text for note in after]
    assert any("vegetarian" in text for text in texts)
    assert not any("window" in text for text in texts)
    assert {old.text for old in OLD_NOTES} <= set(texts)
    assert len(texts) == len(OLD_NOTES) + 1
    assert [change.outcome for change in plan.changes if change.kind == "retire"] == [
        "promoted",
        "ephemeral",
        "ephemeral",
    ]


def test_a_card_is_in_no_note_and_in_no_hit(played):
    script = Script(questions=("What is the number of the card?",))
    calls = played(script)
    (found, *_) = recalls(calls, "alice")
    assert any("card" in hit.text for hit in found)
    assert not any("4111" in hit.text for hit in found)
    shown = [call.answer for call in calls if ".notes(" in call.text or ".context(" in call.text]
    assert "4111" not in repr(shown)


def test_forgetting_hides_and_undoing_brings_back(played):
    before, hidden, again = [found[0].text for found in recalls(played(Script()), "alice")[-3:]]
    assert before == again == "I am vegetarian."
    assert hidden != before


def test_other_sentences_have_other_outcomes(played):
    lines = ("I never fly: I travel by night train.", "I always travel with my dog Rufus.")
    asks = ("Which train is booked?", "Is there a pet?")
    calls = played(Script(user="carol", stranger="dave", lines=lines, questions=asks, old_notes=()))
    how, pet = recalls(calls, "carol")[:2]
    assert "night train" in how[0].text
    assert "Rufus" in pet[0].text
    told = " ".join(hit.text for found in recalls(calls, "carol") for hit in found)
    assert "vegetarian" not in told
    assert "aisle" not in told
    assert all(found.empty_because == "nothing stored" for found in recalls(calls, "dave"))


def test_sentences_and_questions_may_come_from_the_command_line(bethink):
    shown = bethink(
        "demo",
        "--say",
        "My luggage is a cello.",
        "--ask",
        "Is there an instrument?",
        "--user",
        "erin",
        status=0,
    ).out
    assert "erin: My luggage is a cello." in shown
    assert shown.count("My luggage is a cello.") > 1
    assert "vegetarian" not in shown


def test_nothing_said_is_nothing_found(played):
    calls = played(Script(lines=(), old_notes=(), profile={}))
    assert all(not found for found in recalls(calls, "alice"))


def test_the_three_commands_at_the_end_work(bethink):
    commands = bethink("demo", "--json").json["commands"]
    assert len(commands) == 3
    outcomes = []
    for command in commands:
        name, *arguments = shlex.split(command)
        assert name == "bethink"
        outcomes.append(bethink(*arguments, status=0).out)
    assert "I am vegetarian." in outcomes[0]
    assert "I am vegetarian." in outcomes[1]


def test_a_second_play_on_one_file_keeps_everything_once(bethink, monkeypatch):
    monkeypatch.setenv("BETHINK_DB", "mine.db")
    bethink("demo", "--db", "demo.db", status=0)
    bethink("demo", "--db", "demo.db", status=0)
    counted = bethink("stats", "--db", "demo.db", "--json").json
    assert counted["items"] == 6
    assert counted["notes"]["active"] == 6
    assert "no memory found at mine.db" in bethink("notes", status=1).err


def test_every_call_is_written_as_it_was_made(bethink):
    answer = bethink("demo", "--json").json
    texts = [call["text"] for call in answer["calls"]]
    assert "alice.recall('Which seat should I book on the plane?', limit=3)" in texts
    assert any(text.startswith("session.append(") for text in texts)
