"""What people say later takes the place of what stood, in every language that has a file, and of nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bethink.lifecycle.consolidate.rules import RulesConsolidator
from bethink.lifecycle.values import Add, Retire, Revise

from .samples import NOW, applied, note, outcomes, staged, texts


def propose(session_notes, global_notes=(), **given):
    return RulesConsolidator().propose(session_notes, global_notes, now=NOW, **given)


def left(said, *stood):
    """Return which of the notes that stood are left after something was said."""
    known = [note(f"n{place}", text) for place, text in enumerate(stood)]
    session = [staged("s1", said)]
    notes = applied(propose(session, known), session, known)
    return sorted(
        {each.text for each in notes if each.session is None and each.status == "active"} & {*stood}
    )


#: what stood, and what ends it; the note in the middle stays
CORRECTIONS = """
en | I live in Oslo. | I speak German. | I moved to Bergen last week.
en | Lives in Oslo. | Speaks German. | I live in Bergen now.
en | I live in Graz and work for a bank. | I speak German. | I live in Linz now, and I work for a hospital.
en | Works at Google. | Lives in Oslo. | I don't work at Google anymore.
en | I'm a nurse. | I'm married. | I'm a teacher now.
en | Is vegetarian. | Likes jazz. | I'm no longer vegetarian.
en | We use Jira for tickets. | We use Slack. | We've stopped using Jira; it's all Linear now.
en | I use Vim. | I use Firefox. | Switched from Vim to Zed.
en | I smoke. | I drink wine. | I gave up smoking.
en | I'm with Tom. | I live in Oslo. | I'm no longer with Tom.
en | My daughter is 8. | My son is 8. | My daughter is 9, not 8.
en | Call me Sam. | My wife is called Ann. | Call me Samuel from now on.
en | We're on Flask 2.2. | We're on Django 4.2. | We upgraded to Flask 2.3.1.
en | I live alone. | I live in Oslo. | I moved in with my girlfriend.
en | I work at Siemens. | I'm an engineer. | I got laid off.
de | Ich wohne in Kassel. | Ich spreche Deutsch. | Ich bin letzte Woche nach Jena gezogen.
de | Ich arbeite bei Bosch. | Ich wohne in Jena. | Ich arbeite nicht mehr bei Bosch.
de | Ich bin Lehrerin. | Ich bin verheiratet. | Ich bin jetzt Köchin.
de | Ich nutze Vim. | Ich nutze Firefox. | Ich bin von Vim auf Zed umgestiegen.
de | Ich rauche. | Ich trinke Wein. | Ich habe mit dem Rauchen aufgehört.
de | Nenn mich Sam. | Ich heiße Samuel. | Nenn mich ab jetzt Samuel.
de | Meine Tochter ist 8. | Mein Sohn ist 8. | Meine Tochter ist 9, nicht 8.
fr | J'habite à Metz. | Je parle allemand. | J'ai déménagé à Nancy le mois dernier.
fr | Je travaille chez Renault. | J'habite à Metz. | Je ne travaille plus chez Renault.
fr | Je suis infirmière. | Je suis mariée. | Je suis maintenant professeur.
fr | On utilise Jira. | On utilise Slack. | On est passés de Jira à Linear.
fr | Je fume. | Je bois du vin. | J'ai arrêté de fumer.
fr | Ma fille a 8 ans. | Mon fils a 8 ans. | Ma fille a 9 ans, pas 8.
es | Vivo en Cádiz. | Hablo alemán. | Me he mudado a Murcia.
es | Trabajo en Repsol. | Vivo en Cádiz. | Ya no trabajo en Repsol.
es | Soy enfermera. | Estoy casada. | Ahora soy profesora.
es | Usamos Jira. | Usamos Slack. | Hemos dejado de usar Jira.
es | Fumo. | Bebo vino. | He dejado de fumar.
es | Llámame Paco. | Vivo en Cádiz. | Llámame Francisco a partir de ahora.
it | Vivo a Siena. | Parlo tedesco. | Mi sono trasferita a Pisa.
it | Lavoro per Fiat. | Vivo a Siena. | Non lavoro più per Fiat.
it | Sono infermiera. | Sono sposata. | Adesso sono insegnante.
it | Usiamo Jira. | Usiamo Slack. | Abbiamo smesso di usare Jira.
it | Fumo. | Bevo vino. | Ho smesso di fumare.
pt | Moro em Braga. | Falo alemão. | Mudei-me para Faro.
pt | Trabalho na Galp. | Moro em Braga. | Já não trabalho na Galp.
pt | Sou enfermeira. | Sou casada. | Agora sou professora.
pt | Usamos Jira. | Usamos Slack. | Deixamos de usar Jira.
pt | Fumo. | Bebo vinho. | Parei de fumar.
ja | 札幌に住んでいます。 | ドイツ語を話します。 | 先月仙台に引っ越しました。
ja | 看護師です。 | 結婚しています。 | 今は教師をしています。
ja | トヨタで働いています。 | 札幌に住んでいます。 | ホンダに転職しました。
ja | タバコを吸います。 | ワインを飲みます。 | タバコはやめました。
ja | Vimを使っています。 | Slackを使っています。 | VimからZedに乗り換えました。
zh | 我住在西安。 | 我会说德语。 | 我上个月搬到兰州了。
zh | 我是护士。 | 我结婚了。 | 我现在是老师。
zh | 我在华为工作。 | 我住在西安。 | 我离职了。
zh | 我抽烟。 | 我喝酒。 | 我戒烟了。
zh | 我们用Jira。 | 我们用Slack。 | 我们从Jira换成了Linear。
"""
ROWS = [tuple(row.split(" | ")) for row in CORRECTIONS.strip().splitlines()]


@pytest.mark.parametrize(("language", "old", "beside", "new"), ROWS)
def test_what_is_said_later_takes_the_place_of_what_stood_and_of_nothing_else(language, old, beside, new):
    assert left(new, old, beside) == [beside], language


OTHERS = [(row[1], row[3]) for row in ROWS if row[1].startswith(("Lives", "Works", "Is "))]


@pytest.mark.parametrize(("old", "new"), OTHERS)
def test_what_is_of_somebody_else_stays(old, new):
    theirs = f"Caroline {old[0].lower()}{old[1:]}"
    assert left(new, theirs) == [theirs]


@pytest.mark.parametrize(
    ("said", "stood"),
    [
        ("I moved to a bigger flat.", "I live in Oslo."),
        ("My sister moved to Bergen.", "I live in Oslo."),
        ("I might move to Bergen.", "I live in Oslo."),
        ("I work from home on Fridays.", "I work in the office on Mondays."),
        ("We use Linear.", "We use Jira."),
        ("I stopped using Jira.", "I like Jira."),
        ("I'm no longer with Tom.", "I'm with Vodafone."),
        ("My daughter is 9.", "My son is 8."),
        ("We upgraded to Flask 2.3.1.", "We're on Django 4.2."),
        ("No longer eats fish.", "Eats meat."),
        ("I quit smoking.", "I quit my job."),
    ],
)
def test_what_only_looks_like_a_correction_takes_nothing_away(said, stood):
    assert left(said, stood) == [stood]


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("Is vegetarian.", "I am vegetarian."),
        ("Lives in Oslo.", "I live in Oslo."),
        ("Prefers aisle seats.", "I prefer aisle seats."),
        ("Loves jazz.", "I love jazz."),
        ("Has a dog called Rex.", "I have a dog named Rex."),
        ("Spricht Deutsch.", "Ich spreche Deutsch."),
        ("Habite à Metz.", "J'habite à Metz."),
        ("Vive en Cádiz.", "Vivo en Cádiz."),
    ],
)
def test_notes_of_the_last_release_merge_with_the_users_own_words(old, said):
    assert outcomes(propose([staged("s1", said)], [note("n1", old)])) == {"s1": "merged"}


def test_a_clause_that_no_longer_holds_is_taken_out_of_a_note():
    said, stood = [staged("s1", "I moved to Bergen.")], [note("n1", "I live in Oslo, I speak German.")]
    assert texts(applied(propose(said, stood), said, stood)) == ["I moved to Bergen.", "I speak German."]


@pytest.mark.parametrize("source", ["user", "import", "tool"])
def test_global_notes_are_reconciled_whoever_wrote_them(source):
    stood = [
        note("n1", "I live in Oslo.", "2025-01-01", source=source),
        note("n2", "Lives in Bergen.", "2025-02-01", source=source),
        note("n3", "Lives in Bergen", "2025-03-01", source=source, key="home"),
        note("n4", "Speaks German.", "2025-03-01", source=source),
    ]
    proposal = propose([], stood)
    assert outcomes(proposal) == {"n1": "superseded", "n2": "merged"}
    assert {each.successor for each in proposal.changes if isinstance(each, Retire)} == {"n3"}


def test_what_a_tool_wrote_does_not_end_what_the_user_said():
    stood = [
        note("n1", "I live in Oslo.", "2025-01-01"),
        note("n2", "Lives in Bergen.", "2025-02-01", source="tool"),
    ]
    assert outcomes(propose([], stood)) == {"n2": "superseded"}


def test_of_two_global_notes_of_one_instant_both_stay():
    assert propose([], [note("n1", "Lives in Oslo."), note("n2", "Lives in Bergen.")]).changes == ()


def test_a_global_note_with_a_key_gives_way_to_a_session_only():
    keyed = note("n1", "Lives in Oslo.", "2025-01-01", key="home")
    assert propose([], [keyed, note("n2", "Lives in Bergen.", "2025-02-01")]).changes == ()
    assert outcomes(propose([staged("s1", "Lives in Bergen.")], [keyed])) == {"s1": "promoted"}


def test_global_notes_that_were_reconciled_are_not_compared_again():
    stood = [note("n1", "Lives in Oslo.", "2025-01-01"), note("n2", "Lives in Bergen.", "2025-02-01")]
    assert propose([], stood, settled=NOW).changes == ()
    assert outcomes(propose([], stood, settled=stood[0].updated_at)) == {"n1": "superseded"}


def revised(proposal):
    (change,) = [each for each in proposal.changes if isinstance(each, Revise)]
    return change


def test_a_restatement_renews_a_note_and_is_counted():
    stood = [note("n1", "I live in Oslo.", "2025-01-01")]
    said = staged("s1", "Lives in Oslo.")
    change = revised(propose([said], stood))
    assert (change.confirmed, change.valid_from) == (1, said.updated_at)
    again = [replace(stood[0], metadata={"said": 4})]
    assert revised(propose([said], again)).reason == "said again, 5 times in all"
    assert revised(propose([replace(said, source="tool")], stood)).confirmed == 0


def test_what_is_of_some_interest_is_daily_until_it_is_said_on_another_day():
    said = staged("s1", "I like the new bakery.", metadata={"salience": "daily"})
    (add,) = [each for each in propose([said]).changes if isinstance(each, Add)]
    assert add.category == "daily"
    stood = note("n1", "I like the new bakery.", "2026-01-28", category="daily")
    later = replace(said, created_at=NOW, updated_at=NOW)
    assert revised(propose([later], [stood])).category == "core"
    assert revised(propose([replace(said, updated_at=stood.updated_at)], [stood])).category is None
    core = replace(said, updated_at=stood.updated_at, metadata={"salience": "core"})
    assert revised(propose([core], [stood])).category == "core"
