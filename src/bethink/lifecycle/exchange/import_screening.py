"""Screen every imported note with the guard."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bethink.errors import RefusedError
from bethink.lifecycle.capture import admit
from bethink.lifecycle.exchange.values import Loss
from bethink.lifecycle.exchange.workspaces import screen_workspaces
from bethink.notes.values import NewNote, NoteVersion

if TYPE_CHECKING:
    from bethink.lifecycle.exchange.values import Incoming, Kind
    from bethink.lifecycle.guard import Guard
    from bethink.notes.values import Note


def screen_notes(incoming: Incoming, guard: Guard) -> Incoming:
    """Return what may come in: redacted where that is enough, quarantined where a person should look.

    A note that a reviewer approved stays approved. The versions of a refused note go with it.
    """
    losses = list(incoming.losses)
    notes = [_screened(note, guard, "note", losses) for note in incoming.notes]
    let_in = {note.id for note in notes if note is not None}
    history: list[NoteVersion] = []
    for version in incoming.history:
        if version.note.id in let_in:
            note = _screened(version.note, guard, "history", losses)
            if note is not None:
                history.append(NoteVersion(note=note, ended_at=version.ended_at, ended_by=version.ended_by))
    workspaces = incoming.workspaces
    if workspaces is not None:
        workspaces, refused = screen_workspaces(workspaces, guard)
        losses += refused
    return replace(
        incoming,
        workspaces=workspaces,
        notes=tuple(note for note in notes if note is not None),
        history=tuple(history),
        losses=tuple(losses),
    )


def _screened(note: Note, guard: Guard, kind: Kind, losses: list[Loss]) -> Note | None:
    new = NewNote(
        text=note.text,
        context=note.context,
        key=note.key,
        keywords=note.keywords,
        source=note.source,
        metadata=note.metadata,
    )
    try:
        admitted = admit(new, guard)
    except RefusedError as error:
        losses.append(Loss(kind=kind, reason="refused", id=note.id, details=tuple(error.verdict.reasons)))
        return None
    waits = admitted.status == "quarantined" and note.status == "active" and note.outcome != "approved"
    return replace(
        note,
        text=admitted.text,
        context=admitted.context,
        keywords=admitted.keywords,
        status="quarantined" if waits else note.status,
    )
