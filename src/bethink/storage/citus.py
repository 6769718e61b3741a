"""Citus: distribute the tables over a cluster by tenant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import psycopg

COLUMN = "tenant_id"
_PRESENT = "select 1 from pg_extension where extname = 'citus'"
_DISTRIBUTED = """select 1 from pg_dist_partition
where logicalrelid = to_regclass(%s) and (partmethod = 'h' or partmethod = 'n')"""


def distribute(connection: psycopg.Connection[Any], tables: Sequence[str]) -> list[str]:
    """Distribute every table of tenants by tenant, all of one tenant's rows together; return which were new.

    Raises:
        StorageError: the extension is not installed in this database.
    """
    if connection.execute(_PRESENT).fetchone() is None:
        raise StorageError(
            "this database does not have Citus; run `create extension citus` as a superuser, then "
            "migrate again",
            reason="no citus",
            outcome="none",
        )
    connection.execute("set local citus.multi_shard_modify_mode to 'sequential'")
    fresh: list[str] = []
    first = tables[0]
    for table in tables:
        if connection.execute(_DISTRIBUTED, (table,)).fetchone() is not None:
            continue
        beside = "none" if table == first else first
        connection.execute(
            "select create_distributed_table(%s, %s, colocate_with => %s)", (table, COLUMN, beside)
        )
        fresh.append(table)
    if connection.execute(_DISTRIBUTED, ("bethink_migrations",)).fetchone() is None:
        connection.execute("select create_reference_table('bethink_migrations')")
    return fresh
