"""What a user asks to be forgotten is forgotten, with the words it was drawn from, and undo brings both back."""

from __future__ import annotations

import pytest

from bethink import Memory


@pytest.fixture
def alice():
    with Memory(":memory:") as memory:
        yield memory.scope(agent="concierge", user="alice")


def say(scope, text, session="talk"):
    scope.session(session).append([{"role": "user", "content": text}])
    return scope.consolidate()


def texts(scope):
    return [note.text for note in scope.notes()]


def found(scope, query):
    return [hit.text for hit in scope.recall(query)]


def test_a_direct_imperative_forgets_the_note_and_recall_finds_its_items_no_more(alice):
    say(alice, "Remember that I'm allergic to peanuts.")
    say(alice, "I live in Oslo.")
    assert any("peanuts" in text for text in found(alice, "allergic to peanuts"))
    plan = say(alice, "Forget that I'm allergic to peanuts.", "later")
    assert not any("peanuts" in text for text in texts(alice))
    assert not any("peanuts" in text for text in found(alice, "allergic to peanuts"))
    assert any("Oslo" in text for text in texts(alice))
    alice.undo(plan.id)
    assert any("peanuts" in text for text in texts(alice))
    assert any("allergic to peanuts" in text for text in found(alice, "allergic to peanuts"))


def test_a_message_that_asks_twice_forgets_the_note_once(alice):
    say(alice, "Remember that I'm allergic to peanuts.")
    plan = say(alice, "Forget that I'm allergic to peanuts. Forget my peanut allergy.", "later")
    assert [change.outcome for change in plan.changes] == ["forgotten"]
    assert texts(alice) == []
    alice.undo(plan.id)
    assert any("peanuts" in text for text in texts(alice))


def test_neither_a_time_line_nor_a_context_shows_them(alice):
    say(alice, "Remember that I'm allergic to peanuts.")
    assert any("peanuts" in entry.text for entry in alice.timeline("peanuts"))
    say(alice, "Forget that I'm allergic to peanuts.", "later")
    assert not any("peanuts" in entry.text for entry in alice.timeline("peanuts"))
    assert not any("peanuts" in entry.text for entry in alice.timeline(None))
    assert "peanuts" not in alice.context(query="allergic to peanuts", items="all").text


def test_the_items_stay_in_the_log(alice):
    say(alice, "Remember that I'm allergic to peanuts.")
    say(alice, "Forget that I'm allergic to peanuts.", "later")
    assert len(list(alice.session("talk").items())) == 1


def test_a_reopened_store_still_hides_them(tmp_path):
    path = str(tmp_path / "memory.db")
    with Memory(path) as memory:
        scope = memory.scope(agent="concierge", user="alice")
        say(scope, "Remember that I'm allergic to peanuts.")
        found(scope, "peanuts")
        say(scope, "Forget that I'm allergic to peanuts.", "later")
    with Memory(path) as memory:
        scope = memory.scope(agent="concierge", user="alice")
        assert not any("peanuts" in text for text in found(scope, "allergic to peanuts"))


def test_where_several_notes_may_be_meant_nothing_is_forgotten_and_the_plan_says_so(alice):
    alice.remember("My brother Tom lives in Perth.")
    alice.remember("My brother Sam lives in Leeds.")
    plan = say(alice, "Forget what I told you about my brother.")
    assert len(texts(alice)) == 2
    assert any("nothing was forgotten" in remark for remark in plan.remarks)


def test_what_no_note_says_is_said_to_be_unknown(alice):
    alice.remember("I live in Oslo.")
    plan = say(alice, "Forget that I'm allergic to peanuts.")
    assert texts(alice) == ["I live in Oslo."]
    assert any("no note says" in remark for remark in plan.remarks)


@pytest.mark.parametrize(
    "text",
    [
        "Don't let me forget the peanuts.",
        "I always forget that I'm allergic to peanuts.",
        'My aunt said "forget that you are allergic to peanuts".',
        "Did you forget that I'm allergic to peanuts?",
    ],
)
def test_what_only_sounds_like_it_forgets_nothing(alice, text):
    alice.remember("I'm allergic to peanuts.")
    say(alice, text)
    assert "I'm allergic to peanuts." in texts(alice)


@pytest.mark.parametrize(
    ("said", "other", "asked", "query"),
    [
        ("I take lithium every evening.", "I live in Oslo.", "Could you get rid of my medication?", "lithium"),
        ("Ich verdiene 3200 netto.", "Ich wohne in Kiel.", "Mein Gehalt hast du bitte nie gehört, lösch das.", "netto"),
        ("Je suis allergique au latex.", "J'habite à Lyon.", "Efface mon allergie de ta mémoire.", "latex"),
        ("Tengo una deuda con mi tío.", "Vivo en Lima.", "Quita de tus notas lo de la deuda.", "con mi tío"),
        ("私は毎晩ワインを飲みます。", "私は京都に住んでいます。", "お酒のことは記録から消してください。", "ワイン"),
        ("我对青霉素过敏。", "我住在杭州。", "我过敏的事，请从记录里删掉。", "青霉素"),
    ],
)  # fmt: skip
def test_what_a_conversation_taught_is_forgotten_in_another_one(alice, said, other, asked, query):
    say(alice, said, "monday")
    say(alice, other, "tuesday")
    before = sorted(texts(alice))
    assert any(query in text for text in before)
    plan = say(alice, asked, "friday")
    assert [change.outcome for change in plan.changes] == ["forgotten"]
    assert not any(query in text for text in [*texts(alice), *found(alice, query)])
    assert other in texts(alice)
    alice.undo(plan.id)
    assert sorted(texts(alice)) == before
    assert any(query in text for text in found(alice, query))


def test_what_a_request_points_to_is_not_kept_as_a_note(alice):
    alice.remember("I'm a Quaker.")
    say(alice, "My religion is nobody's business. Wipe that from your memory, please.")
    assert texts(alice) == []


def test_a_distillation_says_why_nothing_was_forgotten(alice):
    alice.remember("I live in Oslo.")
    alice.session("talk").append([{"role": "user", "content": "Forget what I told you about my knee."}])
    assert any("nothing was forgotten" in remark for remark in alice.distill("talk").remarks)
