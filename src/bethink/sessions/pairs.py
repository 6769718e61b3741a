"""Pair tool calls with their results, and group what must not be split.

The assistant speaks in steps: reasoning, text and calls, then the results of these calls. A new step begins
when the assistant goes on after a result, or when the user speaks. Within a step:

* a result belongs to the call whose id it names, and only if that call is of this step: ids may come again;
* parallel calls stand or fall together: if one has no result, all of them and their results are left out;
* the first result of a call counts, a second one and one without a call are left out;
* reasoning shares the fate of what follows it, and is left out where nothing does;
* a call that has no id, or one that is already open in the step, is left out: no result could be told for it.

System items are never part of what a model is shown from a log: its prompt is made afresh each time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.sessions.item_kinds import PairingShape, Ref


@dataclass(slots=True, eq=False, repr=False)
class _Step:
    """What the assistant did between two results, or two words of the user."""

    opened: set[Ref] = field(default_factory=set["Ref"])
    answered: set[Ref] = field(default_factory=set["Ref"])
    paired: list[int] = field(default_factory=list[int])  #: calls, their reasoning, and results
    free: list[int] = field(default_factory=list[int])  #: what needs no result, and its reasoning
    thoughts: list[int] = field(default_factory=list[int])  #: reasoning that nothing has followed yet

    def kept(self, *, pending: bool = False) -> list[int]:
        """Return what may be shown: the free part, and the calls if all of them are answered."""
        return [*self.free, *self.paired] if pending or self.opened == self.answered else self.free


def units(shapes: Sequence[PairingShape], *, pending: bool = False) -> list[list[int]]:
    """Return the places of a log that may be shown, in groups that may not be split, oldest first.

    A user item is a group of its own. With `pending`, the calls of the last step are kept though their results
    are still to come, as for a run that waits for approval.
    """
    return _grouped(shapes, sorted(_kept(shapes, pending=pending)))


def _kept(shapes: Sequence[PairingShape], *, pending: bool) -> list[int]:
    kept: list[int] = []
    step = _Step()
    for place, shape in enumerate(shapes):
        match shape.kind:
            case "system":
                continue
            case "user":
                kept += [*step.kept(), place]
                step = _Step()
            case "result":
                answers = set(shape.answers)
                known = answers <= step.opened and answers.isdisjoint(step.answered)
                if answers and known and len(answers) == len(shape.answers):
                    step.answered |= answers
                    step.paired.append(place)
                    step.thoughts.clear()
            case _:
                opens = set(shape.opens)
                if len(opens) < len(shape.opens) or any(not id_ for _, id_ in opens):
                    continue
                if step.answered and shape.kind != "other":
                    kept += step.kept()
                    step = _Step()
                if not opens.isdisjoint(step.opened):
                    continue
                _follow(step, place, shape)
    return kept + step.kept(pending=pending)


def _follow(step: _Step, place: int, shape: PairingShape) -> None:
    """Add to a step what the assistant did next."""
    if shape.kind == "reasoning":
        step.thoughts.append(place)
        return
    fate = step.paired if shape.opens else step.free
    fate += [*step.thoughts, place]
    step.thoughts.clear()
    step.opened.update(shape.opens)


def _grouped(shapes: Sequence[PairingShape], kept: Sequence[int]) -> list[list[int]]:
    """Group what is kept: from reasoning to the next reasoning, from a step's first call to its last result."""
    groups: list[list[int]] = []
    calls: int | None = None  # which group holds the calls of this step
    answered = thinking = False
    for place in kept:
        kind = shapes[place].kind
        if kind == "result" and calls is not None:
            groups[calls] += [*(each for group in groups[calls + 1 :] for each in group), place]
            del groups[calls + 1 :]
            answered, thinking = True, False
            continue
        if kind == "user" or (answered and kind != "other"):
            calls, answered, thinking = None, False, False
        joins = (calls is not None and not answered) or (
            thinking and (kind != "reasoning" or shapes[groups[-1][-1]].kind == "reasoning")
        )
        if joins:
            groups[-1].append(place)
        else:
            groups.append([place])
            thinking = kind == "reasoning"
        if shapes[place].opens and calls is None:
            calls = len(groups) - 1
    return groups
