"""Tell whether what is said ends what was said before, whatever verb carries it.

The file of a language lists how a clause says that something changed ("now", "no longer", "switched to") and by which
words it shows what it speaks of (`turning`, `spoken_of`). What says that something changed ends an older note on the
same matter of the same person, where one has only one of its kind at a time: a home, a job, a phone, an editor. Of what
one has several, and of anything else, it ends the note that shares its words.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.languages.content import carrying, code_of
from bethink.languages.detection import function_words
from bethink.languages.loading import CODES, language
from bethink.languages.phrases import Phrases, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.languages.loading import Language
    from bethink.notes.values import Note

CHANGED, ENDED = 1, 2  #: how strongly a text says that something is not as it was
SHARED: Final = 0.5  #: of the telling words of an older note that a newer one shares
NAMED: Final = 0.34  #: the same, where the newer one says that something ended
_ROOT = 5  #: letters that two forms of one word share at least
_LONGER = 4  #: letters by which one form may be longer
_PART: Final = re.compile(r"[,;:.!?]\s+|[，、；：。！？]")
_COUPLE: Final = frozenset({"partner", "couple"})
_LIVING: Final = frozenset({"partner", "couple", "pet"})  #: who has a name


class Gist(NamedTuple):
    """What a text speaks of, and whether it says that this changed."""

    code: str  #: of its language
    turn: int
    adds: bool  #: it puts nothing in the place of anything: also, another, a bigger one
    likes: bool
    matters: tuple[tuple[str, str], ...]  #: matters with the word that shows them, in the order of the text
    words: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]


class _Book(NamedTuple):
    matters: Mapping[str, Phrases]
    several: frozenset[str]
    products: frozenset[str]  #: matters that are told by names, the same in every language


@cache
def _book(code: str) -> _Book:
    book, products = language(code), language("en")
    everywhere = listed(products.word("turning", "everywhere"))
    tables: dict[str, list[tuple[str, ...]]] = {}
    for each, names in ((book, book.section("spoken_of")), (products, everywhere)):
        for name in names:
            found = (tuple(each.words(word)) for word in listed(each.word("spoken_of", name)))
            tables.setdefault(name, []).extend(found)
    return _Book(
        {name: Phrases(found) for name, found in tables.items()},
        frozenset(listed(book.word("turning", "several"))),
        frozenset(everywhere),
    )


@lru_cache(maxsize=1 << 13)
def gist(text: str, code: str) -> Gist:
    """Return what a text in a language speaks of."""
    book = language(code)
    words = book.words(text)
    ended, changed = (book.phrases("turning", name).within(words) for name in ("ended", "now"))
    return Gist(
        code=code,
        turn=ENDED if ended else CHANGED if changed else 0,
        adds=any(book.phrases("turning", name).within(words) for name in ("also", "vague")),
        likes=any(book.phrases("compare", name).within(words) for name in ("liking", "preferring")),
        matters=_matters(words, code),
        words=_telling(words, book),
        names=_names(text, book),
        numbers=frozenset(word for word in words if word.isdecimal())
        | frozenset(word for word in words if book.phrases("compare", "number_words").at([word], 0)),
    )


def _matters(words: Sequence[str], code: str) -> tuple[tuple[str, str], ...]:
    tables, found, place = _book(code).matters, dict[str, str](), 0
    while place < len(words):
        lengths = {name: each.at(words, place) for name, each in tables.items()}
        longest = max(lengths.values())
        for name, length in lengths.items():
            if length and length == longest:
                found.setdefault(name, " ".join(words[place : place + length]))
        place += max(longest, 1)
    return tuple(found.items())


def _telling(words: Sequence[str], book: Language) -> frozenset[str]:
    """Return the words that carry something, without those that say that it changed."""
    tables = (
        ("turning", "ended"), ("turning", "now"), ("turning", "also"), ("people", "self"), ("compare", "light"),
        ("compare", "carrying"), ("compare", "passing"), ("compare", "number_words"), ("clauses", "verbs"),
        ("clauses", "finite"),
    )  # fmt: skip
    taken = [False] * len(words)
    for place in range(len(words)):
        for at in range(place, place + max(book.phrases(*name).at(words, place) for name in tables)):
            taken[at] = True
    left = [word for word, gone in zip(words, taken, strict=True) if not gone]
    common = frozenset[str]().union(*map(function_words, CODES))
    return frozenset(word for word in carrying(left, book.code) if len(word) > 1 + book.spaced) - common


def _names(text: str, book: Language) -> frozenset[str]:
    """Return the words that are written as names are, where a language writes only names so."""
    if not book.spaced or book.section("turning").get("nouns"):
        return frozenset()
    tokens = book.tokens(text)
    return frozenset(
        each.word
        for before, each in pairwise(tokens)
        if text[each.start].isupper() and before.word not in ".!?:"
    )


def gist_of(note: Note) -> Gist:
    """Return what a note speaks of; that it corrects something, distillation may have seen in its message."""
    found = gist(note.text, code_of(note.text, note.metadata.get("language")))
    if not found.turn and note.metadata.get("kind") == "correction":
        return found._replace(turn=CHANGED)
    return found


def ends(new: Gist, old: Gist) -> bool:
    """Tell whether a newer text says that what an older one says does not hold any more."""
    if not new.turn or (new.turn == ENDED and old.likes and not new.likes):
        return False  # who no longer uses it may like it
    if not new.adds and _one_matter(new, old, _book(old.code)):
        return True
    if new.turn == ENDED and new.names & old.names and _LIVING & dict(old.matters).keys():
        return True
    shared = {word for word in old.words if any(one_word(word, other) for other in new.words)}
    if not shared:
        return False
    part = len(shared) / len(old.words)
    if new.turn == ENDED:
        return part >= NAMED
    return part >= SHARED and bool(new.numbers) and bool(old.numbers) and new.numbers != old.numbers


def _one_matter(new: Gist, old: Gist, book: _Book) -> bool:
    """Tell whether both speak of one matter; of what one has several, in the same word."""
    mine, its = dict(new.matters), dict(old.matters)
    both = mine.keys() & its.keys()
    if new.turn == ENDED and "partner" in mine and _COUPLE & its.keys():
        return True
    if new.turn == ENDED and any(mine[name] == its[name] for name in book.several & both):
        return True
    first = _first(new.matters, book.several)
    return bool(book.products & both) or (first is not None and first == _first(old.matters, book.several))


def _first(matters: tuple[tuple[str, str], ...], several: frozenset[str]) -> str | None:
    """Return the matter that a text is about: the first that one has one of; hours before the work they are of."""
    names = [name for name, _ in matters if name not in several and name != "couple"]
    return "hours" if "hours" in names else next(iter(names), None)


def ended(note: Note, old: Note) -> bool:
    """Tell whether a note ends an older one."""
    return ends(gist_of(note), gist_of(old))


def left(text: str, new: Gist, code: str) -> str:
    """Return the parts of an older text that a newer one does not end, as they are written; all may be gone."""
    places = [0, *(found.end() for found in _PART.finditer(text)), len(text)]
    parts = [text[start:end] for start, end in pairwise(places) if start < end]
    standing = [part for part in parts if not ends(new, gist(part, code))]
    if len(standing) == len(parts) or not all(gist(part, code).matters for part in parts):
        return ""
    whole = "".join(standing).strip(" ,;:，、；：")
    return whole[:1].upper() + whole[1:]


def one_word(one: str, other: str) -> bool:
    """Tell whether two words are likely forms of one."""
    if one == other:
        return True
    return len(one) >= _ROOT and one[:_ROOT] == other[:_ROOT] and abs(len(one) - len(other)) <= _LONGER
