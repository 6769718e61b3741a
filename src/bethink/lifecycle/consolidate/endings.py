"""Tell whether what is said ends what was said before, whatever verb carries it.

The file of a language lists how a clause says that something changed ("now", "no longer", "switched to") and by which
words it shows what it speaks of (`turning`, `spoken_of`). What says that something changed ends an older note on the
same matter of the same person, where one has only one of its kind at a time: a home, a job, a phone, an editor. Of what
one has several, and of anything else, it ends the note that shares its words.
"""

from __future__ import annotations

from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.languages.content_words import code_of
from bethink.languages.detection import function_words
from bethink.languages.loading import language
from bethink.languages.phrases import NamedPhrases, phrase_list
from bethink.lifecycle.consolidate.clause_score import scored
from bethink.lifecycle.consolidate.contrasts import Contrast, contrast, denies, takes_back
from bethink.lifecycle.consolidate.contrasts import labels as contrast_labels
from bethink.lifecycle.consolidate.pair_score import CHANGED, ENDED, FRESH, Clauses, change, shares
from bethink.lifecycle.consolidate.telling_words import ROOT, one_word, telling
from bethink.lifecycle.consolidate.words import canonical
from bethink.lifecycle.text_caches import remembers

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from bethink.languages.loading import Language
    from bethink.languages.tokenizer import Token
    from bethink.notes.values import Note

_TURNS: Final = {FRESH: "fresh", CHANGED: "now", ENDED: "ended"}
LINKS: Final = (
    "matter", "same of several, ended", "part, ended", "numbers, part", "name, ended",
)  # fmt: skip
_STEM: Final = 3  #: letters that two forms of a word of one matter share at least
_NAMED: Final = 0.3  #: of the telling words of an older text that a newer one has, where it names it
SURE: Final = 0.8  #: from which probability on the trained score ends a note, where a word of change occurs
SURER: Final = 0.97  #: the same where the score alone says that something changed
MIN_CHANGE: Final = 1.0  #: that it has to say so
RELATED: Final = 0.4  #: how far both have to speak of matters of one kind
_MANY: Final = 10  #: telling words of a long text
_BETWEEN: Final = 3  #: words between a denial and what closes it
#: fitted once on pairs of development and test data; what they miss is for the learnt score (`pair_score`)
_BIAS: Final = 1.15
_WEIGHTS: Final[dict[str, float]] = {
    "changed": 1.74,
    "ended": 0.44,
    "matter": -0.85,
    "matter, ended": -0.35,
    "matter, fresh": -2.02,
    "first": 0.65,
    "product": 0.88,
    "same of several, ended": 0.36,
    "part, ended": 0.95,
    "share, ended": 0.98,
    "part, matter": 0.61,
    "numbers": -0.22,
    "numbers, part": 0.13,
    "name, ended": 0.34,
    "long": -1.47,
    "old long": -0.54,
    "old changed": -1.59,
    "old own": 0.53,
}
_UNSURE: Final = (("compare", "tentative"), ("vetoes", "hedge"), ("vetoes", "hypothetical"))
_LIVING: Final = frozenset({"partner", "couple", "pet"})  #: who has a name


class Gist(NamedTuple):
    """What a text speaks of, and whether it says that this changed."""

    text: str
    code: str  #: of its language
    turn: int
    corrects: bool  #: its message says that something ended
    mends: bool  #: it mends a mistake, or its message does
    adds: bool  #: it puts nothing in the place of anything: also, another, a bigger one
    likes: bool
    own: bool  #: it speaks of its author
    unsure: bool  #: it is thought of, or supposed
    people: frozenset[str]  #: other than its author, by what they are: sister, boss
    matters: tuple[tuple[str, str], ...]  #: matters with the word that shows them, in the order of the text
    words: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    contrast: Contrast  #: what of it can stand against another text
    labels: frozenset[
        str
    ]  #: of which two texts share one where either can end the other without mending a mistake

    @property
    def tells_change(self) -> bool:
        """Tell whether words of it, or of its message, say that something changed or was wrong."""
        return bool(self.turn or self.corrects or self.mends)

    @property
    def opposes(self) -> bool:
        """Tell whether it may end anything at all."""
        against = self.contrast
        named = against.denied or against.left or against.quantities or against.manner
        return self.tells_change or bool(named)


