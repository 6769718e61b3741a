"""Read the few rows that a hook needs straight from SQLite: loading the library would take longer."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import apsw

from bethink.coding import queries
from bethink.coding.projects import AGENT, OWN, PATH, Project, read
from bethink.storage.sqlite_connection import Connection

if TYPE_CHECKING:
    from bethink.storage.work import Work

T = TypeVar("T")
TENANT: Final = "default"
START: Final = "start"  #: the key of the list of notes that a session is told at its start
TRANSCRIPTS: Final = "transcripts"  #: the path of how far each transcript was taken in
_PATIENCE: Final = 500  #: milliseconds that a reader waits for the file


class SessionStartTexts(NamedTuple):
    """What a session is told at its start, as texts."""

    texts: tuple[str, ...]
    fresh: bool  #: whether no note was written or changed since the list was made


class DatabaseFile:
    """A file, opened to read a few rows."""

    def __init__(self, path: str, user: str | None) -> None:
        self._user = user or ""
        self._connection = Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
        self._connection.set_busy_timeout(_PATIENCE)
        self._connection.execute("pragma query_only = on")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def projects(self) -> tuple[Project, ...]:
        """Return what is known of projects."""
        scope = self._scope(AGENT)
        if scope is None:
            return ()
        rows = self._run(queries.list_values(tenant=TENANT, scope=scope, path=f"{PATH}/"))
        return tuple(read(row.key, json.loads(row.value or "{}")) for row in rows)

    def taken(self, key: str) -> dict[str, Any]:
        """Return how far a transcript was taken in."""
        scope = self._scope(AGENT)
        return {} if scope is None else self._value(scope, f"{TRANSCRIPTS}/", key)

    def start(self, agent: str) -> SessionStartTexts:
        """Return what a session is told of one memory at its start."""
        scope = self._scope(agent)
        if scope is None:
            return SessionStartTexts((), fresh=True)
        listing = self._value(scope, f"{AGENT}/", START)
        (newest,) = self._run(queries.newest_note(tenant=TENANT, scope=scope))
        now = time.time_ns() // 1000
        texts: list[str] = []
        for number in listing.get("notes") or ():
            texts += self._run(queries.live_note(tenant=TENANT, scope=scope, note=number, now=now))
        return SessionStartTexts(tuple(texts), fresh=(newest or 0) <= (listing.get("noted") or 0))

    def own(self) -> SessionStartTexts:
        """Return what a session is told of the user's own memory at its start."""
        return self.start(OWN)

    def _scope(self, agent: str) -> int | None:
        rows = self._run(
            queries.find_scope(
                tenant=TENANT, kind="agent", owner="system", name=agent, user=self._user, session=""
            )
        )
        return rows[0] if rows else None

    def _value(self, scope: int, path: str, key: str) -> dict[str, Any]:
        rows = self._run(queries.find_value(tenant=TENANT, scope=scope, path=path, key=key))
        return json.loads(rows[0]) if rows and rows[0] else {}

    def _run(self, work: Work[T]) -> T:
        """Run a unit that only reads."""
        try:
            statement = next(work)
            while True:
                rows = self._connection.execute(statement.sql, statement.params).fetchall()
                statement = work.send(rows)
        except StopIteration as end:
            return end.value


def open_stored(database: str, user: str | None) -> DatabaseFile | None:
    """Open the file of a database to read a few rows; None where it is none, or not there yet."""
    path = database.removeprefix("sqlite:///") if database.startswith("sqlite:///") else database
    if "://" in path or path == ":memory:" or not Path(path).is_file():
        return None
    return DatabaseFile(path, user)
