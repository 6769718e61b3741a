"""Phase two: consolidate raw memories into one memory by rules; the newer one wins a conflict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from bethink.lifecycle.distill.firewall import folded
from bethink.lifecycle.values import Add, Retire, Revise
from bethink.notes.values import CONVERSATION, Note
from bethink.workspace.phase_one_extraction import section
from bethink.workspace.rollouts import one_line
from bethink.workspace.truncation import middle_out
from bethink.workspace.values import Consolidated, Lesson

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from bethink.lifecycle.engines import Consolidator
    from bethink.workspace.raw_memories import RawMemory

PREFERENCES = "User preferences"
KNOWLEDGE = "Reusable knowledge"
FAILURES = "Failures and how to do differently"
BY_HAND = "kept by hand"
RECENT_DAYS = 3
MAX_TIPS = 12
MAX_PREFERENCES = 40
MAX_TOPICS = 60
SUMMARY_TOKENS = 12_000  #: so that a reader's limit never cuts it

Suppressed: TypeAlias = Callable[[str], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHand:
    """A line that somebody wrote into the files themselves."""

    text: str
    section: str


def consolidate(
    read: Sequence[RawMemory],
    *,
    consolidator: Consolidator,
    by_hand: Sequence[ByHand] = (),
    suppressed: Suppressed = lambda _: False,
    now: datetime,
) -> Consolidated:
    """Return MEMORY.md and memory_summary.md; what was read of the conversations is newest first.

    What somebody wrote by hand stands before what was generated, and what they took out stays out.
    """
    raws = [
        replace(raw, preferences=tuple(each for each in raw.preferences if not suppressed(each)))
        for raw in read
    ]
    preferences = settled_preferences(raws, by_hand, consolidator, now)
    groups = _groups(raws)
    blocks = [
        _group(name, members, preferences if place == 0 else [], by_hand if place == 0 else [], suppressed)
        for place, (name, members) in enumerate(groups.items())
    ]
    known = {PREFERENCES, KNOWLEDGE, FAILURES}
    rest = [each for each in by_hand if each.section not in known or not groups]
    if rest:
        blocks.append(_own_words(rest))
    return Consolidated(
        memory="\n\n".join(blocks) + "\n" if blocks else "",
        summary=_summary(raws, preferences, by_hand, suppressed) if blocks else "",
        lessons=tuple(_lessons(raws, preferences, by_hand, suppressed)),
    )


def _lessons(
    raws: Sequence[RawMemory], preferences: Sequence[str], by_hand: Sequence[ByHand], suppressed: Suppressed
) -> Iterable[Lesson]:
    """Yield what the conversations taught, each line once, with the conversations that it comes from."""
    own = {folded(each.text) for each in by_hand}
    for title, texts in (
        (PREFERENCES, preferences),
        (FAILURES, [text for each in raws for text in each.failures]),
        (KNOWLEDGE, [text for each in raws for text in each.knowledge]),
    ):
        by: dict[str, dict[str, None]] = {}
        for each in raws:
            listed = {PREFERENCES: each.preferences, FAILURES: each.failures, KNOWLEDGE: each.knowledge}[
                title
            ]
            for text in listed:
                by.setdefault(folded(text), {})[each.rollout.id] = None
        for text in _unique(texts, suppressed):
            if folded(text) in own or not raws:
                continue
            own.add(folded(text))
            yield Lesson(
                text=text, section=title, rollouts=tuple(by.get(folded(text)) or [raws[0].rollout.id])
            )


def settled_preferences(
    raws: Sequence[RawMemory], by_hand: Sequence[ByHand], consolidator: Consolidator, now: datetime
) -> list[str]:
    """Return the preferences that hold, newest first; what somebody wrote by hand was said last."""
    existing: dict[str, Note] = {}
    rounds = [(each.rollout.id, each.preferences) for each in reversed(raws)]
    rounds.append((BY_HAND, tuple(each.text for each in by_hand if each.section == PREFERENCES)))
    for place, (name, texts) in enumerate(rounds):
        staged = [_note(f"s{place}.{at}", text, now, session=name) for at, text in enumerate(texts)]
        proposal = consolidator.propose(staged, list(existing.values()), now=now)
        mentioned: set[str] = set()
        for index, change in enumerate(proposal.changes):
            match change:
                case Add():
                    existing[f"g{place}.{index}"] = _note(f"g{place}.{index}", change.text, now)
                    mentioned.update(change.sources)
                case Revise():
                    if change.note in existing:
                        existing[change.note] = replace(existing[change.note], text=change.text)
                    mentioned.update(change.sources)
                case Retire():
                    existing.pop(change.note, None)
                    mentioned.add(change.note)
                case _:
                    pass
        for note in staged:  # nothing is lost because no rule spoke of it
            if note.id not in mentioned:
                existing[note.id] = _note(note.id, note.text, now)
    by_text = {folded(each.text): each.text for each in by_hand if each.section == PREFERENCES}
    found = {folded(note.text): note.text for note in reversed(existing.values())}
    return list({**by_text, **found, **by_text}.values())


def _note(number: str, text: str, now: datetime, session: str | None = None) -> Note:
    return Note(
        id=number,
        text=text,
        category=CONVERSATION if session else "core",
        session=session,
        confidence=0.9,
        created_at=now,
        updated_at=now,
        valid_from=now,
    )


def _groups(raws: Iterable[RawMemory]) -> dict[str, list[RawMemory]]:
    groups: dict[str, list[RawMemory]] = {}
    for each in raws:
        groups.setdefault(each.group, []).append(each)
    return groups


def _group(
    name: str,
    members: Sequence[RawMemory],
    preferences: Sequence[str],
    by_hand: Sequence[ByHand],
    suppressed: Suppressed,
) -> str:
    own = {title: [each.text for each in by_hand if each.section == title] for title in (KNOWLEDGE, FAILURES)}
    parts = [
        f"# Task Group: {name}\nscope: runs of this workspace; look here when a task is like one of these"
    ]
    parts += [_task(number, each) for number, each in enumerate(members, 1)]
    parts += [
        section(f"## {PREFERENCES}", preferences),
        section(
            f"## {KNOWLEDGE}",
            _unique([*own[KNOWLEDGE], *(text for each in members for text in each.knowledge)], suppressed),
        ),
        section(
            f"## {FAILURES}",
            _unique([*own[FAILURES], *(text for each in members for text in each.failures)], suppressed),
        ),
    ]
    return "\n\n".join(part for part in parts if part)


def _task(number: int, raw: RawMemory) -> str:
    it = raw.rollout
    facts = f"rollout_id={it.id}, updated_at={it.updated_at}, terminal_state={it.terminal_state}"
    parts = [
        f"## Task {number}: {raw.task}, {raw.outcome}",
        section("### rollout_summary_files", [f"{it.summary_file} ({facts})"]),
        section("### keywords", [", ".join(raw.keywords)] if raw.keywords else []),
    ]
    return "\n\n".join(part for part in parts if part)


def _own_words(rest: Sequence[ByHand]) -> str:
    parts = [f"# Task Group: {BY_HAND}\nscope: what people and agents wrote into this file themselves"]
    sections: dict[str, list[str]] = {}
    for each in rest:
        sections.setdefault(each.section or "Notes", []).append(each.text)
    parts += [section(f"## {title}", texts) for title, texts in sections.items()]
    return "\n\n".join(parts)


def _unique(texts: Iterable[str], suppressed: Suppressed) -> list[str]:
    return list({folded(text): text for text in reversed(list(texts)) if not suppressed(text)}.values())[::-1]


def _summary(
    raws: Sequence[RawMemory], preferences: Sequence[str], by_hand: Sequence[ByHand], suppressed: Suppressed
) -> str:
    tips = _unique(
        [
            *(each.text for each in by_hand if each.section != PREFERENCES),
            *(text for each in raws for text in each.failures),
            *(text for each in raws for text in each.knowledge),
        ],
        suppressed,
    )
    groups = ", ".join(_groups(raws)) or BY_HAND
    profile = f"{len(raws)} earlier conversations are remembered here, about: {groups}."
    parts = [
        f"## User Profile\n\n{profile}",
        section("## User preferences", preferences[:MAX_PREFERENCES]),
        section("## General Tips", tips[:MAX_TIPS]),
        _topics(raws, suppressed),
    ]
    return middle_out("\n\n".join(part for part in parts if part), SUMMARY_TOKENS) + "\n"


def _topics(raws: Sequence[RawMemory], suppressed: Suppressed) -> str:
    """Return the map of what is remembered: the last days in full, the rest by their keywords."""
    days = list(dict.fromkeys(each.rollout.updated_at[:10] for each in raws))[:RECENT_DAYS]
    lines = ["## What's in Memory"] if raws else []
    for name, members in _groups(raws[:MAX_TOPICS]).items():
        lines.append(f"### {name}")
        for day in days:
            todays = [each for each in members if each.rollout.updated_at[:10] == day]
            if todays:
                lines.append(f"#### {day}")
                lines += ["\n".join(_topic(each, suppressed) for each in todays)]
    older = [each for each in raws[:MAX_TOPICS] if each.rollout.updated_at[:10] not in days]
    if older:
        lines.append("### Older Memory Topics")
        lines.append("\n".join(f"- {each.task}: {', '.join(each.keywords)}" for each in older))
    return "\n\n".join(lines)


def _topic(raw: RawMemory, suppressed: Suppressed) -> str:
    learned = _unique([*raw.preferences, *raw.failures, *raw.knowledge], suppressed)
    rows = [f"- {raw.task}: {', '.join(raw.keywords)}", f"  - desc: {one_line(raw.task)}, {raw.outcome}"]
    if learned:
        rows.append(f"  - learnings: {'; '.join(each.rstrip('.') for each in learned[:3])}")
    return "\n".join(rows)
