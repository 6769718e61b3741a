"""Diff a memory file against its last version: added, removed and reworded lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.distill.firewall import folded
from bethink.workspace.markdown import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

ALIKE: Final = 0.6  #: from here on a line is taken for another wording of one that went
#: what carries the structure of MEMORY.md and memory_summary.md, and says nothing by itself
STRUCTURE: Final = frozenset({"rollout_summary_files", "keywords", "what's in memory", "user profile"})
_TABULAR: Final = frozenset({"rollout_summary_files", "keywords"})
_FEW: Final = 64
_CANDIDATES: Final = 8  #: lines that a new one is compared with letter by letter


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing that a file says: a bullet, a paragraph, or a piece of code."""

    text: str
    section: str = ""  #: the heading that it stands under
    structural: bool = False  #: it belongs to the frame of a generated file


@dataclass(frozen=True, slots=True)
class Edits:
    """The difference between two versions of a file: added, removed and reworded lines."""

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
    for block in parse(text):
        if block.kind == "heading":
            heading, framed = _framed(block.depth, block.text, framed)
            continue
        statement = block.text if block.is_statement else ""
        if statement.startswith("scope:") and block.kind == "paragraph":
            statement = statement.partition("\n")[2]
        if statement:
            found.append(Line(text=statement, section=heading, structural=framed))
    return found


def compare(before: str, after: str, *, frame: bool = True) -> Edits:
    """Return what was done to a file, whatever was moved about in it.

    With `frame`, it is one that we generate: what belongs to its frame says nothing.
    """
    old, new = _lines_by_text(before), _lines_by_text(after)
    added = [
        line
        for fold, line in new.items()
        if fold not in old and not (frame and line.structural and (not before or line.section in _TABULAR))
    ]
    removed = [line for fold, line in old.items() if fold not in new and not (frame and line.structural)]
    return Edits(*pair_lines(added, removed))


def pair_lines(
    added: Sequence[Line], removed: Sequence[Line]
) -> tuple[tuple[Line, ...], tuple[Line, ...], tuple[tuple[Line, Line], ...]]:
    """Return lines that came and lines that went, and apart from them those that are one, worded anew."""
    came, went = list(added), {id(line): line for line in removed}
    by_word: dict[str, set[int]] = {}
    for line in removed:
        for word in set(folded(line.text).split()):
            by_word.setdefault(word, set()).add(id(line))
    reworded: list[tuple[Line, Line]] = []
    for line in added:
        shared = Counter(
            number
            for word in set(folded(line.text).split())
            for number in by_word.get(word, ())
            if number in went
        )
        near = [went[number] for number, _ in shared.most_common(_CANDIDATES)]
        if not near and len(went) <= _FEW:  # such as languages that put no spaces between words
            near = list(went.values())
        best = max(near, key=lambda each: _likeness(each.text, line.text), default=None)
        if best is not None and _likeness(best.text, line.text) >= ALIKE:
            reworded.append((best, line))
            came.remove(line)
            del went[id(best)]
    return tuple(came), tuple(went.values()), tuple(reworded)


def nearest_version(candidates: Sequence[str], text: str) -> str:
    """Return the earlier version of a file that a later one was made from."""
    rows = set(text.splitlines())
    return min(candidates, key=lambda each: len(rows.symmetric_difference(each.splitlines())))


def _lines_by_text(text: str) -> dict[str, Line]:
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
