"""The handle of a scope's records: events with their time, such as recent trips."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from bethink.memory.signposts import Signposts
from bethink.notes.checks import check_metadata, parse_category
from bethink.pages import check_limit
from bethink.state import transactions
from bethink.times import to_micros

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.memory.runtime import Runtime
    from bethink.scope.namespace import Namespace
    from bethink.state.transactions import Record


class AsyncRecords(Signposts):
    """What the application records of a user's past, by kind: trips, orders, tickets."""

    def __init__(self, runtime: Runtime, namespace: Namespace) -> None:
        self._runtime = runtime
        self._namespace = namespace

    def __repr__(self) -> str:
        return f"<records of {self._namespace}>"

    async def add(self, kind: str, value: Mapping[str, Any], *, at: datetime) -> Record:
        """Record something that happened, such as a trip or an order.

        Args:
            kind: The kind of record, such as trip.
            value: A JSON object.
            at: When it happened.

        Raises:
            InvalidError: the kind is not a plain word, or the value is not a JSON object.
        """
        return await self._runtime.write(
            "write",
            transactions.add_record,
            self._namespace,
            parse_category(kind, "kind"),
            check_metadata(value, "value"),
            to_micros(at),
            writing=self._runtime.writing(),
        )

    async def latest(self, kind: str, limit: int = 3) -> list[Record]:
        """Return the latest records of a kind, newest first.

        Args:
            kind: The kind of record, such as trip.
            limit: Maximum number of results.
        """
        return await self._runtime.read(
            transactions.latest_records, self._namespace, parse_category(kind, "kind"), check_limit(limit)
        )

    async def export(self) -> list[dict[str, Any]]:
        """Return every record as plain JSON, oldest first."""
        return [
            {"kind": record.kind, "value": dict(record.value), "at": record.at.isoformat()}
            for record in await self._runtime.read(transactions.all_records, self._namespace)
        ]
