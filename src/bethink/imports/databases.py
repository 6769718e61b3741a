"""Read the SQLite files of other systems, without writing to them."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from bethink.errors import InvalidError
from bethink.imports import shared, stores
from bethink.imports.values import Broken, Entry
from bethink.sessions.readers.parts import instant

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from bethink.imports.values import Read


@contextmanager
def opened(path: Path) -> Generator[Any]:
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
        raise InvalidError(f"{path.name} cannot be read as a database: {error}", argument="path") from None


def tables(path: Path) -> set[str]:
    """Return the names of the tables of a file."""
    with opened(path) as connection:
        return {name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")}


def read(path: Path) -> tuple[str, Iterator[Read]]:
    """Return what a file is, and what it holds.

    Raises:
        InvalidError: nobody knows its tables.
    """
    there = tables(path)
    if {"scopes", "items", "bethink_migrations"} <= there:
        raise InvalidError(
            f"{path.name} is a memory of Bethink itself: `bethink copy {path.name} TO` moves it",
            argument="path",
        )
    if {"agent_sessions", "agent_messages"} <= there:
        return "openai-agents", _agents(path, advanced="message_structure" in there)
    if "store" in there:
        return "langgraph", _langgraph(path)
    if "checkpoints" in there:
        raise InvalidError(
            f"{path.name} holds checkpoints of LangGraph, whose messages are packed: export them as JSON with "
            "`graph.get_state(config)`, and import that",
            argument="path",
        )
    shown = ", ".join(sorted(there)[:8])
    raise InvalidError(f"{path.name} is a database that nobody here knows: it has {shown}", argument="path")


def _agents(path: Path, *, advanced: bool) -> Iterator[Read]:
    """Read sessions of the OpenAI Agents SDK; of the advanced ones each branch is a session."""
    left: Counter[str] = Counter()
    columns = "m.session_id, m.id, m.message_data, m.created_at"
    plain = f"select {columns}, 'main' from agent_messages m order by m.session_id, m.id"
    branched = (
        f"select {columns}, coalesce(s.branch_id, 'main') from agent_messages m "
        "left join message_structure s on s.message_id = m.id and s.session_id = m.session_id "
        "order by m.session_id, coalesce(s.branch_id, 'main'), s.sequence_number, m.id"
    )
    with opened(path) as connection:
        rows = connection.execute(branched if advanced else plain)
        for number, (session, id_, text, at, branch) in enumerate(rows, 1):
            try:
                body = json.loads(text)
            except (ValueError, TypeError, RecursionError):
                yield Broken(line=number, reason="it is not JSON", file=path.name)
                continue
            if not isinstance(body, dict):
                yield Broken(line=number, reason="it is no JSON object", file=path.name)
                continue
            if "__enc__" in body:
                left["an encrypted message (its key is not here)"] += 1
                continue
            yield Entry(
                line=number,
                body=cast("dict[str, Any]", body),
                session=shared.name(str(session), "" if branch == "main" else str(branch)),
                at=instant(str(at)) if at else None,
                key=f"agents-sdk:{id_}",
            )
    yield from shared.left(left)


def _langgraph(path: Path) -> Iterator[Read]:
    with opened(path) as connection:
        rows = connection.execute("select prefix, key, value, created_at, updated_at from store")
        for number, (prefix, key, value, created, updated) in enumerate(rows, 1):
            try:
                told = json.loads(value)
            except (ValueError, TypeError, RecursionError):
                yield Broken(line=number, reason="it is not JSON", file=path.name)
                continue
            one = {
                "prefix": prefix,
                "key": key,
                "value": told,
                "created_at": str(created),
                "updated_at": str(updated),
            }
            if stores.is_langgraph(one):
                yield from stores.langgraph(number, one)
