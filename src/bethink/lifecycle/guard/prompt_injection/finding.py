"""Detect prompt injection: run its patterns over a text.

A pattern is a signal and no proof: what is found waits for review. Three readers are told apart. An attack is found
whoever wrote it; an order to the assistant, only where tools, agents or imports say it; a standing wish ("from now
on, reply in German") is the user's or their agent's own, and found only in what comes from outside.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.folding import Folded
from bethink.lifecycle.guard.patterns import FoundSpan
from bethink.lifecycle.guard.prompt_injection.addressed import ADDRESSED, STANDING
from bethink.lifecycle.guard.prompt_injection.attacks import ATTACKS
from bethink.lifecycle.guard.prompt_injection.commanded import COMMANDED
from bethink.lifecycle.guard.prompt_injection.disguised import spelled_out, undisguised
from bethink.lifecycle.guard.prompt_injection.powers import ATTACKED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.patterns import Pattern
    from bethink.notes.values import Source


#: A heading of a prompt, as nobody writes it of themselves.
_HEADED: Final = re.compile(
    r"(?:^|[\n.!?] ?)(?:SYSTEM|DEVELOPER|ADMIN)(?: (?:NOTICE|MESSAGE|NOTE|UPDATE|OVERRIDE|ALERT))?: ?(?=\w)"
)
#: Who reports what they do, gives no order: "I usually ignore all rules".
_REPORTED: Final = re.compile(
    r"(?:^|[\s,.;:(])(?:i|we|he|she|they|who|people|users?|ich|wir|er|je|on|nous|yo)(?:'(?:d"
    r"|ll|ve))?(?:\s(?:\w{1,10}ly|always|never|often"
    r"|sometimes|tend to|can|could|will|would|should|must|have to|had to|try to|want to|like"
    r" to|just|do not|don't|cannot|did|to|told|asked|advised|me|was|were)){0,4}\s{1,3}$"
)


class _Patterns:
    """Patterns with the pieces of anchors, one of which every text has that one of them matches."""

    def __init__(self, *patterns: Pattern) -> None:
        self.all = patterns
        self.pieces = frozenset[str]().union(*(each.pieces for each in patterns))


_ATTACKS: Final = _Patterns(*ATTACKS, *ATTACKED)
_ORDERS: Final = _Patterns(*ADDRESSED, *COMMANDED)
_STANDING: Final = _Patterns(*STANDING)


def find_instructions(folded: Folded, source: Source) -> Iterator[FoundSpan]:
    """Find orders to the model."""
    yield from spelled_out(folded.lower)
    yield from _found(_ATTACKS, folded, in_speech=source == "user")
    for begin, part in undisguised(folded.lower):
        for found in _found(_ATTACKS, Folded(part), in_speech=False):
            yield FoundSpan(found.category, begin + found.start, begin + found.end)
    for match in _HEADED.finditer(folded.plain):
        yield FoundSpan("instruction", *match.span())
    if source != "user":
        yield from _found(_ORDERS, folded, in_speech=False)
    if source in {"tool", "import"}:
        yield from _found(_STANDING, folded, in_speech=False)


def _found(patterns: _Patterns, folded: Folded, *, in_speech: bool) -> Iterator[FoundSpan]:
    """Find what patterns match, but for what somebody who speaks reports of themselves."""
    if patterns.pieces.isdisjoint(folded.anchors):
        return
    for pattern in patterns.all:
        for match in pattern.finditer(folded):
            if not (in_speech and _REPORTED.search(folded.lower[max(0, match.start() - 48) : match.start()])):
                yield FoundSpan("instruction", *match.span())
