"""Resolve which user a LangChain run is for: fixed, or taken from the run's context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from langgraph.config import get_config
from langgraph.runtime import get_runtime

from bethink.integrations.learning import run_user


@dataclass(frozen=True, slots=True)
class RunUser:
    """How the user of a run is found: the one that is given, else the field `key` of its context or `configurable`."""

    user: str | None
    key: str | None

    def found(self) -> str | None:
        """Return the user of the run that goes on; None where users are not told apart.

        Raises:
            InvalidError: the run names no user.
        """
        if self.user is not None or self.key is None:
            return self.user
        given = _field(_context(), self.key)
        given = _configurable().get(self.key) if given is None else given
        return run_user(None, self.key, given, f"context={{{self.key!r}: …}}, or configurable[{self.key!r}]")


def thread_id() -> str | None:
    """Return the thread of the run that goes on; None where it has none."""
    named = _configurable().get("thread_id")
    return None if named is None else str(named)


def _field(context: Any, key: str) -> Any:
    if isinstance(context, Mapping):
        return cast("Mapping[str, Any]", context).get(key)
    return getattr(context, key, None)


def _context() -> Any:
    try:
        runtime = get_runtime()
    except (RuntimeError, KeyError):
        return None
    return getattr(runtime, "context", None)


def _configurable() -> Mapping[str, Any]:
    try:
        return get_config().get("configurable", {})
    except RuntimeError:
        return {}
