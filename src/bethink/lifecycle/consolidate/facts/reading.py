"""Read everyday facts from a note: clause by clause, each clause a fact, a dressing of one, or not understood."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.consolidate.claims import USER, Claim
from bethink.lifecycle.consolidate.facts.chinese import CHINESE
from bethink.lifecycle.consolidate.facts.english import ENGLISH
from bethink.lifecycle.consolidate.facts.french import FRENCH
from bethink.lifecycle.consolidate.facts.german import GERMAN
from bethink.lifecycle.consolidate.facts.japanese import JAPANESE
from bethink.lifecycle.consolidate.facts.spanish import SPANISH
from bethink.lifecycle.consolidate.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.lifecycle.consolidate.facts.book import Book, Form

_SPACED: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
_UNSPACED: Final = (JAPANESE, CHINESE)
_SENTENCE_ENDS: Final = re.compile(r" [.;!?] ?| ?[.;!?]$")
_WIDE: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_KANA: Final = re.compile("[\u3040-\u30ff]")
_WIDE_GAP: Final = re.compile("(?<=[^a-z]) (?=[^a-z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The facts of a note."""

    facts: tuple[Claim, ...] = ()
    clauses: int = 0
    whole: bool = False  #: every clause is a fact, or adds nothing to one


NOTHING: Final = Told()


@cache
def _anchors() -> frozenset[str]:
    return frozenset().union(*(book.anchors for book in (*_SPACED, *_UNSPACED)))


@cache
def leading() -> dict[str, frozenset[str]]:
    """Return the words by which two notes on one slot find each other."""
    found: dict[str, set[str]] = {}
    for book in (*_SPACED, *_UNSPACED):
        for word, slots in book.leading.items():
            found.setdefault(word, set()).update(slots)
    return {word: frozenset(slots) for word, slots in found.items()}


def everyday(listed: Sequence[str], named: str = USER) -> Told:
    """Return the facts that the folded words of a note tell; `named` is who is named at its start."""
    if _anchors().isdisjoint(listed):
        return NOTHING
    text = " ".join(listed)
    if not text.isascii() and _WIDE.search(text):
        text = _WIDE_GAP.sub("", text)
        books: tuple[Book, ...] = (JAPANESE,) if _KANA.search(text) else (CHINESE, JAPANESE)
    else:
        books = _SPACED
    present = frozenset(listed)
    for book in books:
        forms = (
            () if book.anchors.isdisjoint(present) else [form for form in book.forms if form.fits(present)]
        )
        if forms and (found := _Reader(book, forms, named).read(text)).facts:
            return found
    return NOTHING


@cache
def _expression(source: str) -> re.Pattern[str]:
    return re.compile(source)


