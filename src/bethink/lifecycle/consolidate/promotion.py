"""Count how steady a preference is, and say when it may become a field of the profile.

*Stability* is the share of statements that agree with what holds now; *drift* how far and which way a number moved,
or how often a value changed; *variance* how many conditions ask for another value. A preference that was said often
enough, over long enough, and hardly ever otherwise, is suggested for the field that the application's schema has for
it. One that depends on conditions stays a note.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from bethink.lifecycle.consolidate.attributes import SINGLE, attribute
from bethink.lifecycle.consolidate.claims import USER
from bethink.lifecycle.consolidate.entries import reading
from bethink.lifecycle.consolidate.matters import single
from bethink.lifecycle.consolidate.retention import since
from bethink.lifecycle.consolidate.words import phrases, stem, stems, words
from bethink.state.values import Provenance

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from bethink.notes.values import Note

FieldType: TypeAlias = Literal["string", "integer", "number", "boolean"]

LEAST: Final = 3  #: statements of one value
STEADY: Final = 0.8  #: the share of all statements that agree with it
SPAN: Final = timedelta(days=14)  #: between the first statement and the last
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_WRITTEN: Final = re.compile(r"[^\s.,;:!?()\"]+")
#: names that schemas give to what notes speak of
_ALSO: Final = {
    "home": "home, city, home city, hometown, residence, address city",
    "employer": "company, employer name, workplace",
    "job": "profession, occupation, role, job title",
    "diet": "dietary, meal, food, dietary restriction",
    "baggage": "bag, luggage",
    "length": "verbosity, answer length, response length",
    "theme": "color theme, mode, ui theme",
    "airline": "carrier, airline brand",
    "hotel": "hotel brand, hotel chain",
    "seat": "seat type, seating",
}
_GENERIC: Final = frozenset(
    stem(word) for word in ("preference", "preferred", "favorite", "default", "usual", "user")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """That somebody said, at some time, that an attribute has a value."""

    attribute: str
    value: str
    positive: bool = True
    condition: frozenset[str] = frozenset()
    at: datetime
    source: str = "user"
    spoken: str = ""  #: the value as the note has it, where it may be any name
    note: str  #: id of the note that says it


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What the history of one attribute shows."""

    attribute: str
    value: str  #: what holds now, where no condition is named
    statements: int  #: without a condition
    agreeing: int  #: those that say what holds now
    stability: float  #: 0 to 1
    drift: float  #: of a number, its change from first to last as a share of the first; else the share of changes
    variance: int  #: conditions under which another value holds
    since: datetime  #: when what holds now was first said, after it was last otherwise
    last: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of the application's schema."""

    name: str
    aliases: tuple[str, ...] = ()
    type: FieldType = "string"
    choices: tuple[str, ...] = ()  #: the values it may have; any, where there are none


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A value for a field of the profile, with where it comes from."""

    field: str
    value: Any
    provenance: Provenance
    sources: tuple[str, ...]  #: ids of the notes that say it, oldest first
    signals: Signals
    reason: str


def statements(notes: Iterable[Note]) -> tuple[Statement, ...]:
    """Return what notes, current and past, say of the user, oldest first."""
    found = [
        Statement(
            attribute=claim.attribute,
            value=claim.value,
            spoken=_spoken(note.text, claim.value) if attribute(claim.attribute) is None else "",
            positive=claim.positive,
            condition=claim.condition,
            at=since(note),
            source=note.source,
            note=note.id,
        )
        for note in notes
        for claim in reading(note).said
        if claim.subject == USER and single(claim.attribute)
    ]
    return tuple(sorted(found, key=_order))


def signals(history: Iterable[Statement]) -> dict[str, Signals]:
    """Return what the history of each attribute shows; attributes that were only ever denied are left out."""
    by_attribute: dict[str, list[Statement]] = {}
    for each in sorted(history, key=_order):
        by_attribute.setdefault(each.attribute, []).append(each)
    counted = {name: _counted(name, stated) for name, stated in by_attribute.items()}
    return {name: each for name, each in sorted(counted.items()) if each is not None}


def suggest(
    fields: Sequence[Field],
    history: Sequence[Statement],
    *,
    profile: Mapping[str, Any] | None = None,
    least: int = LEAST,
    steady: float = STEADY,
    span: timedelta = SPAN,
) -> tuple[Suggestion, ...]:
    """Return the fields whose value the history settles; those that have it already are left out."""
    found: list[Suggestion] = []
    shown = signals(history)
    for field in fields:
        each = next((shown[name] for name in shown if _means(field, name)), None)
        if each is None or each.agreeing < least or each.stability < steady or each.variance:
            continue
        if each.last - each.since < span:
            continue
        agreeing = [statement for statement in history if _agrees(statement, each)]
        newest = max(agreeing, key=_order)
        value = _typed(field, newest.spoken or each.value)
        if value is None or (profile or {}).get(field.name) == value:
            continue
        sources = tuple(dict.fromkeys(statement.note for statement in sorted(agreeing, key=_order)))
        trusted = min(
            (statement.source for statement in agreeing), key=("agent", "tool", "import", "user").index
        )
        found.append(
            Suggestion(
                field=field.name,
                value=value,
                provenance=Provenance(source=trusted, at=each.last, by="consolidation"),
                sources=sources,
                signals=each,
                reason=f"said {each.agreeing} times of {each.statements}, under no condition otherwise",
            )
        )
    return tuple(found)


def _order(statement: Statement) -> tuple[datetime, str, str]:
    return statement.at, statement.note, statement.value


def _counted(name: str, history: Sequence[Statement]) -> Signals | None:
    plain = [each for each in history if not each.condition]
    affirmed = [each for each in plain if each.positive]
    if not affirmed:
        return None
    value = affirmed[-1].value
    agreeing = [each for each in plain if _same(each, value)]
    otherwise = [each.at for each in plain if not _same(each, value) and not _compatible(each, value)]
    unbroken = [each for each in agreeing if not otherwise or each.at > otherwise[-1]] or agreeing[-1:]
    return Signals(
        attribute=name,
        value=value,
        statements=len(plain),
        agreeing=len(agreeing),
        stability=len(agreeing) / (len(agreeing) + len(otherwise)),
        drift=_drift([each.value for each in affirmed]),
        variance=len({each.condition for each in history if each.condition and not _same(each, value)}),
        since=unbroken[0].at,
        last=agreeing[-1].at,
    )


def _same(statement: Statement, value: str) -> bool:
    return statement.positive and statement.value == value


def _compatible(statement: Statement, value: str) -> bool:
    """Tell whether a denial leaves a value as it is: no window seat, so the aisle."""
    return not statement.positive and statement.value != value


def _agrees(statement: Statement, shown: Signals) -> bool:
    return (
        statement.attribute == shown.attribute and not statement.condition and _same(statement, shown.value)
    )


def _drift(values: Sequence[str]) -> float:
    numbers = [float(found.group()) for value in values if (found := _NUMBER.search(value))]
    if len(numbers) == len(values) and numbers[0]:
        return (numbers[-1] - numbers[0]) / abs(numbers[0])
    changes = sum(one != other for one, other in pairwise(values))
    return changes / (len(values) - 1) if len(values) > 1 else 0.0


def _spoken(text: str, value: str) -> str:
    """Return the words of a text whose stems make a value, as they are written."""
    wanted = value.split(" ")
    written = [(found.group(), stems(found.group())) for found in _WRITTEN.finditer(text)]
    for start in range(len(written)):
        for end in range(start + 1, min(len(written), start + len(wanted)) + 1):
            if [each for _, found in written[start:end] for each in found] == wanted:
                return " ".join(word for word, _ in written[start:end])
    return value


def _means(field: Field, name: str) -> bool:
    """Tell whether a field is for an attribute: by the words of its name or of an alias."""
    own = frozenset(stem(word) for word in words(name.removeprefix(SINGLE)))
    names = [own, *(frozenset(phrase) for phrase in phrases(_ALSO.get(name, "")))]
    return any(_name_words(each) in names for each in (field.name, *field.aliases))


def _name_words(name: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(name.replace("_", " "))) - _GENERIC


def _typed(field: Field, value: str) -> Any:
    """Return a value as the field's type has it, or None where it cannot be."""
    if field.choices:
        return next((each for each in field.choices if stem(each.casefold()) == stem(value)), None)
    match field.type:
        case "string":
            return value
        case "integer" | "number":
            found = _NUMBER.search(value)
            if found is None or Counter(_NUMBER.findall(value)).total() != 1:
                return None
            return int(float(found.group())) if field.type == "integer" else float(found.group())
        case "boolean":
            return {"yes": True, "true": True, "no": False, "false": False}.get(value)
