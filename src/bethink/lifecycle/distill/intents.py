"""Recognise what a user asks of the memory itself: not to keep something, or to forget what was kept."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bethink.languages.content_words import carrying
from bethink.lifecycle.distill.asked_matters import named as matters_named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.languages.loading import Language
    from bethink.lifecycle.distill.clauses import Clause

_COMMAS = frozenset(",，、:：;；")
MAX_BEFORE = 12  #: words that may stand before the verb of a request to forget
BACK = 4  #: clauses before a request in which its object may stand
_REACH = 7  #: words between what denies and the verb of keeping


class Asked(NamedTuple):
    """What a clause asks to be forgotten."""

    text: str  #: what it is about, in the words of its author
    beside: tuple[str, ...] = ()  #: what else its message says, the nearest first
    named: bool = True  #: it speaks of the memory: "delete my address" may mean another place
    within: bool = True  #: what it is about stands in the clause itself, not in one before it
    denied: bool = False  #: it says what is not to be kept, and may give the reason of a request


class _Verb(NamedTuple):
    """Where a verb stands that asks to forget."""

    start: int
    end: int
    named: bool
    denied: bool = False  #: it says what is not to be kept


def forbids(clause: Clause, book: Language) -> bool:
    """Tell whether a clause says that something is not to be remembered."""
    return not clause.question and book.phrases("memory", "forbidden").within(clause.words)


def forgets(clause: Clause, before: Sequence[Clause], book: Language) -> Asked | None:
    """Return what a clause asks to be forgotten, as a direct request of its author; None where it asks nothing.

    "Forget that I'm allergic to peanuts" gives its own words; "my gym locker. Wipe that from your memory" those of the
    clause before it. A question, a quotation, a condition, "don't let me forget", and what the author forgets
    themself, ask nothing.
    """
    words = clause.words
    if clause.quoting or _forgets_not(words, book):
        return None
    around = [word for each in (*before[-BACK:], clause) for word in each.words]
    parts = _spans(words)
    for start, end in parts:
        verb = next(_verbs(words, start, end, around, book), None)
        if verb is None or (clause.question and not _polite(words, verb.start, book)):
            continue
        return _asked(clause, before, parts, verb, book)
    return None


def _forgets_not(words: Sequence[str], book: Language) -> bool:
    """Tell whether words only sound like a request: "don't forget", where no longer phrase asks at the same place."""
    nots, forget = book.phrases("memory", "forget_not"), book.phrases("memory", "forget")
    return any(
        length > (0 if book.spaced else forget.at(words, place))
        for place in range(len(words))
        if (length := nots.at(words, place))
    )


def _asked(
    clause: Clause,
    before: Sequence[Clause],
    parts: Sequence[tuple[int, int]],
    verb: _Verb,
    book: Language,
) -> Asked | None:
    """Return what a request is about: the nearest part of the message with words that say something."""
    tokens = book.tokens(clause.text)
    if len(tokens) != len(clause.words):
        return None
    own = [clause.text[tokens[start].start : tokens[end - 1].end] for start, end in _near(parts, verb)]
    inside = [part for part in own if objects(part, book)]
    outside = [each.said for each in reversed(before[-BACK:]) if objects(each.said, book)]
    if not inside and not outside:
        return None
    if not verb.named and not _own(clause, before if not inside else (), book):
        return None
    first, *rest = (*inside, *outside)
    return Asked(first, tuple(rest), verb.named, bool(inside), verb.denied)


def _spans(words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the parts of a clause between its commas."""
    edges = [-1, *(at for at, word in enumerate(words) if word in _COMMAS), len(words)]
    return [(left + 1, right) for left, right in pairwise(edges) if left + 1 < right]


def _near(parts: Sequence[tuple[int, int]], verb: _Verb) -> Iterator[tuple[int, int]]:
    """Yield the part that holds the verb, then those before it, the nearest first.

    Behind a verb that ends its part comes what it is about: "vergiss, dass ich …".
    """
    ends = any(end == verb.end for _, end in parts)
    if ends and not any(start <= verb.start < end and start < verb.start for start, end in parts):
        yield from [span for span in parts if span[0] > verb.start][:1]
    yield from reversed([span for span in parts if span[0] <= verb.start])


def _own(clause: Clause, before: Sequence[Clause], book: Language) -> bool:
    """Tell whether a request that does not name the memory is about its author: "delete my address"."""
    own = book.phrases("people", "self")
    said = [clause, *before[-BACK:]]
    return any(own.within(each.words) or matters_named(each.text, book.code) for each in said)


