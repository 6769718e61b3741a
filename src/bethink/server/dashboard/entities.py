"""Group notes by the entities that they mention: people, places, projects."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bethink.languages.tokenizer import fold
from bethink.server.dashboard.entity_extraction import NameMention, names
from bethink.server.dashboard.labels import since

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bethink.notes.values import Note
    from bethink.server.dashboard.entity_extraction import Kind

HEADS: Final[Mapping[Kind, str]] = {
    "person": "People",
    "place": "Places",
    "project": "Projects and work",
    "other": "Other names",
}
MOST_SHOWN: Final = 60  #: maximum entities of one kind
MOST_NOTES: Final = 8  #: of one of them, in the list; the notes' search has the rest
MOST_BESIDE: Final = 6
#: fields of a profile whose value is a name, by the last part of their path
_FIELDS: Final[Mapping[str, Kind]] = {
    "home_city": "place", "city": "place", "hometown": "place", "country": "place", "location": "place",
    "home": "place", "residence": "place", "employer": "project", "company": "project", "project": "project",
    "partner": "person", "spouse": "person", "wife": "person", "husband": "person", "manager": "person",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Somebody or something that notes name."""

    name: str
    kind: Kind
    role: str = ""  #: relation to the user, such as "sister"
    anchor: str = ""  #: its id on a page
    notes: tuple[Note, ...] = ()  #: the newest first
    fields: tuple[str, ...] = ()  #: of the profile, which say the name
    beside: tuple[tuple[str, str], ...] = ()  #: anchor and name of what stands in the same notes


@dataclass(slots=True)
class _Gathered:
    """What is being gathered of one name."""

    written: Counter[str] = field(default_factory=Counter[str])
    kinds: Counter[Kind] = field(default_factory=Counter["Kind"])
    roles: Counter[str] = field(default_factory=Counter[str])
    notes: dict[str, Note] = field(default_factory=dict[str, "Note"])
    fields: list[str] = field(default_factory=list[str])
    sure: bool = False  #: it was a name where not every word has a capital

    @property
    def kind(self) -> Kind:
        return self.kinds.most_common(1)[0][0] if self.kinds else "other"

    @property
    def name(self) -> str:
        return self.written.most_common(1)[0][0]


def known(notes: Sequence[Note], fields: Mapping[str, Any] | None = None) -> dict[Kind, list[Entity]]:
    """Return what notes and a profile name, by kind, the most noted first."""
    gathered: dict[str, _Gathered] = defaultdict(_Gathered)
    roles: dict[str, _Gathered] = defaultdict(_Gathered)
    for note in notes:
        for each in _named(note):
            _add(gathered[fold(each.name)] if each.name else roles[each.role], each, note)
    for path, value, kind in _statements(fields or {}):
        one = gathered[fold(value)]
        one.written[value] += 1
        one.kinds[kind] += 1
        one.fields.append(path)
        one.sure = True
    _join(gathered, roles)
    found = {key: one for key, one in gathered.items() if one.sure}
    return _ordered(found)


def _named(note: Note) -> Iterator[NameMention]:
    yield from names(note.text)
    if note.speaker:
        yield NameMention(note.speaker, "person")


def _add(one: _Gathered, each: NameMention, note: Note) -> None:
    one.written[each.name or each.role.capitalize()] += 1
    if each.kind != "other":
        one.kinds[each.kind] += 3 if each.role else 1  # "her sister Lena" is surer than "visited Lena"
    if each.role:
        one.roles[each.role] += 1
    one.notes[note.id] = note
    one.sure = one.sure or not each.first


def _join(gathered: dict[str, _Gathered], roles: dict[str, _Gathered]) -> None:
    """Give what is said of "my wife" to the wife whose name is known; where that is nobody, she has no other name."""
    for role, one in roles.items():
        named = [each for each in gathered.values() if role in each.roles and each.sure]
        if len(named) == 1:
            named[0].notes |= one.notes
        else:
            gathered[f"={role}"] = one


def _statements(fields: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str, Kind]]:
    for name, value in fields.items():
        here = f"{path}/{name}" if path else name
        if isinstance(value, dict):
            yield from _statements(value, here)  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(value, str) and value.strip() and (kind := _FIELDS.get(fold(name))):
            yield here, value.strip()[:100], kind


def _ordered(found: Mapping[str, _Gathered]) -> dict[Kind, list[Entity]]:
    """Return what was gathered as it is shown: by kind, the most noted first, each linked to what stands beside it."""
    shown: dict[Kind, list[str]] = {
        kind: sorted(
            (key for key, one in found.items() if one.kind == kind),
            key=lambda key: (-len(found[key].notes), key),
        )[:MOST_SHOWN]
        for kind in HEADS
    }
    anchors = {
        key: f"known-{number}" for number, key in enumerate(key for keys in shown.values() for key in keys)
    }
    holding: dict[str, list[str]] = defaultdict(list)
    for key in anchors:
        for note in found[key].notes:
            holding[note].append(key)
    return {
        kind: [_known(key, found, anchors, holding) for key in keys] for kind, keys in shown.items() if keys
    }


def _known(
    key: str, found: Mapping[str, _Gathered], anchors: Mapping[str, str], holding: Mapping[str, list[str]]
) -> Entity:
    one = found[key]
    beside = Counter(other for note in one.notes for other in holding[note] if other != key)
    return Entity(
        name=one.name,
        kind=one.kind,
        role="" if key.startswith("=") else next(iter(one.roles), ""),
        anchor=anchors[key],
        notes=tuple(sorted(one.notes.values(), key=since, reverse=True)),
        fields=tuple(one.fields),
        beside=tuple((anchors[other], found[other].name) for other, _ in beside.most_common(MOST_BESIDE)),
    )


def count(found: Mapping[Kind, Sequence[Entity]]) -> int:
    """Return how many there are in all."""
    return sum(map(len, found.values()))
