"""Promote steady preferences from notes to profile fields, where the application's schema has a field."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

from bethink.errors import InvalidError
from bethink.lifecycle.plans import FieldChange
from bethink.state.merge import update

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import BaseModel

    from bethink.lifecycle.consolidate.promotion import Field
    from bethink.notes.values import Note
    from bethink.state.schema import ProfileSchema
    from bethink.state.values import Profile

_TYPES: dict[Any, Literal["string", "integer", "number", "boolean"]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
}


def promoted_fields(
    schema: ProfileSchema, past: Sequence[Note], profile: Profile
) -> tuple[tuple[FieldChange, ...], Profile | None]:
    """Return the fields that the past settles, and the profile with them in it; None where nothing changes.

    Without a schema there are no fields to fill: notes stay notes.
    """
    if schema.model is None:
        return (), None
    from bethink.lifecycle.consolidate.promotion import statements, suggest

    changes: list[FieldChange] = []
    after = profile
    for each in suggest(fields_of(schema.model), statements(past), profile=profile.fields):
        origin = each.provenance
        filled = update(after, {each.field: each.value}, source=origin.source, at=origin.at, by=origin.by)
        try:
            schema.check(filled.fields)
        except InvalidError:
            continue  # the schema admits other values: the note stays a note
        if filled.fields == after.fields:
            continue  # somebody more trusted said otherwise
        after = filled
        changes.append(
            FieldChange(
                field=each.field,
                value=each.value,
                source=origin.source,
                at=origin.at,
                sources=each.sources,
                reason=each.reason,
            )
        )
    return tuple(changes), after if changes else None


def fields_of(model: type[BaseModel]) -> list[Field]:
    """Return the fields of a schema that one plain value can fill."""
    from bethink.lifecycle.consolidate.promotion import Field

    found: list[Field] = []
    for name, described in model.model_fields.items():
        kind = _plain(described.annotation)
        if get_origin(kind) is Literal:
            choices = tuple(str(each) for each in get_args(kind))
            found.append(Field(name=name, aliases=_aliases(described), choices=choices))
        elif kind in _TYPES:
            found.append(Field(name=name, aliases=_aliases(described), type=_TYPES[kind]))
    return found


def _plain(annotation: Any) -> Any:
    """Return what an optional annotation is when it is not None."""
    if get_origin(annotation) in {Union, UnionType}:
        rest = [each for each in get_args(annotation) if each is not NoneType]
        return rest[0] if len(rest) == 1 else None
    return annotation


def _aliases(described: Any) -> tuple[str, ...]:
    return tuple(each for each in (described.alias, described.title) if isinstance(each, str))
