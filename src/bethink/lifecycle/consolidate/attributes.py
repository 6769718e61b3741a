"""Read what a note is about: its words with what denies them, and what it claims of whom.

A claim is (subject, attribute, value, yes or no, under which condition). Two notes are compared claim by claim,
or, where no attribute is known, word by word. What is not understood is never taken to be the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from bethink.languages.detection import detect
from bethink.lifecycle.consolidate.claims import USER, Claim
from bethink.lifecycle.consolidate.matters import NOTHING, leading, matters
from bethink.lifecycle.consolidate.subjects import subject as subject_of
from bethink.lifecycle.consolidate.tables import attributes, hinting, joined, table
from bethink.lifecycle.consolidate.words import MARKS, stem, words
from bethink.lifecycle.text_caches import remembers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.lifecycle.consolidate.claims import Strength
    from bethink.lifecycle.consolidate.matters import Matters
    from bethink.lifecycle.consolidate.tables import Attribute

_T = TypeVar("_T")

HINT = "="  #: how a label begins that stands for an attribute
SINGLE = "single:"  #: how an attribute begins that a note names itself, as in "favorite color is blue"

_AHEAD = 4  #: phrases within which a clause shows that it begins anew


@dataclass(frozen=True)
class Reading:
    """A note as it is compared."""

    spoken: tuple[str, ...]  #: its words, folded
    named: str  #: whose name, or who, stands at its start
    content: tuple[tuple[str, bool], ...]  #: every word that says something, and whether it is affirmed
    core: tuple[tuple[str, bool], ...]  #: the same without words that another wording may leave out
    words: tuple[str, ...]  #: the words of the core
    carried: tuple[str, ...]  #: the words of the core without those that only carry another
    subject: str
    about: tuple[
        str, bool
    ]  #: its subject, and whether it is tentative: two notes that differ in this are not compared
    claims: tuple[Claim, ...]
    tentative: bool  #: it is thought of, not settled
    clauses: int
    directed: bool  #: the order of its words says something: from here to there, this before that
    preferring: bool  #: it says what is preferred, and so that something else is not

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Return the numbers among its words."""
        named = joined("number_words")
        return frozenset(word for word, _ in self.content if word[-1:].isdigit() or word in named)

    @cached_property
    def _matters(self) -> Matters:
        return NOTHING if self.tentative else matters(self.spoken, self.named)

    @cached_property
    def facts(self) -> tuple[Claim, ...]:
        """Return what it tells of the things that are known of nearly everybody."""
        return self._matters.claims

    @cached_property
    def whole(self) -> bool:
        """Tell whether the facts are all that it tells."""
        return self._matters.whole

    @property
    def said(self) -> tuple[Claim, ...]:
        """Return its claims and its facts."""
        return (*self.claims, *self.facts)


class _Item(NamedTuple):
    """A phrase in its role."""

    role: str
    word: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Word:
    word: str
    values: tuple[tuple[str, str], ...]
    opener: str  #: what began the condition it belongs to
    affirmed: bool = True


@dataclass(slots=True)
class _Clause:
    words: list[_Word] = field(default_factory=list[_Word])
    denied: bool = False
    strength: Strength | None = None
    copula: int | None = None  #: how many words stand before "is"
    place: int = 0
    begins: bool = False  #: a sentence begins with it
    subject: str = USER


class _Tables(NamedTuple):
    """The lexicon, stemmed. Phrases of several words stand under their first one, the longest first."""

    roles: dict[str, str]
    lone: dict[str, _Item]  #: words that have a role and begin nothing else, whatever stands beside them
    long_roles: dict[str, list[tuple[tuple[str, ...], str]]]
    values: dict[str, tuple[tuple[str, str], ...]]
    long_values: dict[str, list[tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]]
    cues: dict[str, frozenset[str]]
    attributes: dict[str, Attribute]
    beginning: frozenset[str]  #: words that begin a value, or a phrase of several words
    soft: frozenset[str]
    carrying: frozenset[str]


NEG, LIKE, PREFER, HEDGE, LIGHT, BREAK, OVER, WHEN, WHEN_SAID, IS, PLAIN, MARK = (
    "neg", "like", "prefer", "hedge", "light", "break", "over", "when", "when said", "is", "", "mark",
)  # fmt: skip
_ROLES = (
    (NEG, "negative"),
    (PREFER, "preferring"),
    (LIKE, "liking"),
    (HEDGE, "tentative"),
    (BREAK, "breaking"),
    (OVER, "over"),
    (IS, "copulas"),
    (LIGHT, "light"),
    (WHEN, "when"),
    (WHEN_SAID, "when_said"),
)


