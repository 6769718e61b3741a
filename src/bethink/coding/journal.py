"""Append hook events to a journal file, for agents whose transcripts are not read, until they are imported."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES: Final = 64 << 20  #: of one session


def path_of(folder: Path, tool: str, session: str) -> Path:
    """Return the file of a session."""
    return folder / f"{tool}-{quote(session, safe='')[:150] or 'session'}.jsonl"


def add(path: Path, where: str, items: list[dict[str, Any]]) -> None:
    """Add items to the file of a session: each line is written at once, so that two hooks do not mix theirs."""
    if not items or (path.exists() and path.stat().st_size > MAX_BYTES):
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    now = time.time_ns()
    lines = [
        json.dumps({"id": f"{now}-{os.getpid()}-{place}", "at": now / 1e9, "folder": where, "item": item})
        for place, item in enumerate(items)
    ]
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(handle, ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass"))
    finally:
        os.close(handle)
