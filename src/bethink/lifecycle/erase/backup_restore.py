"""Restore a backup; what was deleted since the backup was made is deleted again by its tombstones."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bethink.errors import ConflictError, StorageError
from bethink.ids import Ids, receipt_id
from bethink.lifecycle.erase.service import verify
from bethink.lifecycle.erase.tombstone_replay import erase_again, notes_of_sessions
from bethink.scope.tombstones import all_tombstones
from bethink.scope.transactions import Writing
from bethink.storage.backup import (
    check_database_file,
    deletions,
    file_of,
    remove,
    set_aside,
    stage_copy,
    take_place,
)
from bethink.storage.sqlite import SqliteDriver
from bethink.storage.stores import BlockingStore, run
from bethink.storage.work import Statement
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.lifecycle.erase.values import Receipt
    from bethink.scope.tombstones import Tombstone
    from bethink.storage.work import Work

_UNREADABLE: Final = frozenset({"CorruptError", "NotADBError", "IOError"})
_TENANTS: Final = "select distinct tenant_id from tombstones"


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What was put in the place of a database."""

    path: str
    source: str
    bytes: int
    schema: int
    receipts: tuple[Receipt, ...] = ()  #: of what had been deleted since: one a tenant
    set_aside: str | None = None  #: where a database lies that was too damaged to be read


def restore(source: Path, url: str, *, now: int, force: bool = False, unread: bool = False) -> Restored:
    """Make a database what it was when it was backed up, but for what was deleted since.

    Args:
        source: the backup.
        url: the database, which no process may have open.
        now: the present instant, in microseconds.
        force: replace a database that is there.
        unread: replace it even where it is too damaged to say what was deleted; it is set aside, not removed.

    Raises:
        InvalidError: the database is in memory, or of PostgreSQL.
        NotFoundError: there is no such backup.
        ConflictError: there is a database and `force` was not given, or a process has it open.
        StorageError: the backup or the database is damaged, or is of another application.
    """
    target = file_of(url)
    check_database_file(source)
    if target.exists() and not force:
        raise ConflictError(
            f"{target} exists; restore under another name, or replace it with --force", path=str(target)
        )
    aside: Path | None = None
    staged = stage_copy(source, target)
    try:
        known = None
        try:
            known = deletions(target) if target.exists() else None
            receipts = _without_deleted(staged, target, now)
        except StorageError as error:
            if error.facts.get("reason") not in _UNREADABLE:
                raise
            if not unread:
                raise StorageError(
                    f"{target} is too damaged to tell what was deleted after the backup was made; check there "
                    "what must not come back, then restore with --unread",
                    reason="unread tombstones",
                    outcome="none",
                ) from error
            receipts, aside, known = (), set_aside(target), None
        schema = check_database_file(staged)
        take_place(staged, target, since=known)
    finally:
        remove(staged)
        with suppress(FileNotFoundError):
            Path(f"{staged}-lock").unlink()
    check_database_file(target)
    return Restored(
        path=str(target),
        source=str(source),
        bytes=target.stat().st_size,
        schema=schema,
        receipts=receipts,
        set_aside=None if aside is None else str(aside),
    )


def _without_deleted(staged: Path, target: Path, now: int) -> tuple[Receipt, ...]:
    """Bring a copy up to this version's schema, and destroy in it what the database in place has deleted."""
    fresh = SqliteDriver(str(staged))
    try:
        if not target.exists():
            return ()
        standing = SqliteDriver(str(target))
        try:
            return _erase_all(fresh, standing, now)
        finally:
            standing.close()
    finally:
        fresh.close()


def _erase_all(fresh: SqliteDriver, standing: SqliteDriver, now: int) -> tuple[Receipt, ...]:
    ids, store = Ids(), BlockingStore(fresh)
    receipts: list[Receipt] = []
    for tenant in standing.read(_tenants):
        there: list[Tombstone] = standing.read(partial(all_tombstones, tenant))
        erased = run(
            store.write(
                erase_again,
                tenant,
                there,
                kept=standing.read(partial(notes_of_sessions, tenant)),
                writing=Writing(now=now, fresh=ids, actor="restore"),
            )
        )
        if erased.counts:
            at = to_datetime(now)
            receipts.append(run(verify(store, tenant, "backup", erased, number=receipt_id(ids()), at=at)))
    return tuple(receipts)


def _tenants() -> Work[list[str]]:
    return sorted(name for (name,) in (yield Statement(_TENANTS, {})))
