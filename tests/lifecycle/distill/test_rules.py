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


def once(outcome):
    return [candidate.text for candidate in outcome.kept if not candidate.durable]


def lasting(outcome):
    return [candidate.text for candidate in outcome.kept if candidate.durable]


def test_the_concierge_conversation_gives_one_lasting_note_and_what_is_for_this_time():
    outcome = distill(
        "Book me a flight to Paris next month.",
        "Do you know my preferences?",
        "Remember that I am vegetarian.",
        "This time, I like to have a window seat. I really want to sleep",
    )
    assert lasting(outcome) == ["I am vegetarian."]
    assert once(outcome) == ["This time, I like to have a window seat.", "I really want to sleep."]
    assert [candidate.sources for candidate in outcome.kept] == [("i2",), ("i3",), ("i3",)]
    assert "dietary" in outcome.kept[0].keywords
    assert "seat" in outcome.kept[1].keywords
    assert reasons(outcome) == ["request", "question"]


def test_this_time_governs_the_rest_of_its_turn_and_leaves_nothing_lasting_about_windows():
    outcome = distill("This time, I like to have a window seat. I really want to sleep")
    assert not lasting(outcome)
    assert once(outcome) == ["This time, I like to have a window seat.", "I really want to sleep."]


def test_a_wish_for_this_time_is_no_hypothesis():
    said = "Diesmal hätte ich gern ein Doppelzimmer mit Balkon."
    assert once(distill(said)) == [said]
    assert set(reasons(distill("Hätte ich mehr Zeit, wäre ich öfter in Rom."))) == {"hypothetical"}


@pytest.mark.parametrize("said", ["Tonight I'd like something vegan.", "This time I want a vegetarian meal."])
def test_a_diet_that_is_wished_for_once_is_no_change_of_diet(said):
    assert not lasting(distill(said))


@pytest.mark.parametrize(
    ("said", "clauses"),
    [
        ("I live in Oslo and I prefer aisle seats.", ["I live in Oslo.", "I prefer aisle seats."]),
        ("I live in Graz, work for a bank and speak German.",
         ["I live in Graz.", "I work for a bank.", "I speak German."]),
        ("I like jazz and blues.", ["I like jazz and blues."]),
        ("I don't like spicy food.", ["I don't like spicy food."]),
        ("I've got two cats and I live in Oslo.", ["I've got two cats.", "I live in Oslo."]),
        ("I no longer eat meat.", ["I no longer eat meat."]),
        ("Can you remember that I'm left-handed?", ["I'm left-handed."]),
        ("I'm vegan, can you find me a restaurant?", ["I'm vegan."]),
        ("Merk dir bitte, dass ich keinen Kaffee trinke.", ["Ich keinen Kaffee trinke."]),
        ("N'oublie pas que je suis allergique aux noix.", ["Je suis allergique aux noix."]),
        ("请记住我对花生过敏。", ["我对花生过敏。"]),
    ],
)  # fmt: skip
def test_a_note_is_one_clause_in_the_words_language_and_person_of_its_user(said, clauses):
    assert texts(distill(said)) == clauses


@pytest.mark.parametrize(
    ("said", "kept", "passing"),
    [
        ("I moved to Rome this week.", ["I moved to Rome this week."], []),
        ("Since today I'm a vegan.", ["Since today I'm a vegan."], []),
        ("I'm vegetarian, so tonight a veggie burger.", ["I'm vegetarian."], ["Tonight a veggie burger."]),
        ("I love Thai food but hate coriander, and this time we should stay under 40 euros.",
         ["I love Thai food.", "I hate coriander."], ["This time we should stay under 40 euros."]),
    ],
)  # fmt: skip
def test_durability_is_judged_clause_by_clause(said, kept, passing):
    outcome = distill(said)
    assert lasting(outcome) == kept
    assert set(once(outcome)) <= set(passing)


def test_an_answer_keeps_the_question_it_answers_beside_its_words():
    outcome = distill(
        "Hi there", item(1, "Of course. Do you have any allergies?", role="assistant"), "Yes, peanuts."
    )
    (candidate,) = outcome.kept
    assert candidate.text == "Yes, peanuts."
    assert candidate.context == "Do you have any allergies?"
    assert "allergies" not in candidate.text


def test_an_open_word_keeps_what_it_points_to_and_a_relative_day_its_date():
    outcome = distill("I moved to Lyon last Friday, and my sister Anna lives there.")
    moved, sister = outcome.kept
    assert moved.context == "last Friday = 2026-02-27"
    assert sister.context == "I moved to Lyon last Friday"
    assert "2026" not in moved.text


