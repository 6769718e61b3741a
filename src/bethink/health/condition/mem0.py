"""Read a mem0 export (a list of memories, or an object with `results`) for `bethink doctor --mem0`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from bethink.errors import InvalidError
from bethink.health.condition.values import Entry

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_OWNERS = ("user_id", "agent_id", "run_id")


def load(path: Path) -> list[Entry]:
    """Return the memories of an export.

    Raises:
        InvalidError: the file is not such an export.
    """
    try:
        plain: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidError(f"{path.name} is not valid JSON", argument="mem0") from error
    return parse(plain)


def parse(plain: Any) -> list[Entry]:
    """Return the memories of an export that was read.

    Raises:
        InvalidError: it is neither a list nor an object with one, or a memory in it has no text.
    """
    listed = cast("dict[str, Any]", plain).get("results") if isinstance(plain, dict) else plain
    if not isinstance(listed, list):
        raise InvalidError('a mem0 export must be a list of memories, or {"results": [...]}', argument="mem0")
    return [_entry(number, each) for number, each in enumerate(cast("list[Any]", listed), start=1)]


def _entry(number: int, plain: Any) -> Entry:
    memory = cast("dict[str, Any]", plain) if isinstance(plain, dict) else {}
    text = memory.get("memory") or memory.get("text") or memory.get("data")
    if not isinstance(text, str):
        raise InvalidError(
            f"memory {number} of the export has no text in its field `memory`", argument="mem0"
        )
    noted = memory.get("metadata")
    metadata = cast("dict[str, Any]", noted) if isinstance(noted, dict) else {}
    declared = metadata.get("language")
    return Entry(
        id=str(memory.get("id") or number),
        text=text,
        owner=next((str(memory[name]) for name in _OWNERS if memory.get(name)), ""),
        source="import",
        since=_instant(memory, "updated_at") or _instant(memory, "created_at"),
        expires_at=_instant(memory, "expiration_date"),
        language=declared if isinstance(declared, str) else None,
    )


def _instant(memory: Mapping[str, Any], name: str) -> datetime | None:
    """Return an instant of ISO 8601; one without a zone is taken for UTC."""
    value = memory.get(name)
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