_GIVING_WAY = frozenset({PLAIN, LIGHT, WHEN_SAID})  #: a value of the same length goes before them


@cache
def _tables() -> _Tables:
    roles: dict[tuple[str, ...], str] = {}
    for role, name in _ROLES:
        for phrase in table(name):
            roles.setdefault(phrase, role)
    values: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    cues: dict[str, set[str]] = {}
    for known in attributes():
        for value, wordings in known.values.items():
            for phrase in wordings:
                values.setdefault(phrase, []).append((known.name, value))
        for cue in (word for phrase in known.cues for word in phrase):
            cues.setdefault(cue, set()).add(known.name)
    shared = {phrase: tuple(meant) for phrase, meant in values.items()}
    long_roles, long_values = _by_first(roles), _by_first(shared)
    short_roles = {phrase[0]: role for phrase, role in roles.items() if len(phrase) == 1}
    short_roles |= dict.fromkeys(MARKS, MARK)
    beginning = frozenset(phrase[0] for phrase in shared).union(long_roles)
    return _Tables(
        roles=short_roles,
        lone={word: _Item(role, word) for word, role in short_roles.items() if word not in beginning},
        long_roles=long_roles,
        values={phrase[0]: meant for phrase, meant in shared.items() if len(phrase) == 1},
        long_values=long_values,
        beginning=beginning,
        cues={cue: frozenset(names) for cue, names in cues.items()},
        attributes={known.name: known for known in attributes()},
        soft=joined("soft"),
        carrying=joined("carrying"),
    )


def _by_first(table: dict[tuple[str, ...], _T]) -> dict[str, list[tuple[tuple[str, ...], _T]]]:
    found: dict[str, list[tuple[tuple[str, ...], _T]]] = {}
    for phrase in sorted(table, key=len, reverse=True):
        if len(phrase) > 1:
            found.setdefault(phrase[0], []).append((phrase, table[phrase]))
    return found


@cache
def hints() -> dict[str, tuple[str, ...]]:
    """Return the stems that hint at an attribute, each with labels of those it hints at."""
    found: dict[str, set[str]] = {}
    for word, name in hinting():
        found.setdefault(word, set()).add(HINT + name)
    carrying = joined("carrying")
    for word, name in leading({*_tables().roles, *MARKS}):
        if word not in carrying or name == "uses":
            found.setdefault(word, set()).add(HINT + name)
    return {word: tuple(sorted(labels)) for word, labels in found.items()}


@cache
def building() -> frozenset[str]:
    """Return the stems and marks by which no note is found."""
    return MARKS.union(_tables().roles, joined("soft"), joined("carrying"))


def attribute(name: str) -> Attribute | None:
    """Return a known attribute by its name."""
    return _tables().attributes.get(name)


@remembers(1 << 14)
def read(text: str, keywords: tuple[str, ...] = ()) -> Reading:
    """Read a note; keywords help only to tell which attribute is meant."""
    spoken = words(text)
    listed = [stem(word) for word in spoken]
    items = list(_items(listed))
    if "no" in listed and detect(text) == "pt":  # "moro no Porto": there it is a contraction
        items = [item if item.word != "no" else item._replace(role=LIGHT) for item in items]
    clauses = _Parting(items).clauses()
    subject = subject_of(text)
    _address(subject, clauses)
    roles = [item.role for item in items]
    tentative = HEDGE in roles
    content = _content(clauses)
    tables = _tables()
    core = tuple([pair for pair in content if pair[0] not in tables.soft]) or content
    spoken_of = [word for word, _ in core]
    about = clauses[0].subject if clauses else USER
    return Reading(
        spoken=spoken,
        named=subject,
        content=content,
        core=core,
        words=tuple(spoken_of),
        carried=tuple([word for word in spoken_of if word not in tables.carrying]),
        subject=about,
        about=(about, tentative),
        claims=() if tentative else tuple(_claims(clauses, _cues(listed, keywords))),
        tentative=tentative,
        clauses=len(clauses),
        directed=_directed(items, roles),
        preferring=any(clause.strength == "prefer" for clause in clauses),
    )


def _content(clauses: Sequence[_Clause]) -> tuple[tuple[str, bool], ...]:
    found: list[tuple[str, bool]] = []
    for clause in clauses:
        for each in clause.words:
            affirmed = each.affirmed != clause.denied
            if " " in each.word:
                found += [(word, affirmed) for word in each.word.split(" ")]
            else:
                found.append((each.word, affirmed))
    return tuple(found)


