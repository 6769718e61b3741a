"""Copy a tenant's rows between stores, and verify by digests that the copies are equal.

Tables, columns and keys come from the catalogues of both stores, so that a table which this code has never heard of
is copied too, and one that only one of them has is refused. Rows travel in the order of their keys, and how far they
have come is kept in the destination by the transaction that brings them: a copy that was killed is taken up by
running it again. At the end both stores are read whole, each at one moment, and compared by digests.
"""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from bethink.errors import ConflictError, InvalidError, NotFoundError, StorageError
from bethink.storage import queries
from bethink.storage.jobs import BlockingJob
from bethink.storage.opening import MEMORY, open_driver, sqlite_path
from bethink.storage.table_digests import Digest, table_digest
from bethink.storage.tables import Table, shared_tables, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from bethink.storage.jobs import Driver
    from bethink.storage.opening import DriverOptions
    from bethink.storage.work import Row, Statement, Work


FIRST_BATCH: Final = 100  #: rows of the first batch of a table
MAX_BATCH: Final = 2_000  #: rows of any
ENOUGH: Final = 4 << 20  #: bytes of a batch, about, beyond which the next one is not larger
TOO_MUCH: Final = 16 << 20  #: bytes of a batch, about, beyond which the next one has half as many rows
ROUNDS: Final = 4  #: how often the two are compared while the source is being written
_TAKEN = frozenset({"ConstraintError", "UniqueViolation"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedTable:
    """One table, found to be the same on both sides."""

    rows: int
    digest: str  #: of all rows, whatever their order


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """What a copy has brought over and compared."""

    source: str
    target: str
    rows: int
    seconds: float
    resumed: bool  #: an earlier run had begun it
    tenants: Mapping[str, Mapping[str, CopiedTable]] = field(
        default_factory=dict[str, "Mapping[str, CopiedTable]"]
    )
    left: tuple[str, ...] = ()  #: tenants of the source that were not copied


@dataclass(slots=True)
class _Side:
    """The source or the destination: one driver for all tenants, or one for each."""

    drivers: dict[str, Driver]

    def of(self, tenant: str) -> Driver:
        return self.drivers[tenant if tenant in self.drivers else ""]

    @property
    def any(self) -> Driver:
        return next(iter(self.drivers.values()))


class Copy:
    """A copy about to be made.

    Args:
        source: the address of a store.
        target: the address of another one; on PostgreSQL its owner has migrated it already.
        tenant: whose rows are copied.
        all_tenants: copy whatever tenants a SQLite file holds.
        resume: take up a copy that was begun from another address of the same store.
        settings: how the drivers are opened.

    Raises:
        InvalidError: the addresses are the same, or one names a database in memory.
        NotFoundError: the source is a file that is not there.
        StorageError: the two do not have the same tables: nothing is copied.
        ConflictError: the destination holds other data.
    """

    def __init__(
        self,
        source: str,
        target: str,
        *,
        tenant: str = "default",
        all_tenants: bool = False,
        resume: bool = False,
        settings: DriverOptions | None = None,
        most: int = MAX_BATCH,
    ) -> None:
        _check_addresses(source, target)
        if all_tenants and sqlite_path(source) is None:
            raise InvalidError(
                "PostgreSQL shows one tenant at a time; copy the tenants one by one, each by name",
                argument="all_tenants",
            )
        self._most = most
        self._open = ExitStack()
        try:
            self._source = self._side(source, (tenant,), settings)
            there = _tenants(self._source.any) if sqlite_path(source) is not None else [tenant]
            self.tenants: tuple[str, ...] = tuple(there) if all_tenants else (tenant,)
            self.left = tuple(each for each in there if each not in self.tenants)
            self._target = self._side(target, self.tenants or (tenant,), settings)
            self._tables = shared_tables(_shape(self._source.any), _shape(self._target.any))
            self._begun = {each: self._begin(each, resume=resume) for each in self.tenants}
            self.rows = sum(self._count(each) for each in self.tenants)
        except BaseException:
            self._open.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def steps(self) -> int:
        """How much `run` reports as done, about: each row is brought, then read on either side."""
        return 3 * self.rows

    def run(self, done: Callable[[int], None] = lambda _: None) -> Copied:
        """Bring over what is missing, and compare.

        Raises:
            ConflictError: somebody writes to the source all the time, or another copy is under way; or the copy was
                finished before, and one of the two has changed since.
        """
        started = time.monotonic()
        compared = {each: self._copy_tenant(each, done) for each in self.tenants}
        return Copied(
            source=self._source.any.url,
            target=self._target.any.url,
            rows=sum(table.rows for each in compared.values() for table in each.values()),
            seconds=time.monotonic() - started,
            resumed=any(begun.resumed for begun in self._begun.values()),
            tenants=compared,
            left=self.left,
        )

    # ---- the two sides ----------------------------------------------------------------------------------------

    def _side(self, url: str, tenants: Sequence[str], settings: DriverOptions | None) -> _Side:
        names = ("",) if sqlite_path(url) is not None else tenants
        drivers: dict[str, Driver] = {}
        for name in names:
            drivers[name] = open_driver(url, tenant=name or "default", settings=settings)
            self._open.callback(drivers[name].close)
        return _Side(drivers)

    def _begin(self, tenant: str, *, resume: bool) -> _Begun:
        origin = Digest.of_text(self._source.of(tenant).url)
        return self._write(
            tenant, partial(_begin, tenant, origin, self._tables, resume=resume, now=time.time_ns() // 1000)
        )

    def _count(self, tenant: str) -> int:
        counts: list[int] = self._source.of(tenant).read(partial(_counts, tenant, self._tables))
        return sum(counts)

    def _write(self, tenant: str, unit: Callable[[], Work[Any]]) -> Any:
        job = BlockingJob(unit, write=True)
        self._target.of(tenant).start(job)
        return job.wait()

    # ---- one tenant -------------------------------------------------------------------------------------------

    def _copy_tenant(self, tenant: str, done: Callable[[int], None]) -> dict[str, CopiedTable]:
        begun = self._begun[tenant]
        if not begun.finished:
            self._transfer(tenant, _LastKey.read(begun.place), done)
        for _ in range(ROUNDS):
            here = self._digests(self._source, tenant, done)
            there = self._digests(self._target, tenant, done)
            different = [table for table in self._tables if here[table.name] != there[table.name]]
            if not different:
                if not begun.finished:
                    self._write(tenant, partial(_finish, tenant, time.time_ns() // 1000))
                return {name: CopiedTable(rows=each.rows, digest=str(each)) for name, each in here.items()}
            if begun.finished:
                raise ConflictError(
                    "this copy was already finished, and one of the stores has changed since; nothing was "
                    "changed. Copy into an empty store",
                    tables=tuple(table.name for table in different),
                    tenant=tenant,
                )
            for table in different:
                self._prune(tenant, table)
            for table in different:
                self._fill(tenant, table)
        raise _restless(tenant)

    def _transfer(self, tenant: str, place: _LastKey, done: Callable[[int], None]) -> None:
        """Bring over every row behind a place."""
        names = [table.name for table in self._tables]
        if place.table:
            done(sum(self._source.of(tenant).read(partial(_counts_up_to, tenant, self._tables, place))))
        for table in self._tables:
            if place.table and names.index(table.name) < names.index(place.table):
                continue
            for rows, after in self._batches(
                tenant, table, place.after if place.table == table.name else None
            ):
                ahead = _LastKey(table.name, after)
                self._bring(tenant, table, partial(_put, tenant, table, rows, str(place), str(ahead)))
                place = ahead
                done(len(rows))

    def _batches(
        self, tenant: str, table: Table, after: tuple[Any, ...] | None
    ) -> Generator[tuple[list[Row], tuple[Any, ...]]]:
        """Yield the rows of a table of the source behind a key, in batches of bounded size."""
        size = min(FIRST_BATCH, self._most)
        while True:
            rows: list[Row] = self._source.of(tenant).read(partial(_page, tenant, table, after, size))
            if not rows:
                return
            after = table.key_of(rows[-1])
            yield rows, after
            if len(rows) < size:
                return
            weight = sum(_weight(row) for row in rows)
            if weight > TOO_MUCH:
                size = max(1, size // 2)
            elif weight < ENOUGH:
                size = min(self._most, size * 2)

    def _bring(self, tenant: str, table: Table, unit: Callable[[], Work[None]]) -> None:
        """Write rows; those that were brought a while ago and stand in the way of newer ones are removed first."""
        for _ in range(ROUNDS):
            try:
                self._write(tenant, unit)
            except StorageError as error:
                if error.facts.get("reason") not in _TAKEN:
                    raise
                self._prune(tenant, table)
            else:
                return
        raise _restless(tenant)

    # ---- what the source changed meanwhile ----------------------------------------------------------------------

    def _prune(self, tenant: str, table: Table) -> None:
        """Remove from the destination what the source does not have, or has otherwise by now."""
        after: tuple[Any, ...] | None = None
        while True:
            rows: list[Row] = self._target.of(tenant).read(partial(_page, tenant, table, after, self._most))
            if not rows:
                return
            last = table.key_of(rows[-1])
            kept: list[Row] = self._source.of(tenant).read(partial(_between, tenant, table, after, last))
            known = set(kept)
            gone = [table.key_of(row) for row in rows if row not in known]
            if gone:
                self._write(tenant, partial(_remove, tenant, table, gone))
            after = last

    def _fill(self, tenant: str, table: Table) -> None:
        """Bring over what the destination does not have."""
        before: tuple[Any, ...] | None = None
        for rows, after in self._batches(tenant, table, None):
            there: list[Row] = self._target.of(tenant).read(partial(_between, tenant, table, before, after))
            known = {table.key_of(row) for row in there}
            missing = [row for row in rows if table.key_of(row) not in known]
            if missing:
                self._bring(tenant, table, partial(_insert, table, missing))
            before = after

    def _digests(self, side: _Side, tenant: str, done: Callable[[int], None]) -> dict[str, Digest]:
        return side.of(tenant).read(partial(_digests, tenant, self._tables, self._most, done))


def _restless(tenant: str) -> ConflictError:
    return ConflictError(
        "the source is being written continuously; stop its writers, and run the copy again",
        tenant=tenant,
    )


def _shape(driver: Driver) -> dict[str, Table]:
    return driver.read(partial(tables, driver.dialect))


def _check_addresses(source: str, target: str) -> None:
    paths = [sqlite_path(source), sqlite_path(target)]
    if MEMORY in paths:
        raise InvalidError("an in-memory database ends with its process; name a file", argument="target")
    files = [None if path is None else Path(path).resolve() for path in paths]
    if source == target or (files[0] is not None and files[0] == files[1]):
        raise InvalidError("the source and the destination are the same store", argument="target")
    if files[0] is not None and not files[0].exists():
        raise NotFoundError(f"no memory found at {files[0]}", kind="database", id=str(files[0]))


# ---- how far it has come ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _LastKey:
    """The key of the row that was brought over last."""

    table: str = ""
    after: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return json.dumps([self.table, *self.after])

    @classmethod
    def read(cls, text: str) -> _LastKey:
        table, *after = json.loads(text)
        return cls(table, tuple(after))


@dataclass(frozen=True, slots=True)
class _Begun:
    place: str
    resumed: bool
    finished: bool


# ---- units ----------------------------------------------------------------------------------------------------------


def _begin(tenant: str, origin: str, found: Sequence[Table], *, resume: bool, now: int) -> Work[_Begun]:
    rows = yield from queries.find_copy(tenant=tenant)
    if rows:
        (row,) = rows
        if row.source != origin and not (resume and row.finished_at is None):
            raise ConflictError(
                "the destination was copied from another store; use an empty one, or --resume if that "
                "store has only changed its address",
                tenant=tenant,
            )
        return _Begun(row.place, resumed=True, finished=row.finished_at is not None)
    for table in found:
        if (yield table.any_row(tenant)):
            raise ConflictError(
                f"the destination already contains data of the tenant {tenant!r}; copy into an empty store",
                tenant=tenant,
                table=table.name,
            )
    place = str(_LastKey())
    yield from queries.begin_copy(tenant=tenant, source=origin, place=place, now=now)
    return _Begun(place, resumed=False, finished=False)


def _put(tenant: str, table: Table, rows: Sequence[Row], before: str, after: str) -> Work[None]:
    moved = yield from queries.move_copy(tenant=tenant, before=before, after=after, added=len(rows))
    if not moved:
        raise ConflictError(
            "another copy into this store is running; try again when it is done", tenant=tenant
        )
    yield table.insert(rows)


def _insert(table: Table, rows: Sequence[Row]) -> Work[None]:
    yield table.insert(rows)


def _remove(tenant: str, table: Table, keys: Sequence[tuple[Any, ...]]) -> Work[None]:
    yield table.delete(tenant, keys)


def _finish(tenant: str, now: int) -> Work[None]:
    yield from queries.finish_copy(tenant=tenant, now=now)


def _page(tenant: str, table: Table, after: tuple[Any, ...] | None, limit: int) -> Work[list[Row]]:
    return (yield table.page(tenant, after, limit))


def _between(
    tenant: str, table: Table, after: tuple[Any, ...] | None, last: tuple[Any, ...]
) -> Work[list[Row]]:
    return (yield table.between(tenant, after, last))


def _counts(tenant: str, found: Sequence[Table]) -> Work[list[int]]:
    counts: list[int] = []
    for table in found:
        ((count,),) = yield table.count(tenant)
        counts.append(count)
    return counts


def _counts_up_to(tenant: str, found: Sequence[Table], place: _LastKey) -> Work[list[int]]:
    counts: list[int] = []
    for table in found:
        last = place.after if table.name == place.table else None
        ((count,),) = yield table.count(tenant, last)
        counts.append(count)
        if table.name == place.table:
            break
    return counts


def _digests(
    tenant: str, found: Sequence[Table], size: int, done: Callable[[int], None]
) -> Work[dict[str, Digest]]:
    digests: dict[str, Digest] = {}
    for table in found:
        digests[table.name] = yield from table_digest(tenant, table, size, done)
    return digests


def _tenants(driver: Driver) -> list[str]:
    """Return every tenant that has a row in any table."""

    def unit() -> Work[list[str]]:
        names: set[str] = set()
        for table in (yield from tables(driver.dialect)).values():
            if table.of_tenants:
                statement: Statement = table.tenants()
                names.update(name for (name,) in (yield statement))
        return sorted(names)

    return driver.read(unit)


def _weight(row: Row) -> int:
    return sum(len(value) if isinstance(value, str | bytes) else 8 for value in row)