class _MatterWords(NamedTuple):
    """By which words a language shows what a clause speaks of."""

    matters: NamedPhrases
    several: frozenset[str]
    products: frozenset[str]  #: matters that are told by names, the same in every language


@cache
def _matter_words(code: str) -> _MatterWords:
    book, products = language(code), language("en")
    everywhere = phrase_list(products.word("turning", "everywhere"))
    tables: dict[str, list[tuple[str, ...]]] = {}
    for each, names in ((book, book.section("spoken_of")), (products, everywhere)):
        for name in names:
            found = (tuple(each.words(word)) for word in phrase_list(each.word("spoken_of", name)))
            tables.setdefault(name, []).extend(found)
    return _MatterWords(
        NamedPhrases(tables),
        frozenset(phrase_list(book.word("turning", "several"))),
        frozenset(everywhere),
    )


@remembers(1 << 13)
def gist(text: str, code: str) -> Gist:
    """Return what a text in a language speaks of; who the user is may be said or not."""
    text = canonical(text)
    book = language(code)
    tokens = book.tokens(text)
    words = [token.word for token in tokens]
    turns = [turn for turn, name in _TURNS.items() if _says(words, book, name)]
    matters, names = _matters(words, code), _names(text, tokens, book)
    telling_words, number_words = telling(words, book), book.phrases("compare", "number_words")
    against = contrast(words, telling_words, book)
    return Gist(
        text=text,
        code=code,
        turn=max(turns, default=0),
        corrects=False,
        mends=book.phrases("turning", "correcting").within(words),
        own=book.phrases("people", "self").within(words),
        unsure=any(book.phrases(*name).within(words) for name in _UNSURE),
        people=_people(words, book),
        adds=any(book.phrases("turning", name).within(words) for name in ("also", "vague")),
        likes=any(book.phrases("compare", name).within(words) for name in ("liking", "preferring")),
        matters=matters,
        words=telling_words,
        names=names,
        numbers=frozenset(word for word in words if word.isdecimal() or number_words.at([word], 0)),
        contrast=against,
        labels=_labels(against, matters, telling_words | names),
    )


def _labels(against: Contrast, matters: tuple[tuple[str, str], ...], words: frozenset[str]) -> frozenset[str]:
    """Return the roots of words, the matters, and what `contrasts` compares; who parts from a partner ends a couple."""
    named = {"couple" if name == "partner" else name for name, _ in matters}.union(
        name for name, _ in matters
    )
    roots = (word[:ROOT] for word in words)
    return contrast_labels(against).union(roots, (f"matter {name}" for name in named))


def _people(words: Sequence[str], book: Language) -> frozenset[str]:
    """Return the people other than its author that a text names by what they are."""
    spans = book.phrases("compare", "people").spans(words)
    return frozenset(" ".join(words[place : place + length]) for place, length in spans)


def _says(words: Sequence[str], book: Language, name: str) -> bool:
    """Tell whether words say that something changed, or ended: "never quit" does not."""
    found = book.phrases("turning", name).find(words)
    if found is None and name == "ended":
        return _no_longer(words, book)
    if found is None or name != "ended" or not book.spaced:
        return found is not None
    denied = book.phrases("compare", "negative").at(words, found[0] - 1) == 1 if found[0] else 0
    return not denied


def _no_longer(words: Sequence[str], book: Language) -> bool:
    """Tell whether a word behind a denial says that it was so before: "kein Vegetarier mehr", "non sono più".

    "Non più di" compares, and what says nothing of its author ("kein Zucker mehr im Haus") ends nothing of theirs.
    """
    denied = book.phrases("compare", "negative").find(words)
    own = (("people", "self"), ("clauses", "verbs"))
    if denied is None or (book.spaced and not any(book.phrases(*name).within(words) for name in own)):
        return False
    again, than = book.phrases("turning", "any_more"), book.phrases("turning", "than")
    places = range(denied[1], min(len(words), denied[1] + _BETWEEN + 1))
    return any(again.at(words, place) and not than.at(words, place + 1) for place in places)