def _items(listed: Sequence[str]) -> Iterator[_Item]:
    """Join words into phrases, each in its role; the longest phrase wins, a value before a role."""
    tables = _tables()
    lone, beginning = tables.lone, tables.beginning
    split_negation = joined("negative_with_ne") if "ne" in listed or "n" in listed else frozenset[str]()
    place, end = 0, len(listed)
    while place < end:
        word = listed[place]
        if word in lone:
            yield lone[word]
            place += 1
            continue
        role, values, length = _phrase(listed, place) if word in beginning else (PLAIN, (), 1)
        if role == PLAIN and word in split_negation:
            role = NEG
        yield _Item(role, word if length == 1 else " ".join(listed[place : place + length]), values)
        place += length


def _phrase(listed: Sequence[str], place: int) -> tuple[str, tuple[tuple[str, str], ...], int]:
    """Return role, values and length of the longest phrase that begins at a place."""
    tables, word = _tables(), listed[place]
    role, length = tables.roles.get(word, PLAIN), 1
    values, reach = tables.values.get(word, ()), 1
    if word in tables.long_roles:
        role, length = _longer(tables.long_roles[word], listed, place, role)
    if word in tables.long_values:
        values, reach = _longer(tables.long_values[word], listed, place, values)
    if values and (reach > length or (reach == length and role in _GIVING_WAY)):
        return PLAIN, values, reach
    return role, (), length


def _longer(
    table: Sequence[tuple[tuple[str, ...], _T]], listed: Sequence[str], place: int, otherwise: _T
) -> tuple[_T, int]:
    """Return what the longest phrase that begins here means, and its length."""
    for phrase, found in table:
        if tuple(listed[place : place + len(phrase)]) == phrase:
            return found, len(phrase)
    return otherwise, 1


def _directed(items: Sequence[_Item], roles: Sequence[str]) -> bool:
    """Tell whether another order of the words would say something else."""
    if WHEN_SAID in roles or OVER in roles:
        return True
    towards = joined("towards")
    behind = [place for place, item in enumerate(items) if place and item.word in towards]
    return any(roles[place - 1] == PLAIN for place in behind)


class _Parting:
    """Parts a note into clauses, where what denies or compares ends."""

    def __init__(self, items: Sequence[_Item]) -> None:
        self.items = items
        self.done: list[_Clause] = []
        self.clause = _Clause()
        self.opener = ""  #: the word that began a condition
        self.over = False  #: what the first was preferred to

    def clauses(self) -> list[_Clause]:
        """Return the clauses that say something."""
        for place, item in enumerate(self.items):
            if item.role == PLAIN:
                self._word(item)
            else:
                self._role(place, item)
        return [*self.done, self.clause] if self.clause.words else self.done

    def _role(self, place: int, item: _Item) -> None:
        role = item.role
        if role == LIGHT:
            if item.word in joined("joining"):
                self._joint(place)
        elif role == MARK:
            self._mark(place, item.word)
        elif role == NEG:
            self.clause.denied, self.opener = not self.clause.denied, ""
        elif role in (LIKE, PREFER):
            self._liking("prefer" if role == PREFER else "like")
        elif role in (WHEN, WHEN_SAID):
            self._when(item)
        elif role == IS:
            self._copula()
        elif role == BREAK:
            self._end()
        elif role == OVER:
            self._than(item)

    def _than(self, item: _Item) -> None:
        if item.word != "over" or self.clause.strength == "prefer":
            self.over = True
        else:
            self._word(item)

    def _end(self) -> None:
        if self.clause.words:
            self.done.append(self.clause)
        begins = self.clause.begins and not self.clause.words
        self.clause, self.opener, self.over = _Clause(begins=begins), "", False

    def _mark(self, place: int, mark: str) -> None:
        if mark == ":":
            self._copula()
        elif mark == ",":
            self._joint(place)
            self.opener = ""
        else:
            self._end()
            self.clause.begins = True

    def _joint(self, place: int) -> None:
        """End the clause at a comma or an "and", unless what follows depends on it."""
        led = all(each.opener for each in self.clause.words)  # "on short trips, prefers …"
        if not led and _starts_anew(self.items, place + 1):
            self._end()

    def _liking(self, strength: Strength) -> None:
        self.opener, self.over = "", False
        if self.clause.strength != "prefer":
            self.clause.strength = strength

    def _when(self, item: _Item) -> None:
        self.opener = item.word
        if item.role == WHEN_SAID:
            self._word(item)

    def _copula(self) -> None:
        if self.clause.copula is None:
            self.clause.copula = len(self.clause.words)

    def _word(self, item: _Item) -> None:
        self.clause.words.append(_Word(item.word, item.values, self.opener, not self.over))


def _starts_anew(items: Sequence[_Item], place: int) -> bool:
    """Tell whether what comes next has a denial or a liking of its own."""
    for item in items[place : place + _AHEAD]:
        if item.role in {NEG, LIKE, PREFER}:
            return True
        if item.role != LIGHT:
            return False
    return False


