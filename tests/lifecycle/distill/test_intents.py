"""What asks the memory to forget, what it is about, and what only sounds so."""

from __future__ import annotations

import pytest

from bethink.languages.loading import language
from bethink.lifecycle.distill.clauses import clauses
from bethink.lifecycle.distill.intents import forgets


def asked(code, text):
    """Return what each clause of a message asks to be forgotten."""
    book = language(code)
    found = clauses(text, book)
    return [each for place, clause in enumerate(found) if (each := forgets(clause, found[:place], book))]


@pytest.mark.parametrize(
    ("code", "text", "about"),
    [
        ("en", "Would you mind erasing my shoe size?", "shoe size"),
        ("en", "I'd rather you didn't hold on to my pension.", "pension"),
        ("en", "My divorce shouldn't be on file.", "divorce"),
        ("en", "I want my test results gone from your notes.", "test results"),
        ("en", "Lose the bit about my tattoo, would you?", "tattoo"),
        ("de", "Nimm bitte die Sache mit dem Knie wieder raus.", "Knie"),
        ("de", "Meine Miete muss nirgends gespeichert sein.", "Miete"),
        ("de", "Ich möchte, dass meine Handynummer verschwindet.", "Handynummer"),
        ("fr", "J'aimerais mieux que tu ne gardes pas mon loyer.", "loyer"),
        ("fr", "Pourrais-tu effacer le nom de ma psy ?", "psy"),
        ("es", "Prefiero que no conste mi alergia en tus notas.", "alergia"),
        ("es", "¿Te importaría borrar lo de mi tatuaje?", "tatuaje"),
        ("it", "Non voglio che resti traccia del mio mutuo.", "mutuo"),
        ("it", "Potresti togliere la storia del tatuaggio?", "tatuaggio"),
        ("pt", "Prefiro que não fique registado o meu peso.", "peso"),
        ("pt", "Dá para apagar aquilo da minha tatuagem?", "tatuagem"),
        ("ja", "家賃の話は記録から外してもらえますか。", "家賃"),
        ("ja", "血液型は覚えておかなくていいよ。", "血液型"),
        ("zh", "我房租那条麻烦删掉。", "房租"),
        ("zh", "我的血型就别保存了。", "血型"),
    ],
)  # fmt: skip
def test_a_request_is_known_by_its_verb_and_its_object_in_any_order(code, text, about):
    assert any(about in each.text for each in asked(code, text))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "Please don't delete what I said about my pension."),
        ("en", "How do I delete my notes on the phone?"),
        ("en", "It's hard to forget my ex."),
        ("en", "I need to get rid of my old sofa."),
        ("en", "My sister wants to forget about her divorce."),
        ("en", "I don't remember my blood type."),
        ("en", "Forget it, never mind."),
        ("de", "Lösch meine Adresse bitte nicht."),
        ("de", "Ich will mein Tattoo entfernen lassen."),
        ("de", "Hab ganz vergessen, wo mein Auto steht."),
        ("fr", "C'est dur d'oublier mon ex."),
        ("fr", "Il ne faut pas oublier mon allergie."),
        ("es", "No borres mi dirección."),
        ("es", "Es difícil olvidar a mi ex."),
        ("it", "Non cancellare il mio indirizzo."),
        ("pt", "Quero tirar a minha tatuagem do braço."),
        ("ja", "住所は消さないでください。"),
        ("ja", "腕のタトゥーを消したいんだけど。"),
        ("zh", "我的地址别删。"),
        ("zh", "我想把手臂上的纹身去掉。"),
        ("zh", "老忘了车停在哪儿"),
        ("es", "Olvidé mi paraguas en la oficina."),
        ("es", "Mi jefe siempre olvida mi cumpleaños."),
        ("fr", "Ma femme a oublié mon anniversaire."),
        ("fr", "Mon mari oublie toujours mon anniversaire."),
        ("it", "Mio marito dimentica sempre il mio compleanno."),
        ("pt", "Minha mãe esquece o meu aniversário."),
        ("de", "Mein Chef vergisst immer meinen Namen."),
        ("en", "My mother can forget my birthday and nobody minds."),
        ("ja", "夫が私の誕生日を忘れて悲しい。"),
        ("zh", "我老公把我的生日忘了。"),
    ],
)  # fmt: skip
def test_what_is_denied_asked_about_or_said_of_the_author_asks_nothing(code, text):
    assert asked(code, text) == []


@pytest.mark.parametrize(
    ("code", "text", "about"),
    [
        ("en", "My tattoo is my own business. Wipe that from your memory.", "My tattoo"),
        ("de", "Was ich verdiene, geht keinen was an. Weg damit.", "verdiene"),
        ("es", "Lo de mi tatuaje no le importa a nadie. ¿Lo puedes borrar de tus notas?", "tatuaje"),
        ("zh", "我的血型没必要留着。删掉吧。", "血型"),
    ],
)
def test_what_a_request_points_to_stands_before_it(code, text, about):
    assert any(about in each.text for each in asked(code, text))


def test_a_request_with_an_object_of_its_own_is_not_about_what_was_said_before():
    (found,) = asked("en", "I adore my dog Rex. Please forget my blood type.")
    assert "blood type" in found.text
    assert not found.beside


def test_it_is_told_whether_the_memory_is_named():
    assert not asked("en", "Scrap my shoe size.")[0].named
    assert asked("en", "Scrap my shoe size from your memory.")[0].named
    assert asked("en", "Delete the second line.") == []
