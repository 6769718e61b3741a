"""Read the few rows that a hook needs straight from the SQLite file: the library would take longer to load."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import apsw

from bethink.coding.projects import AGENT, OWN, PATH, Project, read
from bethink.storage.statements import statements

if TYPE_CHECKING:
    from bethink.storage.work import Query

TENANT: Final = "default"
START: Final = "start"  #: the key of the list of notes that a session is told at its start
TRANSCRIPTS: Final = "transcripts"  #: the path of how far each transcript was taken in
_PATIENCE: Final = 500  #: milliseconds that a reader waits for the file


class Start(NamedTuple):
    """What a session is told at its start, as texts."""

    texts: tuple[str, ...]
    fresh: bool  #: whether no note was written or changed since the list was made


class Stored:
    """A file, opened to read a few rows."""

    def __init__(self, path: str, user: str | None) -> None:
        self._user = user or ""
        self._connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
        self._connection.set_busy_timeout(_PATIENCE)
        self._connection.execute("pragma query_only = on")
        self._sql = statements("bethink.coding")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def projects(self) -> tuple[Project, ...]:
        """Return what is known of projects."""
        scope = self._scope(AGENT)
        if scope is None:
            return ()
        rows = self._rows(self._sql.list_values, scope=scope, path=f"{PATH}/")
        return tuple(read(key, json.loads(value)) for key, value in rows)

    def taken(self, key: str) -> dict[str, Any]:
        """Return how far a transcript was taken in."""
        scope = self._scope(AGENT)
        return {} if scope is None else self._value(scope, f"{TRANSCRIPTS}/", key)

    def start(self, agent: str) -> Start:
        """Return what a session is told of one memory at its start."""
        scope = self._scope(agent)
        if scope is None:
            return Start((), fresh=True)
        told = self._value(scope, f"{AGENT}/", START)
        newest = self._rows(self._sql.newest_note, scope=scope)[0][0]
        now = time.time_ns() // 1000
        texts: list[str] = []
        for number in told.get("notes") or ():
            texts += [row[0] for row in self._rows(self._sql.live_note, scope=scope, note=number, now=now)]
        return Start(tuple(texts), fresh=(newest or 0) <= (told.get("noted") or 0))

    def own(self) -> Start:
        """Return what a session is told of the user's own memory at its start."""
        return self.start(OWN)

    def _scope(self, agent: str) -> int | None:
        rows = self._rows(
            statements("bethink.scope").find_scope,
            kind="agent",
            owner="system",
            name=agent,
            user=self._user,
            session="",
        )
        return rows[0][0] if rows else None

    def _value(self, scope: int, path: str, key: str) -> dict[str, Any]:
        rows = self._rows(self._sql.find_value, scope=scope, path=path, key=key)
        return json.loads(rows[0][0]) if rows and rows[0][0] else {}

    def _rows(self, query: Query, **keys: Any) -> list[tuple[Any, ...]]:
        statement = query(tenant=TENANT, **keys)
        return self._connection.execute(statement.sql, statement.params).fetchall()


def open_stored(database: str, user: str | None) -> Stored | None:
    """Open the file of a database to read a few rows; None where it is none, or not there yet."""
    path = database.removeprefix("sqlite:///") if database.startswith("sqlite:///") else database
    if "://" in path or path == ":memory:" or not Path(path).is_file():
        return None
    return Stored(path, user)