def _verbs(
    words: Sequence[str], start: int, end: int, around: Sequence[str], book: Language
) -> Iterator[_Verb]:
    """Yield where verbs stand that ask to forget, or not to keep, in one part of a clause."""
    marked = any(book.phrases("memory", name).within(around) for name in ("forget_marks", "forget_named"))
    part = words[:end]
    if book.spaced and book.phrases("clauses", "dependent").at(words, start):
        return
    for place in range(start, min(end, start + MAX_BEFORE + 1) if book.spaced else end):
        forget = book.phrases("memory", "forget").at(part, place)
        delete = book.phrases("memory", "delete").at(part, place)
        length = max(forget, delete)
        if length and not (_told(part, start, place, book) or _denied(part, start, place, length, book)):
            yield _Verb(place, place + length, bool(forget) or marked)
    for template in book.templates("memory", "delete_apart"):
        found = template.find(part[start:])
        if found is not None and not _told(part, start, start + found.start, book):
            yield _Verb(start + found.start, start + found.end, marked)
    yield from _unkept(part, start, marked=marked, book=book)


def _told(words: Sequence[str], start: int, place: int, book: Language) -> bool:
    """Tell whether the author says of themself what a verb says: "I forget", but not "I want you to forget"."""
    if not book.spaced:
        return False
    subjects, assistant = book.phrases("people", "subjects"), book.phrases("people", "assistant")
    told = False
    for at in range(start, place):
        if assistant.at(words, at):
            told = False
        elif subjects.at(words, at):
            told = True
    return told


def _denied(words: Sequence[str], start: int, place: int, length: int, book: Language) -> bool:
    """Tell whether a verb is denied, just before it or behind it: "don't delete …", "lösch das nicht"."""
    unwanted = book.phrases("memory", "unwanted")
    before = 2 if book.spaced else 0
    ends = {at + unwanted.at(words, at) for at in range(start, place) if unwanted.at(words, at)}
    if any(place - before <= end <= place for end in ends):
        return True
    return book.spaced and any(
        unwanted.at(words, at)
        for at in {place + length, place + length + 1, len(words) - 1}
        if at >= place + length
    )


def _unkept(words: Sequence[str], start: int, *, marked: bool, book: Language) -> Iterator[_Verb]:
    """Yield where a part says that something is not to be kept: "you needn't keep", "must not be stored"."""
    unwanted, keep = book.phrases("memory", "unwanted"), book.phrases("memory", "keep")
    kept = book.phrases("memory", "kept")
    denials = [(at, at + length) for at in range(start, len(words)) if (length := unwanted.at(words, at))]
    for at in range(start, len(words)):
        done = kept.at(words, at)
        length = max(done, keep.at(words, at))
        near = [span for span in denials if (0 <= at - span[1] <= _REACH or 0 <= span[0] - at - length <= 1)]
        if not length or not near:
            continue
        alone = not book.section("clauses").get("carry", False)  # its verbs say who is meant
        if not alone and _told(words, start, at, book) and not (done and _owned(words, start, at, book)):
            continue
        left = min(at, near[0][0])
        yield _Verb(left, max(at + length, near[-1][1]), named=marked or bool(done), denied=True)


def _owned(words: Sequence[str], start: int, place: int, book: Language) -> bool:
    """Tell whether something of the author's stands between them and a verb: "I don't want my salary stored"."""
    owning = book.phrases("people", "owning")
    return any(owning.at(words, at) for at in range(start, place))


def _polite(words: Sequence[str], place: int, book: Language) -> bool:
    """Tell whether a question before a verb is a request: "would you mind deleting", not "how do I delete"."""
    polite, asking = book.phrases("openings", "polite"), book.phrases("memory", "forget_asking")
    if not book.spaced:
        return polite.within(words) or asking.within(words)
    tails = [
        at for at in range(len(words)) if max(polite.at(words, at), asking.at(words, at)) == len(words) - at
    ]
    found = [at for at in range(place + 1) if polite.at(words, at) or asking.at(words, at)]
    first = min([*found, *tails], default=0 if place == 0 else None)
    if first is None:
        return False
    wondering = book.phrases("clauses", "asking")
    return not any(wondering.at(words, at) for at in range(min(first, place)))


def subject_words(text: str, book: Language) -> tuple[str, ...]:
    """Return the words that say what a request is about: without the verb, the memory, and what carries nothing."""
    words = book.words(text)
    taken = [False] * len(words)
    tables = (
        ("memory", "forget"), ("memory", "delete"), ("memory", "forget_marks"), ("memory", "forget_hollow"),
        ("memory", "forget_named"), ("memory", "unwanted"), ("memory", "keep"), ("memory", "kept"), ("memory", "forget_asking"),
        ("openings", "polite"), ("openings", "fillers"), ("openings", "tails"), ("people", "self"),
        ("people", "assistant"), ("people", "pointing"), ("clauses", "joints"),
    )  # fmt: skip
    for place in range(len(words)):
        length = max(book.phrases(*name).at(words, place) for name in tables)
        for at in range(place, min(len(words), place + length)):
            taken[at] = True
    return tuple(
        word for word, gone in zip(words, taken, strict=True) if not gone and any(map(str.isalnum, word))
    )


def objects(text: str, book: Language) -> frozenset[str]:
    """Return the words of a part of a request that carry something, and the matters that it names."""
    return carrying(subject_words(text, book), book.code) | matters_named(text, book.code)
