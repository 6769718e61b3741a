"""Read the databases of a running mem0: Qdrant or pgvector points, history, last messages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl

from bethink.errors import InvalidError
from bethink.imports import mem0_zep_letta_exports as exports
from bethink.imports import names_and_ids
from bethink.imports.msgpack_and_pickle import Shell, decode_pickle
from bethink.imports.values import Entry, Fact, Malformed, Skipped
from bethink.sessions.readers.parts import instant, object_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.imports.openai_agents_sdk import Rows
    from bethink.imports.values import Read


def read_qdrant(rows: Rows, name: str) -> Iterator[Read]:
    """Read the points of a local Qdrant: pickles, of which nothing is imported or called."""
    for number, (id_, data) in enumerate(rows("select id, point from points order by rowid"), 1):
        try:
            found = decode_pickle(data if isinstance(data, bytes) else b"")
        except InvalidError as error:
            yield Malformed(line=number, reason=f"{error}", file=name)
            continue
        one = _fields(found)
        one = {"id": str(one.get("id") or id_), "payload": object_of(one, "payload")}
        yield from _memory(number, one)


def read_pgvector(rows: Rows, table: str) -> Iterator[Read]:
    """Read a table of pgvector as mem0 lays it out."""
    for number, (id_, payload) in enumerate(rows(f"select id, payload from {table} order by id"), 1):
        decoded: Any = json.loads(payload) if isinstance(payload, str) else payload
        yield from _memory(number, {"id": str(id_), "payload": decoded if isinstance(decoded, dict) else {}})


def _memory(number: int, one: dict[str, Any]) -> Iterator[Read]:
    if exports.is_mem0(one) or "linked_memory_ids" in object_of(one, "payload"):
        yield from exports.read_mem0(number, one)
    else:
        yield Skipped(reason="a point that is not a memory")


def _fields(found: object) -> dict[str, Any]:
    state = found.state if isinstance(found, Shell) else found
    given = cast("dict[str, Any]", state) if isinstance(state, dict) else {}
    inner = given.get("__dict__")
    return cast("dict[str, Any]", inner) if isinstance(inner, dict) else given


def history(rows: Rows, tables: set[str]) -> Iterator[Read]:
    """Read the history: what each memory says by its newest event. It does not say whose memories they are."""
    newest: dict[str, tuple[Any, ...]] = {}
    events = 0
    for row in rows(
        "select memory_id, new_memory, event, created_at, updated_at, role from history order by rowid"
    ):
        newest[str(row[0])] = row
        events += 1
    for number, (id_, (_, text, event, created, updated, role)) in enumerate(newest.items(), 1):
        if event == "DELETE" or not isinstance(text, str):
            yield Skipped(reason="a memory that was deleted")
            continue
        yield Fact(
            line=number,
            text=text,
            id=id_,
            origin="mem0",
            at=instant(updated) or instant(created),
            details={"role": role} if isinstance(role, str) else {},
        )
    if events > len(newest):
        yield Skipped(reason="an earlier wording of a memory", count=events - len(newest))
    if "messages" in tables:
        yield from _messages(rows)


def _messages(rows: Rows) -> Iterator[Read]:
    statement = (
        "select id, session_scope, role, content, name, created_at from messages order by created_at, rowid"
    )
    for number, (id_, scope, role, content, name, at) in enumerate(rows(statement), 1):
        owner = dict(parse_qsl(str(scope or "")))
        if role not in {"user", "assistant", "system", "tool"} or not isinstance(content, str):
            yield Skipped(reason="a message without words")
            continue
        yield Entry(
            line=number,
            body={"role": role, "content": content},
            session=names_and_ids.session_name("mem0", str(scope or "")),
            at=instant(at),
            speaker=names_and_ids.speaker_name(name),
            user=owner.get("user_id"),
            agent=owner.get("agent_id"),
            key=names_and_ids.session_name(str(id_)),
        )
