"""Read the matters of a note: where somebody lives and works, how old they are, what they no longer use.

Each language says in its file, in short templates, how a matter is told. A clause is a matter, an addition to one, or
not understood; what is not understood is never taken to be the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.languages.loading import CODES, language
from bethink.languages.phrases import Phrases, Template, phrase_list
from bethink.lifecycle.consolidate.claims import USER, Claim
from bethink.lifecycle.consolidate.words import MARKS, stem, words

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from bethink.languages.phrases import Match

#: matters of which somebody has several at a time; of any other, one value excludes another
_SEVERAL: Final = frozenset({"has", "speaks", "allergy", "takes", "uses", "partner", "does"})
#: matters of which a value that says more is another value: 5 and 5:30
_EXACT: Final = frozenset({
    "workplace", "commute", "count", "marital", "age", "contact", "eating", "car", "phone", "wakes", "tenure",
    "version",
})  # fmt: skip
_KINDRED: Final = frozenset({"count", "favorite", "version"})  #: matters that each kind of thing has
_WORKING: Final = {"job": "employer", "employer": "job"}
_SILENT: Final = frozenset(
    {"be", "have", "is", "x", "o", "k", "old", "counted", "thing", "tool"}
)  #: gaps that hold no value
_SENTENCE_ENDS: Final = frozenset(".;!?")
_WIDE: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_KANA: Final = re.compile("[\u3040-\u30ff]")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_DIGITS: Final = "#"  #: stands for any number in digits where the words of a note are looked up


class Matters(NamedTuple):
    """The matters that a note tells."""

    claims: tuple[Claim, ...] = ()
    whole: bool = False  #: every clause is a matter, or adds nothing to one


NOTHING: Final = Matters()


def single(attribute: str) -> bool:
    """Tell whether an attribute has one value at a time."""
    return attribute.partition(":")[0] not in _SEVERAL


def exact(attribute: str) -> bool:
    """Tell whether a value of an attribute that says more than another is another."""
    return attribute.partition(":")[0] in _EXACT


# ---- what may stand in the gaps of templates ---------------------------------------------------------------------


class _NameSlot:
    """A few words that are no building words."""

    rare: frozenset[str] = frozenset()

    def __init__(self, most: int, bounds: frozenset[str], unnamed: frozenset[str]) -> None:
        self._most, self._bounds, self._unnamed = most, bounds, unnamed

    def lengths(self, words: Sequence[str], place: int) -> Iterator[int]:
        """Yield how many words it may take at a place, the fewest first."""
        if place < len(words) and words[place] in self._unnamed:
            return
        for length in range(1, self._most + 1):
            at = place + length - 1
            if at >= len(words) or words[at] in self._bounds or words[at] in MARKS:
                return
            yield length


class _NumberSlot:
    """A number of up to three digits, or in words; with `unit`, a time of the day; with `version`, any number."""

    def __init__(self, spoken: Phrases, unit: Phrases | None = None, *, version: bool = False) -> None:
        self._spoken, self._unit, self._version = spoken, unit, version
        self.rare = frozenset({_DIGITS}) if version else spoken.rare | {_DIGITS}

    def lengths(self, words: Sequence[str], place: int) -> Iterator[int]:
        """Yield how many words a number takes at a place."""
        if place >= len(words):
            return
        word = words[place]
        digits = word[:1].isdigit() if self._version else word.isdecimal() and len(word) <= 3  # noqa: PLR2004
        for length in [1] if digits or self._version else self._spoken.lengths(words, place):
            if self._version and not digits:
                return
            end = place + length
            if self._unit is None:
                yield length
                continue
            if (
                tuple(words[end : end + 1]) == (":",)
                and words[end + 1 : end + 2]
                and words[end + 1].isdecimal()
            ):
                end += 2
            end += self._unit.at(words, end)
            yield end - place


# ---- one language ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to tell a matter."""

    matter: str
    value: str  #: the value, where the template itself is one
    denies: bool
    template: Template
    grammar: int  #: the place of its language, and its own in the file
    order: int

    def fits(self, present: frozenset[str]) -> bool:
        """Tell whether a note with these words is worth trying."""
        return not any(map(present.isdisjoint, self.template.needed))

    def anchors(self, common: frozenset[str]) -> frozenset[str]:
        """Return words of which one must be there, as rare ones as may be."""
        return min(
            self.template.needed,
            key=lambda needed: len(needed & common) / len(needed),
            default=frozenset[str](),
        )


