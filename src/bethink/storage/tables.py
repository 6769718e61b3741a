"""List a store's tables from its catalogue, and build the statements that copy rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import StorageError
from bethink.storage.work import Statement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.storage.dialect import Dialect
    from bethink.storage.work import Row, Work

TENANT: Final = "tenant_id"
OWN_ACCOUNT: Final = frozenset(
    {"bethink_migrations", "copies"}
)  #: what a store says of itself: it stays with it


@dataclass(frozen=True)
class Table:
    """One table: its columns with their types, and the columns of its key."""

    name: str
    columns: tuple[tuple[str, str], ...]
    key: tuple[str, ...]

    @property
    def of_tenants(self) -> bool:
        """Whether every row belongs to a tenant."""
        return TENANT in self._names and self.key[:1] == (TENANT,)

    def key_of(self, row: Row) -> tuple[Any, ...]:
        """Return the key of a row, without its tenant."""
        return tuple(row[place] for place in self._key_places)

    def page(self, tenant: str, after: tuple[Any, ...] | None, limit: int) -> Statement:
        """Read the rows behind a key, in the order of keys."""
        where, params = self._range(tenant, after, None)
        text = f"select {self._list} from {self._quoted} where {where} order by {self._order} limit :most"
        return Statement(text, {**params, "most": limit})

    def between(self, tenant: str, after: tuple[Any, ...] | None, last: tuple[Any, ...]) -> Statement:
        """Read the rows behind a key, up to another one."""
        where, params = self._range(tenant, after, last)
        return Statement(f"select {self._list} from {self._quoted} where {where}", params)

    def count(self, tenant: str, last: tuple[Any, ...] | None = None) -> Statement:
        """Count the rows of a tenant, or those up to a key."""
        where, params = self._range(tenant, None, last)
        return Statement(f"select count(*) from {self._quoted} where {where}", params)

    def any_row(self, tenant: str) -> Statement:
        """Say whether a tenant has a row."""
        return Statement(f"select 1 from {self._quoted} where {TENANT} = :tenant limit 1", {"tenant": tenant})

    def tenants(self) -> Statement:
        """List the tenants that have rows."""
        return Statement(f"select distinct {TENANT} from {self._quoted}", {})

    def insert(self, rows: Sequence[Row]) -> Statement:
        """Write rows as they are."""
        values = ", ".join(f":c{place}" for place in range(len(self.columns)))
        names = [f"c{place}" for place in range(len(self.columns))]
        text = f"insert into {self._quoted} ({self._list}) values ({values})"
        return Statement(text, {}, [dict(zip(names, row, strict=True)) for row in rows])

    def delete(self, tenant: str, keys: Sequence[tuple[Any, ...]]) -> Statement:
        """Remove rows by their keys."""
        where = " and ".join([f"{TENANT} = :tenant", *(f'"{name}" = :k{at}' for at, name in self._rest)])
        each = [{"tenant": tenant, **{f"k{at}": key[at] for at, _ in self._rest}} for key in keys]
        return Statement(f"delete from {self._quoted} where {where}", {}, each)

    def _range(
        self, tenant: str, after: tuple[Any, ...] | None, last: tuple[Any, ...] | None
    ) -> tuple[str, dict[str, Any]]:
        parts, params = [f"{TENANT} = :tenant"], {"tenant": tenant}
        for mark, sign, bound in (("a", ">", after), ("z", "<=", last)):
            if bound is None:
                continue
            if not self._rest:  # a tenant has one row at most, and that was it
                parts += ["1 = 0"] if sign == ">" else []
                continue
            marks = ", ".join(f":{mark}{at}" for at, _ in self._rest)
            parts.append(f"({self._order}) {sign} ({marks})")
            params |= {f"{mark}{at}": bound[at] for at, _ in self._rest}
        return " and ".join(parts), params

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.columns)

    @cached_property
    def _key_places(self) -> tuple[int, ...]:
        return tuple(self._names.index(name) for _, name in self._rest)

    @cached_property
    def _rest(self) -> tuple[tuple[int, str], ...]:
        return tuple(enumerate(name for name in self.key if name != TENANT))

    @cached_property
    def _list(self) -> str:
        return ", ".join(f'"{name}"' for name in self._names)

    @cached_property
    def _order(self) -> str:
        return ", ".join(f'"{name}"' for _, name in self._rest) or TENANT

    @property
    def _quoted(self) -> str:
        return f'"{self.name}"'


def tables(dialect: Dialect) -> Work[dict[str, Table]]:
    """Return every table of a store but those in which it keeps account of itself."""
    rows = yield Statement(dialect.shape, {})
    found: dict[str, Table] = {}
    for name, group in groupby(rows, key=lambda row: str(row[0])):
        columns = [(str(column), str(kind), int(place)) for _, column, kind, place in group]
        key = sorted((place, column) for column, _, place in columns if place)
        if name not in OWN_ACCOUNT:
            found[name] = Table(
                name,
                tuple(sorted((column, kind) for column, kind, _ in columns)),
                tuple(column for _, column in key),
            )
    return found


def shared_tables(here: Mapping[str, Table], there: Mapping[str, Table]) -> tuple[Table, ...]:
    """Return the tables of two stores, each the same on both, in the order of their names.

    Raises:
        StorageError: a table or a column is on one side alone, or its rows belong to no tenant: what is in it would
            be lost without a word.
    """
    different = sorted(name for name in {*here, *there} if here.get(name) != there.get(name))
    if different:
        raise StorageError(
            f"the two stores differ in {', '.join(different)}; run `bethink migrate` on both with the "
            "same version, and keep tables of your own in another schema or file",
            reason="different tables",
            tables=tuple(different),
            outcome="none",
        )
    foreign = sorted(name for name, table in here.items() if not table.of_tenants)
    if foreign:
        raise StorageError(
            f"{', '.join(foreign)}: these rows have no tenant or no key, so they cannot be copied",
            reason="foreign tables",
            tables=tuple(foreign),
            outcome="none",
        )
    return tuple(here[name] for name in sorted(here))
