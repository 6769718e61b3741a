"""Diff notebook pages (added, removed, reworded, moved lines), and report conflicts: lines changed on both sides."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bethink.lifecycle.distill.firewall import folded
from bethink.workspace.edited_lines import Edits, compare
from bethink.workspace.notebook_pages import is_frame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.workspace.edited_lines import Line


@dataclass(slots=True)
class PageEdits:
    """What was done to all pages since they were last seen."""

    edits: list[tuple[str, Edits]] = field(default_factory=list[tuple[str, Edits]])
    moved: list[tuple[str, Line]] = field(default_factory=list["tuple[str, Line]"])  #: page that it is on now
    renamed: dict[str, str] = field(default_factory=dict[str, str])  #: page as it was called, as it is called
    conflicts: list[str] = field(default_factory=list[str])


def compare_pages(before: Mapping[str, str], after: Mapping[str, str]) -> PageEdits:
    """Compare two states of a folder's pages. A page that cannot be read now is not among either."""
    found = PageEdits()
    each = {
        name: _statements(compare(before.get(name, ""), after.get(name, ""), frame=False))
        for name in {**after, **before}
        if before.get(name) != after.get(name)
    }
    went = {folded(line.text): (name, line) for name, edit in each.items() for line in edit.removed}
    came = {folded(line.text): (name, line) for name, edit in each.items() for line in edit.added}
    both = {fold for fold in went if fold in came and went[fold][0] != came[fold][0]}
    ways: dict[str, set[str]] = {}
    for fold in both:
        found.moved.append(came[fold])
        ways.setdefault(went[fold][0], set()).add(came[fold][0])
    for name, targets in ways.items():
        (target, *more) = targets
        if name not in after and target not in before and not more:
            found.renamed[name] = target
    for name, edit in each.items():
        rest = Edits(
            added=tuple(line for line in edit.added if folded(line.text) not in both),
            removed=tuple(line for line in edit.removed if folded(line.text) not in both),
            reworded=edit.reworded,
        )
        if rest:
            found.edits.append((name, rest))
    return found


def resolve_conflicts(found: PageEdits, base: Mapping[str, str], existing: Mapping[str, str]) -> None:
    """Leave out edits of what was changed elsewhere too, so that both sides are kept, and tell of them.

    `base` and `standing` are the notes as they were and as they are, by id.
    """
    by_text = {folded(text): number for number, text in base.items()}
    conflicts: dict[str, None] = {}

    def moved_on(line: Line) -> str | None:
        """Return the note of a line, where it is not what it was."""
        number = by_text.get(folded(line.text))
        if number is None or (number in existing and folded(existing[number]) == folded(line.text)):
            return None
        return number

    kept: list[tuple[str, Edits]] = []
    for name, each in found.edits:
        added = list(each.added)
        reworded: list[tuple[Line, Line]] = []
        for before, after in each.reworded:
            number = moved_on(before)
            if number is None:
                reworded.append((before, after))
                continue
            added.append(after)
            what = "changed" if number in existing else "forgotten"
            conflicts[f"{name}: a line was reworded here and {what} elsewhere; both are kept ({number})"] = (
                None
            )
        removed: list[Line] = []
        for line in each.removed:
            number = moved_on(line)
            if number is None:
                removed.append(line)
            elif number in existing:
                conflict = f"{name}: a line was removed here and changed elsewhere, so it stays ({number})"
                conflicts[conflict] = None
        kept.append((name, Edits(tuple(added), tuple(removed), tuple(reworded))))
    found.edits = kept
    found.conflicts = list(conflicts)


def _statements(edits: Edits) -> Edits:
    """Leave out what leads somewhere, or is the frame of our own pages, and says nothing."""

    def statements(lines: Sequence[Line]) -> tuple[Line, ...]:
        return tuple(line for line in lines if not is_frame(line.text))

    return Edits(
        added=statements(edits.added),
        removed=statements(edits.removed),
        reworded=tuple(pair for pair in edits.reworded if not is_frame(pair[0].text)),
    )