def _address(subject: str, clauses: Sequence[_Clause]) -> None:
    """Say of each clause whom it is about: the user, unless somebody else is named where a sentence begins."""
    for place, clause in enumerate(clauses):
        if clause.begins and place:
            subject = USER
        first = clause.words[0] if clause.words else None
        if first is not None and not first.opener and first.word in joined("people"):
            subject = subject if place == 0 and subject != USER else first.word
        clause.subject = subject


def _cues(listed: Sequence[str], keywords: tuple[str, ...]) -> dict[str, set[str]]:
    """Return the attributes that words point at, each with the words of the text that do; a keyword counts too."""
    table = _tables().cues
    found: dict[str, set[str]] = {}
    for word in listed:
        for name in table.get(word, ()):
            found.setdefault(name, set()).add(word)
    for keyword in keywords:
        for part in keyword.split("_"):
            for name in table.get(stem(part), ()):
                found.setdefault(name, set())
    return found


def _claims(clauses: Sequence[_Clause], cues: dict[str, set[str]]) -> Iterator[Claim]:
    for place, clause in enumerate(clauses):
        clause.place = place
        subject = clause.subject
        phrases = [each for each in clause.words if each.word != subject]
        yield from _known(clause, phrases, subject, cues)
        if clause.copula is not None:
            yield from _single(clause, phrases, subject, clause.copula)
        elif any(each.word == "budget" for each in phrases):
            yield from _budget(clause, phrases, subject)


def _known(
    clause: _Clause, phrases: Sequence[_Word], subject: str, cues: dict[str, set[str]]
) -> Iterator[Claim]:
    """Yield claims on attributes that the lexicon knows."""
    found: dict[tuple[str, bool], list[tuple[str, _Word]]] = {}
    for each in phrases:
        for name, value in each.values:
            known = _tables().attributes[name]
            if name in cues or known.lone or each.word in known.sure:
                found.setdefault((name, each.affirmed), []).append((value, each))
    for (name, affirmed), values in found.items():
        if len({value for value, _ in values}) > 1:
            continue  # one of several, or each at its time: nothing that excludes another value
        value, own = values[0]
        about = cues.get(name, set())
        besides = [
            each
            for each in phrases
            if each is not own and each.word not in about and each.affirmed == affirmed
        ]
        yield _claim(clause, subject, name, value, besides, affirmed=affirmed, about=frozenset(about))


def _budget(clause: _Clause, phrases: Sequence[_Word], subject: str) -> Iterator[Claim]:
    """Yield the claim of a budget, which may be any number."""
    numbers = [each.word for each in phrases if each.word[-1:].isdigit()]
    if len(numbers) == 1:
        money = joined("money")
        unit = [each.word for each in phrases if each.word in money]
        besides = [each for each in phrases if each.word not in {"budget", *numbers, *unit}]
        yield _claim(clause, subject, "budget", " ".join([*numbers, *unit]), besides)


def _single(clause: _Clause, phrases: Sequence[_Word], subject: str, copula: int) -> Iterator[Claim]:
    """Yield the claim of "X is …", where X has one value."""
    before = clause.words[:copula]
    left = [each.word for each in before if not each.opener and each.word != subject]
    right = [each.word for each in clause.words[copula:] if not each.opener]
    if not left or not right:
        return
    name, single = " ".join(left), joined("single")
    besides = [each for each in phrases if each.opener]
    if left[-1] in joined("single_number") and any(word[-1:].isdigit() for word in right):
        money = joined("money")
        value = [word for word in right if word[-1:].isdigit() or word in money]
        besides = [each for each in clause.words[copula:] if each.word not in value]
        yield _claim(
            clause, subject, "budget" if name == "budget" else f"{SINGLE}{name}", " ".join(value), besides
        )
    elif clause.strength == "prefer" or name in single or left[-1] in single:
        yield _claim(clause, subject, f"{SINGLE}{name}", " ".join(right), besides)


def _claim(
    clause: _Clause,
    subject: str,
    name: str,
    value: str,
    besides: Sequence[_Word],
    *,
    affirmed: bool = True,
    about: frozenset[str] = frozenset(),
) -> Claim:
    soft = joined("soft")
    return Claim(
        subject=subject,
        attribute=name,
        value=value,
        positive=affirmed != clause.denied,
        condition=frozenset(each.word for each in besides if each.opener and each.word not in soft),
        rest=frozenset(each.word for each in besides if not each.opener and each.word not in soft),
        about=about,
        strength=clause.strength,
        clause=clause.place,
    )
