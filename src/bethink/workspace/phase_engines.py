"""Protocols of phase one and phase two, and their rules engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from bethink.workspace.evidence import gather_evidence
from bethink.workspace.lessons import Lessons
from bethink.workspace.phase_one_extraction import extract
from bethink.workspace.phase_two_consolidation import consolidate
from bethink.workspace.raw_memories import parse
from bethink.workspace.rollouts import parse_segments
from bethink.workspace.truncation import ROLLOUT_TOKENS, whole_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bethink.lifecycle.guard import Guard
    from bethink.lifecycle.spend_cap import Budget
    from bethink.lifecycle.values import ModelUse
    from bethink.workspace.evidence import Evidence
    from bethink.workspace.phase_two_consolidation import ByHand, Suppressed
    from bethink.workspace.raw_memories import RawMemory
    from bethink.workspace.values import Consolidated, Extract, GuardedText, Rollout


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What phase one answers."""

    extract: Extract | None
    engine: str = "rules"
    failed: bool = False  #: a model was asked in vain; rules stood in, and it may be tried again
    caught: tuple[GuardedText, ...] = ()
    remarks: tuple[str, ...] = ()
    used: tuple[ModelUse, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What phase two answers."""

    consolidated: Consolidated
    engine: str = "rules"
    lessons: str = ""  #: what a model found, for the next time
    whole: bool = True  #: nothing is left that a model could be asked again
    caught: tuple[GuardedText, ...] = ()
    remarks: tuple[str, ...] = ()
    used: tuple[ModelUse, ...] = ()


class Phases(Protocol):
    """Makes memory of conversations. It blocks where a model is asked, and no tool is ever run."""

    @property
    def asks(self) -> bool:
        """Tell whether phase one asks a model."""
        ...

    @property
    def identity(self) -> str:
        """Name what phase two is done by, and by what guidance."""
        ...

    def within(self, budget: Budget) -> Phases:
        """Return the same phases, bound to what may be spent."""
        ...

    def extract(self, rollout: Rollout, lines: Sequence[str], *, group: str, now: datetime) -> Extracted:
        """Read one conversation."""
        ...

    def outline(self, rollout: Rollout, lines: Sequence[str], *, group: str, now: datetime) -> Extracted:
        """Say what was asked for and done in a conversation, and learn nothing from it."""
        ...

    def merge(
        self,
        selected: Sequence[Rollout],
        *,
        lessons: str,
        by_hand: Sequence[ByHand],
        suppressed: Suppressed,
        now: datetime,
    ) -> Merged:
        """Make one memory of those that are remembered; `lessons` are those that were found before."""
        ...


class RulesPhases:
    """Both phases by rules: deterministic, in milliseconds."""

    def __init__(self, guard: Guard, *, keeps: bool = False) -> None:
        self._guard = guard
        self._keeps = keeps  #: what a model found before stays, since nobody generates here

    @property
    def asks(self) -> bool:
        """Tell whether phase one asks a model: it does not."""
        return False

    @property
    def identity(self) -> str:
        """Name what phase two is done by."""
        return "rules"

    def within(self, budget: Budget) -> RulesPhases:  # noqa: ARG002 - rules cost nothing
        """Return the same phases."""
        return self

    def extract(self, rollout: Rollout, lines: Sequence[str], *, group: str, now: datetime) -> Extracted:
        """Read one conversation; of one that is too long, its beginning and its end."""
        return self._extracted(rollout, self._evidence(rollout, lines, now), group)

    def outline(self, rollout: Rollout, lines: Sequence[str], *, group: str, now: datetime) -> Extracted:
        """Say what was asked for and done in a conversation, and learn nothing from it."""
        return self._extracted(rollout, self._evidence(rollout, lines, now).untaught, group)

    def _extracted(self, rollout: Rollout, evidence: Evidence, group: str) -> Extracted:
        made = extract(evidence, group=group, slug=rollout.extract.slug if rollout.extract else None)
        return Extracted(extract=made, caught=evidence.caught)

    def _evidence(self, rollout: Rollout, lines: Sequence[str], now: datetime) -> Evidence:
        from bethink.lifecycle.distill.rules import RulesDistiller

        first, last, omitted = whole_lines(list(lines), ROLLOUT_TOKENS)
        segments: list[dict[str, Any]] = parse_segments([*first, *last])
        if not segments and lines:  # a single segment that is too long
            segments, omitted = [_ends(parse_segments(lines[-1:])[0])], len(lines) - 1
        return gather_evidence(
            rollout.id,
            segments,
            distiller=RulesDistiller(),
            guard=self._guard,
            today=now.date(),
            omitted=omitted,
        )

    def merge(
        self,
        selected: Sequence[Rollout],
        *,
        lessons: str,
        by_hand: Sequence[ByHand],
        suppressed: Suppressed,
        now: datetime,
    ) -> Merged:
        """Make one memory of the conversations that are remembered."""
        read = [parse(each) for each in selected]
        if not self._keeps or not lessons:
            return Merged(consolidated=build_memory(read, by_hand=by_hand, suppressed=suppressed, now=now))
        known = Lessons.read(lessons)
        made = build_memory(
            [known.with_lessons(each) for each in read], by_hand=by_hand, suppressed=suppressed, now=now
        )
        return Merged(consolidated=replace(made, skills=known.skills(selected)), lessons=lessons)


def build_memory(
    read: Sequence[RawMemory], *, by_hand: Sequence[ByHand], suppressed: Suppressed, now: datetime
) -> Consolidated:
    """Return the memory that a program makes of what was read: the index, the references, and the lessons in it."""
    from bethink.lifecycle.consolidate.rules import RulesConsolidator

    return consolidate(
        read, consolidator=RulesConsolidator(None), by_hand=by_hand, suppressed=suppressed, now=now
    )


def _ends(segment: dict[str, Any]) -> dict[str, Any]:
    """Return a segment that is too long with the first and the last of its items."""
    import json

    generated = [json.dumps(each) for each in segment.get("generated_items", [])]
    first, last, _ = whole_lines(generated, ROLLOUT_TOKENS // 2)
    asked = [json.dumps(each) for each in segment.get("input", [])]
    head, tail, _ = whole_lines(asked, ROLLOUT_TOKENS // 2)
    return {
        **segment,
        "input": [json.loads(each) for each in (*head, *tail)],
        "generated_items": [json.loads(each) for each in (*first, *last)],
    }
