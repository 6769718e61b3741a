"""Show changes line by line: + added, ~ revised, - retired, = kept.

+ Prefers vegetarian meals.  (from session note "Vegetarian.")
~ Prefers aisle seats.  (was "User usually prefers aisle seats.": said again)
- Prefers high floors.  (superseded by "Prefers low floors.")
= Likes jazz.  (what a session noted is older)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, assert_never

from bethink.lifecycle.values import Add, Keep, Retire, Revise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.lifecycle.values import Change

Sign: TypeAlias = Literal["+", "~", "-", "="]

NOTHING = "Nothing to change."


class Line(NamedTuple):
    """One change, as it is read."""

    sign: Sign
    text: str
    detail: str

    def __str__(self) -> str:
        return f"{self.sign} {self.text}  ({self.detail})" if self.detail else f"{self.sign} {self.text}"


def lines(changes: Sequence[Change], texts: Mapping[str, str]) -> list[Line]:
    """Return the lines of changes; a promoted session note stands with what was made of it.

    `texts` are the words of the notes that the changes name, by id.
    """
    return [line for change in changes if (line := _line(change, changes, texts))]


def _line(change: Change, changes: Sequence[Change], texts: Mapping[str, str]) -> Line | None:
    match change:
        case Add():
            sources = ", ".join(_quoted(texts, each) for each in change.sources)
            return Line("+", change.text, f"from session note {sources}" if sources else change.reason)
        case Revise():
            before = _text(texts, change.note)
            worded = "" if before == change.text else f'was "{before}": '
            return Line("~", change.text, f"{worded}{change.reason}")
        case Retire():
            if change.outcome == "promoted" and isinstance(change.successor, int):
                return None
            by = _successor(change.successor, changes, texts)
            joint = "by" if change.outcome == "superseded" else "into"
            detail = f"{change.outcome} {joint} {by}" if by else f"{change.outcome}: {change.reason}"
            return Line("-", _text(texts, change.note), detail)
        case Keep():
            return Line("=", _text(texts, change.note), change.reason)
        case _:
            assert_never(change)


def _successor(successor: str | int | None, changes: Sequence[Change], texts: Mapping[str, str]) -> str:
    if successor is None:
        return ""
    if isinstance(successor, str):
        return _quoted(texts, successor)
    change = changes[successor] if 0 <= successor < len(changes) else None
    return f'"{change.text}"' if isinstance(change, Add) else f"change {successor}"


def _text(texts: Mapping[str, str], word: str) -> str:
    return " ".join(texts[word].split()) if word in texts else word


def _quoted(texts: Mapping[str, str], word: str) -> str:
    return f'"{_text(texts, word)}"'
