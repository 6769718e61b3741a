"""Migrate a PostgreSQL schema, check its version, and grant its tables to the application's role."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql

from bethink.errors import StorageError
from bethink.storage.migrations import APPLIED, RECORD, REMEMBER, migrations, pending
from bethink.storage.postgresql_dialect import POSTGRESQL
from bethink.storage.postgresql_errors import safe_cause, translate_error
from bethink.storage.row_level_security import check_granted

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMA_LOCK = 0x42544E4B  # "BTNK": held while the schema is changed, and for nothing else
_TENANT_TABLES = """select class.relname from pg_class class join pg_attribute attribute on attrelid = class.oid
where attname = 'tenant_id' and not attisdropped and relkind in ('r', 'p')
  and relnamespace = current_schema()::regnamespace order by class.relname"""


def tenant_tables(connection: psycopg.Connection[Any]) -> list[str]:
    """Return the tables that hold rows of tenants, from the catalogue."""
    return [name for (name,) in connection.execute(_TENANT_TABLES)]


def _applied(connection: psycopg.Connection[Any]) -> dict[int, str]:
    if connection.execute("select to_regclass('bethink_migrations')").fetchone() == (None,):
        return {}
    return dict(connection.execute(APPLIED).fetchall())


def check_schema(connection: psycopg.Connection[Any]) -> None:
    """Make sure that the owner has migrated: the role of the application may not.

    Raises:
        StorageError: the schema is not there, older, newer or changed, or this role may not read it.
    """
    try:
        missing = pending(migrations("postgresql"), _applied(connection))
    except psycopg.Error as error:
        raise translate_error(error) from safe_cause(error)
    if missing:
        raise StorageError(
            f"the schema lacks {', '.join(each.name for each in missing)}; run `bethink migrate` with "
            "the URL of the role that owns it (docs/scale.md)",
            reason="older schema",
            missing=[each.number for each in missing],
            outcome="none",
        )


def apply_pending(connection: psycopg.Connection[Any], now: Callable[[], int]) -> list[str]:
    """Apply the migrations that are pending; return their names."""
    connection.execute(RECORD)
    applied: list[str] = []
    for migration in pending(migrations("postgresql"), _applied(connection)):
        for statement in migration.statements:
            text: Any = statement
            connection.execute(text)
        remember: Any = POSTGRESQL.prepare(REMEMBER)
        connection.execute(
            remember,
            {
                "number": migration.number,
                "name": migration.name,
                "checksum": migration.checksum,
                "at": now(),
            },
        )
        applied.append(migration.name)
    return applied


def grant_rows(connection: psycopg.Connection[Any], role: str) -> None:
    """Give the role of the application the rows of every table, and nothing else."""
    found = connection.execute(
        "select rolsuper or rolbypassrls from pg_roles where rolname = %s", (role,)
    ).fetchone()
    if found is None:
        raise StorageError(
            f"the role {role} does not exist; create it with `create role {role} login password '…'` "
            "and migrate again",
            reason="no role",
            role=role,
            outcome="none",
        )
    check_granted(role, bypasses=found[0])
    name = sql.Identifier(role)
    schema = connection.execute("select current_schema()").fetchone()
    connection.execute(
        sql.SQL("grant usage on schema {} to {}").format(sql.Identifier(*(schema or ())), name)
    )
    connection.execute(sql.SQL("grant select on bethink_migrations to {}").format(name))
    for table in tenant_tables(connection):
        rows = sql.SQL("grant select, insert, update, delete on {} to {}")
        connection.execute(rows.format(sql.Identifier(table), name))
