"""Tell whether a clause takes back an older one by what it names: "9, not 8", "from Vim to Zed", "in French".

Five forms are read, each by tables of the language's file and by the order of words: a value that is denied, a value
that is left for another, another number where the rest is the same, another wish of the same kind, and a word that
mends one that is nearly spelled so. None of them needs a word that says that something changed.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import cache
from itertools import product, starmap
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.languages.answer_form import is_about_answers, wished_forms, words_of_wishes
from bethink.languages.phrases import phrase_list
from bethink.lifecycle.consolidate.telling_words import ROOT, has_verb, one_word, telling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bethink.languages.loading import Language

_NUMBER: Final = re.compile(r"\d+")
_DENIED_WORDS: Final = 4  #: tokens that a denial reaches
_DENIED_SIGNS: Final = 8  #: the same in a script without spaces
_MORE: Final = 1  #: telling words by which one of two clauses that differ in a number may say more
_HALF: Final = 0.5
_THIRD: Final = 0.3
_SIGNS_BEFORE: Final = 2  #: of a script without spaces, before "call me", where the name follows
_LIKE: Final = 0.75  #: how alike two spellings of one word are
_SPELLED: Final = 4  #: letters of a word that can be misspelled

Quantity = tuple[str, str]  #: "number", "weekday" or "month", and which


class Named(NamedTuple):
    """Words that a clause denies or leaves behind."""

    words: frozenset[str]
    quantities: frozenset[Quantity]


class Contrast(NamedTuple):
    """What of a clause can stand against another one."""

    words: frozenset[str]  #: telling words, without quantities
    quantities: frozenset[Quantity]
    units: frozenset[str]
    denied: tuple[Named, ...]
    left: tuple[Named, ...]  #: what it says to have been before
    manner: tuple[
        tuple[str, str, bool], ...
    ]  #: how to be answered: the kind, the value, and whether it is denied
    scope: frozenset[str]  #: telling words of a wish beside how to be answered: of what answers it speaks
    short: bool  #: it says hardly more than its quantities


def contrast(words: Sequence[str], telling_words: frozenset[str], book: Language) -> Contrast:
    """Return what of a clause can stand against another one; its words, and those that tell what it is about."""
    parts = list(_parts(words))

    def named(span: Sequence[str]) -> Named:
        return Named(_without_numbers(telling(span, book)), _quantities(span, book))

    denied = tuple(named(span) for part in parts for span in _denied(part, book))
    left = tuple(named(span) for part in parts for span in _left(part, words, book))
    quantities = _quantities(words, book)
    unnumbered, units = _without_numbers(telling_words) - _words_of_age(book), book.numbers("units")
    return Contrast(
        words=unnumbered,
        quantities=quantities - frozenset[Quantity]().union(*(each.quantities for each in denied)),
        units=frozenset(word for word in words if word in units),
        denied=tuple(each for each in denied if each.words or each.quantities),
        left=tuple(each for each in left if each.words or each.quantities),
        manner=(*_manner(words, book), *_named_so(words, book)),
        scope=unnumbered - words_of_wishes(book),
        short=not unnumbered and len(words) <= 2 * _DENIED_WORDS * (1 if book.spaced else 2),
    )


@cache
def _words_of_age(book: Language) -> frozenset[str]:
    return frozenset(book.words(book.word("spoken_of", "age").replace(",", " ")))


def forms(new: Contrast, old: Contrast, *, mends: bool) -> tuple[bool, bool, bool, bool, bool]:
    """Return in which of the five forms a newer clause stands against an older one; `mends`: it mends a mistake."""
    return (
        bool(new.denied) and any(_is_denied(each, new, old, mends=mends) for each in new.denied),
        bool(new.left) and any(_is_left(each, old) for each in new.left),
        _requantified(new, old, mends=mends),
        _otherwise(new, old),
        mends and _respelled(new, old),
    )


def labels(one: Contrast) -> frozenset[str]:
    """Return labels of which two clauses share one, where either can take the other back without mending a mistake."""
    words = one.words.union(*(each.words for each in (*one.denied, *one.left)))
    found = {word[:ROOT] for word in words}.union(f"manner {kind}" for kind, _, _ in one.manner)
    if one.quantities and (one.short or one.units):
        found.add("short")
    return frozenset(found)


def takes_back(new: Contrast, old: Contrast, *, mends: bool) -> bool:
    """Tell whether a newer clause names what it takes back of an older one."""
    named = new.denied or new.left or new.quantities or new.manner
    return bool(mends or named) and any(forms(new, old, mends=mends))


def denies(new: Contrast, old: Contrast) -> bool:
    """Tell whether a newer clause denies by name what an older one says, whoever is their subject."""
    return any(_is_denied(each, new, old, mends=False) for each in new.denied)


def touched(new: Contrast, part: Contrast) -> bool:
    """Tell whether a newer clause names a word of a part of an older one, or wishes something else of its kind."""
    named = new.words.union(*(each.words for each in (*new.denied, *new.left)))
    kinds = {kind for kind, _, _ in new.manner}
    return bool(_shared(named, part.words)) or any(kind in kinds for kind, _, _ in part.manner)


def _is_denied(named: Named, new: Contrast, old: Contrast, *, mends: bool) -> bool:
    """Tell whether what a clause denies is what an older one says."""
    near = mends or bool(_shared(new.words - named.words, old.words))
    if named.quantities:
        kinds = {kind for kind, _ in new.quantities}
        same = named.quantities & old.quantities
        return any(kind in kinds for kind, _ in same) and (near or bool(new.units & old.units) or old.short)
    found = _shared(named.words, old.words)
    if not found or len(found) < len(named.words):
        return False
    return near or len(found) > _HALF * len(old.words)


def _is_left(named: Named, old: Contrast) -> bool:
    """Tell whether what a clause says to have been before is what an older one says."""
    found = _shared(named.words, old.words)
    return bool(found) and len(found) == len(named.words) and len(found) >= _THIRD * len(old.words)


def _requantified(new: Contrast, old: Contrast, *, mends: bool) -> bool:
    """Tell whether two clauses differ in a number, a weekday or a month, and in nothing besides."""
    if not (new.quantities and old.quantities):
        return False
    differing = [
        kind
        for kind in (("number", "weekday", "month") if mends else ("number",))
        if (new_ones := {each for each in new.quantities if each[0] == kind})
        and (old_ones := {each for each in old.quantities if each[0] == kind})
        and new_ones.isdisjoint(old_ones)
    ]
    if not differing or (new.units and old.units and new.units.isdisjoint(old.units)):
        return False
    shared = _shared(new.words, old.words)
    if not new.words or not old.words:
        return (new.short and old.short) or (
            mends and (new.short or old.short or bool(new.units & old.units))
        )
    if mends and shared:
        return True
    whole = len(shared) in (len(new.words), len(old.words))
    return bool(shared) and whole and abs(len(new.words) - len(old.words)) <= _MORE


def _otherwise(new: Contrast, old: Contrast) -> bool:
    """Tell whether two clauses say how to be answered, in one respect otherwise."""
    if not (new.manner and old.manner):
        return False
    new_kinds, old_kinds = _by_kind(new), _by_kind(old)
    if new_kinds.keys() & old_kinds.keys() and not _of_one_scope(new, old):
        return False  # "to my boss formally", "to my sister informally"
    for kind in new_kinds.keys() & old_kinds.keys():
        wanted, had = new_kinds[kind], old_kinds[kind]
        against = {(value, not denied) for value, denied in wanted}
        if against & had:
            return True
        if all(not denied for _, denied in wanted | had) and wanted.isdisjoint(had):
            return True
    return False


def _of_one_scope(new: Contrast, old: Contrast) -> bool:
    """Tell whether two wishes speak of the same answers: neither names what the other does not."""
    named = new.scope ^ old.scope
    return len(named) <= 1 and not (new.scope - old.scope)


def _by_kind(found: Contrast) -> Mapping[str, set[tuple[str, bool]]]:
    kinds: dict[str, set[tuple[str, bool]]] = {}
    for kind, value, denied in found.manner:
        kinds.setdefault(kind, set()).add((value, denied))
    return kinds


def _respelled(new: Contrast, old: Contrast) -> bool:
    """Tell whether a word of a correction is another spelling of a word that stood."""
    return any(starmap(nearly, product(new.words - old.words, old.words - new.words)))


def nearly(one: str, other: str) -> bool:
    """Tell whether one word may be another spelling of the other."""
    if min(len(one), len(other)) < _SPELLED or one.startswith(other) or other.startswith(one):
        return False
    if 2 * min(len(one), len(other)) < _LIKE * (len(one) + len(other)) or one_word(one, other):
        return False
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.quick_ratio() >= _LIKE and matcher.ratio() >= _LIKE


def _shared(some: frozenset[str], others: frozenset[str]) -> list[str]:
    return [word for word in some if any(one_word(word, other) for other in others)]


def _without_numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if not word[:1].isdigit())


def _parts(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the words between marks."""
    part: list[str] = []
    for word in words:
        if any(map(str.isalnum, word)) or word == "'":
            part.append(word)
        elif part:
            yield part
            part = []
    if part:
        yield part


