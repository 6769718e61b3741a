"""Decide the status of a note that an agent submits, by its provenance and not by its wording."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from bethink.lifecycle.admission.coverage import coverage, wording_coverage
from bethink.lifecycle.admission.memory_tools import other_tools
from bethink.lifecycle.admission.own_words import LogEntry, is_all_typed, own_words
from bethink.lifecycle.distill.spoken import voice, words
from bethink.notes.values import RESTS_ON

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bethink.lifecycle.admission.own_words import OwnMessage
    from bethink.notes.values import Admission, Door, NewNote, Note
    from bethink.sessions.values import Item

MAX_SOURCES: Final = 16  #: entries of the log that a pending note names
MAX_MISSING: Final = 8  #: words of it that nobody said
MAX_TOOLS: Final = 8
APPROVAL: Final = "approval"  #: of what a note rests on: the user's word is not enough


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """By which way a note came."""

    door: Door
    family: str
    session: str | None = None  #: whose log was looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLog:
    """What a log says about the turn in which a note was made."""

    own_words: tuple[OwnMessage, ...] = ()  #: the user's own words in the session
    turn: tuple[str, ...] = ()  #: ids of the entries of the newest turn
    tools: tuple[str, ...] = ()  #: tools that were called in it, but for memory's own
    closed: bool = False  #: nothing but what the user typed and the assistant answered is in the log


def current_turn(log: Sequence[LogEntry], user: str | None) -> TurnLog:
    """Return what a log says; the newest turn begins with the newest message of the user."""
    start = max((place for place, each in enumerate(log) if voice(each.body) == "user"), default=0)
    turn = log[start:]
    return TurnLog(
        own_words=tuple(own_words(log, user)),
        turn=tuple(each.id for each in turn if each.id)[:MAX_SOURCES],
        tools=tuple(dict.fromkeys(name for each in turn for name in other_tools(each.body)))[:MAX_TOOLS],
        closed=is_closed(log),
    )


def is_closed(log: Sequence[LogEntry]) -> bool:
    """Tell whether nobody but one user and the assistant said anything, so that nothing can have been planted.

    A result of any tool, a foreign or imported message, a second speaker, and what a user pasted, quoted or handed
    over may hold somebody else's words.
    """
    speakers = {each.speaker for each in log if voice(each.body) == "user"}
    return len(speakers) <= 1 and all(
        each.origin == "chat"
        and voice(each.body) in {"user", "assistant"}
        and not any(other_tools(each.body))
        and (voice(each.body) != "user" or is_all_typed(words(each.body)))
        for each in log
    )


def log_entries(items: Sequence[Item]) -> list[LogEntry]:
    """Return the entries of a log as coverage reads them."""
    return [LogEntry(id=item.id, body=item.body, origin=item.origin, speaker=item.speaker) for item in items]


def decide_status(new: NewNote, admission: Admission, turn: TurnLog | None, origin: Origin) -> NewNote:
    """Return a note with its status, its source and what it rests on.

    What the user's own words carry is the user's. Where no log says what was said, it is the agent's word, and stands
    as that; where one does and says it not, the note waits. What the guard set aside stays so.
    """
    if admission == "covered" and turn is not None:
        found = coverage(new.text, turn.own_words)
        if turn.closed and not found.whole:
            found = wording_coverage(new.text, turn.own_words)
        if found.whole:
            return replace(
                new, source="user", sources=tuple(each for each in found.items if each)[:MAX_SOURCES]
            )
        return _waiting(new, turn, origin, found.missing)
    if admission == "pending":
        return _waiting(new, turn or TurnLog(), origin, (), approval=True)
    return new


def confirmed_notes(pending: Iterable[Note], messages: Sequence[OwnMessage]) -> dict[str, tuple[str, ...]]:
    """Return which notes that wait for the user's word have it now, and by which messages."""
    found: dict[str, tuple[str, ...]] = {}
    for note in pending:
        if dict(note.metadata.get(RESTS_ON, {})).get(APPROVAL):
            continue
        carried = coverage(note.text, messages)
        if carried.whole:
            found[note.id] = tuple(each for each in carried.items if each)[:MAX_SOURCES]
    return found


def _waiting(
    new: NewNote, turn: TurnLog, origin: Origin, missing: tuple[str, ...], *, approval: bool = False
) -> NewNote:
    rests: dict[str, Any] = {"door": origin.door, "family": origin.family}
    if approval:
        rests[APPROVAL] = True
    if origin.session is not None:
        rests["session"] = origin.session
    if turn.tools:
        rests["tools"] = list(turn.tools)
    if missing:
        rests["not_said"] = list(missing[:MAX_MISSING])
    return replace(
        new,
        status="pending" if new.status == "active" else new.status,
        sources=turn.turn,
        metadata={**new.metadata, RESTS_ON: rests},
    )