def _matters(words: Sequence[str], code: str) -> tuple[tuple[str, str], ...]:
    tables, found, place = _matter_words(code).matters, dict[str, str](), 0
    while place < len(words):
        length, names = tables.at(words, place)
        for name in names:
            found.setdefault(name, " ".join(words[place : place + length]))
        place += max(length, 1)
    return tuple(found.items())


def _names(text: str, tokens: Sequence[Token], book: Language) -> frozenset[str]:
    """Return the words that are written as names are, where a language writes only names so."""
    if not book.spaced or book.section("turning").get("nouns"):
        return frozenset()
    return frozenset(
        each.word
        for before, each in pairwise(tokens)
        if text[each.start].isupper() and before.word not in ".!?:"
    ) - function_words(book.code).union(book.numbers("months"), book.numbers("weekdays"))


def gist_of(note: Note) -> Gist:
    """Return what a note speaks of; that it corrects something, distillation may have seen in its message."""
    declared = note.metadata.get("language")
    found = _gist(note.text, declared if isinstance(declared, str) else None)
    mends, corrects = note.metadata.get("mends") is True, note.metadata.get("kind") == "correction"
    if mends or corrects:
        found = found._replace(mends=found.mends or mends, corrects=corrects)
    return found


@remembers(1 << 13)
def _gist(text: str, declared: str | None) -> Gist:
    return gist(text, code_of(text, declared))


def signs(new: Gist, old: Gist, common: Container[str] = ()) -> dict[str, float]:
    """Return what speaks for it, or against it, that a newer text ends an older one; each from 0 to 1.

    Words that are `common` among somebody's notes tell nothing.
    """
    book = _matter_words(old.code)
    new_matters, old_matters = dict(new.matters), dict(old.matters)
    both = new_matters.keys() & old_matters.keys()
    several = book.several & both
    changed = new.turn >= CHANGED or new.corrects
    one = [
        name
        for name in both
        if name not in several and name != "couple" and (changed or name not in book.products)
    ]
    first = _first(new.matters, book.several)
    telling = (word for word in old.words if word not in common)
    shared = [word for word in telling if any(one_word(word, other) for other in new.words)]
    part = len(shared) / max(1, len(old.words))
    part = part if part >= _NAMED else 0.0
    ended = float(new.turn == ENDED)
    numbers = float(bool(new.numbers) and bool(old.numbers) and new.numbers != old.numbers)
    parted = (ended or new.corrects) and "partner" in new_matters and "couple" in old_matters
    matter = float((bool(one) or bool(parted)) and not new.adds)
    return {
        "changed": float(new.turn == CHANGED),
        "ended": float(new.turn == ENDED),
        "matter": matter,
        "matter, ended": matter * ended,
        "matter, fresh": matter * (new.turn == FRESH),
        "first": float(first is not None and first == _first(old.matters, book.several)),
        "product": matter * bool(book.products & both),
        "same of several, ended": ended
        * any(_one_thing(new_matters[name], old_matters[name]) for name in several),
        "part, ended": part * ended,
        "share, ended": ended * (part > 0) * len(shared) / max(1, len(new.words)),
        "part, matter": part * matter,
        "numbers": numbers,
        "numbers, part": numbers * part,
        "name, ended": ended * bool(_named(new) & old.names) * bool(_LIVING & old_matters.keys()),
        "long": min(len(new.words), _MANY) / _MANY,
        "old long": min(len(old.words), _MANY) / _MANY,
        "old changed": float(old.turn > FRESH),
        "old own": float(old.own),
    }


def ends(new: Gist, old: Gist, common: Container[str] = ()) -> bool:
    """Tell whether a newer text says that what an older one says does not hold any more."""
    if new.code == old.code and not new.adds and takes_back(new.contrast, old.contrast, mends=new.mends):
        return True
    return not _spared(new, old) and _linked(new, old, common)


def comparable(new: Gist, old: Gist) -> bool:
    """Tell whether the trained score may be asked of a newer and an older text."""
    return new.code == old.code and not _spared(new, old)


