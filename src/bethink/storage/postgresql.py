"""The PostgreSQL driver: every transaction of one tenant, on connections that tenants and threads share."""

from __future__ import annotations

import os
import queue
import random
import re
import threading
import time
from collections import deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from bethink.errors import ClosedError, InvalidError, StorageError
from bethink.storage.dialect import POSTGRESQL, POSTGRESQL_READING
from bethink.storage.jobs import Remains, settle_all
from bethink.storage.migrations import APPLIED, RECORD, REMEMBER, migrations, pending

try:
    import psycopg
    from psycopg import errors, sql
    from psycopg.pq import TransactionStatus
    from psycopg.types.numeric import Int8Dumper
except ImportError as missing:
    raise ImportError(
        "PostgreSQL requires psycopg: pip install 'bethink[postgres]'", name=missing.name
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from bethink.storage.dialect import Dialect
    from bethink.storage.jobs import Job
    from bethink.storage.work import Statement, Unit

CONNECTIONS = 8  #: of one driver at most: half of them write, half of them read
WAIT_SECONDS = 10.0
STATEMENT_SECONDS = 60.0
ATTEMPTS = 8  #: at one unit that other transactions get in the way of
MAX_TENANT = 128  #: bytes
PREPARED = 500  #: statements that a connection keeps prepared
GROUP = 64  #: units of one tenant that are committed together at most
NAMED = 1_000  #: tenants whose names a connection has at hand
APP_ROLE = "bethink_app"

_LOCK = 0x42544E4B  # "BTNK": held while the schema is changed, and for nothing else
_WRITE = "begin isolation level read committed read write"
_READ = "begin isolation level repeatable read read only"
_CITUS = "set local citus.propagate_set_commands to 'local'"
_WHO = """select actor.rolsuper or actor.rolbypassrls or login.rolsuper or login.rolbypassrls, actor.rolname,
  exists (select 1 from pg_extension where extname = 'citus'), current_setting('server_encoding')
from pg_roles actor, pg_roles login where actor.rolname = current_user and login.rolname = session_user"""
_TENANT_TABLES = """select class.relname from pg_class class join pg_attribute attribute on attrelid = class.oid
where attname = 'tenant_id' and not attisdropped and relkind in ('r', 'p')
  and relnamespace = current_schema()::regnamespace order by class.relname"""

_Chain: TypeAlias = "Sequence[tuple[int, Unit[Any]]]"  #: units of one scope, each with its number in a group
_AGAIN = (errors.SerializationFailure, errors.DeadlockDetected, errors.UniqueViolation)


class PostgresqlDriver:
    """Runs units on one PostgreSQL database, for one tenant.

    Each transaction names its tenant before anything else, and row-level security shows it no other rows. Units
    that write run beside one another; those of one scope wait for each other at the scope's row. Units of one
    tenant that write a few rows, and wait at the same time, are committed together. A unit that another
    transaction got in the way of is run again.
    """

    dialect = POSTGRESQL

    def __init__(
        self,
        url: str,
        *,
        tenant: str = "default",
        connections: int = CONNECTIONS,
        wait_seconds: float = WAIT_SECONDS,
        statement_seconds: float = STATEMENT_SECONDS,
        allow_bypass: bool = False,
        _pool: _Pool | None = None,
    ) -> None:
        self.tenant = _check_tenant(tenant)
        self._process = os.getpid()
        self._closed = False
        self._lent = _pool is not None
        if _pool is not None:
            self._pool = _pool
            self.url = _pool.target.shown
            return
        target = _Target.of(url, statement_seconds)
        self.url = target.shown
        most = max(2, target.connections or connections)
        self._pool = _Pool(target, most, wait_seconds, allow_bypass=allow_bypass or target.allow_bypass)
        try:
            with self._pool.readers.link() as link:
                _check_schema(link.connection)
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

    def remains(self) -> Remains:
        """Return what may still be kept: the files of a server are not the client's to look into."""
        self._check_open()
        return Remains(
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
        target = _Target.of(url, 0)
        try:
            with psycopg.connect(target.conninfo, autocommit=True) as connection, connection.transaction():
                connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
                applied = _apply(connection, now)
                if citus:
                    from bethink.storage.citus import distribute

                    distribute(connection, tenant_tables(connection))
                if app_role is not None:
                    _grant(connection, app_role)
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
            raise _translate(error) from _cause(error)

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("this memory is closed; open it again", reason="closed")
        if os.getpid() != self._process:
            raise ClosedError(
                "this memory was opened by the parent process; open it again in the child", reason="forked"
            )


class _Pool:
    """The connections to one database, which tenants share: each transaction names its own."""

    def __init__(self, target: _Target, most: int, wait_seconds: float, *, allow_bypass: bool) -> None:
        self.target = target
        self._allow_bypass = allow_bypass
        self._closed = False
        self._guard = threading.Lock()
        self._idle: list[_Link] = []
        self._few: dict[str, deque[Job]] = {}  #: by tenant, while one of the threads is at them
        self.writers = _Lane(self, "bethink-writer", most // 2, wait_seconds)
        self.readers = _Lane(self, "bethink-reader", most - most // 2, wait_seconds)
        self.commits = 0
        self.units = 0
        self.repeats = 0

    def close(self) -> None:
        """Finish what was accepted, and let go of every connection."""
        with self._guard:
            if self._closed:
                return
            self._closed = True
        self.writers.close()
        self.readers.close()
        with self._guard:
            idle, self._idle = self._idle, []
        for link in idle:
            link.close()

    # ---- jobs -----------------------------------------------------------------------------------------------

    def put(self, job: Job, tenant: str) -> None:
        """Queue a job of a tenant: with others of its tenant where it writes a few rows, else by itself."""
        if not job.write:
            self.readers.put(partial(self._one, job, tenant, self.readers))
        elif job.few is None:
            self.writers.put(partial(self._one, job, tenant, self.writers))
        else:
            with self._guard:
                waiting = self._few.get(tenant)
                if waiting is not None:
                    waiting.append(job)  # whoever is at those of this tenant comes back for it
                    return
                self._few[tenant] = deque((job,))
            try:
                self.writers.put(partial(self._together, tenant))
            except BaseException:
                with self._guard:
                    del self._few[tenant]
                raise

    def _one(self, job: Job, tenant: str, lane: _Lane) -> None:
        job.started = not job.withdrawn
        if job.started:
            try:
                job.result = self.run(job.unit, tenant, lane, write=job.write)
            except BaseException as error:  # noqa: BLE001 - the waiting caller raises it
                job.error = error
        job.settle()

    def _together(self, tenant: str) -> None:
        """Commit what waits of one tenant, a group at a time; others take their turn between the groups."""
        while True:
            with self._guard:
                waiting = self._few[tenant]
                group = [waiting.popleft() for _ in range(min(GROUP, len(waiting)))]
                if not group:
                    del self._few[tenant]
                    return
            self._group(group, tenant)
            with self._guard:
                more = bool(self._few[tenant])
            if more and self.writers.offer(partial(self._together, tenant)):
                return

    def _group(self, jobs: list[Job], tenant: str) -> None:
        """Run jobs as one transaction; where one of them fails, each by itself."""
        # in one order everywhere, so that no two groups wait for each other's scopes
        live = sorted((job for job in jobs if not job.withdrawn), key=_place)
        for job in jobs:
            job.started = not job.withdrawn
        if len(live) == 1 or not self._committed(live, tenant):
            for job in live:
                try:
                    job.result = self.run(job.unit, tenant, self.writers, write=True)
                except BaseException as error:  # noqa: BLE001 - the waiting caller raises it
                    job.error = error
        settle_all(jobs)

    def _committed(self, jobs: list[Job], tenant: str) -> bool:
        """Run jobs as one transaction; tell whether that settled them."""
        progress = _Progress()
        try:
            with self.writers.link() as link:
                chains: dict[str, list[tuple[int, Unit[Any]]]] = {}
                for number, job in enumerate(jobs):
                    chains.setdefault(_place(job), []).append((number, job.unit))
                results = link.transaction(list(chains.values()), tenant, progress, write=True)
        except BaseException as error:  # noqa: BLE001 - each of them meets it by itself, or it is told to all
            lost = isinstance(error, psycopg.Error) and progress.dropped and progress.committing
            if lost:
                for job in jobs:
                    job.error = _lost(error)
            return lost
        for job, result in zip(jobs, results, strict=True):
            job.result = result
        with self._guard:
            self.commits += 1
            self.units += len(jobs)
        return True

    # ---- transactions ---------------------------------------------------------------------------------------

    def run(self, unit: Unit[Any], tenant: str, lane: _Lane, *, write: bool) -> Any:
        """Run a unit as one transaction, again where that is safe and of use.

        Raises:
            StorageError: it could not be run; `outcome` says what became of the write.
        """
        attempt = 0
        while True:
            attempt += 1
            progress = _Progress()
            try:
                with lane.link() as link:
                    (result,) = link.transaction([[(0, unit)]], tenant, progress, write=write)
            except _AGAIN as error:
                most = 3 if isinstance(error, errors.UniqueViolation) else ATTEMPTS
                if attempt >= most:
                    raise _translate(error, attempts=attempt) from _cause(error)
                time.sleep(random.uniform(0, 0.002 * 2**attempt))  # noqa: S311 - spreads the contenders
            except psycopg.Error as error:
                if not progress.dropped:
                    raise _translate(error) from _cause(error)
                if write and progress.committing:
                    raise _lost(error) from error
                if attempt > 2:  # noqa: PLR2004 - the pool was emptied, so another try is a fresh connection's
                    raise _translate(error) from _cause(error)
            else:
                with self._guard:
                    self.commits += write
                    self.units += write
                return result
            with self._guard:
                self.repeats += 1

    def lend(self) -> _Link:
        """Return a connection that nobody uses, or a new one."""
        with self._guard:
            if self._idle:
                return self._idle.pop()
        try:
            connection = psycopg.connect(
                self.target.conninfo, autocommit=True, prepare_threshold=3 if self.target.prepared else None
            )
        except psycopg.Error as error:
            raise _translate(error, connecting=True) from error
        try:
            return self._greet(connection)
        except BaseException:
            connection.close()
            raise

    def take_back(self, link: _Link) -> None:
        """Keep a connection for the next transaction; where it broke, the idle ones may have, too."""
        with self._guard:
            if link.usable and not self._closed:
                self._idle.append(link)
                return
            stale = [link]
            if not link.usable:
                stale += self._idle
                self._idle = []
        for each in stale:
            each.close()

    def _greet(self, connection: psycopg.Connection[Any]) -> _Link:
        bypasses, role, citus, encoding = connection.execute(_WHO).fetchone() or (True, "", False, "")
        if bypasses and not self._allow_bypass:
            raise StorageError(
                f"the role {role} bypasses row-level security; connect as a role that is neither "
                "superuser nor BYPASSRLS (docs/scale.md), or pass allow_bypass=True",
                reason="bypassing role",
                role=role,
                outcome="none",
            )
        if encoding != "UTF8":
            raise StorageError(
                f"the database uses the encoding {encoding}; create one with `create database … encoding "
                "'UTF8'`",
                reason="encoding",
                expected="UTF8",
                actual=encoding,
                outcome="none",
            )
        connection.adapters.register_dumper(int, Int8Dumper)
        connection.prepared_max = PREPARED
        return _Link(connection, citus=citus)


def _place(job: Job) -> str:
    """Return the namespace that a job writes to, as text; jobs without one come first."""
    return next((str(each) for each in job.few or () if hasattr(each, "tenant")), "")


@dataclass(slots=True)
class _Progress:
    """How far a transaction came before it failed."""

    committing: bool = False
    dropped: bool = False


class _Link:
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
        self, chains: Sequence[_Chain], tenant: str, progress: _Progress, *, write: bool
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
                    sending = _Sending(connection, pipeline, dialect)
                    results = _drive(sending, chains)
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


class _Lane:
    """Some of the connections, and threads that run the jobs waiting for one."""

    def __init__(self, pool: _Pool, name: str, most: int, wait_seconds: float) -> None:
        self._pool = pool
        self._name = name
        self._most = most
        self._wait_seconds = wait_seconds
        self._slots = threading.BoundedSemaphore(most)
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._guard = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._resting = 0
        self._closed = False

    @contextmanager
    def link(self) -> Generator[_Link]:
        """Lend a connection; at most `most` of this lane are ever in use."""
        if not self._slots.acquire(timeout=self._wait_seconds):
            raise StorageError(
                f"no connection was free within {self._wait_seconds:g} s; raise `connections`, or find "
                "slow statements",
                reason="pool exhausted",
                limit=self._most,
                outcome="none",
            )
        try:
            link = self._pool.lend()
            try:
                yield link
            finally:
                self._pool.take_back(link)
        finally:
            self._slots.release()

    def put(self, work: Callable[[], None]) -> None:
        """Queue work, and start a thread for it where all are busy.

        Raises:
            ClosedError: the lane is closed.
        """
        if not self.offer(work):
            raise ClosedError("this memory is closed; open it again", reason="closed")

    def offer(self, work: Callable[[], None]) -> bool:
        """Queue work unless the lane is closed; tell whether it was queued."""
        with self._guard:
            if self._closed:
                return False
            self._jobs.put(work)
            if len(self._threads) < self._most and self._resting < self._jobs.qsize():
                thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._threads.append(thread)
                thread.start()
            return True

    def close(self) -> None:
        """Run what was accepted, and end the threads."""
        with self._guard:
            self._closed = True
            for _ in self._threads:
                self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._guard:
                self._resting += 1
            work = self._jobs.get()
            with self._guard:
                self._resting -= 1
            if work is None:
                return
            work()


@dataclass(frozen=True, slots=True)
class _Target:
    """What a URL says: to libpq, to us, and to whom it is shown."""

    conninfo: str
    shown: str  #: without the password
    allow_bypass: bool
    connections: int | None
    prepared: bool  #: whether statements are prepared: a pooler may not know them

    @classmethod
    def of(cls, url: str, statement_seconds: float) -> _Target:
        parts = urlsplit(url)
        given = dict(parse_qsl(parts.query, keep_blank_values=True))
        bypass = given.pop("allow_bypass", "false").lower() in {"1", "true", "yes"}
        prepared = given.pop("prepared", "true").lower() not in {"0", "false", "no"}
        connections = given.pop("connections", None)
        if connections is not None and not (connections.isascii() and connections.isdecimal()):
            raise InvalidError("connections must be an int", argument="url")
        limits = int(statement_seconds * 1000)
        options = f"-c statement_timeout={limits} -c idle_in_transaction_session_timeout={limits}"
        kept = {"application_name": "bethink", "connect_timeout": "10", "client_encoding": "utf8"}
        kept |= given
        kept["options"] = f"{options} {given['options']}" if "options" in given else options
        hidden = {name: value for name, value in given.items() if name != "password"}
        place = re.sub(r"^([^@:]*):[^@]*@", r"\1@", parts.netloc)
        return cls(
            conninfo=urlunsplit(parts._replace(query=urlencode(kept, quote_via=quote))),
            shown=urlunsplit(parts._replace(netloc=place, query=urlencode(hidden, quote_via=quote))),
            allow_bypass=bypass,
            connections=int(connections) if connections is not None else None,
            prepared=prepared,
        )


def tenant_tables(connection: psycopg.Connection[Any]) -> list[str]:
    """Return the tables that hold rows of tenants, from the catalogue."""
    return [name for (name,) in connection.execute(_TENANT_TABLES)]


def _check_tenant(tenant: str) -> str:
    if not tenant or "\x00" in tenant or len(tenant.encode()) > MAX_TENANT:
        raise InvalidError(f"tenant must be a str of 1 to {MAX_TENANT} bytes", argument="tenant")
    return tenant


class _Sending:
    """The statements of one transaction on their way."""

    def __init__(
        self, connection: psycopg.Connection[Any], pipeline: psycopg.Pipeline, dialect: Dialect
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

    def __init__(self, sending: _Sending, chain: _Chain, results: list[Any]) -> None:
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


def _drive(sending: _Sending, chains: Sequence[_Chain]) -> list[Any]:
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


def _applied(connection: psycopg.Connection[Any]) -> dict[int, str]:
    if connection.execute("select to_regclass('bethink_migrations')").fetchone() == (None,):
        return {}
    return dict(connection.execute(APPLIED).fetchall())


def _check_schema(connection: psycopg.Connection[Any]) -> None:
    """Make sure that the owner has migrated: the role of the application may not.

    Raises:
        StorageError: the schema is not there, older, newer or changed, or this role may not read it.
    """
    try:
        missing = pending(migrations("postgresql"), _applied(connection))
    except psycopg.Error as error:
        raise _translate(error) from _cause(error)
    if missing:
        raise StorageError(
            f"the schema lacks {', '.join(each.name for each in missing)}; run `bethink migrate` with "
            "the URL of the role that owns it (docs/scale.md)",
            reason="older schema",
            missing=[each.number for each in missing],
            outcome="none",
        )


def _apply(connection: psycopg.Connection[Any], now: Callable[[], int]) -> list[str]:
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


def _grant(connection: psycopg.Connection[Any], role: str) -> None:
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
    if found[0]:
        raise StorageError(
            f"the role {role} bypasses row-level security; remove SUPERUSER and BYPASSRLS from it",
            reason="bypassing role",
            role=role,
            outcome="none",
        )
    name = sql.Identifier(role)
    schema = connection.execute("select current_schema()").fetchone()
    connection.execute(
        sql.SQL("grant usage on schema {} to {}").format(sql.Identifier(*(schema or ())), name)
    )
    connection.execute(sql.SQL("grant select on bethink_migrations to {}").format(name))
    for table in tenant_tables(connection):
        rows = sql.SQL("grant select, insert, update, delete on {} to {}")
        connection.execute(rows.format(sql.Identifier(table), name))


def _lost(error: BaseException) -> StorageError:
    found = StorageError(
        "the connection was lost during the commit; check what was written",
        reason="connection lost",
        outcome="unknown",
    )
    found.__cause__ = error
    return found


_POOLER = (
    "a connection pooler in front of the database does not support prepared statements; add "
    "?prepared=false to the URL, or use PgBouncer 1.21 or later"
)
_ADVICE: Mapping[type[psycopg.Error], str] = {
    errors.QueryCanceled: "a statement took longer than allowed; raise `statement_seconds`, or find out why it is slow",
    errors.LockNotAvailable: "another transaction has locked the rows; try again",
    errors.SerializationFailure: "other transactions kept interfering; try again later",
    errors.DeadlockDetected: "other transactions kept interfering; try again later",
    errors.InvalidSqlStatementName: _POOLER,
    errors.DuplicatePreparedStatement: _POOLER,
    errors.InsufficientPrivilege: "the role does not have permission; check its grants, and that the tenant of "
    "the unit is the tenant of the memory",
    errors.UndefinedTable: "a table is missing; run `bethink migrate` with the URL of the role that owns the schema",
    errors.ReadOnlySqlTransaction: "the database is read-only; connect to the primary server",
    errors.DiskFull: "the database's disk is full; free some space and try again",
    errors.TooManyConnections: "the database has no free connection; lower `connections`, or use a connection pooler",
    errors.CannotConnectNow: "the database is starting or stopping; try again",
    errors.AdminShutdown: "the database is shutting down; try again",
    errors.IdleInTransactionSessionTimeout: "the transaction was idle for too long; nothing was written",
    errors.OutOfMemory: "the database does not have enough memory for this operation",
}


def _translate(error: psycopg.Error, *, connecting: bool = False, attempts: int = 1) -> StorageError:
    """Return what PostgreSQL raised as our own; its message may quote memory text, so it is left out."""
    reason = type(error).__name__
    advice = next((text for kind, text in _ADVICE.items() if isinstance(error, kind)), None)
    if advice is None and connecting:
        advice = "cannot reach the database; check the URL, the server and the password"
    elif advice is None and error.sqlstate is None and isinstance(error, psycopg.OperationalError):
        advice = "the connection was lost before the commit; nothing was written, so try again"
    return StorageError(
        advice or f"the database refused a statement ({reason})",
        reason=reason,
        code=error.sqlstate,
        attempts=attempts,
        outcome="none",
    )


def _cause(error: psycopg.Error) -> psycopg.Error | None:
    """Return an error to be shown as a cause, unless it may quote what is stored."""
    quotes = error.diag.message_detail or (error.sqlstate or "").startswith(("22", "23"))
    return None if quotes else error
