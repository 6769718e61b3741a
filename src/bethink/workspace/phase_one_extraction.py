"""Phase one: extract a summary and a raw memory from a conversation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bethink.lifecycle.consolidate.words import stems
from bethink.workspace.rollout_ids import slug_of
from bethink.workspace.values import Extract

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bethink.workspace.evidence import Evidence

MAX_KEYWORDS = 8
UNNAMED = "a task that is not quoted here"
_WORD = re.compile(r"[A-Za-z][\w./-]{2,30}")
_HOLLOW = frozenset(
    "the and for with that this from into please could would should about then than what when where which while have "  # noqa: SIM905 - a list of words reads best as words
    "has had been are was were will just also not but use using used make made works worked failed run file files "
    "nothing put right after until first again always never before".split()
)


def extract(evidence: Evidence, *, group: str, slug: str | None = None) -> Extract | None:
    """Return the two texts, or None where the conversation gives nothing to remember.

    A slug that a conversation has is kept, so that its summary keeps its name.
    """
    if evidence.empty:
        return None
    task = evidence.tasks[0] if evidence.tasks else UNNAMED
    keywords = _keywords(evidence)
    return Extract(
        slug=slug or slug_of(task),
        summary=_summary(evidence, task),
        raw=_raw(evidence, task, group, keywords),
    )


def _summary(evidence: Evidence, task: str) -> str:
    parts = [f"# {task}", f"Outcome: {evidence.outcome} (the last run ended as {evidence.ended})"]
    if len(evidence.tasks) > 1:
        parts.append(section("## Asked for", evidence.tasks))
    parts += [
        section("## What the user stated", [each.text for each in evidence.signals]),
        section("## For this conversation only", evidence.once),
        section("## What was done", () if evidence.works or evidence.failed else evidence.done),
        section("## What worked", evidence.works),
        section("## What failed", evidence.failed),
        section("## Files that were changed", [f"`{path}`" for path in evidence.files]),
    ]
    if evidence.waiting:
        parts.append(f"Calls that still wait for approval: {evidence.waiting}")
    if evidence.claim:
        parts.append(f"## The assistant's last words (a claim, not checked)\n\n> {evidence.claim}")
    if evidence.omitted:
        parts.append(f"Segments in the middle that were too long to read: {evidence.omitted}")
    return "\n\n".join(part for part in parts if part) + "\n"


def _raw(evidence: Evidence, task: str, group: str, keywords: Sequence[str]) -> str:
    head = (
        f"---\ndescription: {task}\ntask: {task}\ntask_group: {group}\ntask_outcome: {evidence.outcome}\n"
        f"keywords: {', '.join(keywords)}\n---"
    )
    signals = [f'"{each.words or each.text}" -> {each.text}' for each in evidence.signals]
    block = [
        f"### Task 1: {task}\n\ntask: {task}\ntask_group: {group}\ntask_outcome: {evidence.outcome}",
        section("Preference signals:", signals),
        section("Reusable knowledge:", evidence.works),
        section("Failures and how to do differently:", evidence.failed),
        section("References:", [f"`{path}`" for path in evidence.files]),
    ]
    return "\n\n".join([head, *(part for part in block if part)]) + "\n"


def section(title: str, entries: Iterable[str]) -> str:
    """Return a titled list, or nothing where there is no entry."""
    listed = "\n".join(f"- {entry}" for entry in entries)
    return f"{title}\n\n{listed}" if listed else ""


def _keywords(evidence: Evidence) -> tuple[str, ...]:
    """Return the words by which somebody would look for this again."""
    found: dict[str, None] = {}
    for text in (
        *evidence.tasks,
        *(each.text for each in evidence.signals),
        *evidence.failed,
        *evidence.works,
    ):
        for word in _WORD.findall(text):
            plain = word.strip("./-_").casefold()
            if len(plain) > 2 and plain not in _HOLLOW and stems(plain):  # noqa: PLR2004
                found.setdefault(plain)
    sources = " ".join([*evidence.tasks, *(each.text for each in evidence.signals)]).casefold()
    topics = [word for each in evidence.signals for word in each.keywords if word in sources]
    return tuple(dict.fromkeys([*topics, *found]))[:MAX_KEYWORDS]
