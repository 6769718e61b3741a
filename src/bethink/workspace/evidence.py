"""Extract by rules what a conversation teaches: the user's statements, then tool results.

What the assistant says of its own work is no evidence; its last words are kept in the summary, as a claim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from bethink.json_kinds import is_list, is_object
from bethink.lifecycle.distill.firewall import folded
from bethink.lifecycle.distill.spoken import voice, words
from bethink.sessions.values import Item
from bethink.workspace.commands_run import called_tools, commands, lessons, paths
from bethink.workspace.corrections import find_correction, opens_so
from bethink.workspace.rollouts import terminal_state, updated_at
from bethink.workspace.values import GuardedText

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from bethink.lifecycle.engines import Distiller
    from bethink.lifecycle.guard import Guard
    from bethink.notes.values import Source

Outcome: TypeAlias = Literal["success", "partial", "fail", "uncertain"]

MAX_TASKS: Final = 8
MAX_OF_A_KIND: Final = 12
_LONGEST: Final = 300
_BAD_ENDS: Final = frozenset({"failed", "max_turns_exceeded", "guardrail_tripped"})
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
#: how users put an agent right, so that it does better another time
_RULE: Final = re.compile(
    r"^(?:no|nope|wrong|actually|instead|in future|in the future|next time|from now on|please)?[,:]?\s*"
    r"(?:(?:always|never|don't|do not|avoid|make sure|be sure|prefer|stop)\b.{6,}"
    r"|use\b.{1,80}\b(?:not|instead of|rather than)\b.{2,}"
    r"|(?:run|call|check|write|keep|put|name|format|start|test|read|ask)\b.{2,}"
    r"\b(?:before|after|every time|whenever|each time|first)\b.*)",
    re.IGNORECASE,
)
_LATER: Final = re.compile(r"^(?:in (?:the )?future|next time|from now on)\b[,:]?\s*(.{6,})", re.IGNORECASE)
_ONCE: Final = re.compile(
    r"\b(?:this time|just this once|for now|today|right now|this once)\b", re.IGNORECASE
)
_CONTENT: Final = re.compile(r"^(?:no|nope|wrong|that'?s (?:wrong|not)|not what i)\b", re.IGNORECASE)
_PRAISE: Final = re.compile(
    r"\b(?:thanks|thank you|perfect|great|works now|that works|well done)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """Something the user stated that holds beyond the conversation, with the words that say so."""

    text: str
    words: str
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a conversation gives to remember."""

    tasks: tuple[str, ...]
    signals: tuple[Signal, ...]
    once: tuple[str, ...]  #: what held for this conversation only
    works: tuple[str, ...]
    failed: tuple[str, ...]
    files: tuple[str, ...]
    done: tuple[str, ...]  #: what was called
    claim: str  #: the assistant's last words
    waiting: int  #: approvals that nobody gave
    outcome: Outcome
    ended: str
    day: str
    omitted: int = 0  #: segments in the middle that were too much to read
    caught: tuple[GuardedText, ...] = ()

    @property
    def empty(self) -> bool:
        """Tell whether there is nothing that would help another run."""
        return not (self.signals or self.works or self.failed or self.files or self.done)

    @property
    def untaught(self) -> Evidence:
        """Return what was asked for and done alone, without anything that would teach another run."""
        return replace(self, signals=(), works=(), failed=())


class _GuardedLines:
    """Lets pass what the guard allows, on one line; remembers what it held back."""

    def __init__(self, guard: Guard, place: str) -> None:
        self._guard = guard
        self._place = place
        self.caught: dict[GuardedText, None] = {}

    def __call__(self, text: str, source: Source) -> str:
        line = " ".join(text.split()).replace("<!--", "").replace("-->", "").strip()
        if not line:
            return ""
        verdict = self._guard.judge(line, source=source, stage="capture")
        if verdict.action != "allow":
            self.caught[GuardedText(place=self._place, reasons=verdict.reasons, action=verdict.action)] = None
        return "" if verdict.action in {"block", "quarantine"} else verdict.text


def gather_evidence(
    rollout: str,
    segments: Sequence[Mapping[str, Any]],
    *,
    distiller: Distiller,
    guard: Guard,
    today: date,
    omitted: int = 0,
) -> Evidence:
    """Read the segments of a conversation."""
    guarded = _GuardedLines(guard, rollout)
    spread = list(_spread(segments))
    bodies = [body for _, body in spread]
    run = commands(spread)
    works, failed = lessons(run)
    messages = [(number, words(body)) for number, body in spread if voice(body) == "user"]
    signals = _signals(rollout, spread, messages, distiller, today, guarded)
    once = [text for _, text in messages for text in _sentences(text) if _ONCE.search(text)]
    last: Mapping[str, Any] = segments[-1] if segments else {}
    return Evidence(
        tasks=_tasks(segments, guarded),
        signals=signals,
        once=_guarded(once, guarded, "user"),
        works=_guarded(works, guarded, "tool"),
        failed=_guarded(failed, guarded, "tool"),
        files=_guarded(paths(bodies), guarded, "tool"),
        done=_guarded(called_tools(spread), guarded, "tool"),
        claim=guarded(_shortened(_claim(last, bodies), 500), "agent"),
        waiting=len(cast("list[Any]", last.get("interruptions") or [])),
        outcome=_outcome(terminal_state(last), [text for _, text in messages], failed),
        ended=terminal_state(last),
        day=updated_at(last)[:10],
        omitted=omitted,
        caught=tuple(guarded.caught),
    )


