"""Read databases of other systems (SQLite files, PostgreSQL) without writing to them."""

from __future__ import annotations

import json
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.imports import langgraph_checkpoints, mem0_databases, openai_agents_sdk
from bethink.imports import mem0_zep_letta_exports as exports
from bethink.imports.values import Malformed, Skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from bethink.imports.openai_agents_sdk import Rows
    from bethink.imports.values import Read

    Part = Callable[[Rows], Iterator[Read]]


@contextmanager
def open_read_only(path: Path) -> Generator[Any]:
    """Open a file for reading alone.

    Raises:
        InvalidError: it is damaged, or no such file.
    """
    import apsw

    try:
        connection = apsw.Connection(
            f"file:{path.as_posix().replace('%', '%25').replace('?', '%3f').replace('#', '%23')}?mode=ro",
            flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
        )
        try:
            yield connection
        finally:
            connection.close()
    except apsw.Error as error:
        raise InvalidError(f"cannot read {path.name} as a database: {error}", argument="path") from None


def tables(path: Path) -> set[str]:
    """Return the names of the tables of a file."""
    with open_read_only(path) as connection:
        return {name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")}


def read(path: Path, key: str | None = None) -> tuple[str, Iterator[Read]]:
    """Return what a file is, and what it holds; `key` opens encrypted items.

    Raises:
        InvalidError: nobody knows its tables.
    """
    there = tables(path)
    if {"scopes", "items", "bethink_migrations"} <= there:
        raise InvalidError(
            f"{path.name} is already a Bethink database; use `bethink copy {path.name} TO` to copy it",
            argument="path",
        )
    known = _known(there, path.name, key)
    if known is None:
        shown = ", ".join(sorted(there)[:8])
        raise InvalidError(
            f"{path.name} is a database of an unknown kind; its tables are {shown}", argument="path"
        )
    name, parts = known

    def entries() -> Iterator[Read]:
        with open_read_only(path) as connection:
            for part in parts:
                yield from part(connection.execute)

    return name, entries()


def of_postgresql(url: str, key: str | None = None) -> tuple[str, Iterator[Read]]:
    """Return what a PostgreSQL database of another system is, and what it holds; it is only read.

    Raises:
        InvalidError: it cannot be reached, or nobody knows its tables.
        ImportError: psycopg is not installed.
    """
    try:
        import psycopg
    except ImportError as error:
        raise ImportError("PostgreSQL requires psycopg: pip install 'bethink[postgres]'") from error

    @contextmanager
    def connected() -> Generator[Any]:
        try:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.read_only = True
                yield connection
        except psycopg.Error as error:
            raise InvalidError(
                f"cannot read the database ({type(error).__name__}); check its address and your permissions",
                argument="path",
            ) from None

    with connected() as connection:
        found = connection.execute(
            "select table_name from information_schema.tables where table_schema = any(current_schemas(false))"
        )
        there = {name for (name,) in found}
        payloads = connection.execute(
            "select table_name from information_schema.columns where column_name in ('id', 'vector', 'payload') "
            "and table_schema = any(current_schemas(false)) group by table_name having count(*) = 3"
        )
        mem0 = sorted(table for (table,) in payloads if isinstance(table, str) and table.isidentifier())
    known = _known(there, "the database", key)
    if known is None and mem0:
        known = "mem0", [partial(mem0_databases.read_pgvector, table=table) for table in mem0]
    if known is None:
        raise InvalidError(
            f"this database is of an unknown kind; its tables are {', '.join(sorted(there)[:8])}",
            argument="path",
        )
    name, parts = known

    def entries() -> Iterator[Read]:
        with connected() as connection:
            for part in parts:
                yield from part(connection.execute)

    return name, entries()


def _known(there: set[str], name: str, key: str | None) -> tuple[str, list[Part]] | None:
    """Return whose tables these are, and how each part of them is read."""
    if {"agent_sessions", openai_agents_sdk.MESSAGES} <= there:
        return "openai-agents", [lambda rows: openai_agents_sdk.of_tables(rows, there, name, key)]
    if "points" in there:
        return "mem0", [lambda rows: mem0_databases.read_qdrant(rows, name)]
    if "history" in there and there <= {"history", "messages", "sqlite_sequence"}:
        return "mem0", [lambda rows: mem0_databases.history(rows, there)]
    parts: list[Part] = []
    if "store" in there:
        parts.append(lambda rows: _langgraph(rows, name, lifetimes="store_migrations" in there))
    if "checkpoints" in there:
        parts.append(lambda rows: langgraph_checkpoints.read(rows, there, name))
    return ("langgraph", parts) if parts else None


def _langgraph(rows: Rows, name: str, *, lifetimes: bool) -> Iterator[Read]:
    """Read LangGraph's store, such as LangMem fills it; older ones have no lifetimes."""
    ends = "expires_at" if lifetimes else "null"
    statement = f"select prefix, key, value, created_at, updated_at, {ends} from store order by prefix, key"
    for number, (prefix, key, value, created, updated, expires) in enumerate(rows(statement), 1):
        try:
            decoded = json.loads(value) if isinstance(value, str | bytes) else value
        except (ValueError, RecursionError):
            yield Malformed(line=number, reason="not valid JSON", file=name)
            continue
        one = {
            "prefix": prefix,
            "key": key,
            "value": decoded,
            "created_at": str(created),
            "updated_at": str(updated),
            "expires_at": None if expires is None else str(expires),
        }
        if exports.is_langgraph(one):
            yield from exports.read_langgraph(number, one)
        else:
            yield Skipped(reason="an item of a store that is not an object")
