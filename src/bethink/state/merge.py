"""Merge what is newly known into a profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from bethink.state.values import Profile, Provenance

if TYPE_CHECKING:
    from datetime import datetime


def update(profile: Profile, changes: Mapping[str, Any], *, source: str, at: datetime, by: str) -> Profile:
    """Return a profile with some fields set: None removes one, nested fields are merged by name.

    A field that holds since a later instant stays as it is.
    """
    fields, provenance = dict(profile.fields), dict(profile.provenance)
    for name, value in changes.items():
        known = provenance.get(name)
        if known is not None and known.at > at:
            continue
        merged = _merged(fields.get(name), value)
        if merged is None:
            fields.pop(name, None)
            provenance.pop(name, None)
        else:
            fields[name] = merged
            provenance[name] = Provenance(source=source, at=at, by=by)
    return replace(profile, fields=fields, provenance=provenance)


def _merged(before: Any, value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    nested = dict(cast("Mapping[str, Any]", before)) if isinstance(before, Mapping) else {}
    for name, each in cast("Mapping[str, Any]", value).items():
        inner = _merged(nested.get(name), each)
        if inner is None:
            nested.pop(name, None)
        else:
            nested[name] = inner
    return nested