class _Grammar:
    """How one language tells matters."""

    def __init__(self, place: int, code: str) -> None:
        self._language = language(code)
        self._place = place
        self.spaced = self._language.spaced
        tables = (
            "denying",
            "passing",
            "speaker",
            "owning",
            "joints",
            "begins",
            "tails",
            "endings",
            "particles",
            "people",
        )
        self.phrases = {name: self._phrases(self._language.word("compare", name)) for name in tables}
        self.same: dict[str, str] = {}
        for group in self._language.word("compare", "same").split(";"):
            value, _, wordings = group.partition(":")
            self.same.update({self._gap.join(words(word)): value.strip() for word in phrase_list(wordings)})
        self.left_out = self.phrases["denying"].starts | self.phrases["passing"].starts
        self._slots = self._made_slots()
        self.forms: list[_Form] = []
        self.templates = {name: self._templates(name) for name in ("passing", "conditions", "dressing")}
        for name in self._language.section("matters"):
            if name not in {"passing", "conditions", "dressing"}:
                self._add(name)

    @property
    def _gap(self) -> str:
        return " " if self.spaced else ""

    def _matters(self, name: str) -> Sequence[str]:
        return self._language.section("matters").get(name, ())

    def _phrases(self, table: str) -> Phrases:
        return Phrases(tuple(words(each)) for each in phrase_list(table))

    def _made_slots(self) -> Mapping[str, Phrases | _NameSlot | _NumberSlot]:
        kinds = {name: self._phrases(table) for name, table in self._language.section("kinds").items()}
        word = {
            name: frozenset(words(self._language.word("compare", name)))
            for name in ("bounds", "unnamed", "beside")
        }
        spoken = Phrases(tuple(words(word)) for word, number in self.same.items() if number.isdecimal())
        most, bounds = (4, word["bounds"]) if self.spaced else (12, word["bounds"])
        name = _NameSlot(most, bounds, word["unnamed"])
        return {
            **kinds,
            "v": name,
            "o": name,
            "old": name,
            "x": name,
            "k": _NameSlot(most, bounds, word["unnamed"]),
            "any": _NameSlot(2, bounds | word["beside"], frozenset()),
            "n": _NumberSlot(spoken),
            "d": _NumberSlot(spoken, version=True),
            "clock": _NumberSlot(spoken, kinds.get("clock", Phrases(()))),
        }

    def _template(self, text: str) -> Template:
        exactly = text.endswith("$")
        return Template(
            f"^{text.rstrip('$ ')}$",
            spaced=self.spaced,
            fills=self._slots,
            tails=None if exactly else self.phrases["tails"],
        )

    def _templates(self, name: str) -> list[Template]:
        start = "^" if name == "conditions" else ""
        return [
            Template(f"{start}{each}", spaced=self.spaced, fills=self._slots) for each in self._matters(name)
        ]

    def _add(self, name: str) -> None:
        denies, matter = name.startswith("not "), name.removeprefix("not ")
        matter, _, value = matter.partition(" ")
        for text in self._matters(name):
            self.forms.append(
                _Form(matter, value, denies, self._template(text), self._place, len(self.forms))
            )

    def written(self, span: Iterable[str]) -> list[str]:
        """Return words as they are compared: those that mean one thing are one."""
        if self.spaced:
            return [stem(self.same.get(word, word)) for word in span]
        worded = "".join(span)
        return [self.same.get(worded, worded)]


@cache
def _grammars() -> tuple[_Grammar, ...]:
    return tuple(_Grammar(place, code) for place, code in enumerate(CODES))


@cache
def _forms_by_word() -> Mapping[str, Sequence[_Form]]:
    """Return the forms of every language by a word that must be there."""
    names = ("light", "when", "carrying", "tails", "liking", "copulas")
    common = frozenset(
        word for code in CODES for name in names for word in words(language(code).word("compare", name))
    )
    found: dict[str, list[_Form]] = {}
    for form in (form for grammar in _grammars() for form in grammar.forms):
        for word in form.anchors(common):
            found.setdefault(word, []).append(form)
    return found


