"""Minimal units of work for store tests: they write and list marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.storage.work import Statement

if TYPE_CHECKING:
    import threading
    from collections.abc import Sequence

    from bethink.storage.work import Rows, Work

TENANT = "default"

_PUT = """insert into tombstones (tenant_id, kind, digest, revision, at)
values (:tenant, 'mark', :digest, :revision, 0)"""
_LIST = "select digest, revision from tombstones where tenant_id = :tenant and kind = 'mark' order by digest"


def mark(*names: str) -> Work[int]:
    """Write a row a name."""
    for name in names:
        yield Statement(_PUT, {"tenant": TENANT, "digest": name, "revision": 1})
    return len(names)


def mark_many(names: Sequence[str]) -> Work[int]:
    """Write a row a name, by one statement."""
    rows = [{"tenant": TENANT, "digest": name, "revision": 1} for name in names]
    yield Statement(_PUT, {}, rows)
    return len(names)


def marks() -> Work[list[str]]:
    """List what was marked."""
    rows = yield Statement(_LIST, {"tenant": TENANT})
    return [name for name, _ in rows]


def mark_then_raise(name: str, error: Exception) -> Work[None]:
    """Write a row, then think better of it."""
    yield from mark(name)
    yield from marks()
    raise error


def ask(text: str, **params: Any) -> Work[Rows]:
    """Run one statement."""
    return (yield Statement(text, {"tenant": TENANT, **params}))


def gated(gate: threading.Event, name: str) -> Work[str]:
    """Write a row, and hold the transaction open until a gate opens."""
    yield from mark(name)
    yield from marks()
    gate.wait(30)
    return name


def look_twice(first: threading.Event, between: threading.Event) -> Work[tuple[list[str], list[str]]]:
    """Read, let somebody else write where the store allows it, and read again."""
    before = yield from marks()
    first.set()
    between.wait(0.2)
    return before, (yield from marks())
