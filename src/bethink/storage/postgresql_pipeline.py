"""Pipeline mode: statements of several units share one PostgreSQL pipeline."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    import psycopg

    from bethink.storage.postgresql_dialect import PostgresqlDialect
    from bethink.storage.work import Statement, Unit

Chain: TypeAlias = "Sequence[tuple[int, Unit[Any]]]"  #: units of one scope, each with its number in a group


class PipelinedTransaction:
    """The statements of one transaction on their way."""

    def __init__(
        self, connection: psycopg.Connection[Any], pipeline: psycopg.Pipeline, dialect: PostgresqlDialect
    ) -> None:
        self._connection = connection
        self._pipeline = pipeline
        self._dialect = dialect
        self._reached = False

    def send(self, statement: Statement) -> psycopg.Cursor[Any] | None:
        """Send a statement; return where its rows will be, None where it answers none."""
        text: Any = self._dialect.prepare(statement.sql)
        cursor = self._connection.cursor(binary=True)
        if statement.many is not None:
            cursor.executemany(text, statement.many)
            return None
        cursor.execute(text, statement.params)
        return cursor if _answers(statement.sql) else None

    def reach(self) -> None:
        """Make sure that the server has heard of this transaction: a commit is not sent into a dead connection."""
        if not self._reached:
            self.sync()

    def sync(self) -> None:
        """Wait for the answers to everything that was sent."""
        # Not a mere flush: the server then knows that it waits for us, and ends what stands still for too long.
        self._pipeline.sync()
        self._reached = True


class _Running:
    """A chain of units under way."""

    def __init__(self, sending: PipelinedTransaction, chain: Chain, results: list[Any]) -> None:
        self._sending = sending
        self._rest = iter(chain)
        self._results = results
        self._number = 0
        self._work: Generator[Statement, Any, Any] | None = None
        self.cursor: psycopg.Cursor[Any] | None = None  #: whose rows it waits for

    def go_on(self) -> bool:
        """Send what comes next, as far as nothing is waited for; tell whether rows are."""
        rows: Any = None if self.cursor is None else self.cursor.fetchall()
        self.cursor = None
        while self.cursor is None:
            if self._work is None:
                following = next(self._rest, None)
                if following is None:
                    return False
                self._number, unit = following
                self._work, rows = unit(), None
            try:
                self.cursor = self._sending.send(self._work.send(rows))
                rows = []
            except StopIteration as end:
                self._results[self._number] = end.value
                self._work = None
        return True

    def close(self) -> None:
        """Leave the unit that is under way."""
        if self._work is not None:
            self._work.close()


def run_chains(sending: PipelinedTransaction, chains: Sequence[Chain]) -> list[Any]:
    """Run chains side by side, and return the results of their units in the order of their numbers."""
    results: list[Any] = [None] * sum(map(len, chains))
    every = [_Running(sending, chain, results) for chain in chains]
    try:
        waiting = [each for each in every if each.go_on()]
        while waiting:
            sending.sync()
            waiting = [each for each in waiting if each.go_on()]
    finally:
        for each in every:
            each.close()
    return results


@cache
def _answers(text: str) -> bool:
    """Return whether a statement answers rows."""
    return bool(re.match(r"\s*(select|with|values)\b", text) or re.search(r"\breturning\b", text))
