"""Whose words a question is after, and what long texts, answers and standing wishes count for it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.recall.fusion import expected_maximum
from bethink.recall.namespace_index import SearchFilter
from bethink.recall.question import _WISHES, ADVICE, ASSISTANT, USER, WHOLE, aim_of, is_standing_wish

from .samples import ask, index_of, item, note, said

ANSWER = "Tomatoes need sun and patience. " + " ".join(
    f"Point {number} is about soil, water, light and the season of the year in general."
    for number in range(60)
)


def legs(index, query, seq, owner=1):
    return next(hit.why for hit in ask(index, query, limit=99).hits if (hit.owner, hit.seq) == (owner, seq))


@pytest.mark.parametrize(
    ("query", "aim"),
    [
        ("Where do I live?", USER),
        ("What is wrong with my tomatoes?", USER),
        ("Can you write me a login form?", USER),
        ("What did you recommend against the leaves?", ASSISTANT),
        ("What was your advice on the bike?", ASSISTANT),
        ("You’ve told me a name, which one?", ASSISTANT),
        ("Was hast du mir empfohlen, hast du noch den Namen?", ASSISTANT),
        ("¿Qué me recomendaste para la rodilla?", ASSISTANT),
        ("你推荐了什么?", ASSISTANT),
        ("Where should my phone stay overnight?", ADVICE),
        ("How do I sharpen it?", ADVICE),
        ("How often do I have to water them?", ADVICE),
        ("Wie oft soll ich gießen?", ADVICE),
        ("Where did I save my résumé?", USER),
        ("Fais un résumé de nos échanges.", WHOLE),
        ("Give me a summary of our talks about the garden.", WHOLE),
        ("Could you summarise what you told me?", WHOLE),
    ],
)
def test_a_question_says_whose_words_it_is_after(query, aim):
    assert aim_of(query) == aim


@pytest.mark.parametrize(
    "text",
    [
        "Always include status codes when I ask about an API.",
        "From now on, answer in metric units.",
        "I'd prefer short replies.",
        "I’d rather walk.",
        "Whenever I mention Ben, ask how he is.",
        "Bitte immer auf Deutsch antworten.",
        "Je préfère le train.",
        "A partir de ahora, sin azúcar.",
        "I want you to always use metric units when I cook.",
        "Use a table whenever I ask for a comparison.",
        "Every time I send code, add types.",
        "When I ask about travel, always suggest trains.",
        "Can you always show the units?",
        "In future, keep it short.",
        "以后请用中文回答。",
        "これからは短くお願いします。",
    ],
)
def test_a_standing_wish_is_read_in_the_languages_we_claim(text):
    assert is_standing_wish(text)


@pytest.mark.parametrize(
    "text",
    [
        "I walked to the shop.",
        "He was always late.",
        "The future is bright.",
        "They always are when it matters.",
        "My boss always gives me the hard tasks.",
        "Yes, you always help me.",
        "I've always wanted to paint, but I lack the time.",
        "I'll make sure to keep you updated.",
        "I swallow water whenever I breathe on my right.",
        "Whenever I hear this song, I think of home.",
        "I will keep your words in mind in the future.",
        "I never knew it until I met you.",
        "",
    ],
)
def test_what_only_happened_is_no_standing_wish(text):
    assert not is_standing_wish(text)


WISHING = """from now on from today on going forward in the future in future whenever you i always never when if me
    every time each time please always you should never i prefer i'd prefer i really prefer i would rather i’d rather
    i like it when i like my i like to have make sure to make sure that you ab jetzt von heute an immer, wenn jedes mal
    wenn bitte nie ich hätte lieber désormais à chaque fois siempre que cada vez que prefiero Always Never. preferred
    42 (always) future-proof walking"""


@given(st.lists(st.sampled_from(WISHING.split()), max_size=10).map(" ".join))
def test_a_wish_is_found_wherever_one_of_its_forms_stands(text):
    plain = text.replace("’", "'")
    forms = [re.compile(form, re.IGNORECASE | re.VERBOSE) for _, form in _WISHES]
    assert is_standing_wish(text) == any(form.search(plain) for form in forms)


@given(st.integers(1, 1000))
def test_one_passage_has_no_luck_and_more_have_more(passages):
    here, more = expected_maximum(np.array([passages, passages + 1]))
    assert here < more
    assert (here == 0) == (passages == 1)


def test_a_long_answer_gives_back_what_its_many_passages_gain_by_chance():
    index = index_of(
        [*said(1, "My tomatoes get yellow leaves."), *said(1, ANSWER, start=2, role="assistant")]
    )
    assert legs(index, "Which plant has yellow leaves?", 1).luck == 0
    answer = legs(index, "Which plant has yellow leaves?", 2)
    assert answer.luck < -2
    assert answer.role < 0
    assert "length -" in str(answer)
    assert "role -" in str(answer)


def test_where_the_question_asks_what_the_assistant_said_nothing_is_taken_from_it():
    index = index_of([*said(1, "My tomatoes wilt."), *said(1, ANSWER, start=2, role="assistant")])
    asked = legs(index, "What did you tell me about tomatoes?", 2)
    assert (asked.luck, asked.role) == (0, 0)


def test_what_the_user_said_stands_above_the_same_said_by_the_assistant_or_a_tool():
    index = index_of(
        [
            *said(1, "The kayak leaks.", role="assistant"),
            *said(2, "The kayak leaks.", session="b"),
            *said(3, "The kayak leaks.", role="assistant", session="c"),
        ]
    )
    assert ask(index, "Which boat leaks, the kayak?").hits[0].owner == 2


def test_a_person_with_a_name_is_no_assistant():
    index = index_of(said(1, "The kayak leaks.", role="assistant", speaker="Ruben"))
    assert legs(index, "kayak", 1).role == 0


def test_a_standing_wish_counts_more_than_the_same_words_without_it():
    index = index_of(
        [
            *said(1, "I prefer status codes in examples."),
            *said(2, "I saw status codes in examples.", session="b"),
        ]
    )
    assert legs(index, "show status codes", 1, 1).wish > 0
    assert legs(index, "show status codes", 1, 2).wish == 0
    assert legs(index, "a summary of status codes", 1, 1).wish == 0


def test_meaning_is_compared_without_the_day_and_words_with_it():
    (passage,) = said(1, "The ferry leaves at seven.", speaker="Ines")
    assert passage.text == "[1 March 2024] Ines: The ferry leaves at seven."
    assert passage.spoken == "The ferry leaves at seven."
    index = index_of([passage, *said(2, "Nothing here.", session="b", minutes=60 * 24 * 40)])
    assert ask(index, "1 March", vectors=False).hits[0].owner == 1


def talk():
    """Return a session in which a reply comes after calls of a tool."""
    return [
        *said(1, "My knee aches when I run."),
        *said(1, "call", start=2, role="tool"),
        *said(1, "Shorten your stride.", start=3, role="assistant"),
        *said(1, "Thanks a lot.", start=4),
    ]


def test_a_hit_on_a_message_brings_its_reply_and_the_other_way_round():
    found = {hit.seq: hit.exchange for hit in ask(index_of(talk()), "knee stride thanks").hits}
    assert found == {1: 3, 2: 1, 3: 1, 4: None}


def test_nothing_said_after_the_instant_that_is_looked_at_comes_with_a_hit():
    from .samples import START

    until = int(START.timestamp() * 1_000_000) + 60_000_000
    (hit,) = ask(index_of(talk()), "knee", allow=SearchFilter(until=until)).hits
    assert (hit.seq, hit.exchange) == (1, None)


@pytest.mark.parametrize(
    ("allow", "kept"),
    [
        (SearchFilter(roles=[0]), [(1, 1), (1, 4), (9, 0)]),
        (SearchFilter(roles=[1, 2], notes=()), [(1, 2), (1, 3)]),
        (SearchFilter(roles=[]), [(9, 0)]),
    ],
)
def test_roles_filter_exactly(allow, kept):
    index = index_of([*talk(), note(9, "Runs.")])
    found = ask(index, "knee stride thanks call runs", limit=99, allow=allow).hits
    assert sorted((hit.owner, hit.seq) for hit in found) == kept


def test_times_hold_for_items_and_for_notes():
    index = index_of([*talk(), note(9, "Runs.")])  # the note holds since 1970
    query = "knee stride thanks runs"
    start = item(1, "").at.timestamp() * 1_000_000
    minute = 60_000_000

    def found(**allow):
        return sorted(hit.seq for hit in ask(index, query, limit=99, allow=SearchFilter(**allow)).hits)

    assert found(since=int(start + minute)) == [2, 3, 4]
    assert found(before=int(start + 2 * minute)) == [0, 1, 2]
    assert found(since=int(start), before=int(start + minute)) == [1]


def test_an_exchange_is_the_same_in_an_index_that_grew():
    grown = index_of(*([passage] for passage in talk()))
    whole = index_of(talk())
    for query in ("knee", "stride"):
        left, right = (ask(index, query, limit=99).hits for index in (grown, whole))
        assert [(hit.seq, hit.exchange) for hit in left] == [(hit.seq, hit.exchange) for hit in right]


def test_a_namespace_with_a_removed_reply_has_no_exchange():
    index = index_of(talk())
    index.remove("item", 1, [3])
    assert ask(index, "knee").hits[0].exchange is None