def leading(light: Container[str]) -> Iterator[tuple[str, str]]:
    """Yield the stems by which two notes on one matter find each other, each with the matter."""
    for form in (form for grammar in _grammars() for form in grammar.forms):
        kinds = ((word,) for needed in form.template.needed for word in needed)
        for phrase in (*form.template.wordings, *kinds):
            found = [stemmed for stemmed in map(stem, phrase) if stemmed not in light]
            if found:
                yield max(found, key=len), form.matter


def matters(spoken: Sequence[str], named: str = USER) -> Matters:
    """Return the matters that the folded words of a note tell; `named` is who is named at its start."""
    present = frozenset([*spoken, _DIGITS] if any(word[:1].isdigit() for word in spoken) else spoken)
    index = _forms_by_word()
    found = {
        id(form): form for word in present if word in index for form in index[word] if form.fits(present)
    }
    if not found:
        return NOTHING
    text = "".join(spoken)
    wide = not text.isascii() and bool(_WIDE.search(text))
    japanese = wide and bool(_KANA.search(text))
    forms = sorted(found.values(), key=lambda form: (form.grammar, form.order))
    for place in dict.fromkeys(form.grammar for form in forms):
        if _grammars()[place].spaced == wide or (japanese and CODES[place] == "zh"):
            continue
        found_matters = _Reader(
            _grammars()[place], [form for form in forms if form.grammar == place], named
        ).read(spoken)
        if found_matters.claims:
            return found_matters
    return NOTHING


