"""What names the value that it denies, leaves or puts another in place of ends the older note that has it."""

from __future__ import annotations

import pytest

from bethink.lifecycle.consolidate.endings import ends, gist
from bethink.lifecycle.consolidate.remainders import remainder
from bethink.sync import Memory


def told(*messages):
    """Return the notes that stand after messages of a session each."""
    with Memory(":memory:") as memory:
        scope = memory.scope(agent="contrasts", user="somebody")
        for place, text in enumerate(messages):
            scope.session(str(place)).append(
                [
                    {"role": "user", "content": text},
                    {"role": "assistant", "content": "Noted."},
                ]
            )
            scope.consolidate()
        return {note.text.rstrip(".。") for note in scope.notes(limit=50)}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("My nephew Olli is seven.", "Olli is eight, not seven."),
        ("I weigh 81 kilos.", "Sorry, typo: I weigh 71 kilos."),
        ("We host the shop on Heroku.", "We migrated from Heroku to Hetzner."),
        ("I'm 44.", "I'm 45 years old."),
        ("Please always answer in English.", "From now on answer in French, please."),
        ("Never use emojis in your answers.", "From now on use emojis in your answers again."),
        ("Use British spelling when you write to me.", "Use American spelling please."),
        ("I smoke a pipe in the evening.", "I quit smoking in spring."),
        ("Unser Team hat sechs Leute.", "Unser Team hat neun Leute."),
        ("Antworte mir immer auf Englisch.", "Antworte mir ab jetzt auf Deutsch."),
        ("Mon neveu a 8 ans.", "Mon neveu a 9 ans, pas 8."),
        ("Fumo la pipa la sera.", "Ho smesso di fumare."),
    ],
)
def test_what_is_taken_back_by_name_is_gone_and_the_new_is_there(first, second):
    stood, stands = told(first), told(first, second)
    assert stood
    assert stands
    assert stands.isdisjoint(stood)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My daughter is 8.", "My son is 9, not 8."),
        ("I have two dogs.", "I have three cats."),
        ("I run 5 km on Mondays.", "I work 8 hours a day."),
        ("Answer my boss formally in mails.", "From now on answer my sister informally."),
        ("I speak French.", "I speak Arabic."),
        ("No emoji in your replies.", "I use emoji a lot."),
        ("I drink tea.", "I got it from my brother."),
        ("We are painting the studio.", "I switched from morning to evening classes."),
    ],
)
def test_what_differs_in_something_else_is_left_alone(old, new):
    assert not ends(gist(new, "en"), gist(old, "en"))


@pytest.mark.parametrize(
    ("text", "new", "left"),
    [
        ("I pay for Netflix and Spotify.", "I cancelled Netflix.", "I pay for Spotify."),
        ("I pay for Netflix and Spotify.", "I cancelled Spotify.", "I pay for Netflix"),
        ("I play padel, and I teach maths.", "I quit padel.", "I teach maths."),
    ],
)
def test_of_several_things_only_the_one_that_ended_is_taken_out(text, new, left):
    assert remainder(text, gist(new, "en"), "en").rstrip(".") == left.rstrip(".")


def test_who_and_another_have_no_verb_before_them_and_are_not_parted():
    assert remainder("Kieran and I have lived together.", gist("Kieran moved out.", "en"), "en") == ""
