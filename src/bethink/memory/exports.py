"""Export sessions and notes as plain JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import NotFoundError
from bethink.memory.scope_notes import every_note
from bethink.notes.rows import to_json
from bethink.sessions import log_items, log_lookup
from bethink.sessions.exports import operation_ids, session_state, versions_and_branches

if TYPE_CHECKING:
    from bethink.memory.runtime import Runtime
    from bethink.notes.values import Note
    from bethink.scope.namespace import Namespace

PAGE = 1_000  #: items that are read at once


async def session_json(runtime: Runtime, namespace: Namespace, name: str) -> dict[str, Any]:
    """Return a session with every item, untouched, and what is known beside it.

    Raises:
        NotFoundError: there is no such session.
    """
    info = await runtime.read_log(log_lookup.describe, namespace, name)
    if info is None:
        raise NotFoundError("no such session in this scope", kind="session", id=name)
    entries: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        found, _, after = await runtime.read_log(log_items.page, namespace, name, limit=PAGE, after=after)
        entries += [
            {
                "seq": item.seq,
                "at": item.at.isoformat() if item.at else None,
                "speaker": item.speaker,
                "origin": item.origin,
                "body": item.body,
            }
            for item in found
        ]
    notes = await every_note(runtime, namespace, name, "active", None)
    return {
        "session": info.id,
        "title": info.title,
        "metadata": dict(info.metadata),
        **await runtime.read(session_state, namespace, name),
        "items": entries,
        "operations": await runtime.read(operation_ids, namespace, name),
        **await runtime.read_log(versions_and_branches, namespace, name),
        "notes": [notes_json(note) for note in notes],
    }


def notes_json(note: Note) -> dict[str, Any]:
    """Return a note as the exports have it."""
    plain = to_json(note)
    plain.pop("revision")
    return plain