def _denied(part: Sequence[str], book: Language) -> Iterator[Sequence[str]]:
    """Yield what is denied with no verb of its own, "9, not 8", or before what denies it: "えびじゃなくて"."""
    reach = _DENIED_WORDS if book.spaced else _DENIED_SIGNS
    negative, after = book.phrases("compare", "negative"), book.phrases("turning", "not_but")
    for place, _ in after.spans(part):
        yield part[max(0, place - reach) : place]
    start = 1 if book.phrases("compare", "joining").at(part, 0) else 0
    length = negative.at(part, start)
    rest = part[start + length :] if length else ()
    if 0 < len(rest) <= reach and not has_verb(rest, book):
        yield rest
    elif 1 < len(part) <= 3 and negative.at(part, len(part) - 1):  # noqa: PLR2004
        yield part[:-1]
    if book.spaced:
        yield from _denied_number(part, book)


def _denied_number(part: Sequence[str], book: Language) -> Iterator[Sequence[str]]:
    """Yield a number right behind a denial: "she is 9 not 8"."""
    negative = book.phrases("compare", "negative")
    for place, length in negative.spans(part):
        if place and length == 1 and _quantities(part[place + 1 : place + 2], book):
            yield part[place + 1 : place + 2]


def _left(part: Sequence[str], words: Sequence[str], book: Language) -> Iterator[Sequence[str]]:
    """Yield what was before: "instead of tea", "switched from Vim"."""
    reach = _DENIED_WORDS - 1 if book.spaced else _DENIED_SIGNS
    target = book.phrases("turning", "target")
    lengths = dict(book.phrases("turning", "over").spans(part))
    if book.phrases("turning", "switching").within(words):
        lengths = dict(book.phrases("turning", "source").spans(part)) | lengths
    before = dict(book.phrases("turning", "over_before").spans(part))
    for place in sorted(lengths.keys() | before.keys()):
        if place in lengths:
            end = place + lengths[place]
            rest = part[end : end + reach]
            end = next((at for at in range(len(rest)) if target.at(rest, at)), len(rest))
            yield rest[:end]
        else:
            yield part[max(0, place - reach) : place]


