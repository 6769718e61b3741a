"""Digest a table's rows independently of their order and store."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bethink.storage.tables import Table
    from bethink.storage.work import Row, Work

_BYTES: Final = 16
_MODULUS: Final = 1 << (8 * _BYTES)


@dataclass(frozen=True, slots=True)
class Digest:
    """How many rows there are, and the sum of their digests: equal for equal rows in any order."""

    rows: int = 0
    sum: int = 0

    def __str__(self) -> str:
        return f"{self.sum:0{2 * _BYTES}x}"

    def add(self, rows: Iterable[Row]) -> Digest:
        """Return this digest with more rows in it."""
        count, total = self.rows, self.sum
        for row in rows:
            count += 1
            total += int.from_bytes(_hash(repr(row)))
        return Digest(count, total % _MODULUS)

    @staticmethod
    def of_text(text: str) -> str:
        """Return the digest of a text."""
        return _hash(text).hex()


def table_digest(tenant: str, table: Table, size: int, done: Callable[[int], None]) -> Work[Digest]:
    """Return the digest of a tenant's rows in a table."""
    digest = Digest()
    after: tuple[Any, ...] | None = None
    while True:
        rows = yield table.page(tenant, after, size)
        digest = digest.add(rows)
        done(len(rows))
        if len(rows) < size:
            return digest
        after = table.key_of(rows[-1])


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()
