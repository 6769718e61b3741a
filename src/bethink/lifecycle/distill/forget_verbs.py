"""Find the verbs of a clause that ask the memory to forget something, or not to keep it.

A verb of forgetting asks by itself, one of deleting where the memory is named beside it, or, less surely, where its
object is the author's; one of keeping where it is denied. What the author says of themself, what is denied, and what is
only talked of ("it's hard to forget …") ask nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bethink.lifecycle.distill.asked_matters import people

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.languages.loading import Language

MAX_BEFORE = 12  #: words that may stand before the verb of a request to forget
_REACH = 7  #: words between what denies and the verb of keeping


class Verb(NamedTuple):
    """Where a verb stands that asks to forget."""

    start: int
    end: int
    named: bool
    denied: bool = False  #: it says what is not to be kept


def verbs(
    words: Sequence[str], start: int, end: int, around: Sequence[str], book: Language
) -> Iterator[Verb]:
    """Yield where verbs stand that ask to forget, or not to keep, in one part of a clause."""
    marked = any(book.phrases("memory", name).within(around) for name in ("forget_marks", "forget_named"))
    part = words[:end]
    if _by_somebody(part, start, book):
        return
    wanted = book.phrases("memory", "wanted")
    for place in range(start, end):
        gone = book.phrases("memory", "gone").at(part, place)
        if gone and wanted.within(words[:place]) and not _denied(part, start, place, gone, book):
            yield Verb(place, place + gone, marked)
    if book.spaced and book.phrases("clauses", "dependent").at(words, start):
        return
    for place in range(start, min(end, start + MAX_BEFORE + 1) if book.spaced else end):
        forget = book.phrases("memory", "forget").at(part, place)
        delete = book.phrases("memory", "delete").at(part, place)
        length = max(forget, delete)
        wished = marked and wanted.within(words[:place])  # "I'd like to remove my address from your memory"
        said = _told(part, start, place, book) or _talked_of(words, start, place, length, book)
        said = said or _of_somebody(part, start, place, length, book)
        if length and (wished or not said) and not _denied(part, start, place, length, book):
            yield Verb(place, place + length, bool(forget) or marked)
    for template in book.templates("memory", "delete_apart"):
        found = template.find(part[start:])
        if found is not None and not _told(part, start, start + found.start, book):
            yield Verb(start + found.start, start + found.end, marked)
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


def _by_somebody(words: Sequence[str], start: int, book: Language) -> bool:
    """Tell whether a sign of the subject stands behind somebody: they forget, and nobody is asked."""
    signs = book.phrases("memory", "subject_signs")
    return bool(signs) and any(
        signs.at(words, end) for first, end in people(words, book.code) if first >= start
    )


def _of_somebody(words: Sequence[str], start: int, place: int, length: int, book: Language) -> bool:
    """Tell whether somebody stands before a verb and its object behind it: "my husband can forget my birthday"."""
    if not book.spaced or place + length >= len(words):
        return False
    before = words[start:place]
    asked = (("people", "assistant"), ("openings", "polite"), ("memory", "forget_asking"))
    if any(book.phrases(*name).within(before) for name in asked):
        return False
    behind = words[place + length :]
    own = book.phrases("people", "owning").within(behind)
    return own and (bool(people(before, book.code)) or book.phrases("people", "others").within(before[:1]))


def _denied(words: Sequence[str], start: int, place: int, length: int, book: Language) -> bool:
    """Tell whether a verb is denied, just before it or behind it: "don't delete …", "lösch das nicht"."""
    unwanted = book.phrases("memory", "unwanted")
    before = 2 if book.spaced else 0
    ends = {at + unwanted.at(words, at) for at in range(start, place) if unwanted.at(words, at)}
    if any(place - before <= end <= place for end in ends):
        return True
    if length > 1 or not book.spaced:
        return False
    return any(
        unwanted.at(words, at)
        for at in {place + length, place + length + 1, len(words) - 1}
        if at >= place + length
    )


def _talked_of(words: Sequence[str], start: int, place: int, length: int, book: Language) -> bool:
    """Tell whether a verb is only talked of: "it's hard to forget …", where nobody is asked."""
    infinitive = book.phrases("memory", "infinitives").at(words, place + length - 1)
    after = place > start and book.phrases("memory", "infinitive_signs").at(words, place - 1)
    if not after and (not infinitive or place + length - 1 == start):
        return False
    tables = (("openings", "polite"), ("memory", "forget_asking"), ("people", "assistant"))
    before = words[: place + length] if after else words
    return not any(book.phrases(*name).within(before) for name in tables)


def _unkept(words: Sequence[str], start: int, *, marked: bool, book: Language) -> Iterator[Verb]:
    """Yield where a part says that something is not to be kept: "you needn't keep", "must not be stored"."""
    unwanted, keep = book.phrases("memory", "unwanted"), book.phrases("memory", "keep")
    kept = book.phrases("memory", "kept")
    denials = [(at, at + length) for at in range(start, len(words)) if (length := unwanted.at(words, at))]
    for at in range(start, len(words)):
        done = kept.at(words, at)
        length = max(done, keep.at(words, at))
        near = [
            span
            for span in denials
            if (
                0 <= at - span[1] <= _REACH
                or 0 <= span[0] - at - length <= 1
                or (at < span[0] and span[1] == len(words))
            )
        ]
        if not length or not near:
            continue
        alone = not book.section("clauses").get("carry", False)  # its verbs say who is meant
        if not alone and _told(words, start, at, book) and not (done and _owned(words, start, at, book)):
            continue
        left = min(at, near[0][0])
        yield Verb(left, max(at + length, near[-1][1]), named=marked or bool(done), denied=True)


def _owned(words: Sequence[str], start: int, place: int, book: Language) -> bool:
    """Tell whether something of the author's stands between them and a verb: "I don't want my salary stored"."""
    owning = book.phrases("people", "owning")
    return any(owning.at(words, at) for at in range(start, place))
