"""Merge a patch into a profile, field by field, with provenance.

A value stands against a new one by how far its source is trusted, then by the time since which it holds: what an
agent guessed never replaces what a user said, and of equally trusted values the later one wins, whichever was
written first. On the same instant the new one wins. So the same updates give the same values in any order, as
long as no two hold since the same instant. A removed value keeps its provenance: older news does not revive it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from bethink.errors import InvalidError, LimitError
from bethink.state.values import FieldChange, Merged, Profile, Provenance, RefusedField

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

Path: TypeAlias = tuple[str, ...]
Tree: TypeAlias = dict[str, Any]

DEEPEST = 32  #: levels of nesting
LONGEST_NAME = 128  #: characters of one name

#: user, import and system are somebody's word or record; a tool's result and an agent's guess are neither
_TRUST = {"system": 3, "user": 3, "import": 3, "tool": 2, "agent": 1}
_GONE = object()


def update(profile: Profile, changes: Mapping[str, Any], *, source: str, at: datetime, by: str) -> Profile:
    """Return a profile with some fields set: None removes one, nested fields are merged by name.

    A value stays as it is where its source is more trusted, or where it holds since a later instant.
    """
    return merge(profile, changes, Provenance(source=source, at=at, by=by)).profile


def merge(profile: Profile, changes: Mapping[str, Any], provenance: Provenance) -> Merged:
    """Return what becomes of a profile by an update, value by value.

    Raises:
        InvalidError: a name is empty, or is no text.
        LimitError: a name is too long, or the fields are nested too deep.
    """
    check_fields(changes)
    merging = _Merging(profile, provenance)
    for path, value in _leaves(changes):
        merging.put(path, value)
    if not merging.changes:
        return Merged(profile=profile, refused=tuple(merging.refused))
    after = replace(profile, fields=merging.fields, provenance=merging.provenance)
    return Merged(profile=after, changes=tuple(merging.changes), refused=tuple(merging.refused))


def check_fields(changes: Mapping[str, Any]) -> None:
    """Make sure that fields can be written as a profile.

    Raises:
        InvalidError: a name is empty, or is no text.
        LimitError: a name is too long, or the fields are nested too deep.
    """
    waiting: list[tuple[Any, int]] = [(changes, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEEPEST:
            raise LimitError(
                f"the profile is nested more than {DEEPEST} levels deep; flatten it",
                limit=DEEPEST,
                actual=depth,
                unit="levels",
            )
        if isinstance(value, Mapping):
            for name, inner in cast("Mapping[Any, Any]", value).items():
                _check_name(name)
                waiting.append((inner, depth + 1))
        elif isinstance(value, list | tuple):
            waiting += [(inner, depth + 1) for inner in cast("list[Any]", value)]


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not name:
        raise InvalidError("the name of a field must be a non-empty str", argument="fields")
    if len(name) > LONGEST_NAME:
        raise LimitError(
            f"the name of a field has {len(name)} characters, but at most {LONGEST_NAME} are allowed",
            limit=LONGEST_NAME,
            actual=len(name),
            unit="characters",
        )


def diff(before: Profile, after: Profile) -> tuple[FieldChange, ...]:
    """Return what is different between two versions, in the order of the fields."""
    old, new = dict(_leaves(before.fields)), dict(_leaves(after.fields))
    found: list[FieldChange] = []
    for path in dict.fromkeys([*old, *new]):
        name = field_path(path)
        if path not in new:
            found.append(FieldChange(path=name, kind="removed", before=old[path]))
        elif path not in old:
            found.append(FieldChange(path=name, kind="set", after=new[path]))
        elif not json_equal(old[path], new[path]):
            found.append(FieldChange(path=name, kind="changed", before=old[path], after=new[path]))
        elif before.provenance.get(name) != after.provenance.get(name):
            found.append(FieldChange(path=name, kind="confirmed", before=old[path], after=new[path]))
    return tuple(found)


def trust(source: str) -> int:
    """Return how far a source is trusted: greater is more, and an unknown one is trusted least."""
    return _TRUST.get(source, 0)


def field_path(path: Path) -> str:
    """Write a path as one name."""
    return "/".join(name.replace("~", "~0").replace("/", "~1") for name in path)


def json_equal(one: Any, other: Any) -> bool:
    """Tell whether two JSON values are equal, where `true` is not 1."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        ours, theirs = cast("list[Any]", one), cast("list[Any]", other)
        return len(ours) == len(theirs) and all(
            json_equal(mine, its) for mine, its in zip(ours, theirs, strict=True)
        )
    if isinstance(one, dict):
        mine, its = cast("Tree", one), cast("Tree", other)
        return mine.keys() == its.keys() and all(json_equal(mine[name], its[name]) for name in mine)
    return bool(one == other)