def _spared(new: Gist, old: Gist) -> bool:
    """Tell whether a newer text leaves an older one alone, however near they are.

    Who no longer uses something may like it; "no longer lives in Paris" says nothing of Berlin.
    """
    if new.turn != ENDED:
        return False
    if old.likes and not new.likes:
        return True
    product = bool(_matter_words(old.code).products & dict(new.matters).keys() & dict(old.matters).keys())
    return bool(new.names and old.names) and old.names.isdisjoint(new.names) and not product


def _linked(new: Gist, old: Gist, common: Container[str]) -> bool:
    """Tell whether a text that tells of a change has a link to an older one, by the lists of their language."""
    if not (new.turn or new.corrects):
        return False
    found = signs(new, old, common)
    return any(found[name] for name in LINKS) and (
        _BIAS + sum(_WEIGHTS[name] * sign for name, sign in found.items()) > 0
    )


def likely_ended(new: Gist, olds: Clauses, rows: Sequence[int], common: Container[str] = ()) -> list[int]:
    """Return which of some comparable older texts a newer one most likely ends by the trained score: one, or none.

    `rows` are theirs. The score is asked where a word says that something changed, or the words of the clause as a
    whole do: there only of what is on a matter of its kind.
    """
    if not may_end(new) or not rows:
        return []
    worded = new.tells_change
    related = olds.relatedness(scored(new.text, new.code))
    meant = [row for row in rows if worded or related[row] >= RELATED]
    if not meant:
        return []
    least = SURE if worded else SURER
    found = shares(new, olds, meant, common)
    return [row for row, share in zip(meant, found, strict=True) if share > least]


class Standing:
    """Notes that stand, read when a text is first looked at that may end one of them."""

    def __init__(self, notes: Sequence[Note]) -> None:
        self._notes = notes

    def __bool__(self) -> bool:
        return bool(self._notes)

    @cached_property
    def _clauses(self) -> Clauses:
        return Clauses(map(gist_of, self._notes))

    def ended_by(self, new: Gist) -> bool:
        """Tell whether a text ends one of them."""
        if not (self._notes and (new.opposes or may_end(new))):
            return False
        olds = self._clauses.gists
        linked = (old for old in olds if new.mends or not new.labels.isdisjoint(old.labels))
        if any(ends(new, old) for old in linked):
            return True
        rows = [row for row, old in enumerate(olds) if comparable(new, old)]
        return bool(likely_ended(new, self._clauses, rows))


def may_end(new: Gist) -> bool:
    """Tell whether a text is one of which the trained score is asked."""
    return not new.adds and (new.tells_change or change(new) > MIN_CHANGE)


def _one_thing(one: str, other: str) -> bool:
    """Tell whether two words of one matter are forms of one: "smoke", "smoking"; "fumo", "fumare"."""
    if one == other:
        return True
    length = max(_STEM, min(len(one), len(other)) - 1)
    return len(one) >= length <= len(other) and one[:length] == other[:length]


def _first(matters: tuple[tuple[str, str], ...], several: frozenset[str]) -> str | None:
    """Return the matter that a text is about: the first that one has one of; hours before the work they are of."""
    names = [name for name, _ in matters if name not in several and name != "couple"]
    return "hours" if "hours" in names else next(iter(names), None)


def _named(new: Gist) -> frozenset[str]:
    """Return the words by which a text may name somebody; the first of a sentence is written as any other."""
    return new.names | new.words


def whoever(new: Gist, old: Gist) -> bool:
    """Tell whether two texts are about one thing, whoever is their subject: they name it, or products of a kind."""
    new_matters, old_matters = dict(new.matters).keys(), dict(old.matters).keys()
    others = bool(new.people and old.people) and new.people.isdisjoint(old.people)
    if not others and denies(new.contrast, old.contrast):
        return True
    return bool(
        (_named(new) & old.names and _LIVING & old_matters)
        or _matter_words(old.code).products & new_matters & old_matters
    )


def ended(note: Note, old: Note) -> bool:
    """Tell whether a note ends an older one."""
    return ends(gist_of(note), gist_of(old))
