"""Find out which migrations a database has, and apply the missing ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.errors import StorageError
from bethink.storage.migrations import APPLIED, migrations, pending
from bethink.storage.opening import sqlite_path
from bethink.storage.work import Statement

if TYPE_CHECKING:
    from bethink.storage.work import Work

_THERE = "select 1 from sqlite_master where name = 'bethink_migrations'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Which migrations a database has."""

    applied: tuple[str, ...]  #: just now, by `migrate`
    pending: tuple[str, ...]  #: that this version of Bethink has beside those of the database
    newest: int  #: that this version of Bethink knows


def schema(url: str, *, tenant: str = "default") -> Schema:
    """Return which migrations a database lacks; nothing is changed.

    Raises:
        StorageError: the database cannot be opened, is newer, or was changed otherwise.
    """
    path = sqlite_path(url)
    if path is None:
        return _of_postgresql(url, tenant)
    from bethink.storage.sqlite import SqliteDriver

    known = migrations("sqlite")
    driver = SqliteDriver(path, migrate=False)
    try:
        lacking = pending(known, driver.read(_applied))
    finally:
        driver.close()
    return Schema(applied=(), pending=tuple(each.name for each in lacking), newest=known[-1].number)


def migrate(url: str, *, app_role: str | None = None, citus: bool = False) -> Schema:
    """Apply what a database lacks; PostgreSQL is migrated as the role of the URL, which comes to own the tables.

    `app_role` is granted their rows; None where grants are made by hand.

    Raises:
        StorageError: the database cannot be opened, is newer, or was changed otherwise.
    """
    path = sqlite_path(url)
    if path is None:
        from bethink.storage.postgresql import PostgresqlDriver

        names = PostgresqlDriver.migrate(url, app_role=app_role, citus=citus)
        return Schema(applied=tuple(names), pending=(), newest=migrations("postgresql")[-1].number)
    from bethink.storage.sqlite import SqliteDriver

    driver = SqliteDriver(path, migrate=False)
    try:
        names = driver.migrate()
    finally:
        driver.close()
    return Schema(applied=tuple(names), pending=(), newest=migrations("sqlite")[-1].number)


def _of_postgresql(url: str, tenant: str) -> Schema:
    from bethink.storage.postgresql import PostgresqlDriver

    known = migrations("postgresql")
    lacking: tuple[str, ...] = ()
    try:
        PostgresqlDriver(url, tenant=tenant).close()
    except StorageError as error:
        if error.facts.get("reason") != "older schema":
            raise
        lacking = tuple(each.name for each in known if each.number in error.missing)
    return Schema(applied=(), pending=lacking, newest=known[-1].number)


def _applied() -> Work[dict[int, str]]:
    if not (yield Statement(_THERE, {})):
        return {}
    rows = yield Statement(APPLIED, {})
    return dict(rows)