def _leaves(tree: Mapping[str, Any], above: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every value that is not itself made of fields, with its path."""
    for name, value in tree.items():
        path = (*above, name)
        if isinstance(value, Mapping) and value:
            yield from _leaves(cast("Mapping[str, Any]", value), path)
        else:
            yield path, value


class _Merging:
    """An update under way."""

    def __init__(self, profile: Profile, of_changes: Provenance) -> None:
        self.fields = _copied(profile.fields)
        self.provenance = dict(profile.provenance)
        self.of_changes = of_changes
        self.changes: list[FieldChange] = []
        self.refused: list[RefusedField] = []

    def put(self, path: Path, value: Any) -> None:
        """Set, confirm or remove one value, unless what is there stands against it."""
        before = self._at(path)
        if isinstance(before, dict) and isinstance(value, Mapping):
            return  # an empty mapping merged into fields says nothing
        if value is None and isinstance(before, dict) and before:
            for inner, _ in list(_leaves(cast("Tree", before), path)):
                self._set(inner, None)
            if self._against(path) is None:
                self.provenance[field_path(path)] = replace(self.of_changes, removed=True)
                self._prune(path)
            return
        self._set(path, value)

    def _set(self, path: Path, value: Any) -> None:
        name, before = field_path(path), self._at(path)
        stored = self._against(path)
        if stored is not None:
            if not json_equal(before, value):
                because = "older" if trust(stored.source) <= trust(self.of_changes.source) else "less trusted"
                self.refused.append(RefusedField(path=name, because=because, standing=stored))
            return
        stamped = replace(self.of_changes, removed=value is None)
        if self.provenance.get(name) == stamped and (
            json_equal(before, value) or (value is None and before is _GONE)
        ):
            return
        for inner in [each for each in self.provenance if each.startswith(f"{name}/")]:
            del self.provenance[inner]
        self.provenance[name] = stamped
        if value is None:
            self._remove(path)
            if before is not _GONE:
                self.changes.append(FieldChange(path=name, kind="removed", before=before))
            else:
                self.changes.append(FieldChange(path=name, kind="confirmed"))
            return
        self._place(path, value)
        if before is _GONE:
            self.changes.append(FieldChange(path=name, kind="set", after=value))
        else:
            kind = "confirmed" if json_equal(before, value) else "changed"
            self.changes.append(FieldChange(path=name, kind=kind, before=before, after=value))

    def _against(self, path: Path) -> Provenance | None:
        """Return the strongest provenance, at this path, above it or below it, that outweighs what is told."""
        name = field_path(path)
        above = [field_path(path[:depth]) for depth in range(1, len(path) + 1)]
        stored = [self.provenance[each] for each in above if each in self.provenance]
        stored += [origin for each, origin in self.provenance.items() if each.startswith(f"{name}/")]
        strongest = max(stored, key=_weight, default=None)
        return strongest if strongest is not None and _weight(strongest) > _weight(self.of_changes) else None

    def _at(self, path: Path) -> Any:
        here: Any = self.fields
        for name in path:
            if not isinstance(here, dict) or name not in here:
                return _GONE
            here = cast("Tree", here)[name]
        return here

    def _place(self, path: Path, value: Any) -> None:
        *above, last = path
        here, outside = self.fields, list[str]()
        for name in above:
            outside.append(name)
            inner = here.get(name)
            if not isinstance(inner, dict):
                if name in here:
                    self.provenance.pop(field_path(tuple(outside)), None)
                inner = here[name] = {}
            here = cast("Tree", inner)
        here[last] = _copied(cast("Tree", value)) if isinstance(value, Mapping) else value

    def _remove(self, path: Path) -> None:
        *above, last = path
        parent = self._at(tuple(above))
        if isinstance(parent, dict) and last in parent:
            del cast("Tree", parent)[last]
            self._prune(tuple(above))

    def _prune(self, path: Path) -> None:
        """Take away mappings that a removal left empty."""
        while path and self._at(path) == {}:
            *above, last = path
            path = tuple(above)
            cast("Tree", self._at(path)).pop(last, None)


def _copied(tree: Mapping[str, Any]) -> Tree:
    return {
        name: _copied(cast("Tree", value)) if isinstance(value, Mapping) else value
        for name, value in tree.items()
    }


def _weight(provenance: Provenance) -> tuple[int, datetime]:
    return trust(provenance.source), provenance.at
