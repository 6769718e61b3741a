"""What a note is about."""

from __future__ import annotations

import pytest

from bethink.lifecycle.consolidate.attributes import read


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "value", "positive"),
    [
        ("User usually prefers aisle seats.", "user", "seat", "aisle", True),
        ("Does not like aisle seats.", "user", "seat", "aisle", False),
        ("Never flies in a middle seat.", "user", "seat", "middle", False),
        ("Vegetarian.", "user", "diet", "vegetarian", True),
        ("Er ist Vegetarier.", "user", "diet", "vegetarian", True),
        ("Elle est végétarienne.", "user", "diet", "vegetarian", True),
        ("吃素", "user", "diet", "vegetarian", True),
        ("Lives in New York.", "user", "home", "new york", True),
        ("No longer lives in New York.", "user", "home", "new york", False),
        ("Wohnt in Berlin.", "user", "home", "berlin", True),
        ("Home city: Berlin", "user", "home", "berlin", True),
        ("Prefers dark mode.", "user", "theme", "dark", True),
        ("Wants concise answers.", "user", "length", "brief", True),
        ("Wife is vegetarian.", "wif", "diet", "vegetarian", True),
        ("Caroline is vegetarian.", "carolin", "diet", "vegetarian", True),
        ("Alice's sister is vegetarian.", "alic", "diet", "vegetarian", True),
        ("Budget is $2,000.", "user", "budget", "$ 2000", True),
        ("Works as a nurse.", "user", "job", "nurs", True),
    ],
)
def test_a_claim_says_who_has_which_value_of_what(text, subject, attribute, value, positive):
    claims = [each for each in read(text).said if each.attribute == attribute]
    assert [(each.subject, each.value, each.positive) for each in claims] == [(subject, value, positive)]


def test_a_condition_belongs_to_the_claim():
    (claim,) = read("For trips shorter than a week, user generally prefers not to check bags.").claims
    assert not claim.positive
    assert "shorter" in claim.condition


def test_an_ambiguous_word_needs_its_attribute_near_or_among_the_keywords():
    assert read("Prefers the window.").claims == ()
    assert [each.attribute for each in read("Prefers the window.", ("seat",)).claims] == ["seat"]
    assert read("Has a window office.").claims == ()


def test_one_of_several_values_excludes_none():
    assert not [each for each in read("Prefers aisle or window seats.").claims if each.attribute == "seat"]


def test_what_is_only_thought_of_claims_nothing():
    assert read("Is considering going vegan.").claims == ()
    assert read("Might move to Oslo.").tentative


def test_denial_reaches_to_the_end_of_its_clause():
    assert dict(read("Likes tea but not coffee.").core) == {"tea": True, "coffe": False}
    assert dict(read("Likes jazz and hates opera.").core) == {"jazz": True, "opera": False}
    assert dict(read("Does not like crowded, noisy hotels.").core) == dict.fromkeys(
        ("crowd", "noisy", "hotel"), False
    )


def test_a_double_denial_affirms():
    assert all(affirmed for _, affirmed in read("Does not avoid red-eye flights.").core)
