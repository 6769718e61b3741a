"""Whether two notes say the same, or cannot both hold."""

from __future__ import annotations

import pytest

from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.duplicates_and_conflicts import conflicting, likeness, replaces_wholly
from bethink.lifecycle.consolidate.words import canonical

CLOSE = 0.99  #: as near in meaning as two texts come


def readings(pair):
    return [read(canonical(text)) for text in pair.split(" | ")]


@pytest.mark.parametrize(
    "pair",
    [
        "User usually prefers aisle seats. | Prefers aisle seats",
        "Is a vegetarian | Vegetarian.",
        "Likes staying in central, walkable neighborhoods | Likes central walkable neighborhoods.",
        "Favorite color is blue | Favourite colour is blue.",
        "Prefers vegetarian meals when travelling | Prefers vegetarian meal options when traveling.",
        "Doesn't like cilantro | Dislikes cilantro.",
        "Prefers concise answers | Likes short answers",
        "Lives in Paris | The user lives in Paris.",
        "Mag keine Pilze | Mag Pilze nicht",
        "N'aime pas le café | Déteste le café",
        "No le gusta el vino | Odia el vino",
        "喜欢靠窗座位 | 喜欢靠窗的座位",
        "窓側の席が好き | 窓側の席が好きです。",
    ],
)
def test_two_wordings_of_the_same_are_the_same(pair):
    one, other = readings(pair)
    assert likeness(one, other) is not None
    assert likeness(other, one) is not None
    assert not conflicting(one, other)


@pytest.mark.parametrize(
    "pair",
    [
        "Prefers aisle seats. | Prefers window seats.",
        "Likes aisle seats | Does not like aisle seats",
        "Likes sushi | Doesn't like sushi",
        "Likes tea but not coffee | Likes coffee but not tea",
        "Prefers tea over coffee | Prefers coffee over tea",
        "Vegetarian. | Is vegan",
        "Lives in Paris with her husband | Lives in Berlin",
        "Lives in Paris | No longer lives in Paris",
        "Works at Google as an engineer | Works at Meta",
        "Prefers morning flights | Prefers evening flights",
        "Prefers dark mode | Prefers light mode",
        "Prefers high floors | Prefers a low floor",
        "Budget is $2000 | Budget is $3000",
        "Has 2 cats | Has 3 cats",
        "Has United Gold status | Has United Platinum status",
        "Prefers Hilton hotels | Prefers Marriott hotels",
        "Name is Bob | Name is Rob",
        "Sister's name is Anna | Sister's name is Maria",
        "Favorite color is blue | Favorite color is green",
        "Prefers answers in German | Prefers answers in English",
        "Prefers not to check bags | Always checks bags",
        "Avoids red-eye flights | Does not mind red-eye flights",
        "Allergic to peanuts | Not allergic to peanuts",
        "Pays in euros | Pays in dollars",
        "Bevorzugt Fensterplätze | Bevorzugt Gangplätze",
        "Mag Pilze | Mag keine Pilze",
        "Préfère le couloir | Préfère le hublot",
        "Aime le café | N'aime plus le café",
        "Prefiere ventanilla | Prefiere pasillo",
        "Le gusta el vino | No le gusta el vino",
        "喜欢靠窗座位 | 喜欢靠走道座位",
        "喜欢香菜 | 不喜欢香菜",
        "窓側の席が好き | 通路側の席が好き",
        "パクチーが好き | パクチーが好きではない",
        "Wohnt in München | Lives in Berlin",
    ],
)
def test_notes_that_cannot_both_hold_conflict_and_are_never_the_same(pair):
    one, other = readings(pair)
    assert conflicting(one, other)
    assert conflicting(other, one)
    assert likeness(one, other, CLOSE) is None


@pytest.mark.parametrize(
    "pair",
    [
        "Does not like aisle seats | Prefers window seats",
        "Prefers window seats on long flights | Prefers aisle seats",
        "Wife prefers window seats | Prefers aisle seats",
        "Caroline prefers window seats | Prefers aisle seats",
        "Vegetarian | Likes vegan restaurants",
        "Has a dog named Rex | Has a cat named Tom",
        "Has a red car | Has a bike",
        "Has a red car | Has a blue car",
        "Likes tea | Likes coffee",
        "Likes morning flights | Likes evening flights",
        "Plays the violin | Plays the viola",
        "Speaks German | Speaks French",
        "Flies from Paris to Rome | Flies from Rome to Paris",
        "Prefers short emails | Prefers long answers",
        "Budget is 2000 per night | Budget is 3000 per trip",
        "Name is Bob | The dog's name is Rob",
        "Likes 🍣 | Likes 🍕",
        "Prefers C++ | Prefers C",
        "Might become vegan | Vegetarian",
        "Allergic to peanuts | Allergic to shellfish",
        "Likes ice cream | Likes coffee ice cream",
        "Alice's dog bit Bob | Bob's dog bit Alice",
    ],
)
def test_notes_that_only_look_alike_are_let_be(pair):
    one, other = readings(pair)
    assert not conflicting(one, other)
    assert not conflicting(other, one)
    assert likeness(one, other, CLOSE) is None


def test_nearness_in_meaning_joins_only_forms_of_the_same_words():
    one, other = readings(
        "Likes to compare options side by side | Wants a side-by-side comparison of options"
    )
    assert likeness(one, other) is None
    assert likeness(one, other, 0.83) == "meaning"
    assert likeness(one, other, 0.5) is None


@pytest.mark.parametrize(
    ("old", "new", "wholly"),
    [
        ("Prefers aisle seats and vegetarian meals.", "Prefers window seats.", False),
        ("Prefers aisle seats and likes jazz.", "Prefers window seats.", False),
        ("Prefers aisle seats near the exit.", "Prefers window seats.", True),
        ("Has United Gold status.", "Has United Platinum status.", True),
        ("Works at Google as an engineer.", "Works at Meta.", True),
    ],
)
def test_a_note_is_replaced_wholly_only_where_nothing_else_of_it_is_lost(old, new, wholly):
    assert conflicting(read(new), read(old))
    assert replaces_wholly(read(new), read(old)) is wholly
