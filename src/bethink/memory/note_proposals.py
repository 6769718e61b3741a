"""Accept a note from a model: read the turn, guard, decide its status, store it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bethink.errors import RefusedError
from bethink.lifecycle.admission.admission_setting import read_admissions
from bethink.lifecycle.admission.note_status import (
    Origin,
    confirmed_notes,
    current_turn,
    decide_status,
    log_entries,
)
from bethink.lifecycle.admission.own_words import LogEntry, own_words
from bethink.lifecycle.admission.transactions import RECENT, turn_log
from bethink.lifecycle.capture import activate_all, admit_proposed, store_admitted, store_proposed
from bethink.lifecycle.daily_counts import count
from bethink.notes.checks import conversation_only
from bethink.notes.transactions import listing
from bethink.notes.values import CONVERSATION, STAYS
from bethink.sessions.item_json import decode
from bethink.sessions.values import DEFAULT_SESSION

if TYPE_CHECKING:
    from bethink.memory.runtime import Runtime, TurnUnderWay
    from bethink.notes.values import Door, NewNote, Note
    from bethink.scope.namespace import Namespace


async def propose(
    runtime: Runtime, namespace: Namespace, new: NewNote, *, session: str | None, family: str, door: Door
) -> Note:
    """Keep a note that a model wrote as its provenance allows."""
    await runtime.check("write", namespace)
    session, log = await _turn(runtime, namespace, session, door)
    new = _placed(new, session or namespace.session, family)
    turn = None if log is None else current_turn(log, namespace.user)
    admission = read_admissions(runtime.settings.admission).of(str(namespace), door, family)
    origin = Origin(door=door, family=family, session=session)

    def judged() -> NewNote:
        sentences = (
            [sentence for each in turn.own_words for sentence in each.sentences] if turn is not None else ()
        )
        return decide_status(admit_proposed(new, runtime.guard, sentences=sentences), admission, turn, origin)

    try:
        admitted = await runtime.store.call(judged)
    except RefusedError:
        await runtime.write("write", count, namespace, {"blocked": 1}, writing=runtime.writing())
        raise
    unit = store_proposed if namespace.kind == "agent" else store_admitted
    note = await runtime.write("write", unit, namespace, admitted, writing=runtime.writing())
    if note.status == "pending":
        runtime.waiting.add(namespace)
    return note


def _placed(new: NewNote, session: str | None, family: str) -> NewNote:
    """Return a note of category conversation in its session; what a model put there by that name never leaves it.

    Raises:
        InvalidError: there is no session.
    """
    if new.category != CONVERSATION:
        return new
    if session is None and family == "notes":
        session = DEFAULT_SESSION
    if session is None:
        raise conversation_only()
    metadata = {**new.metadata, STAYS: "session"} if family != "notes" else new.metadata
    return replace(new, session=session, metadata=metadata)


async def _turn(
    runtime: Runtime, namespace: Namespace, session: str | None, door: Door
) -> tuple[str | None, list[LogEntry] | None]:
    """Return the session that goes on, with its log and what is said in the turn under way; None without any."""
    turn = _under_way(runtime, namespace, session)
    if session is None and turn is not None:
        session = turn.session_id
    since = runtime.now() - RECENT if session is None and door == "tools" else None
    if namespace.kind != "agent":
        return session, None
    log = await runtime.read(turn_log, namespace, session, since=since) if session or since else None
    found = log_entries(log.items) if log is not None else []
    if turn is not None:
        bodies = [(item, decode(item.body)) for item in turn.pending]
        found += [
            LogEntry(id="", body=body, origin=item.origin, speaker=item.speaker)
            for item, body in bodies
            if body is not None
        ]
    if session is None and log is not None:
        session = log.session
    return session, found or None


def _under_way(runtime: Runtime, namespace: Namespace, session: str | None) -> TurnUnderWay | None:
    turns = [
        turn
        for turn in runtime.turns
        if turn.namespace == namespace and (session is None or turn.session_id == session)
    ]
    return turns[-1] if turns else None


async def confirm(runtime: Runtime, namespace: Namespace, session: str) -> None:
    """Let notes stand that wait for the user's word, where what was just said in a session carries them."""
    log = await runtime.store.read(turn_log, namespace, session)
    waiting, _ = await runtime.store.read(
        listing, namespace, now=runtime.now(), status="pending", everywhere=True
    )
    if not waiting:
        runtime.waiting.discard(namespace)
        return
    if log is None:
        return
    found = confirmed_notes(waiting, own_words(log_entries(log.items), namespace.user))
    if found:
        await runtime.write("write", activate_all, namespace, found, writing=runtime.writing())
