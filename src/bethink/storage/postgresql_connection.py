"""A PostgreSQL connection: each transaction sets its tenant for row-level security."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus

from bethink.errors import StorageError
from bethink.storage.postgresql_dialect import POSTGRESQL, POSTGRESQL_READING
from bethink.storage.postgresql_pipeline import PipelinedTransaction, run_chains

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.storage.postgresql_pipeline import Chain

NAMED = 1_000  #: tenants whose names a connection has at hand
_WRITE = "begin isolation level read committed read write"
_READ = "begin isolation level repeatable read read only"
_CITUS = "set local citus.propagate_set_commands to 'local'"


@dataclass(slots=True)
class Progress:
    """How far a transaction came before it failed."""

    committing: bool = False
    dropped: bool = False


class PostgresqlConnection:
    """One connection, and what each of its transactions begins with."""

    def __init__(self, connection: psycopg.Connection[Any], *, citus: bool) -> None:
        self.connection = connection
        self._citus = (_CITUS,) if citus else ()
        self._tenants: dict[str, str] = {}  #: what names each that was served lately

    @property
    def usable(self) -> bool:
        """Return whether the connection stands, outside of any transaction."""
        return self.connection.pgconn.transaction_status == TransactionStatus.IDLE

    def close(self) -> None:
        """Say goodbye; a connection that broke does not hear it."""
        with suppress(psycopg.Error):
            self.connection.close()

    def opening(self, tenant: str, *, write: bool) -> tuple[Any, ...]:
        """Return what a transaction of a tenant begins with."""
        named = self._tenants.get(tenant)
        if named is None:
            if len(self._tenants) >= NAMED:
                self._tenants.clear()
            named = f"set local bethink.tenant_id to {sql.Literal(tenant).as_string(self.connection)}"
            self._tenants[tenant] = named
        return (_WRITE if write else _READ, *self._citus, named)

    def transaction(
        self, chains: Sequence[Chain], tenant: str, progress: Progress, *, write: bool
    ) -> list[Any]:
        """Run units of a tenant as one transaction, and return their results in the order of their numbers.

        Units of one chain run one after another; what several chains ask next is sent at once, and waited for once.

        What answers no rows is sent without waiting: the opening goes with the first statement, the last
        statements with the commit.
        """
        connection = self.connection
        dialect = POSTGRESQL if write else POSTGRESQL_READING
        failure: BaseException | None = None
        results: list[Any] = []
        end = None
        try:
            with connection.pipeline() as pipeline:
                try:
                    for text in self.opening(tenant, write=write):
                        connection.execute(text, prepare=False)
                    sending = PipelinedTransaction(connection, pipeline, dialect)
                    results = run_chains(sending, chains)
                    sending.reach()
                    progress.committing = True
                    end = connection.execute("commit", prepare=False)
                except BaseException as error:  # noqa: BLE001 - raised below, once the pipeline is left in order
                    failure = error
        except psycopg.Error as late:
            failure = failure or late
        if failure is not None:
            if not self.usable:
                with suppress(psycopg.Error):
                    connection.rollback()
            stopped = isinstance(failure, psycopg.Error) and (failure.sqlstate or "57P").startswith("57P")
            progress.dropped = connection.broken or connection.closed or (stopped and progress.committing)
            raise failure
        answer = None if end is None else end.statusmessage
        if answer == "ROLLBACK":
            raise StorageError(
                "the database rolled back the transaction; nothing was written, so try again",
                reason="rolled back",
                outcome="none",
            )
        if answer != "COMMIT":  # a connection that breaks just then may leave neither an answer nor an error
            progress.dropped = True
            self.close()
            raise psycopg.OperationalError("the commit was not answered")
        return results
