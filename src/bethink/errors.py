"""Every exception, drawn as a tree.

BethinkError
├── InvalidError      an argument is not acceptable
├── RefusedError      the guard blocked a text; carries its verdict
├── DeniedError       the principal may not do this
├── NotFoundError     the thing named is not there
├── ConflictError     the thing changed since it was read
├── LimitError        a bound was exceeded
├── StorageError      the store could not do it; says what happened to the write
├── ModelError        a chat or embedding model failed
└── ClosedError       the handle was closed, or belongs to another process

Attributes carry the facts; the sentence tells the reader the next step. No attribute holds memory text.
"""

from __future__ import annotations

from typing import Any


class BethinkError(Exception):
    """Anything that Bethink raises on purpose."""

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.facts: dict[str, Any] = facts

    def __getattr__(self, name: str) -> Any:
        facts = self.__dict__.get("facts", {})
        if name in facts:
            return facts[name]
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), str(self), self.facts)


def _rebuild(kind: type[BethinkError], message: str, facts: dict[str, Any]) -> BethinkError:
    return kind(message, **facts)


class InvalidError(BethinkError, ValueError):
    """An argument is not acceptable; `argument` names it."""


class RefusedError(BethinkError):
    """The guard blocked a text; `verdict` says why."""


class DeniedError(BethinkError):
    """The principal may not do this; `principal`, `right` and `namespace` say what was missing."""

    unseen: bool = False  #: the principal may do nothing at all there, and is not to know whether it exists


class NotFoundError(BethinkError, LookupError):
    """The thing named is not there, or not for this scope; `kind` and `id` name it."""

    unseen: bool = False  #: it may be there for others, who are not told apart from those for whom it is not


class ConflictError(BethinkError):
    """The thing changed since it was read; `expected` and `actual` are revisions."""


class LimitError(BethinkError):
    """A bound was exceeded; `limit` and `actual` are counts of `unit`."""


class StorageError(BethinkError):
    """The store could not do it; `outcome` is `none`, `applied` or `unknown`: what became of the write."""


class ModelError(BethinkError):
    """A chat or embedding model failed; `provider` and `reason` say how."""


class ClosedError(BethinkError, RuntimeError):
    """The handle was closed, or belongs to the parent of this process."""