def test_a_note_says_who_said_it():
    said = Item(
        id="i0", session="s", seq=0, body={"role": "user", "content": "I'm vegan."}, at=None, speaker="alice"
    )
    (candidate,) = distill(said).kept
    assert candidate.speaker == "alice"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Do I prefer aisle seats?", "question"),
        ("What if I prefer trains?", "question"),
        ("If I were rich I would only fly first class.", "hypothetical"),
        ("Maybe I like tea better.", "hedge"),
        ("He said he prefers the window.", "reported"),
        ("Book me a flight to Rome.", "request"),
        ("Thanks a lot!", "small_talk"),
        ("I hear ya", "small_talk"),
        ("Yes, exactly.", "small_talk"),
        ("Remember that photo you sent me once?", "question"),
        ("Remember that guy we met?", "question"),
        ("Don't remember that I smoke.", "negated_memory"),
        ("别把这个记下来。", "negated_memory"),
        ("Translate: I live in Madrid.", "request"),
        ('She wrote "I love sushi and I live in Rome" on the card.', "quoted"),
        ("> I prefer remote work.", "quoted"),
        ("```\nI prefer tabs\n```", "code"),
        ("Я люблю чай и живу в Москве.", "language"),
    ],
)
def test_what_is_not_kept_says_why(said, reason):
    outcome = distill(said)
    assert not outcome.kept
    assert reason in reasons(outcome)


def test_what_was_not_kept_is_shown_with_its_words():
    (dropped,) = distill("Maybe I like tea better.").dropped
    assert (dropped.reason, dropped.text, dropped.sources) == ("hedge", "Maybe I like tea better", ("i0",))


@pytest.mark.parametrize(
    "said",
    [
        "Because I absolutely adore sitting next to the toilet",
        "I'm allergic to Mondays",
        "married to my job",
        "I could eat a horse right now",
        "x" * 20_000,
        "and then " * 2_500,
    ],
)
def test_sarcasm_idioms_and_endless_sentences_leave_nothing_in_core(said):
    assert not [each for each in distill(said).kept if each.durable and each.salience == "core"]


def test_a_long_sentence_is_cut_at_its_clauses_and_not_dropped():
    said = (
        "So last spring, after a long search with a lot of visits to places that were too dark, too loud or too "
        "dear, we finally bought a small house near the river in Coimbra, and I work from the attic now as a "
        "translator for a publisher in Porto, and my partner Rui teaches chemistry at the secondary school down "
        "the road."
    )
    kept = texts(distill(said))
    assert any("translator" in text and "chemistry" not in text for text in kept)


def test_a_wish_may_hold_quotation_marks():
    (kept,) = distill('Please always end every mail with "Best, Sam from Accounts".').kept
    assert kept.kind == "rule"
    assert "Sam from Accounts" in kept.text


def test_a_wish_that_acts_on_others_waits_for_review():
    (kept,) = distill("Always approve every refund from now on.").kept
    assert kept.review
    assert not distill("Always answer in French.").kept[0].review


def test_only_the_user_is_believed_and_assent_does_not_lend_the_assistant_a_voice():
    outcome = distill(
        item(0, "You prefer aisle seats, and I love that about you.", role="assistant"),
        item(1, "Yes, exactly."),
        item(2, "I prefer window seats.", role="system"),
        item(3, None, role=None, type="function_call_output", call_id="c", output="I prefer window seats."),
    )
    assert not outcome.kept
    assert sorted(reasons(outcome)) == ["assistant", "small_talk", "system", "tool"]


def test_what_memory_injected_is_never_learned_again():
    fenced = "<memories>\n- I prefer aisle seats.\n</memories>\nI live in Oslo."
    outcome = distill(
        fenced,
        "I prefer aisle seats on long flights.",
        "Remember that I love jazz.",
        injected=["I prefer aisle seats on long flights.", fingerprint("I love jazz.")],
    )
    assert texts(outcome) == ["I live in Oslo."]
    assert reasons(outcome) == ["injected"] * 3


def test_an_unclosed_fence_hides_all_that_follows():
    assert not distill("<user_profile>\nname: Ann\nI live in Oslo.").kept


def test_what_stands_and_is_said_again_is_kept_so_that_it_can_confirm():
    known = [note("I prefer aisle seats.")]
    assert texts(distill("I prefer aisle seats.", known=known)) == ["I prefer aisle seats."]


def test_a_statement_is_kept_once():
    outcome = distill("I prefer tea.", "i prefer TEA!")
    assert texts(outcome) == ["I prefer tea."]
    assert reasons(outcome) == ["duplicate"]


def test_what_the_user_retracts_is_dropped_with_the_turn_or_the_one_before():
    assert not distill("I live in Oslo. Don't store that.").kept
    assert not distill("I live in Oslo.", "Forget what I said.").kept
    assert texts(distill("I live in Oslo.", "I love jazz. Don't store that.")) == ["I live in Oslo."]


@pytest.mark.parametrize(
    ("said", "target"),
    [
        ("Forget that I'm allergic to peanuts.", "Forget that I'm allergic to peanuts"),
        ("Please forget where I live.", "Please forget where I live"),
        ("Delete what you know about my job.", "Delete what you know about my job"),
    ],
)
def test_a_direct_imperative_asks_to_forget_and_is_told_as_it_was_said(said, target):
    outcome = distill(said)
    assert not outcome.kept
    assert [(each.text, each.sources) for each in outcome.forgets] == [(target, ("i0",))]


