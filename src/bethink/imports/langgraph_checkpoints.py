"""Read threads from LangGraph's SQLite checkpoints, without importing or building any class that they name."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, cast

from bethink.errors import InvalidError
from bethink.imports import names_and_ids
from bethink.imports.msgpack_and_pickle import Extension, decode_msgpack
from bethink.imports.values import Entry, Malformed
from bethink.sessions.readers.parts import instant, object_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.imports.openai_agents_sdk import Rows
    from bethink.imports.values import Read

_NAMED: Final = 3  #: parts of a packed object: module, class, what it was made with
_UUID_TIMES: Final = {1, 6}
_BEGINNING: Final = datetime(1582, 10, 15, tzinfo=UTC)  #: from which such ids count their time


def read(rows: Rows, tables: set[str], name: str) -> Iterator[Read]:
    """Read the newest state of each thread: its messages, each with the time of the step that brought it."""
    left: Counter[str] = Counter()
    if "checkpoint_blobs" in tables:
        left["a checkpoint in PostgreSQL (only checkpoints in SQLite are supported)"] += 1
        yield from names_and_ids.skipped_counts(left)
        return
    times = _times(rows) if "writes" in tables else {}
    newest = (
        "select c.thread_id, c.checkpoint_id, c.type, c.checkpoint from checkpoints c "
        "where c.checkpoint_ns = '' and c.checkpoint_id = (select max(n.checkpoint_id) from checkpoints n "
        "where n.thread_id = c.thread_id and n.checkpoint_ns = '') order by c.thread_id"
    )
    for number, (thread, id_, kind, data) in enumerate(rows(newest), 1):
        try:
            state = _decoded(kind, data)
        except InvalidError as error:
            yield Malformed(line=number, reason=f"thread {thread}: {error}", file=name)
            continue
        if not isinstance(state, dict):
            left[f"a checkpoint of type {str(kind)[:20]}"] += 1
            continue
        yield from _messages(number, str(thread), str(id_), cast("dict[str, Any]", state), times, left)
    steps = list(rows("select count(*) from checkpoints"))
    threads = list(rows("select count(distinct thread_id) from checkpoints where checkpoint_ns = ''"))
    left["an earlier step of a thread"] += steps[0][0] - threads[0][0]
    yield from names_and_ids.skipped_counts({reason: count for reason, count in left.items() if count})


def _messages(
    number: int,
    thread: str,
    checkpoint: str,
    state: dict[str, Any],
    times: dict[tuple[str, str], datetime],
    left: Counter[str],
) -> Iterator[Entry]:
    listed = object_of(state, "channel_values").get("messages")
    if not isinstance(listed, list):
        left["a thread without messages"] += 1
        return
    last = instant(state.get("ts")) or _time_of(checkpoint)
    for place, each in enumerate(cast("list[Any]", listed), 1):
        body = _plain(each)
        if not isinstance(body, dict):
            left["something in a thread that is not a message"] += 1
            continue
        id_ = text_of(cast("dict[str, Any]", body), "id")
        yield Entry(
            line=number,
            body=cast("dict[str, Any]", body),
            session=names_and_ids.session_name("langgraph", thread),
            at=times.get((thread, id_), last),
            key=names_and_ids.session_name(id_) if id_ else f"place-{place}",
        )


def _times(rows: Rows) -> dict[tuple[str, str], datetime]:
    """Return when each message came: the time of the step in which it was written first."""
    found: dict[tuple[str, str], datetime] = {}
    statement = (
        "select thread_id, checkpoint_id, type, value from writes "
        "where checkpoint_ns = '' and channel = 'messages' order by checkpoint_id"
    )
    for thread, checkpoint, kind, data in rows(statement):
        at = _time_of(str(checkpoint))
        try:
            decoded = _decoded(kind, data)
        except InvalidError:
            continue
        for each in cast("list[Any]", decoded) if isinstance(decoded, list) else [decoded]:
            body = _plain(each)
            if at is not None and isinstance(body, dict):
                found.setdefault((str(thread), text_of(cast("dict[str, Any]", body), "id")), at)
    return found


def _decoded(kind: object, data: object) -> Any:
    """Return a value of a checkpoint; None where it is packed in a way that is not read.

    Raises:
        InvalidError: it breaks off.
    """
    if kind == "msgpack" and isinstance(data, bytes):
        return decode_msgpack(data)
    if kind == "json" and isinstance(data, bytes | str):
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise InvalidError("not valid JSON", argument="path") from None
    return None


def _plain(value: Any) -> Any:
    """Return what an object was made with, as JSON; of a message these are its fields."""
    if isinstance(value, Extension):
        try:
            parts = decode_msgpack(value.data)
        except InvalidError:
            return None
        made = cast("list[Any]", parts) if isinstance(parts, list) else []
        return _plain(made[2]) if len(made) >= _NAMED else None
    if isinstance(value, dict):
        given = cast("dict[Any, Any]", value)
        return {str(name): _plain(each) for name, each in given.items()}
    if isinstance(value, list):
        return [_plain(each) for each in cast("list[Any]", value)]
    if isinstance(value, bytes):
        return None
    return value


def _time_of(checkpoint: str) -> datetime | None:
    """Return the time that an id of a checkpoint holds."""
    try:
        id_ = uuid.UUID(checkpoint)
    except ValueError:
        return None
    if id_.version not in _UUID_TIMES:
        return None
    ticks = id_.time
    if id_.version == 6:  # noqa: PLR2004 - Python reads its fields as those of the first version
        ticks = (id_.int >> 80 << 12) | (id_.int >> 64 & 0x0FFF)
    try:
        return _BEGINNING + timedelta(microseconds=ticks // 10)
    except OverflowError:
        return None
