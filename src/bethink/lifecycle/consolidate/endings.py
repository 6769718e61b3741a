"""Tell whether what is said ends what was said before, whatever verb carries it.

It ends what it names (`contrasts`): "9, not 8". Otherwise a score that was learnt from pairs of messages weighs it
against all notes that stand (`pair_score`). The file of a language lists how a clause says that something changed
("now", "no longer", "switched to"; `turning`), which lets the score be less sure.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.languages.content_words import code_of
from bethink.languages.detection import function_words
from bethink.languages.loading import language
from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.claims import USER
from bethink.lifecycle.consolidate.clause_score import MATTERS, scored
from bethink.lifecycle.consolidate.contrasts import Contrast, contrast, denies, labels, takes_back
from bethink.lifecycle.consolidate.pair_score import CHANGED, ENDED, FRAME, FRESH, Clauses, change, weights
from bethink.lifecycle.consolidate.telling_words import telling
from bethink.lifecycle.consolidate.words import canonical, stem, words
from bethink.lifecycle.text_caches import remembers

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from bethink.languages.loading import Language
    from bethink.languages.tokenizer import Token
    from bethink.notes.values import Note

_TURNS: Final = {FRESH: "fresh", CHANGED: "now", ENDED: "ended"}
SURE: Final = 0.55  #: from which probability on the trained score ends a note, where a word of change occurs
GONE: Final = 0.62  #: the same where that word only says that something is over, and nothing takes its place
SURER: Final = 0.8  #: the same where the score alone says that something changed
MIN_CHANGE: Final = -0.5  #: a clause that says less of a change is not weighed: most that is said does not
PROBABLY: Final = 0.5
FEW: Final = 5  #: texts that begin alike; of more, their beginning tells nothing
SLIGHT: Final = 0.05  #: what weighs less is not ended in any case
#: kinds of things that a sentence may have at its beginning in place of their user
_PRODUCTS: Final = tuple(
    tuple(map(MATTERS.index, names))
    for names in (("software", "stack", "process"), ("phone", "computer"), ("car",))
)
_LIVING: Final = tuple(MATTERS.index(name) for name in ("couple", "pet"))  #: who has a name
_BETWEEN: Final = 3  #: words between a denial and what closes it
_UNSURE: Final = (("compare", "tentative"), ("vetoes", "hedge"), ("vetoes", "hypothetical"))


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
    about: str  #: whom it is about, as far as its first words say: its author, or who is named there
    words: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    contrast: Contrast  #: what of it can stand against another text
    opening: tuple[str, ...]  #: its first word, its first two and so on: two texts of one frame begin alike
    closing: tuple[str, ...]  #: the same from its end
    labels: frozenset[str]  #: of which two texts share one where either names what it takes back of the other

    @property
    def tells_change(self) -> bool:
        """Tell whether words of it, or of its message, say that something changed or was wrong."""
        return bool(self.turn or self.corrects or self.mends)

    @property
    def frame(self) -> str:
        """Return how it begins, as far as others may that are about the same; nothing where it is too short."""
        return next(iter(self.opening[1:2] if language(self.code).spaced else self.opening[2:3]), "")

    @property
    def opposes(self) -> bool:
        """Tell whether it may end anything at all."""
        against = self.contrast
        named = against.denied or against.left or against.quantities or against.manner
        return self.tells_change or bool(named)


@remembers(1 << 13)
def gist(text: str, code: str) -> Gist:
    """Return what a text in a language speaks of; who the user is may be said or not."""
    text = canonical(text)
    book = language(code)
    tokens = book.tokens(text)
    words = [token.word for token in tokens]
    turns = [turn for turn, name in _TURNS.items() if _says(words, book, name)]
    names = _names(text, tokens, book)
    telling_words, number_words = telling(words, book), book.phrases("compare", "number_words")
    against = contrast(words, telling_words, book)
    spoken = [word for word in words if any(map(str.isalnum, word))]
    return Gist(
        text=text,
        code=code,
        turn=max(turns, default=0),
        corrects=False,
        mends=book.phrases("turning", "correcting").within(words),
        own=book.phrases("people", "self").within(words),
        unsure=any(book.phrases(*name).within(words) for name in _UNSURE),
        people=_people(words, book),
        about=read(text, ()).subject,
        adds=any(book.phrases("turning", name).within(words) for name in ("also", "vague")),
        likes=any(book.phrases("compare", name).within(words) for name in ("liking", "preferring")),
        words=telling_words,
        names=names,
        numbers=frozenset(word for word in words if word.isdecimal() or number_words.at([word], 0)),
        contrast=against,
        opening=_edges(spoken),
        closing=_edges(spoken[::-1]),
        labels=labels(against),
    )


def _edges(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(" ".join(words[: count + 1]) for count in range(min(FRAME, len(words))))


def _people(words: Sequence[str], book: Language) -> frozenset[str]:
    """Return the people other than its author that a text names by what they are."""
    known = book.phrases("compare", "people")
    lengths = ((place, known.at(words, place)) for place in range(len(words)))
    return frozenset(" ".join(words[place : place + length]) for place, length in lengths if length)


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


def ends(new: Gist, old: Gist) -> bool:
    """Tell whether a newer text names what it takes back of an older one."""
    return new.code == old.code and not new.adds and takes_back(new.contrast, old.contrast, mends=new.mends)


def comparable(new: Gist, old: Gist) -> bool:
    """Tell whether the trained score may weigh a newer text against an older one.

    Who no longer uses something may like it, and who likes one thing may like another. They may be of two languages:
    that of a few words is often guessed wrong.
    """
    if old.likes and new.likes:
        return new.tells_change
    return not (new.turn == ENDED and old.likes)


def likely_ended(
    new: Gist, olds: Clauses, common: Container[str] = (), standing: Callable[[int], bool] = lambda _: True
) -> list[int]:
    """Return the rows of the older texts that a newer one most likely ends by the trained score: one, or none.

    `standing` says of a row whether it may be ended. It has to be surer where no word says that something changed.
    """
    if not olds.gists:
        return []
    least = (GONE if new.turn == ENDED else SURE) if new.tells_change else SURER
    found = weights(new, olds, common)
    heavy = [
        row
        for row in (found > SLIGHT).nonzero()[0].tolist()
        if comparable(new, olds.gists[row]) and standing(row)
    ]
    # what weighs little counts as one with all others, whether it stands or not
    together = 1 + float(found[found <= SLIGHT].sum()) + float(found[heavy].sum())
    return [row for row in heavy if found[row] > least * together]


class Standing:
    """Notes that stand, read when a text is first looked at that may end one of them."""

    def __init__(self, notes: Sequence[Note]) -> None:
        self._notes = notes

    def __bool__(self) -> bool:
        return bool(self._notes)

    @cached_property
    def _clauses(self) -> Clauses:
        return Clauses(map(gist_of, self._notes))

    @cached_property
    def _begun(self) -> Counter[str]:
        return Counter(old.frame for old in self._clauses.gists if old.frame)

    def ended_by(self, new: Gist) -> bool:
        """Tell whether a text ends one of them."""
        if not self._notes:
            return False
        olds = self._clauses.gists
        linked = (old for old in olds if new.mends or not new.labels.isdisjoint(old.labels))
        if any(ends(new, old) for old in linked):
            return True
        return may_end(new, self._begun) and bool(likely_ended(new, self._clauses))


def may_end(new: Gist, begun: Mapping[str, int]) -> bool:
    """Tell whether a text is one of which the trained score is asked.

    It says something of a change, or it begins as some older texts do, and only few: "my editor is …", another editor.
    `begun` says how many texts have a frame.
    """
    return not new.adds and (
        new.tells_change or change(new) > MIN_CHANGE or 0 < begun.get(new.frame, 0) <= FEW
    )


def of_one_person(new: Gist, old: Gist) -> bool:
    """Tell whether two texts are about one person, or either names whom the other is about."""
    if new.about == old.about:
        return True
    either = ((new.about, old), (old.about, new))
    return any(name != USER and name in _stems(other.text) for name, other in either)


def of_one(new: Gist, old: Gist) -> bool:
    """Tell whether two texts are about one person or thing.

    It does not matter whose they are where one denies by name what the other says, or both are about products of a
    kind: "Vim is my editor", "I write everything in Zed".
    """
    if of_one_person(new, old):
        return True
    of_others = bool(new.people or old.people) and new.people.isdisjoint(old.people)
    if not of_others and denies(new.contrast, old.contrast):
        return True
    mine, its = (scored(each.text, each.code).matters for each in (new, old))
    if any(min(mine[[*kind]].sum(), its[[*kind]].sum()) > PROBABLY for kind in _PRODUCTS):
        return True
    return any(its[place] > PROBABLY for place in _LIVING) and not old.names.isdisjoint(new.names | new.words)


def _stems(text: str) -> set[str]:
    return set(map(stem, words(text)))


def ended(note: Note, old: Note) -> bool:
    """Tell whether a note ends an older one, looked at by themselves."""
    new, stood = gist_of(note), gist_of(old)
    if ends(new, stood):
        return True
    return not new.adds and bool(likely_ended(new, Clauses([stood])))
