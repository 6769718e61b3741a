"""The PostgreSQL driver; every transaction belongs to one tenant."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from bethink.errors import ClosedError, InvalidError, StorageError
from bethink.storage.jobs import DatabaseBytes
from bethink.storage.postgresql_dialect import POSTGRESQL

try:
    import psycopg
    from psycopg import errors
except ImportError as missing:
    raise ImportError(
        "PostgreSQL requires psycopg: pip install 'bethink[postgres]'", name=missing.name
    ) from missing

from bethink.storage.postgresql_errors import safe_cause, translate_error
from bethink.storage.postgresql_pool import ConnectionPool
from bethink.storage.postgresql_schema import (
    SCHEMA_LOCK,
    apply_pending,
    check_schema,
    grant_rows,
    tenant_tables,
)
from bethink.storage.postgresql_url import Target

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.storage.dialect import Dialect
    from bethink.storage.jobs import Job
    from bethink.storage.work import Unit

CONNECTIONS = 8  #: of one driver at most: half of them write, half of them read
WAIT_SECONDS = 10.0
STATEMENT_SECONDS = 60.0
MAX_TENANT = 128  #: bytes
APP_ROLE = "bethink_app"


class PostgresqlDriver:
    """Runs units on one PostgreSQL database, for one tenant.

    Each transaction names its tenant before anything else, and row-level security shows it no other rows. Units
    that write run beside one another; those of one scope wait for each other at the scope's row. Units of one
    tenant that write a few rows, and wait at the same time, are committed together. A unit that another
    transaction got in the way of is run again.
    """

    dialect: Dialect = POSTGRESQL

    def __init__(
        self,
        url: str,
        *,
        tenant: str = "default",
        connections: int = CONNECTIONS,
        wait_seconds: float = WAIT_SECONDS,
        statement_seconds: float = STATEMENT_SECONDS,
        allow_bypass: bool = False,
        _pool: ConnectionPool | None = None,
    ) -> None:
        self.tenant = _check_tenant(tenant)
        self._process = os.getpid()
        self._closed = False
        self._lent = _pool is not None
        if _pool is not None:
            self._pool = _pool
            self.url = _pool.target.shown
            return
        target = Target.of(url, statement_seconds)
        self.url = target.shown
        most = max(2, target.connections or connections)
        self._pool = ConnectionPool(
            target, most, wait_seconds, allow_bypass=allow_bypass or target.allow_bypass
        )
        try:
            with self._pool.readers.link() as link:
                check_schema(link.connection)
        except BaseException:
            self.close()
            raise

    def of(self, tenant: str) -> PostgresqlDriver:
        """Return a driver of another tenant over the same connections; they are closed with this one."""
        self._check_open()
        return PostgresqlDriver(self.url, tenant=tenant, _pool=self._pool)

    @property
    def commits(self) -> int:
        """Count the transactions committed over these connections."""
        return self._pool.commits

    @property
    def units(self) -> int:
        """Count the units that were part of them."""
        return self._pool.units

    @property
    def repeats(self) -> int:
        """Count how often a unit was run again."""
        return self._pool.repeats

    # ---- the port -------------------------------------------------------------------------------------------

    def start(self, job: Job) -> None:
        """Queue a job for a thread that writes, or for one that reads."""
        self._check_open()
        self._pool.put(job, self.tenant)

    def read(self, unit: Unit[Any]) -> Any:
        """Run a unit that only reads, in this thread."""
        self._check_open()
        return self._pool.run(unit, self.tenant, self._pool.readers, write=False)

    def read_inline(self, unit: Unit[Any]) -> tuple[Any] | None:  # noqa: ARG002
        """Return None: a server on the network is always waited for."""
        return None

    def write_inline(self, unit: Unit[Any]) -> tuple[Any] | None:  # noqa: ARG002
        """Return None: a server on the network is always waited for."""
        return None

    def remains(self, *, rewritten: bool = False) -> DatabaseBytes:  # noqa: ARG002
        """Return what may still be kept: the files of a server are not the client's to look into."""
        self._check_open()
        return DatabaseBytes(
            pieces=iter(()),
            retained=(
                "dead rows in the tables until VACUUM has run: the owner may run it now",
                "the write-ahead log and its archives until they are recycled",
                "replicas and base backups until they are as new as this erasure",
            ),
        )

    def close(self) -> None:
        """Finish what was accepted, and let go of every connection."""
        self._closed = True
        if (
            os.getpid() == self._process and not self._lent
        ):  # else the sockets are the parent's, or another driver's
            self._pool.close()

    # ---- schema ---------------------------------------------------------------------------------------------

    @staticmethod
    def migrate(
        url: str,
        *,
        app_role: str | None = APP_ROLE,
        citus: bool = False,
        now: Callable[[], int] = lambda: time.time_ns() // 1000,
    ) -> list[str]:
        """Apply what is pending as the owner of the schema; return the names of what was applied.

        The tables belong to the role of the URL. `app_role` is granted their rows and nothing else; None where
        the grants are made by hand. `citus` distributes the tables by tenant.

        Raises:
            StorageError: the role of the application does not exist, or could see through row-level security.
        """
        target = Target.of(url, 0)
        try:
            with psycopg.connect(target.conninfo, autocommit=True) as connection, connection.transaction():
                connection.execute("select pg_advisory_xact_lock(%s)", (SCHEMA_LOCK,))
                applied = apply_pending(connection, now)
                if citus:
                    from bethink.storage.citus import distribute

                    distribute(connection, tenant_tables(connection))
                if app_role is not None:
                    grant_rows(connection, app_role)
                return applied
        except errors.InsufficientPrivilege as error:
            raise StorageError(
                "this role may not change the schema; run the migration with the URL of the role that "
                "owns the database and its tables (docs/scale.md), connected directly",
                reason="InsufficientPrivilege",
                code=error.sqlstate,
                outcome="none",
            ) from error
        except psycopg.Error as error:
            raise translate_error(error) from safe_cause(error)

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("this memory is closed; open it again", reason="closed")
        if os.getpid() != self._process:
            raise ClosedError(
                "this memory was opened by the parent process; open it again in the child", reason="forked"
            )


def _check_tenant(tenant: str) -> str:
    if not tenant or "\x00" in tenant or len(tenant.encode()) > MAX_TENANT:
        raise InvalidError(f"tenant must be a str of 1 to {MAX_TENANT} bytes", argument="tenant")
    return tenant
