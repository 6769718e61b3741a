"""How likely it is that an answer was found, from what the ranking knows."""

import pytest

from bethink import Memory
from bethink.recall.namespace_index import Ranked, Ranking
from bethink.recall.relevance import relevance
from bethink.recall.values import Why

HIT = Ranked("note", 1, 0, 1.0, Why(lexical=1.0))


def ranking(covered, nearest, hits=(HIT,), scanned=400, mean=0.15):
    return Ranking(hits, ("seat",), (), scanned, scanned, covered, nearest, mean)


@pytest.mark.parametrize("nearest", [None, 0.4])
def test_it_grows_with_what_is_covered(nearest):
    values = [relevance(ranking(covered / 10, nearest)) for covered in range(11)]
    assert values == sorted(set(values))
    assert 0 < values[0] < 0.2
    assert 0.8 < values[-1] < 1


def test_it_grows_with_nearness():
    assert relevance(ranking(0.5, 0.1)) < 0.5 < relevance(ranking(0.5, 0.9))


def test_among_few_notes_less_is_enough():
    values = [relevance(ranking(0.0, 0.35, scanned=scanned)) for scanned in (8, 40, 200, 4_000)]
    assert values == sorted(values, reverse=True)
    assert values[0] > 0.5 > 0.1 > values[-1]
    assert relevance(ranking(0.0, 0.1, scanned=8)) < 0.1


FACTS = {
    "What nuts must she avoid?": "Allergic to walnuts.",
    "Which city is her home in?": "Lives in Lisbon near the river.",
    "What is her job?": "Works as a nurse on night shifts.",
    "What is the name of her pet?": "Has a dog called Bruno.",
    "How does she take her coffee?": "Drinks oat milk in coffee.",
    "When was she born?": "Birthday is on 3 May.",
}


def test_a_small_memory_knows_what_it_can_answer_in_other_words():
    with Memory(":memory:") as memory:
        alice = memory.scope(user="alice")
        for fact in (*FACTS.values(), "Prefers aisle seats on planes.", "Runs a marathon every autumn."):
            alice.remember(fact)
        for question, fact in FACTS.items():
            found = alice.recall(question)
            assert found[0].text == fact
            assert found.relevance >= 0.3, question
        for question in (
            "What is the capital of Peru?",
            "How do I sort a list in Python?",
            "Who won the match?",
        ):
            assert alice.recall(question).relevance < 0.3, question


def test_no_hit_is_no_answer():
    assert relevance(ranking(1.0, 1.0, ())) == 0


def test_words_that_nothing_has_weigh_against_an_answer(kitchen):
    known = kitchen.search("boiler").covered
    assert known > kitchen.search("boiler xylophone").covered > 0


OTHERS = """
Deploys go out on Tuesdays and never on Fridays.|The API gateway listens on port 8443.
Dana owns the billing service.|Unit tests must finish within ninety seconds.
Is writing a novel about lighthouse keepers.|Prefers answers in short bullet points.
Mother had a hip replacement in March.|Runs a bakery that opens at five in the morning.
Is learning Finnish with an app.|The laptop is a ThinkPad with Debian.
Takes metformin twice a day.|Used to teach chemistry.
Swims at the municipal pool every morning.|Cannot stand coriander.
Is saving for a trip to the Azores.|Banks with Caixa and hates the app.
Drives an old Saab.|Plays the cello on Thursdays.
The landlord wants the rent on the first.|Keeps bees behind the shed.
Voted for the cycle path.|Has a shelf of unread cookbooks.
""".strip().replace("\n", "|")


def test_a_memory_of_many_matters_knows_what_it_can_answer_in_other_words():
    with Memory(":memory:") as memory:
        alice = memory.scope(user="alice")
        for fact in (*FACTS.values(), *OTHERS.split("|")):
            alice.remember(fact)
        asked = {question: alice.recall(question) for question in FACTS}
        right = [found for question, found in asked.items() if found[0].text == FACTS[question]]
        assert len(right) >= 5
        assert all(found.relevance >= 0.2 for found in right)
        for question in ("What is the capital of Peru?", "Who won the match?", "How do I prune roses?"):
            assert alice.recall(question).relevance < 0.2, question


def test_a_context_takes_what_bears_on_the_question_and_nothing_for_a_thank_you():
    with Memory(":memory:") as memory:
        alice = memory.scope(user="alice")
        for fact in (*FACTS.values(), *OTHERS.split("|")):
            alice.remember(fact)
        asked = alice.context(query="What nuts must she avoid?", max_notes=0).suffix
        assert "walnuts" in asked
        assert asked.count("\n- ") == 1
        for said in ("Thanks!", "Great, thank you so much.", "ok"):
            assert not alice.context(query=said, max_notes=0).suffix, said


def test_what_all_texts_have_in_common_with_a_question_is_no_answer():
    assert relevance(ranking(0.2, 0.35, mean=0.02)) > 2 * relevance(ranking(0.2, 0.35, mean=0.2))
