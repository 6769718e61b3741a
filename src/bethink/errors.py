"""Every exception of Bethink, drawn as a tree.

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

Attributes carry the facts; the sentence tells the reader the next step. Each class declares what its errors may carry:
an attribute that does not apply is None. `facts` has those that do, by name. No attribute holds memory text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Protocol

    class Verdict(Protocol):
        """What the guard says of a text: `bethink.Verdict`, as far as errors speak of it."""

        @property
        def action(self) -> str:
            """What is to be done: redact, quarantine or block."""
            ...

        @property
        def reasons(self) -> tuple[str, ...]:
            """The categories of what was found."""
            ...


class BethinkError(Exception):
    """Anything that Bethink raises on purpose."""

    facts: dict[str, Any]
    sentence: str  #: without the hint at a verb, which each interface spells in its own language
    type: str | None = None  #: type of a problem that another process reported
    missing: Any = None  #: a package that is not installed, or migrations that were not applied

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.sentence = message
        self.facts = facts
        for name, value in facts.items():
            setattr(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.__class__, self.sentence, self.facts)


_LISTED = frozenset({"note", "session", "plan"})


def _rebuild(kind: type[BethinkError], message: str, facts: dict[str, Any]) -> BethinkError:
    return kind(message, **facts)


class InvalidError(BethinkError, ValueError):
    """An argument is not acceptable."""

    argument: str | None = None  #: name of the argument
    actual: Any = None  #: its value, unless that is memory text
    expected: Any = None
    limit: int | None = None  #: the bound that it is beyond
    reason: str | None = None
    fields: Any = None  #: profile fields that the schema refuses
    path: str | None = None  #: of the file that cannot be read as what it should be
    place: Any = None  #: position in that file
    line: int | None = None  #: of that file


class RefusedError(BethinkError):
    """The guard blocked a text."""

    verdict: Verdict  #: why


class DeniedError(BethinkError):
    """The principal may not do this."""

    principal: str | None = None  #: who asked
    right: str | None = None  #: the missing right: read, write, delete or admin
    namespace: str | None = None  #: where
    unseen: bool = False  #: it may exist for others; the caller cannot tell the difference


class NotFoundError(BethinkError, LookupError):
    """The thing named is not there, or not for this scope."""

    kind: str | None = None  #: note, item, session, plan, …
    id: Any = None  #: the name or the id that was asked for
    unseen: bool = False  #: it may be there for others, who are not told apart from those for whom it is not

    @property
    def listed_by(self) -> str | None:
        """The verb that lists what there is of this kind, if one does: notes, sessions, plans."""
        return f"{self.kind}s" if self.kind in _LISTED else None

    def __str__(self) -> str:
        return f"{self.sentence}; {self.listed_by}() lists them" if self.listed_by else self.sentence


class ConflictError(BethinkError):
    """The thing changed since it was read, or is taken."""

    expected: Any = None  #: a revision or a count
    actual: Any = None  #: what was there instead
    reason: str | None = None
    until: datetime | None = None  #: when a lease that is held elsewhere ends at the latest
    id: str | None = None
    name: str | None = None  #: the name that is taken
    session: str | None = None
    operation: str | None = None  #: the operation id that was used for something else
    at: Any = None
    tenant: str | None = None
    table: str | None = None
    tables: Sequence[str] | None = None
    path: str | None = None
    state: str | None = None  #: its current state
    plan: str | None = None
    namespace: str | None = None
    key: str | None = None


class LimitError(BethinkError):
    """A bound was exceeded."""

    limit: int | None = None
    actual: int | None = None
    unit: str | None = None  #: unit of both: bytes, notes, runs, …
    argument: str | None = None
    path: str | None = None


class StorageError(BethinkError):
    """The store could not do it."""

    outcome: Literal["none", "applied", "unknown"] | None = None  #: what became of the write
    reason: str | None = None  #: disk full, busy, damaged row, older schema, …
    expected: Any = None
    actual: Any = None
    code: Any = None  #: the engine's own
    note: str | None = None
    version: int | None = None
    attempts: int | None = None
    role: str | None = None  #: PostgreSQL role
    path: str | None = None  #: of the file that cannot be written
    limit: int | None = None
    complaints: Sequence[str] | None = None
    tables: Sequence[str] | None = None


class ModelError(BethinkError):
    """A chat or embedding model failed."""

    provider: str | None = None
    reason: str | None = None  #: unavailable, refused, timeout, shape, …
    calls: int | None = None


class ClosedError(BethinkError, RuntimeError):
    """The handle was closed, or belongs to the parent of this process."""

    reason: str | None = None
