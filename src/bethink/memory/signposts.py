"""Errors for names and arguments of other libraries, which say what they are called here."""

from __future__ import annotations

import functools
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, Final

from bethink import foreign_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: By the kind of handle: what other libraries call its verbs.
_FOREIGN: Final[Mapping[str, Mapping[str, str]]] = {
    "Memory": foreign_names.MEMORY,
    "Scope": foreign_names.SCOPE,
    "Session": foreign_names.SESSION,
    "ProfileHandle": foreign_names.PROFILE,
    "Records": foreign_names.RECORDS,
}
#: By the kind of handle: how the others are reached from there.
_REACHED: Final[Mapping[str, Mapping[str, str]]] = {
    "Memory": {"scope": "memory.scope(user=…)", "session": "memory.scope(user=…).session(name)"},
    "Scope": {"session": "scope.session(name)", "memory": "memory"},
    "Session": {"scope": "session.scope", "memory": "memory"},
}
#: Handles that a scope or a memory has, beside its verbs.
_HANDLES: Final[Mapping[str, frozenset[str]]] = {
    "scope": frozenset({"session", "profile", "records", "documents", "tools", "workspace", "notebook"}),
    "memory": frozenset({"scope", "pool", "pools", "team", "teams", "acting_as", "profile_schema"}),
}
_NAMED: Final = 4  #: arguments that an error names as examples


class Signposts:
    """A handle that tells what a wrong name or argument is called here."""

    __slots__ = ()

    if not TYPE_CHECKING:  # a type checker is to see the names that are there, and no others

        def __getattr__(self, name: str) -> Any:
            """Say what to write instead of a name that other libraries, or other handles, have."""
            problem = f"{type(self).__name__!r} object has no attribute {name!r}"
            hint = None if name.startswith("_") else _name_hint(_kind(type(self)), name)
            raise AttributeError(f"{problem}; {hint}" if hint else problem, name=name, obj=self)

        def __init_subclass__(cls, **kwargs: Any) -> None:
            super().__init_subclass__(**kwargs)
            for name, verb in vars(cls).copy().items():
                if not callable(verb) or isinstance(verb, type | staticmethod):
                    continue
                # of constructors, those alone that users call: they take the address of a database
                if name[0] != "_" or (name == "__init__" and "url" in _arguments(verb)[0]):
                    setattr(cls, name, _signposted(verb))


def _kind(cls: type) -> str:  # pyright: ignore[reportUnusedFunction] - of what a type checker does not see
    """Return which handle a class is, on both faces and in subclasses."""
    names = [each.__name__.removeprefix("Async") for each in cls.__mro__]
    return next((name for name in names if name in _FOREIGN), names[0])


def _name_hint(kind: str, name: str) -> str | None:
    """Return what to write instead of a name that a handle does not have; None where nothing is like it."""
    if name in _FOREIGN.get(kind, ()):
        return _FOREIGN[kind][name]
    if kind == "ProfileHandle":
        return f"get().fields[{name!r}] is a field of the profile"
    if kind not in _REACHED:
        return None
    if kind == "Memory" and name in foreign_names.SCOPE:
        return f"on a scope, memory.scope(user=…), {foreign_names.SCOPE[name]}"
    from bethink.verbs import VERBS

    other = next(
        (each for each in _REACHED[kind] if f"{each}.{name}" in VERBS or name in _HANDLES.get(each, ())), None
    )
    return None if other is None else f"it belongs to the {other}: {_REACHED[kind][other]}.{name}"


def _signposted(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Return a verb that says, of an argument that it lacks, what it is called here."""

    @functools.wraps(verb)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return verb(*args, **kwargs)
        except TypeError as error:
            hint = _hint(verb, error)
            if hint is None:
                raise
            raise TypeError(f"{error}; {hint}") from None

    @functools.wraps(verb)
    async def awaited(*args: Any, **kwargs: Any) -> Any:
        try:
            begun = verb(*args, **kwargs)
        except TypeError as error:  # of the arguments: nothing of the verb was run
            hint = _hint(verb, error)
            raise TypeError(f"{error}; {hint}" if hint else str(error)) from None
        return await begun

    return awaited if iscoroutinefunction(verb) else called


def _hint(verb: Callable[..., Any], error: TypeError) -> str | None:
    """Return what a wrong argument is called here; None where the error is another one."""
    problem, called = str(error), verb.__qualname__ + "()"
    if not problem.startswith(called):
        return None
    problem = problem.removeprefix(called)
    first, others = _arguments(verb)
    if problem.startswith(" got an unexpected keyword argument "):
        return foreign_names.argument_hint(problem.split("'")[1], first, others)
    if problem.startswith(" missing ") and "positional" in problem:
        return foreign_names.MISSING.get(problem.split("'")[1])
    if problem.startswith(" takes ") and " positional argument" in problem and others:
        named = ", ".join([*first, *(f"{each}=…" for each in others[:_NAMED])])
        return f"pass the others by name: ({named}{', …' if len(others) > _NAMED else ''})"
    return None


def _arguments(verb: Callable[..., Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the public arguments of a method: those by position, and those by name alone."""
    code = verb.__code__
    positional, total = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames
    return names[1:positional], tuple(each for each in names[positional:total] if not each.startswith("_"))
