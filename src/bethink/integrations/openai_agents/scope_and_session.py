"""Resolve the scope and the session of a run: fixed, or taken from the run's context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from bethink.errors import InvalidError
from bethink.memory.scope import AsyncScope

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents import RunContextWrapper

    from bethink.memory.session import AsyncSession

    ScopeChoice: TypeAlias = AsyncScope | Callable[[RunContextWrapper[Any]], AsyncScope]
    SessionChoice: TypeAlias = (
        str | AsyncSession | Callable[[RunContextWrapper[Any]], str | AsyncSession] | None
    )


def scope_in(choice: ScopeChoice, context: RunContextWrapper[Any]) -> AsyncScope:
    """Return the scope of a run.

    Raises:
        InvalidError: this is no scope.
    """
    scope = choice if isinstance(choice, AsyncScope) else choice(context)
    if not isinstance(scope, AsyncScope):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(
            "scope must be a scope of an AsyncMemory, or a function that returns one", argument="scope"
        )
    return scope


def session_name(choice: SessionChoice, context: RunContextWrapper[Any]) -> str | None:
    """Return the id of a run's session; None where it has none."""
    named = choice(context) if callable(choice) else choice
    return named if named is None or isinstance(named, str) else named.session_id
