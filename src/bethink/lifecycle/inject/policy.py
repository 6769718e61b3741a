"""The words that tell a model how to take what memory tells it."""

from __future__ import annotations

from functools import cache

FULL = "policy.md"
BRIEF = "policy_brief.md"  #: where the budget has no room for the full one


@cache
def default_policy(name: str = FULL) -> str:
    """Return our own policy, full or brief."""
    from importlib.resources import files

    return (files("bethink.lifecycle.inject") / name).read_text(encoding="utf-8").strip()