class _Reader:
    """Reads one note by the book of one language."""

    def __init__(self, book: Book, forms: Sequence[Form], named: str) -> None:
        self.book = book
        self.forms = forms
        self.named = named
        self.subject = named
        self.facts: list[Claim] = []
        self.clauses = 0
        self.whole = True

    def read(self, text: str) -> Told:
        """Return what the whole note tells."""
        for sentence in _SENTENCE_ENDS.split(text):
            self.subject = self.named
            for clause in self._clauses(sentence.strip(" ,")):
                self._clause(clause)
        return Told(
            facts=tuple(self.facts),
            clauses=self.clauses,
            whole=self.whole and len(self.facts) >= self.clauses,
        )

    def _clauses(self, sentence: str) -> Iterator[str]:
        """Yield the clauses of a sentence; what depends on the one before stays with it."""
        if not sentence:
            return
        parts = [each.strip() for each in _expression(self.book.joints).split(sentence) if each.strip()]
        joined: list[str] = []
        for part in parts:
            if joined and self.book.depending and _expression(self.book.depending).match(part):
                joined[-1] = f"{joined[-1]} {part}"
            else:
                joined.append(part)
        yield from joined

    def _clause(self, clause: str) -> None:
        settled, denied = self._settled(clause)
        subject, said = self._addressed(settled)
        found = list(self._found(said, subject, denied=denied))
        if found:
            self.subject = subject
            self.facts += found
            self.clauses += 1
        elif not (self.book.dressing and _expression(self.book.dressing).fullmatch(said)):
            self.whole = False

    def _addressed(self, clause: str) -> tuple[str, str]:
        """Return whom a clause is about, and the clause without them."""
        book = self.book
        bare = clause
        if self.named != USER:
            bare = (
                re.sub(rf"^\S+(?: {re.escape(self.named)}\S*)? ", "", bare, count=1)
                if self._names(bare)
                else bare
            )
        person = _expression(
            rf"(?:(?:{book.possessive}){self._gap})?(?P<who>{_people(book)}){self._end}"
        ).match(bare)
        if person:
            return stem(book.people[person["who"]]), bare[person.end() :]
        speaker = _expression(rf"(?:{book.speaker}){self._end}").match(bare)
        if speaker:
            return self.subject, bare[speaker.end() :]
        owner = _expression(rf"(?:{book.possessive}){self._gap}").match(bare)
        return self.subject, bare[owner.end() :] if owner else bare

    def _names(self, clause: str) -> bool:
        return stem(clause.partition(" ")[0]) == self.named

    @property
    def _gap(self) -> str:
        return "" if self.book.unspaced else " "

    @property
    def _end(self) -> str:
        return "" if self.book.unspaced else "(?: s)?(?: |$)"

    def _settled(self, clause: str) -> tuple[str, bool]:
        """Return a clause without what says when, how surely, or not; and whether it was denied."""
        gap = self._gap
        bounds = ("", "") if self.book.unspaced else (r"(?<!\S)", r"(?!\S)")
        said, denials = _expression(f"{bounds[0]}(?:{self.book.denying}){bounds[1]}").subn("", clause)
        said = _expression(f"{bounds[0]}(?:{self.book.passing}){bounds[1]}").sub("", said)
        return gap.join(said.split()) if gap else said.strip(), denials % 2 == 1

    def _found(self, said: str, subject: str, *, denied: bool) -> Iterator[Claim]:
        for form in self.forms:
            match = form.pattern.fullmatch(said)
            if match is not None:
                yield from self._facts(
                    form,
                    match,
                    subject,
                    positive=(denied != bool(match.groupdict().get("not"))) == form.denies,
                )
                return

    def _facts(self, form: Form, match: re.Match[str], subject: str, *, positive: bool) -> Iterator[Claim]:
        groups = {name: value for name, value in match.groupdict().items() if value}
        tail = groups.get("tail", "").strip()
        conditional = bool(tail and self.book.conditions and _expression(self.book.conditions).match(tail))
        besides = frozenset(stem(word) for word in tail.split())
        kind = groups.get("k", "")
        attribute = form.slot
        if form.slot in {"count", "favorite"}:
            kind = self.book.kinds.get(kind, kind) or "child"
            attribute = f"{form.slot}:{stem(kind)}"
        value = form.value or groups.get("n") or groups.get("v") or kind
        if form.slot == "has":
            value = f"{groups.get('a', '')} {groups.get('v', '')} {kind}"
        yield self._fact(subject, attribute, value, positive, conditional, besides)
        if "o" in groups and form.slot in {"job", "employer"}:
            other = "employer" if form.slot == "job" else "job"
            yield self._fact(subject, other, groups["o"], positive, conditional, frozenset())

    def _fact(
        self,
        subject: str,
        attribute: str,
        value: str,
        positive: bool,
        conditional: bool,
        besides: frozenset[str],
    ) -> Claim:
        worded = value.split() if not self.book.unspaced else [value.strip()]
        same = (self.book.kinds.get(word, word) for word in worded)
        return Claim(
            subject=subject,
            attribute=attribute,
            value=" ".join(sorted(stem(word) for word in same) if attribute == "has" else map(stem, same)),
            positive=positive,
            condition=besides if conditional else frozenset(),
            rest=frozenset() if conditional else besides,
            clause=self.clauses,
        )


@cache
def _people_table(names: tuple[str, ...]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


def _people(book: Book) -> str:
    return _people_table(tuple(book.people))