# ---- one note ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reader:
    """Reads one note by the grammar of one language."""

    grammar: _Grammar
    forms: Sequence[_Form]
    named: str
    subject: str = USER
    facts: list[Claim] = field(default_factory=list[Claim])
    clauses: int = 0
    whole: bool = True

    def read(self, spoken: Sequence[str]) -> Matters:
        """Return what the whole note tells."""
        for sentence in _parted(spoken, _SENTENCE_ENDS):
            self.subject = self.named
            for clause in self._clauses(sentence):
                self._clause(clause)
        return Matters(tuple(self.facts), self.whole and len(self.facts) >= self.clauses)

    def _clauses(self, sentence: Sequence[str]) -> list[list[str]]:
        """Return the clauses of a sentence; what depends on the one before stays with it."""
        found: list[list[str]] = [[]]
        place = 0
        while place < len(sentence):
            length = 1 if sentence[place] == "," else self._joint(sentence, place)
            length = (
                0 if len(found[-1]) == 1 and length and sentence[place] not in {",", ":"} else length
            )  # "Tom and I"
            if not length:
                found[-1].append(sentence[place])
                place += 1
                continue
            place += length
            place += self._joint(sentence, place)
            depends = self.grammar.spaced and self.grammar.phrases["tails"].at(sentence, place)
            if found[-1] and not depends:
                found.append([])
        return [each for each in found if each]

    def _joint(self, sentence: Sequence[str], place: int) -> int:
        """Return the length of what joins two clauses at a place."""
        length = self.grammar.phrases["joints"].at(sentence, place) or int(
            tuple(sentence[place : place + 1]) == (":",)
        )
        if not length or not self.grammar.spaced:
            return length
        after = place + length
        after += self.grammar.phrases["passing"].at(sentence, after)
        opens = ("begins", "speaker", "owning", "denying")
        return length if any(self.grammar.phrases[name].at(sentence, after) for name in opens) else 0

    def _clause(self, clause: list[str]) -> None:
        settled, denied = self._settled(clause)
        subject, statements = self._addressed(settled)
        for statement in statements:
            found = list(self._found(statement, subject, denied=denied))
            if found:
                self.subject = subject
                self.facts += found
                self.clauses += 1
                return
        if not any(statements):  # "my daughter, she is nine"
            self.subject = subject
            return
        if denied and self.facts and len(settled) == len(self.facts[-1].value.split()):  # "she is 9, not 8"
            last = self.facts[-1]
            self.facts.append(self._fact(last.subject, last.attribute, settled, positive=False, tail=()))
        elif not any(
            each.find(statement) for each in self.grammar.templates["dressing"] for statement in statements
        ):
            self.whole = False

    def _settled(self, clause: list[str]) -> tuple[list[str], bool]:
        """Return a clause without what says when, how surely, or not; and whether it was denied."""
        denials = place = 0
        kept: list[str] = []
        denying, passing = self.grammar.phrases["denying"], self.grammar.phrases["passing"]
        if self.grammar.left_out.isdisjoint(clause):
            kept, place = clause, len(clause)
        while place < len(clause):
            passed, denied = passing.at(clause, place), denying.at(clause, place)
            denials += denied > passed
            place += max(passed, denied)
            if not (passed or denied):
                kept.append(clause[place])
                place += 1
        for template in self.grammar.templates["passing"]:
            found = template.find(kept)
            if found is not None and found.end - found.start < len(kept):
                kept = [*kept[: found.start], *kept[found.end :]]
        for at in range(1, len(kept)):
            if self.grammar.phrases["endings"].at(kept, at) == len(kept) - at:
                kept = kept[:at]
                break
        return kept, denials % 2 == 1

    def _addressed(self, clause: list[str]) -> tuple[str, list[list[str]]]:
        """Return whom a clause is about, and the clause without them, in one way or two."""
        phrases = self.grammar.phrases
        bare = clause[1:] if self.named != USER and clause and stem(clause[0]) == self.named else clause
        owned = phrases["owning"].at(bare, 0)
        person = phrases["people"].at(bare, owned)
        if person:
            end = owned + person
            who = self.grammar.written(bare[owned:end])[-1]
            end += phrases["particles"].at(bare, end)
            statements = [bare[end + 1 :], bare[end:]] if bare[end : end + 1] == ["s"] else [bare[end:]]
            return who, statements
        spoken = phrases["speaker"].at(bare, 0)
        if spoken:
            return self.subject, [bare[spoken + phrases["particles"].at(bare, spoken) :]]
        return self.subject, [bare[owned:]]

    def _found(self, statement: list[str], subject: str, *, denied: bool) -> Iterator[Claim]:
        for form in self.forms:
            match = form.template.find(statement)
            if match is not None:
                yield from self._facts(form, match, statement, subject, positive=denied == form.denies)
                return

    def _facts(
        self, form: _Form, match: Match, statement: list[str], subject: str, *, positive: bool
    ) -> Iterator[Claim]:
        gaps = {name: statement[start:end] for name, (start, end) in match.gaps.items()}
        tail = statement[match.end :]
        if form.matter == "home" and len(tail) == 2 and _YEAR.fullmatch(tail[1]):  # noqa: PLR2004
            return  # "moved to Rome in 2010" is over, as far as is known
        attribute = form.matter
        kind = gaps.get("counted") or gaps.get("k") or gaps.get("thing")
        if form.matter in _KINDRED:
            attribute = f"{form.matter}:{' '.join(self.grammar.written(kind or ())) or 'child'}"
        order = sorted(match.gaps, key=lambda name: match.gaps[name])
        value = [word for name in order if name not in _SILENT for word in gaps[name]]
        worded = [form.value] if form.value else value or gaps.get("counted", [])
        yield self._fact(subject, attribute, worded, positive=positive, tail=tail)
        if "o" in gaps and form.matter in _WORKING:
            yield self._fact(subject, _WORKING[form.matter], gaps["o"], positive=positive, tail=())
        if "old" in gaps:
            yield self._fact(subject, attribute, gaps["old"], positive=not positive, tail=())

    def _fact(
        self, subject: str, attribute: str, value: Sequence[str], *, positive: bool, tail: Sequence[str]
    ) -> Claim:
        written = self.grammar.written(value)
        conditional = any(each.find(tail[:4]) for each in self.grammar.templates["conditions"])
        besides = frozenset(stem(word) for word in tail)
        return Claim(
            subject=subject,
            attribute=attribute,
            value=" ".join(sorted(written) if attribute == "has" else written),
            positive=positive,
            condition=besides if conditional else frozenset(),
            rest=frozenset() if conditional else besides,
            clause=self.clauses,
        )


def _parted(spoken: Sequence[str], ends: frozenset[str]) -> Iterator[list[str]]:
    """Yield the parts between marks."""
    part: list[str] = []
    for word in spoken:
        if word in ends:
            if part:
                yield part
            part = []
        else:
            part.append(word)
    if part:
        yield part
