"""What a session is distilled to, and why the rest is not kept."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime

import pytest

from bethink.lifecycle.distill import RulesDistiller, fingerprint
from bethink.notes.values import Note
from bethink.sessions.values import Item

TODAY = date(2026, 3, 3)  # a Tuesday
THEN = datetime(2026, 1, 1, tzinfo=UTC)


def item(index, content, role="user", at=None, **rest):
    body = {"role": role, "content": content, **rest} if role else rest
    return Item(id=f"i{index}", session="s", seq=index, body=body, at=at)


def note(text):
    return Note(id="n", text=text, created_at=THEN, updated_at=THEN)


def distill(*said, **options):
    items = [one if isinstance(one, Item) else item(index, one) for index, one in enumerate(said)]
    return RulesDistiller().distill(items, **{"today": TODAY, **options})


def texts(outcome):
    return [candidate.text for candidate in outcome.kept]


def reasons(outcome):
    return [dropped.reason for dropped in outcome.dropped]


def test_the_concierge_conversation_gives_one_lasting_note_and_one_for_this_time():
    outcome = distill(
        "Book me a flight to Paris next month.",
        "Do you know my preferences?",
        "Remember that I am vegetarian.",
        "This time, I like to have a window seat. I really want to sleep",
    )
    lasting, now = outcome.kept
    assert (lasting.text, lasting.durable, lasting.keywords) == ("Is vegetarian.", True, ("dietary",))
    assert now.text == "This time only: likes to have a window seat, really wants to sleep."
    assert (now.durable, set(now.keywords)) == (False, {"seat", "flight"})
    assert (lasting.sources, now.sources) == (("i2",), ("i3",))
    assert reasons(outcome) == ["request", "question"]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I prefer aisle seats.", "Prefers aisle seats."),
        ("I don't like spicy food.", "Doesn't like spicy food."),
        ("I've got two cats and I live in Oslo.", "Has got two cats and lives in Oslo."),
        ("My budget is under $2,000 for this trip.", "This trip only: budget is under $2,000."),
        ("I no longer eat meat.", "No longer eats meat."),
        ("I was born in Chile and work in Bern.", "Was born in Chile and works in Bern."),
        ("By the way, I usually fly with my daughter.", "Usually flies with their daughter."),
        (
            "When I travel, I always take my own pillow.",
            "When they travel, they always take their own pillow.",
        ),
        ("Can you remember that I'm left-handed?", "Is left-handed."),
        ("I'm vegan, can you find me a restaurant?", "Is vegan."),
        ("Merk dir bitte, dass ich keinen Kaffee trinke.", "Ich trinke keinen Kaffee."),
        ("N'oublie pas que je suis allergique aux noix.", "Je suis allergique aux noix."),
        ("No me gusta el café.", "No me gusta el café."),
        ("卵アレルギーがあることを覚えておいてください。", "卵アレルギーがある。"),
        ("请记住我对花生过敏。", "我对花生过敏。"),
    ],
)
def test_a_note_is_short_and_in_the_words_and_language_of_its_user(said, text):
    assert texts(distill(said)) == [text]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Do I prefer aisle seats?", "question"),
        ("What if I prefer trains?", "question"),
        ("If I were rich I would only fly first class.", "hypothetical"),
        ("Maybe I like tea better.", "speculation"),
        ("He said he prefers the window.", "third_party"),
        ("My boss loves long meetings.", "third_party"),
        ("Book me a flight to Rome.", "request"),
        ("Thanks a lot!", "small_talk"),
        ("Yes, exactly.", "assent"),
        ("Don't remember that I smoke.", "negated_memory"),
        ("Translate: I live in Madrid.", "request"),
        ('She wrote "I love sushi and I live in Rome" on the card.', "quoted"),
        ("> I prefer remote work.", "quoted"),
        ("```\nI prefer tabs\n```", "code"),
        ("I prefer " + "very " * 100 + "quiet rooms.", "too_long"),
        ("Я люблю чай и живу в Москве.", "language"),
    ],
)
def test_what_is_not_kept_says_why(said, reason):
    outcome = distill(said)
    assert not outcome.kept
    assert reason in reasons(outcome)


def test_only_the_user_is_believed_and_assent_does_not_lend_the_assistant_a_voice():
    outcome = distill(
        item(0, "You prefer aisle seats, and I love that about you.", role="assistant"),
        item(1, "Yes, exactly."),
        item(2, "I prefer window seats.", role="system"),
        item(3, None, role=None, type="function_call_output", call_id="c", output="I prefer window seats."),
    )
    assert not outcome.kept
    assert sorted(reasons(outcome)) == ["assent", "assistant", "system", "tool"]


def test_what_memory_injected_is_never_learned_again():
    line = "Prefers aisle seats on long flights."
    fenced = "<memories>\n- I prefer aisle seats.\n</memories>\nI live in Oslo."
    outcome = distill(
        fenced,
        "I prefer aisle seats on long flights.",
        "Remember that I love jazz.",
        injected=[line, fingerprint("Loves jazz.")],
    )
    assert texts(outcome) == ["Lives in Oslo."]
    assert reasons(outcome) == ["injected"] * 3


def test_an_unclosed_fence_hides_all_that_follows():
    assert not distill("<user_profile>\nname: Ann\nI live in Oslo.").kept


def test_a_near_verbatim_repeat_of_a_known_note_is_dropped_and_its_negation_is_not():
    known = [note("The user prefers aisle seats.")]
    assert reasons(distill("I really prefer AISLE seats!!", known=known)) == ["known"]
    assert texts(distill("I don't prefer aisle seats, I like window seats.", known=known))


def test_a_statement_is_kept_once():
    outcome = distill("I prefer tea.", "i prefer TEA!")
    assert texts(outcome) == ["Prefers tea."]
    assert reasons(outcome) == ["duplicate"]


def test_what_the_user_retracts_is_dropped_with_the_turn_or_the_one_before():
    assert not distill("I live in Oslo. Don't store that.").kept
    assert not distill("I live in Oslo.", "Forget what I said.").kept
    assert texts(distill("I live in Oslo.", "I love jazz. Don't store that.")) == ["Lives in Oslo."]


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("Until Friday I work from home.", date(2026, 3, 7)),
        ("For the next two weeks I'm in Berlin.", date(2026, 3, 18)),
        ("I can only work mornings until the end of the month.", date(2026, 4, 1)),
        ("Bis Ende August bin ich nur per Mail erreichbar.", date(2026, 9, 1)),
        ("Jusqu'au 12 mai je suis à Lyon.", date(2026, 5, 13)),
        ("Hasta el lunes estoy de vacaciones.", date(2026, 3, 10)),
        ("金曜日までは午前中しか空いていません。", date(2026, 3, 7)),
        ("周五之前我只有上午有空。", date(2026, 3, 7)),
        ("Tonight I want something light.", date(2026, 3, 4)),
    ],
)
def test_what_holds_for_a_while_expires_after_its_last_day(said, day):
    (candidate,) = distill(said).kept
    assert not candidate.durable
    assert candidate.expires_at == datetime(day.year, day.month, day.day, tzinfo=UTC)
    (undated,) = distill(said, today=None).kept
    assert undated.expires_at is None


def test_until_friday_is_counted_from_the_day_it_was_said():
    said = item(0, "Until Friday I work from home.", at=datetime(2026, 2, 10, 9, tzinfo=UTC))
    (candidate,) = distill(said).kept
    assert candidate.expires_at == datetime(2026, 2, 14, tzinfo=UTC)


def test_kinds_tell_corrections_rules_and_constraints_apart():
    kinds = {candidate.kind for candidate in distill("Actually, I moved to Denver.").kept}
    assert kinds == {"correction"}
    assert distill("From now on, answer in bullet points.").kept[0].kind == "rule"
    assert distill("I'm allergic to penicillin.").kept[0].kind == "constraint"
    fragment = distill("No, not June, May.").kept[0]
    assert (fragment.kind, fragment.durable) == ("correction", False)


def test_keywords_hold_no_names_dates_or_numbers():
    outcome = distill(
        "My name is Priya.", "My birthday is in May.", "You can reach me at ann@example.com, I live in Oslo."
    )
    words = {word for candidate in outcome.kept for word in candidate.keywords}
    assert words <= {"name", "birthday", "city"}


def test_a_note_holds_no_more_of_a_message_than_its_statement():
    outcome = distill(
        "My card is 4111 1111 1111 1111. I prefer aisle seats. Call the hotel at +49 30 1234567."
    )
    assert texts(outcome) == ["Prefers aisle seats."]


def test_a_choice_that_tool_calls_repeat_is_a_candidate_of_low_trust():
    calls = [
        item(
            index,
            None,
            role=None,
            type="function_call",
            call_id=f"c{index}",
            name="book_flight",
            arguments=f'{{"to": "P{index}", "seat_preference": "aisle"}}',
        )
        for index in range(2)
    ]
    (candidate,) = distill(*calls).kept
    assert (candidate.source, candidate.sources) == ("tool", ("i0", "i1"))
    assert candidate.confidence < 0.5
    assert "aisle" in candidate.text
    assert not distill(calls[0]).kept
    assert not distill(*calls, known=[note("Prefers aisle seats.")]).kept


def test_text_parts_are_read_and_other_parts_are_not():
    parts = [
        {"type": "input_text", "text": "I love jazz."},
        {"type": "input_image", "image_url": "I love rock."},
    ]
    assert texts(distill(item(0, parts))) == ["Loves jazz."]


def test_importing_the_rules_compiles_no_pattern_and_loads_no_language():
    code = (
        "import sys, bethink.lifecycle.distill as d\n"
        "from bethink.lifecycle.distill.languages import pattern\n"
        "assert pattern.cache_info().currsize == 0\n"
        "assert not [m for m in sys.modules if m.startswith('bethink.lifecycle.distill.languages.')]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
