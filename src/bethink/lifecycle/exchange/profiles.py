"""Merge an imported profile into the stored one, value by value, with provenance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bethink.lifecycle.exchange.values import Loss
from bethink.state.merge import json_equal, merge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.state.values import Profile


def join(here: Profile, brought: Profile, *, dated: bool) -> tuple[Profile, list[Loss]]:
    """Return the profile that comes of both, and which values stay as they are because ours outweigh them.

    Where the file does not say when (`dated` is false), a value that is here already says nothing new.
    """
    after, losses = here, list[Loss]()
    for name, origin in brought.provenance.items():
        path = tuple(part.replace("~1", "/").replace("~0", "~") for part in name.split("/"))
        value = None if origin.removed else _at(brought.fields, path)
        if value is None and not origin.removed:
            continue
        if not dated and json_equal(_at(here.fields, path), value):
            continue
        merged = merge(after, _nested(path, value), origin)
        losses += [Loss(kind="profile", reason="newer here", id=refused.path) for refused in merged.refused]
        after = merged.profile
    return after, losses


def _at(fields: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    here: Any = fields
    for name in path:
        if not isinstance(here, dict):
            return None
        here = cast("dict[str, Any]", here).get(name)
    return here


def _nested(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    for name in reversed(path):
        value = {name: value}
    return cast("dict[str, Any]", value)