def _spread(segments: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every item with a number of its own."""
    for at, segment in enumerate(segments):
        for name in ("input", "generated_items"):
            listed: Any = segment.get(name)
            for place, body in enumerate(listed if is_list(listed) else []):
                if is_object(body):
                    yield f"{at}.{name[0]}{place}", body


def _signals(
    rollout: str,
    spread: Sequence[tuple[str, Mapping[str, Any]]],
    messages: Sequence[tuple[str, str]],
    distiller: Distiller,
    today: date,
    guarded: _GuardedLines,
) -> tuple[Signal, ...]:
    """Return what the user states: by the rules of distillation, and where they put the agent right."""
    items = [
        Item(id=number, session=rollout, seq=place, body=dict(body), at=None)
        for place, (number, body) in enumerate(spread)
        if voice(body) == "user"
    ]
    by_item = dict(messages)
    found: dict[str, Signal] = {}
    for each in distiller.distill(items, today=today).kept:
        if each.source != "user" or not (each.durable or each.kind == "correction"):
            continue
        text = guarded(each.text, "user")
        origin = by_item.get(each.sources[0], "") if each.sources else ""
        if text:
            quote = guarded(_shortened(_nearest(origin, each.text), 160), "user")
            found.setdefault(folded(text), Signal(text=text, words=quote, keywords=each.keywords))
    acted = _acted(spread)
    for number, text in messages:
        for sentence in _sentences(text):
            rule = _rule(sentence)
            if rule is None and not _ONCE.search(sentence):
                rule = find_correction(sentence, after_action=number in acted)
            line = guarded(rule, "user") if rule else ""
            if line and not any(folded(line) in known or known in folded(line) for known in found):
                found[folded(line)] = Signal(text=line, words=guarded(_shortened(sentence, 160), "user"))
    return tuple(found.values())[:MAX_OF_A_KIND]


def _acted(spread: Sequence[tuple[str, Mapping[str, Any]]]) -> set[str]:
    """Return the messages of the user before which the agent had done or said something."""
    found: set[str] = set()
    begun = False
    for number, body in spread:
        if voice(body) == "user":
            found |= {number} if begun else set()
        else:
            begun = True
    return found


def _rule(sentence: str) -> str | None:
    """Return a sentence as a rule for another time; None where it is none."""
    if len(sentence) > _LONGEST or sentence.endswith("?") or _ONCE.search(sentence):
        return None
    later = _LATER.match(sentence)
    if later is None and _RULE.match(sentence) is None:
        return None
    plain = (
        later.group(1)
        if later
        else re.sub(
            r"^(?:no|nope|wrong|actually|instead|please)\b[,:]?\s*", "", sentence, flags=re.IGNORECASE
        )
    )
    plain = plain.strip()
    return plain[:1].upper() + plain[1:] if plain else None


def _sentences(text: str) -> list[str]:
    return [" ".join(each.split()) for each in _SENTENCE.split(text) if each.strip()]


def _nearest(origin: str, text: str) -> str:
    """Return the sentence of a message that a statement was made of."""
    wanted = set(folded(text).split())
    return max(_sentences(origin), key=lambda each: len(wanted & set(folded(each).split())), default="")


def _tasks(segments: Sequence[Mapping[str, Any]], guarded: _GuardedLines) -> tuple[str, ...]:
    """Return what was asked for, message by message."""
    found: dict[str, None] = {}
    for segment in segments:
        listed: Any = segment.get("input")
        for body in listed if is_list(listed) else []:
            if is_object(body) and voice(body) == "user":
                first = next(iter(_sentences(words(body))), "")
                if found and opens_so(first):  # what puts the agent right is no task of its own
                    break
                if task := guarded(_shortened(first, 160), "user").rstrip("."):
                    found[task] = None
                break
    return tuple(found)[:MAX_TASKS]


def _claim(last: Mapping[str, Any], bodies: Sequence[Mapping[str, Any]]) -> str:
    final = last.get("final_output")
    if isinstance(final, str):
        return final
    return next((words(body) for body in reversed(bodies) if voice(body) == "assistant"), "")


def _outcome(ended: str, messages: Sequence[str], failed: Sequence[str]) -> Outcome:
    if ended in _BAD_ENDS:
        return "fail"
    if ended != "completed":
        return "uncertain"
    if len(messages) > 1 and _CONTENT.match(messages[-1].strip()) and not _PRAISE.search(messages[-1]):
        return "partial"
    return "partial" if any("nothing in that run" in each for each in failed) else "success"


def _guarded(texts: Sequence[str], guarded: _GuardedLines, source: Source) -> tuple[str, ...]:
    passed = (guarded(_shortened(text, _LONGEST), source) for text in texts)
    return tuple(dict.fromkeys(text for text in passed if text))[:MAX_OF_A_KIND]


def _shortened(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 2].rstrip() + " …"
