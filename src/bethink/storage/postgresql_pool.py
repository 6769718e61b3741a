"""The PostgreSQL connection pool, shared by tenants and threads."""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import errors
from psycopg.types.numeric import Int8Dumper

from bethink.errors import StorageError
from bethink.storage.jobs import settle_all
from bethink.storage.postgresql_connection import PostgresqlConnection, Progress
from bethink.storage.postgresql_errors import AGAIN, connection_lost, safe_cause, translate_error
from bethink.storage.postgresql_threads import WorkerThreads
from bethink.storage.row_level_security import check_connected

if TYPE_CHECKING:
    from bethink.storage.jobs import Job
    from bethink.storage.postgresql_url import Target
    from bethink.storage.work import Unit

ATTEMPTS = 8  #: at one unit that other transactions get in the way of
PREPARED = 500  #: statements that a connection keeps prepared
GROUP = 64  #: units of one tenant that are committed together at most
_WHO = """select actor.rolsuper or actor.rolbypassrls or login.rolsuper or login.rolbypassrls, actor.rolname,
  exists (select 1 from pg_extension where extname = 'citus'), current_setting('server_encoding')
from pg_roles actor, pg_roles login where actor.rolname = current_user and login.rolname = session_user"""


class ConnectionPool:
    """The connections to one database, which tenants share: each transaction names its own."""

    def __init__(self, target: Target, most: int, wait_seconds: float, *, allow_bypass: bool) -> None:
        self.target = target
        self._allow_bypass = allow_bypass
        self._closed = False
        self._guard = threading.Lock()
        self._idle: list[PostgresqlConnection] = []
        self._few: dict[str, deque[Job]] = {}  #: by tenant, while one of the threads is at them
        self.writers = WorkerThreads(self, "bethink-writer", most // 2, wait_seconds)
        self.readers = WorkerThreads(self, "bethink-reader", most - most // 2, wait_seconds)
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

    def _one(self, job: Job, tenant: str, lane: WorkerThreads) -> None:
        if not job.withdrawn:
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
        if len(live) == 1 or not self._committed(live, tenant):
            for job in live:
                try:
                    job.result = self.run(job.unit, tenant, self.writers, write=True)
                except BaseException as error:  # noqa: BLE001 - the waiting caller raises it
                    job.error = error
        settle_all(jobs)

    def _committed(self, jobs: list[Job], tenant: str) -> bool:
        """Run jobs as one transaction; tell whether that settled them."""
        progress = Progress()
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
                    job.error = connection_lost(error)
            return lost
        for job, result in zip(jobs, results, strict=True):
            job.result = result
        with self._guard:
            self.commits += 1
            self.units += len(jobs)
        return True

    # ---- transactions ---------------------------------------------------------------------------------------

    def run(self, unit: Unit[Any], tenant: str, lane: WorkerThreads, *, write: bool) -> Any:
        """Run a unit as one transaction, again where that is safe and of use.

        Raises:
            StorageError: it could not be run; `outcome` says what became of the write.
        """
        attempt = 0
        while True:
            attempt += 1
            progress = Progress()
            try:
                with lane.link() as link:
                    (result,) = link.transaction([[(0, unit)]], tenant, progress, write=write)
            except AGAIN as error:
                most = 3 if isinstance(error, errors.UniqueViolation) else ATTEMPTS
                if attempt >= most:
                    raise translate_error(error, attempts=attempt) from safe_cause(error)
                time.sleep(random.uniform(0, 0.002 * 2**attempt))  # noqa: S311 - spreads the contenders
            except psycopg.Error as error:
                if not progress.dropped:
                    raise translate_error(error) from safe_cause(error)
                if write and progress.committing:
                    raise connection_lost(error) from error
                if attempt > 2:  # noqa: PLR2004 - the pool was emptied, so another try is a fresh connection's
                    raise translate_error(error) from safe_cause(error)
            else:
                with self._guard:
                    self.commits += write
                    self.units += write
                return result
            with self._guard:
                self.repeats += 1

    def lend(self) -> PostgresqlConnection:
        """Return a connection that nobody uses, or a new one."""
        with self._guard:
            if self._idle:
                return self._idle.pop()
        try:
            connection = psycopg.connect(
                self.target.conninfo, autocommit=True, prepare_threshold=3 if self.target.prepared else None
            )
        except psycopg.Error as error:
            raise translate_error(error, connecting=True) from error
        try:
            return self._greet(connection)
        except BaseException:
            connection.close()
            raise

    def take_back(self, link: PostgresqlConnection) -> None:
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

    def _greet(self, connection: psycopg.Connection[Any]) -> PostgresqlConnection:
        bypasses, role, citus, encoding = connection.execute(_WHO).fetchone() or (True, "", False, "")
        check_connected(role, bypasses=bypasses, allowed=self._allow_bypass)
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
        return PostgresqlConnection(connection, citus=citus)


def _place(job: Job) -> str:
    """Return the namespace that a job writes to, as text; jobs without one come first."""
    return next((str(each) for each in job.few or () if hasattr(each, "tenant")), "")