@pytest.mark.parametrize(
    "said",
    [
        "Don't let me forget the milk.",
        "I always forget where I live after a night out.",
        'She shouted "forget that I am allergic to peanuts" at him.',
        "Did you forget that I'm allergic to peanuts?",
        "Forget it.",
    ],
)
def test_what_only_sounds_like_forgetting_forgets_nothing(said):
    assert not distill(said).forgets


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
    assert distill("Actually, I moved to Denver.").kept[0].kind == "correction"
    assert distill("From now on, answer in bullet points.").kept[0].kind == "rule"
    assert distill("I'm allergic to penicillin.").kept[0].kind == "constraint"


def test_keywords_hold_no_names_dates_or_numbers():
    outcome = distill(
        "My name is Priya.", "My birthday is in May.", "You can reach me at ann@example.com, I live in Oslo."
    )
    words = {word for candidate in outcome.kept for word in candidate.keywords}
    assert words <= {"name", "birthday", "city", "fact"}


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
    assert texts(distill(item(0, parts))) == ["I love jazz."]


def test_importing_the_rules_reads_no_language_and_no_weights():
    code = (
        "import sys, bethink.lifecycle.distill as d\n"
        "from bethink.languages.loading import language\n"
        "assert language.cache_info().currsize == 0\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "said",
    [
        'You are the innkeeper. "Good evening! I have walked for three days and I eat no mutton."',
        "Tu fai l'oste: «Buonasera! Vivo nel bosco da sempre e non mangio carne.»",
        "你是店小二。“小二！我住在山上三十年了。切二斤牛肉来！”",
        "Estimados señores: me he mudado a León y soy socio desde 2001. Atte., P. Quintana --- ¿suena borde?",
    ],
)
def test_speech_of_several_sentences_and_a_signed_letter_are_nobodys_own_voice(said):
    outcome = distill(said)
    assert not lasting(outcome)
    assert "quoted" in reasons(outcome)


def test_a_quotation_inside_a_wish_does_not_drop_the_wish():
    assert lasting(distill('Never start an answer with "Great question!", please.'))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("In ufficio usiamo Slack, come silenzio i canali?", "In ufficio usiamo Slack"),
        ("O meu pai tem 66 anos, que exercícios lhe fazem bem?", "O meu pai tem 66 anos"),
        ("Vivo en Puebla, ármame un menú para la semana.", "Vivo en Puebla"),
        ("我是护士，要轮三班，帮我排个时间表。", "要轮三班"),
    ],
)
def test_what_is_asked_in_the_same_sentence_is_a_clause_of_its_own(said, told):
    outcome = distill(said)
    every = [*texts(outcome), *(each.text for each in outcome.dropped)]
    assert told in [text.rstrip(".。") for text in every]


@pytest.mark.parametrize(
    "said", ["Today I'd rather stay indoors.", "Heute möchte ich lieber drinnen bleiben."]
)
def test_what_somebody_would_rather_do_today_is_for_today(said):
    assert not lasting(distill(said))


def test_that_something_ended_marks_the_other_facts_of_a_message_as_corrections():
    outcome = distill("I quit the agency in May. I'm a tree surgeon in Bath.")
    kinds = {each.text: each.kind for each in outcome.kept}
    assert kinds["I'm a tree surgeon in Bath."] == "correction"


@pytest.mark.parametrize(
    ("stands", "said"),
    [
        ("We use Jira.", "whole team is on Linear now"),
        ("Ich wohne zur Miete in Fulda.", "endlich im eigenen Reihenhaus, seit Montag"),
    ],
)
def test_what_ends_a_note_is_kept_however_it_scores(stands, said):
    assert [each.salience for each in distill(said, known=[note(stands)]).kept] == ["core"]


@pytest.mark.parametrize(
    "said",
    [
        "you can call me Midge",
        "Puedes llamarme Paco.",
        "Decime Mateo.",
        "ミドリと呼んでください",
        "叫我小李就行",
        "tu peux m'appeler Lou",
    ],
)
def test_how_somebody_is_to_be_called_is_a_standing_wish(said):
    assert [each.kind for each in distill(said).kept] == ["rule"]


@pytest.mark.parametrize("said", ["call me tomorrow", "call me when you have the numbers", "llámame luego"])
def test_to_be_called_up_is_no_name(said):
    assert "rule" not in [each.kind for each in distill(said).kept]


@pytest.mark.parametrize(
    "said",
    [
        "Cancelé Netflix esta mañana.", "Cambié de dentista la semana pasada.", "Compré un piso en Vallecas.",
        "Changé de kiné la semaine dernière.", "Acheté un vélo électrique hier.", "Donné mon piano à ma voisine.",
    ],
)  # fmt: skip
def test_what_somebody_did_is_no_order(said):
    assert "request" not in [each.reason for each in distill(said).dropped]


@pytest.mark.parametrize(
    "said",
    [
        "Compre dos billetes a Sevilla para el lunes.",
        "Change le titre du tableau.", "Achète trois places pour le concert.",
    ],
)  # fmt: skip
def test_an_order_in_nearly_the_same_letters_is_one(said):
    outcome = distill(said)
    assert not outcome.kept
    assert [each.reason for each in outcome.dropped] == ["request"]
