"""Find what somebody changed in a file of memory: which lines came, went, or were worded anew."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.distill.firewall import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

ALIKE: Final = 0.6  #: from here on a line is taken for another wording of one that went
_HEADING: Final = re.compile(r"(#{1,6})\s+(.*?)\s*#*")
_BULLET: Final = re.compile(r"\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+(.*)")
_FENCE: Final = re.compile(r"\s{0,3}(```|~~~)")
#: what carries the structure of MEMORY.md and memory_summary.md, and says nothing by itself
STRUCTURE: Final = frozenset({"rollout_summary_files", "keywords", "what's in memory", "user profile"})
_TABULAR: Final = frozenset({"rollout_summary_files", "keywords"})
_MARKER: Final = re.compile(r"\s*<!--.*?-->\s*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing that a file says: a bullet, a paragraph, or a piece of code."""

    text: str
    section: str = ""  #: the heading that it stands under
    structural: bool = False  #: it belongs to the frame of a generated file


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What was done to a file."""

    added: tuple[Line, ...] = ()
    removed: tuple[Line, ...] = ()
    reworded: tuple[tuple[Line, Line], ...] = ()  #: before, after

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.reworded)


def read(text: str) -> list[Line]:
    """Return what a file says, in its order."""
    found: list[Line] = []
    heading = ""
    framed = False
    open_block: list[str] = []
    fence = ""

    def close() -> None:
        plain = _MARKER.sub(" ", "\n".join(open_block)).strip()
        if plain:
            found.append(Line(text=plain, section=heading, structural=framed))
        open_block.clear()

    for row in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if fence:
            open_block.append(row)
            if row.strip().startswith(fence):
                fence = ""
                close()
            continue
        mark = _FENCE.match(row)
        title = _HEADING.fullmatch(row)
        bullet = _BULLET.fullmatch(row)
        if mark:
            close()
            fence = mark.group(1)
            open_block.append(row)
        elif title:
            close()
            heading, framed = _framed(len(title.group(1)), title.group(2), framed)
        elif bullet:
            close()
            open_block.append(bullet.group(1))
        elif not row.strip() or (row.startswith("scope:") and not open_block):
            close()
        else:
            open_block.append(row.strip())
    close()
    return found


def compare(before: str, after: str) -> Edits:
    """Return what was done to a file, whatever was moved about in it."""
    old, new = _told(before), _told(after)
    added = [
        line
        for fold, line in new.items()
        if fold not in old and not (line.structural and (not before or line.section in _TABULAR))
    ]
    removed = [line for fold, line in old.items() if fold not in new and not line.structural]
    reworded: list[tuple[Line, Line]] = []
    for line in list(added):
        nearest = max(removed, key=lambda each: _likeness(each.text, line.text), default=None)
        if nearest is not None and _likeness(nearest.text, line.text) >= ALIKE:
            reworded.append((nearest, line))
            added.remove(line)
            removed.remove(nearest)
    return Edits(added=tuple(added), removed=tuple(removed), reworded=tuple(reworded))


def nearest(candidates: Sequence[str], text: str) -> str:
    """Return the earlier version of a file that a later one was made from."""
    rows = set(text.splitlines())
    return min(candidates, key=lambda each: len(rows.symmetric_difference(each.splitlines())))


def _told(text: str) -> dict[str, Line]:
    return {fold: line for line in read(text) if (fold := folded(line.text))}


def _framed(depth: int, title: str, framed: bool) -> tuple[str, bool]:
    """Return the section that a heading opens, and whether what follows belongs to the frame."""
    plain = title.casefold()
    if plain in STRUCTURE:
        return title, True
    if plain.startswith(("task group:", "task ")) and depth <= 2:  # noqa: PLR2004
        return "", False
    if depth > 2 and framed:  # noqa: PLR2004
        return title, True
    return title, False


def _likeness(left: str, right: str) -> float:
    return SequenceMatcher(None, folded(left), folded(right), autojunk=False).ratio()
