"""Guard third-party text line by line: mask secrets, drop prompt injection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.workspace.values import GuardedText

if TYPE_CHECKING:
    from bethink.lifecycle.guard import Guard
    from bethink.notes.values import Source


def safe_text(text: str, guard: Guard, place: str, source: Source = "user") -> tuple[str, list[GuardedText]]:
    """Return a text without its secrets and without lines that give orders to a model, and what was caught.

    Orders are looked for as in the user's own words: what is an attack whoever wrote it.
    """
    masked = guard.mask(text)
    caught: dict[GuardedText, None] = {}
    if masked != text:
        reasons = guard.judge(text, source=source, stage="injection").reasons
        caught[GuardedText(place=place, reasons=reasons, action="redact")] = None
    rows: list[str] = []
    for row in masked.split("\n"):
        verdict = guard.judge(row, source=source, stage="injection") if row.strip() else None
        if verdict is not None and verdict.action in {"block", "quarantine"}:
            caught[GuardedText(place=place, reasons=verdict.reasons, action=verdict.action)] = None
        else:
            rows.append(row)
    return "\n".join(rows), list(caught)
