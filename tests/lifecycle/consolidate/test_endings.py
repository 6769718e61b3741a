"""What says that something changed ends the older note on the same matter, whatever verb carries either."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bethink import Memory
from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.endings import comparable, ends, gist, likely_ended
from bethink.lifecycle.consolidate.pair_score import CHANGED, ENDED, Clauses, weights
from bethink.lifecycle.consolidate.remainders import remainder
from bethink.lifecycle.consolidate.rules import RulesConsolidator

from .samples import NOW, applied, note, staged


def standing(said, *stood):
    """Return which of the notes that stood are left after something was said."""
    known = [note(f"n{place}", text) for place, text in enumerate(stood)]
    session = [staged("s1", said)]
    proposal = RulesConsolidator().propose(session, known, now=NOW)
    notes = applied(proposal, session, known)
    return {each.text for each in notes if each.session is None and each.status == "active"} & {*stood}


#: what stood, what stands beside it, and what is said later, in words that no template of a matter has
ENDINGS = """
I lease a small hatchback. | I keep bees. | We traded in the hatchback for a van in May.
I do night shifts at the depot. | I keep bees. | From now on it's day shifts for me.
My editor is Sublime. | I keep bees. | It's all Helix for me now.
I drink four espressos a day. | I like tea. | I cut out espresso for good.
We have a terrier called Biscuit. | My sister lives in Leeds. | Our Biscuit passed away on Sunday.
I spend 60 euros a week on groceries. | I keep bees. | My groceries are 90 euros a week now.
Ich wohne zur Miete in Fulda. | Ich mag Tee. | Wir haben jetzt ein Reihenhaus in Hanau.
Je travaille dans une boîte de pub. | J'aime le thé. | Depuis lundi je suis à mon compte.
Curro en una imprenta. | Me gusta el té. | Ahora tengo un puesto en el ayuntamiento.
Faccio i turni di notte. | Mi piace il tè. | Da maggio orario normale, niente notti.
We have a cat called Minka. | My sister lives in Leeds. | Minka died last month.
My name is Ted. | I keep bees. | Call me Theodore from now on.
Ich bin Vegetarierin. | Ich mag Tee. | Ich bin keine Vegetarierin mehr.
Fumo la pipa. | Mi piace il tè. | Non fumo più.
会社で経理の仕事をしています。 | 紅茶が好きです。 | 今は独立してカフェを経営しています。
"""


@pytest.mark.parametrize("row", ENDINGS.strip().splitlines())
def test_a_change_ends_the_older_note_on_the_same_matter_and_no_other(row):
    old, beside, said = row.split(" | ")
    assert standing(said, old, beside) == {beside}


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("We use Slack.", "We now use Teams too."),  # something comes on top
        ("I live in Oslo.", "I moved to a bigger flat."),
        ("My brother lives in Oslo.", "I live in Bergen now."),  # somebody else
        ("I love tennis.", "I gave up the gym."),
        ("I work at Google.", "I live closer to the sea now."),
        ("I like Jira.", "We stopped using Jira."),  # who no longer uses it may like it
        ("I have an allergy to nuts.", "I have a new phone."),
    ],
)
def test_what_speaks_of_something_else_ends_nothing(old, said):
    assert standing(said, old) == {old}


def test_the_part_of_an_older_note_that_is_not_meant_is_left():
    new = gist("Da maggio lavoro da casa quattro giorni su cinque.", "it")
    text = "Ho un cane, faccio i turni di notte."
    assert remainder(text, new, "it") == "Ho un cane"


def test_a_part_that_would_lose_what_denies_it_is_not_left_alone():
    avoids = "Avoids aisle seats and jazz when traveling."
    assert standing("I no longer avoid aisle seats.", avoids) <= {avoids}
    known, session = [note("n1", avoids)], [staged("s1", "I no longer avoid aisle seats.")]
    notes = applied(RulesConsolidator().propose(session, known, now=NOW), session, known)
    assert "Jazz when traveling." not in {each.text for each in notes}


@pytest.mark.parametrize(
    ("code", "text", "turn"),
    [
        ("en", "We're not on Trello any more.", ENDED),
        ("en", "It's Linear now.", CHANGED),
        ("de", "Damit ist Schluss.", ENDED),
        ("pt", "Agora é tudo no Linear.", CHANGED),
        ("en", "I live in Oslo.", 0),
        ("zh", "我住西安。", 0),
    ],
)
def test_that_something_changed_is_seen_by_the_words_of_each_language(code, text, turn):
    assert gist(text, code).turn == turn


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("I'm going for my dreams.", "I won't quit on my dreams."),  # a denied ending
        ("We love painting together.", "It's awesome seeing the kids get excited learning something new."),
        ("I've known these friends for 4 years.", "I started playing guitar about five years ago."),
        ("My movie did well.", "Now that I'm a manager I see bigger things."),
        ("I drink wine.", "I gave up smoking."),  # one of several
        ("Lives in Berlin.", "No longer lives in Paris."),  # another value
        ("Does Pilates on Mondays.", "Moro no Porto agora."),
    ],
)
def test_what_friends_say_of_something_new_ends_nothing(old, said):
    assert standing(said, old) == {old}


def test_words_that_many_notes_have_do_not_tell_which_is_meant():
    new, olds = gist("I'm done with the studio.", "en"), Clauses([gist("The studio has a terrace.", "en")])
    assert likely_ended(new, olds) == [0]
    assert weights(new, olds, {"studio"})[0] < weights(new, olds)[0] / 5


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("In ufficio usiamo Slack.", "Slack è morto: siamo tutti su Teams."),
        ("Sto con Chiara.", "Con Chiara è finita a Pasqua."),
    ],
)
def test_who_or_what_is_named_is_known_whoever_else_the_sentence_begins_with(old, said):
    assert standing(said, old) == set()


def test_a_note_that_ends_what_was_kept_for_good_is_kept_for_good():
    known = [note("n1", "I work at Google.", category="core")]
    said = staged("s1", "I got laid off in May.", metadata={"salience": "daily"})
    (add,) = [
        each for each in RulesConsolidator().propose([said], known, now=NOW).changes if each.kind == "add"
    ]
    assert add.category == "core"


@pytest.mark.parametrize(("text", "negated"), [("Moro no Porto.", False), ("Não moro no Porto.", True)])
def test_the_portuguese_contraction_denies_nothing(text, negated):
    assert {affirmed for _, affirmed in read(text).core} == {not negated}


@pytest.mark.parametrize(
    ("new", "old", "code"),
    [
        ("Kein Zucker mehr im Haus.", "Ich trinke meinen Kaffee mit Zucker.", "de"),
        ("Non spendo più di 40 euro al mese di palestra.", "Vado in palestra tre volte a settimana.", "it"),
        ("Não tem cerveja mais na geladeira.", "Bebo cerveja nos fins de semana.", "pt"),
    ],
)
def test_what_compares_or_says_nothing_of_its_author_ends_nothing(new, old, code):
    assert not ends(gist(new, code), gist(old, code))


def test_a_note_is_ended_by_one_that_shares_no_word_with_it_whoever_wrote_both():
    with Memory(":memory:") as memory:
        said, kept = memory.scope(user="said"), memory.scope(user="kept")
        for text in ("I am vegetarian.", "I eat fish now."):
            said.session(text).append([{"role": "user", "content": text}])
            said.consolidate()
            kept.remember(text)
        kept.consolidate()
        for scope in (said, kept):
            assert [each.text for each in scope.notes()] == ["I eat fish now."]


def test_global_notes_are_weighed_once_by_the_score():
    known = [note("n1", "I am vegetarian.", "2025-01-01"), note("n2", "I eat fish now.", "2025-02-01")]
    before, after = datetime(2024, 1, 1, tzinfo=UTC), datetime(2025, 3, 1, tzinfo=UTC)
    assert RulesConsolidator().propose([], known, now=NOW, settled=before).changes
    assert not RulesConsolidator().propose([], known, now=NOW, settled=after).changes


def test_one_liking_ends_no_other():
    old = gist("I love the opera house of Oslo.", "en")
    assert not comparable(gist("I love the opera house of Rome.", "en"), old)
    assert comparable(gist("Now I love the opera house of Rome.", "en"), old)
    assert not comparable(gist("I no longer use Vim.", "en"), gist("I like Vim.", "en"))


@pytest.mark.parametrize(
    ("code", "old", "said", "left"),
    [
        ("fr", "Ma voiture, c'est une Zoé", "Ma voiture, c'est une Tesla maintenant", ""),
        ("de", "Mein Auto, das ist ein Opel", "Mein Auto ist jetzt ein Dacia", ""),
        ("es", "Mi móvil, un Samsung", "Ahora tengo un iPhone", ""),
        ("fr", "J'habite à Lille, je bosse chez Auchan", "J'ai déménagé à Reims", "Je bosse chez Auchan"),
        ("es", "Vivo en Vigo y trabajo en un astillero", "Me he mudado a Burgos", "Trabajo en un astillero"),
        ("en", "I'm vegetarian and allergic to soy", "I eat meat again", "I'm allergic to soy"),
    ],
)
def test_nothing_is_left_of_a_note_that_says_nothing_by_itself(code, old, said, left):
    assert remainder(old, gist(said, code), code) == left


@pytest.mark.parametrize(
    ("old", "said", "ends"),
    [
        ("I bank with Barclays.", "I bank with Monzo.", True),
        ("I speak Portuguese", "I speak Korean", False),
        ("I have a sewing machine.", "I have a bread maker.", False),
        ("I am allergic to peanuts.", "I am allergic to penicillin.", False),
    ],
)
def test_of_two_notes_that_begin_alike_the_newer_ends_what_one_has_only_one_of(old, said, ends):
    assert standing(said, old) == (set() if ends else {old})
