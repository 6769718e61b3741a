"""Recognise what a user asks of the memory itself: not to keep something, or to forget what was kept."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.languages.content_words import content_words
from bethink.languages.detection import function_words
from bethink.lifecycle.distill.asked_matters import matter_spans
from bethink.lifecycle.distill.asked_matters import named as matters_named
from bethink.lifecycle.distill.forget_verbs import Verb, verbs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.languages.loading import Language
    from bethink.lifecycle.distill.clauses import Clause

_COMMAS = frozenset(",，、:：;；")
BACK = 4  #: clauses before a request in which its object may stand
_RUNS: Final = re.compile(
    "[\u4e00-\u9fff\u3005]{2,}|[\u30a1-\u30fa\u30fc]{2,}|[0-9A-Za-z]+"
)  #: words without spaces
_KANA: Final = re.compile("[\u3041-\u309f]{2,}")  #: words in signs that mostly build others


class Asked(NamedTuple):
    """What a clause asks to be forgotten."""

    text: str  #: what it is about, in the words of its author
    beside: tuple[str, ...] = ()  #: what else its message says, the nearest first
    named: bool = True  #: it speaks of the memory: "delete my address" may mean another place
    within: bool = True  #: what it is about stands in the clause itself, not in one before it
    denied: bool = False  #: it says what is not to be kept, and may give the reason of a request


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
    if clause.quoting or _forgets_not(words, book) or book.phrases("vetoes", "reported").within(words):
        return None
    around = [word for each in (*before[-BACK:], clause) for word in each.words]
    parts = _spans(words)
    for start, end in parts:
        verb = next(verbs(words, start, end, around, book), None)
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
    verb: Verb,
    book: Language,
) -> Asked | None:
    """Return what a request is about: the nearest part of the message with words that say something."""
    tokens = book.tokens(clause.text)
    if len(tokens) != len(clause.words):
        return None
    own = [clause.text[tokens[start].start : tokens[end - 1].end] for start, end in _near(parts, verb)]
    behind = next(end for start, end in parts if start <= verb.start < end)
    if verb.end < behind and objects(
        object_ := clause.text[tokens[verb.start].start : tokens[behind - 1].end], book
    ):
        own = [object_, *own] if verb.named else [object_]
    inside = [part for part in own if objects(part, book)]
    outside = [] if inside else [each.said for each in reversed(before[-BACK:]) if objects(each.said, book)]
    if not inside and not outside:
        inside = [part for part in own if telling_words(part, book, syllables=True)]
    if not inside and not outside:
        return None
    apart = [clause.text[tokens[start].start : tokens[end - 1].end] for start, end in parts if end != behind]
    if not verb.named and not _own([*(inside or outside), *apart], clause, book):
        return None
    first, *rest = dict.fromkeys((*inside, *outside))
    return Asked(first, tuple(rest), verb.named, bool(inside), verb.denied)


def _spans(words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the parts of a clause between its commas."""
    edges = [-1, *(at for at, word in enumerate(words) if word in _COMMAS), len(words)]
    return [(left + 1, right) for left, right in pairwise(edges) if left + 1 < right]


def _near(parts: Sequence[tuple[int, int]], verb: Verb) -> Iterator[tuple[int, int]]:
    """Yield the part that holds the verb, then those before it, the nearest first.

    Behind a verb that ends its part comes what it is about: "vergiss, dass ich …".
    """
    ends = any(end == verb.end for _, end in parts)
    if ends and not any(start <= verb.start < end and start < verb.start for start, end in parts):
        yield from [span for span in parts if span[0] > verb.start][:1]
    yield from reversed([span for span in parts if span[0] <= verb.start])


def _own(about: Sequence[str], clause: Clause, book: Language) -> bool:
    """Tell whether a request that does not name the memory is about its author, and no plan: "delete my address"."""
    own = book.phrases("people", "self")
    if book.phrases("memory", "intended").within(clause.words):
        return False
    return any(own.within(book.words(each)) or matters_named(each, book.code) for each in about)


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
        ("memory", "forget_named"), ("memory", "unwanted"), ("memory", "keep"), ("memory", "kept"),
        ("memory", "forget_asking"), ("memory", "wanted"), ("memory", "gone"),
        ("openings", "polite"), ("openings", "fillers"), ("openings", "tails"), ("people", "self"),
        ("people", "assistant"), ("people", "pointing"), ("clauses", "joints"),
    )  # fmt: skip
    for place in range(len(words)):
        length = max(book.phrases(*name).at(words, place) for name in tables)
        for at in range(place, min(len(words), place + length)):
            taken[at] = True
    for template in book.templates("memory", "delete_apart"):
        if (found := template.find(words)) is not None:
            about = {at for left, right in found.gaps.values() for at in range(left, right)}
            for at in range(found.start, found.end):
                taken[at] = taken[at] or at not in about
    return tuple(
        word for word, gone in zip(words, taken, strict=True) if not gone and any(map(str.isalnum, word))
    )


def telling_words(text: str, book: Language, *, syllables: bool = False) -> frozenset[str]:
    """Return the words of a part of a request that tell something beside the matters that it names.

    With `syllables`, words in signs that mostly build others count, where there is nothing else.
    """
    left = subject_words(text, book)
    if book.spaced:
        return frozenset(
            word for word in content_words(left, book.code) if len(word.rstrip("'")) > 1 or word.isdigit()
        )
    tokens, spans = book.tokens(text), matter_spans(text, book.code)
    hollow = function_words(book.code)
    signs: list[str] = []
    place = 0
    for at, token in enumerate(tokens):
        kept = place < len(left) and token.word == left[place]
        place += kept
        inside = any(start <= at < end for start, end in spans)
        signs.append(token.word if kept and not inside and token.word not in hollow else " ")
    plain = "".join(signs)
    return frozenset(_RUNS.findall(plain) or (_KANA.findall(plain) if syllables and not spans else ()))


def objects(text: str, book: Language) -> frozenset[str]:
    """Return the words of a part of a request that carry something, and the matters that it names."""
    return telling_words(text, book) | matters_named(text, book.code)
