"""Show a proposal line by line: + added, ~ revised, - retired, = kept.

+ Prefers vegetarian meals.  (from session note "Vegetarian.")
~ Prefers aisle seats.  (was "User usually prefers aisle seats.": said again)
- Prefers high floors.  (superseded by "Prefers low floors.")
= Likes jazz.  (what a session noted is older)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, assert_never

from bethink.lifecycle.values import Add, Keep, Proposal, Retire, Revise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bethink.lifecycle.values import Change
    from bethink.notes.values import Note

Sign: TypeAlias = Literal["+", "~", "-", "="]

NOTHING = "Nothing to change."


class Line(NamedTuple):
    """One change, as it is read."""

    sign: Sign
    text: str
    detail: str

    def __str__(self) -> str:
        return f"{self.sign} {self.text}  ({self.detail})" if self.detail else f"{self.sign} {self.text}"


def lines(proposal: Proposal, notes: Iterable[Note]) -> list[Line]:
    """Return the lines of a proposal; a promoted session note stands with what was made of it."""
    known = {note.id: note for note in notes}
    return [line for change in proposal.changes if (line := _line(change, proposal, known))]


def text(proposal: Proposal, notes: Iterable[Note]) -> str:
    """Return a proposal as a readable diff."""
    shown = [str(line) for line in lines(proposal, notes)]
    return "\n".join([*shown, *proposal.remarks]) if shown or proposal.remarks else NOTHING


def to_json(proposal: Proposal, notes: Iterable[Note]) -> dict[str, Any]:
    """Return a proposal as plain JSON."""
    known = {note.id: note for note in notes}
    return {
        "engine": proposal.engine,
        "conflicts": proposal.conflicts,
        "changes": [_plain(change, known) for change in proposal.changes],
        "remarks": list(proposal.remarks),
    }


def _line(change: Change, proposal: Proposal, known: Mapping[str, Note]) -> Line | None:
    match change:
        case Add():
            told = ", ".join(_quoted(known, each) for each in change.sources)
            return Line("+", change.text, f"from session note {told}" if told else change.reason)
        case Revise():
            before = _text(known, change.note)
            worded = "" if before == change.text else f'was "{before}": '
            return Line("~", change.text, f"{worded}{change.reason}")
        case Retire():
            if change.outcome == "promoted" and isinstance(change.successor, int):
                return None
            by = _successor(change.successor, proposal, known)
            joint = "by" if change.outcome == "superseded" else "into"
            told = f"{change.outcome} {joint} {by}" if by else f"{change.outcome}: {change.reason}"
            return Line("-", _text(known, change.note), told)
        case Keep():
            return Line("=", _text(known, change.note), change.reason)
        case _:
            assert_never(change)


def _successor(successor: str | int | None, proposal: Proposal, known: Mapping[str, Note]) -> str:
    if successor is None:
        return ""
    if isinstance(successor, str):
        return _quoted(known, successor)
    change = proposal.changes[successor] if 0 <= successor < len(proposal.changes) else None
    return f'"{change.text}"' if isinstance(change, Add) else f"change {successor}"


def _text(known: Mapping[str, Note], word: str) -> str:
    return " ".join(known[word].text.split()) if word in known else word


def _quoted(known: Mapping[str, Note], word: str) -> str:
    return f'"{_text(known, word)}"'


def _plain(change: Change, known: Mapping[str, Note]) -> dict[str, Any]:
    match change:
        case Add():
            return {
                "kind": change.kind,
                "text": change.text,
                "keywords": list(change.keywords),
                "category": change.category,
                "sources": list(change.sources),
                "valid_from": None if change.valid_from is None else change.valid_from.isoformat(),
                "confidence": change.confidence,
                "reason": change.reason,
            }
        case Revise():
            return {
                "kind": change.kind,
                "note": change.note,
                "before": _text(known, change.note),
                "text": change.text,
                "keywords": list(change.keywords),
                "sources": list(change.sources),
                "valid_from": None if change.valid_from is None else change.valid_from.isoformat(),
                "reason": change.reason,
            }
        case Retire():
            return {
                "kind": change.kind,
                "note": change.note,
                "text": _text(known, change.note),
                "outcome": change.outcome,
                "successor": change.successor,
                "reason": change.reason,
            }
        case Keep():
            return {
                "kind": change.kind,
                "note": change.note,
                "text": _text(known, change.note),
                "reason": change.reason,
            }
        case _:
            assert_never(change)