def _named_so(words: Sequence[str], book: Language) -> Iterator[tuple[str, str, bool]]:
    """Yield how somebody wants to be called: "call me Robert"."""
    naming = book.phrases("wishes", "naming")
    for part in _parts(words):
        found = naming.find(part)
        if found is not None and found[0] <= _DENIED_WORDS:
            rest = part[found[1] :] if book.spaced or found[0] < _SIGNS_BEFORE else part[: found[0]]
            denied = book.phrases("compare", "negative").within(part[: found[0]])
            if rest:
                yield "name", " ".join(rest), denied


def _manner(words: Sequence[str], book: Language) -> Iterator[tuple[str, str, bool]]:
    """Yield how a clause wants to be answered."""
    if is_about_answers(words, book):
        for part in _parts(words):
            yield from wished_forms(part, book)


def _quantities(words: Sequence[str], book: Language) -> frozenset[Quantity]:
    """Return the numbers, weekdays and months among words."""
    found: set[Quantity] = set()
    named = _named_quantities(book)
    for place, word in enumerate(words):
        if digits := _NUMBER.match(word):
            found.add(("number", digits.group()))
            continue
        here: dict[str, Quantity] = {}
        for phrase, quantity in named.get(word, ()):
            if tuple(words[place : place + len(phrase)]) == phrase:
                here.setdefault(quantity[0], quantity)
        found.update(here.values())
    return frozenset(found)


@cache
def _named_quantities(book: Language) -> Mapping[str, Sequence[tuple[tuple[str, ...], Quantity]]]:
    """Return what means a number above one (which is also an article), a weekday or a month, by the first word.

    Of those that begin alike the longest comes first.
    """
    counts = {word: str(value) for word, value in book.numbers("counts").items() if value > 1}
    for group in book.word("compare", "same").replace("\n", " ").split(";"):
        name, _, wordings = group.partition(":")
        if name.strip().isdecimal() and int(name) > 1:
            counts.update((" ".join(book.words(each)), name.strip()) for each in phrase_list(wordings))
    tables = {"number": counts, "weekday": book.numbers("weekdays"), "month": book.numbers("months")}
    named = [
        (tuple(words.split(" ")), (kind, str(value)))
        for kind, table in tables.items()
        for words, value in table.items()
    ]
    found: dict[str, list[tuple[tuple[str, ...], Quantity]]] = {}
    for phrase, quantity in sorted(named, key=lambda each: len(each[0]), reverse=True):
        found.setdefault(phrase[0], []).append((phrase, quantity))
    return found
