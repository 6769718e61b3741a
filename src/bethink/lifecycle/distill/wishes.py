"""Tell a standing wish of how to be served from a request, and both from an order that acts on others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from bethink.languages.answer_form import names_answers, tells, wished_forms
from bethink.languages.detection import function_words
from bethink.languages.tokenizer import fold

if TYPE_CHECKING:
    from bethink.languages.loading import Language
    from bethink.lifecycle.distill.clauses import Clause

MAX_NAME_SIGNS = 12  #: signs of a name, in a script without spaces
MAX_NAME_WORDS = 3  #: words of a name
MAX_BEFORE_NAME = 4  #: words that may stand before "call me"

Wish: TypeAlias = Literal["standing", "acting", "perhaps", "none"]


def wish(clause: Clause, book: Language) -> Wish:
    """Return what a clause asks for from now on.

    `standing`: form, tone or the user's own affairs, to be kept. `acting`: it grants rights or acts on others, and
    a person has to confirm it. `perhaps`: "please use metric units", which may be meant for this time only.
    `none`: it is no wish of that kind.
    """
    words = clause.words
    if _names(clause, book):
        return "standing"
    lasting = book.phrases("wishes", "lasting").find(words)
    opening = book.phrases("wishes", "standing").at(words, 0)
    if lasting is None and not opening:
        return "perhaps" if _wants_answers_so(clause, book) else "none"
    begins = opening or (lasting is not None and lasting[0] == 0)
    if not begins and tells(words, book):
        return "none"  # "I always …" and "my wife always …" tell of a habit
    place = _command(words, book)
    if book.phrases("wishes", "acting").within(words[place:]) and lasting is not None:
        return "acting"
    answering = book.phrases("wishes", "answering")
    near = words[place : place + 3] if book.spaced else words
    if not answering.within(near):
        return "none"
    return "perhaps" if lasting is None else "standing"


def _wants_answers_so(clause: Clause, book: Language) -> bool:
    """Tell whether a clause names a form, and that it is one of answers: "use British spelling"."""
    words = clause.words
    if clause.carried or tells(words, book) or next(wished_forms(words, book), None) is None:
        return False
    return names_answers(words, book) or book.phrases("wishes", "answering").within(words)


def _names(clause: Clause, book: Language) -> bool:
    """Tell whether a clause says how its author is to be called: "you can call me Sam", not "call me tomorrow"."""
    tokens = book.tokens(clause.text)
    words = [token.word for token in tokens]
    found = book.phrases("wishes", "naming").find(words)
    if found is None:
        return False
    start, end = found
    if not book.spaced:
        return 0 < (len(words) - end if start < 2 else start) <= MAX_NAME_SIGNS  # noqa: PLR2004
    rest = [token for token in tokens[end:] if any(map(str.isalnum, token.word))]
    written = clause.text[rest[0].start : rest[0].start + 1] if rest else ""
    return start <= MAX_BEFORE_NAME and written.isupper()


def introduces(clause: Clause, book: Language) -> bool:
    """Tell whether a clause says its author's name: "I go by Sasha", "hier ist Karin"; not "I am tired"."""
    if clause.question or clause.quoting:
        return False
    tokens = book.tokens(clause.text)
    words = [token.word for token in tokens]
    folded = [fold(word) for word in words]  # as templates are
    if book.phrases("vetoes", "idiom").within(words):
        return False
    reply, hollow = book.phrases("vetoes", "reply"), function_words(book.code)
    days = {*book.numbers("weekdays"), *book.numbers("days")}
    for template in book.templates("wishes", "introducing"):
        found = template.find(folded)
        if found is None:
            continue
        start, end = found.gaps["name"]
        if book.spaced:
            written = [clause.text[token.start : token.end] for token in tokens[start:end]]
            named = end - start <= MAX_NAME_WORDS and all(map(_is_name, written))
        else:
            named = end - start <= MAX_NAME_SIGNS and hollow.isdisjoint(words[start:end])
        if named and not reply.whole(words[start:end]) and days.isdisjoint(words[start:end]):
            return True
    return False


def _is_name(word: str) -> bool:
    """Tell whether a word is written as a name is: not "tired", nor "BORED"."""
    return word[:1].isupper() and not (len(word) > 2 and word.isupper())  # noqa: PLR2004


def _command(words: tuple[str, ...], book: Language) -> int:
    """Return where the command begins, behind "please", "always" and "from now on"."""
    place = 0
    for _ in range(6):
        length = (
            book.phrases("wishes", "standing").at(words, place)
            or book.phrases("wishes", "lasting").at(words, place)
            or book.phrases("openings", "fillers").at(words, place)
        )
        if length:
            place += length
        elif place < len(words) and words[place] in (",", "，", "、"):
            place += 1
        else:
            break
    return place if place < len(words) else 0
