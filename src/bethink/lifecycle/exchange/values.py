"""Values of an import: what the file contains, and the import report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from bethink.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.documents.exports import IncomingDocument
    from bethink.lifecycle.exchange.workspaces import IncomingWorkspaces
    from bethink.notes.values import Note, NoteVersion
    from bethink.sessions.session_import import IncomingSession
    from bethink.state.transactions import Record
    from bethink.state.values import Profile

Format: TypeAlias = Literal["bethink", "seed"]
Kind: TypeAlias = Literal["note", "history", "session", "profile", "record", "workspace", "document", "other"]
Reason: TypeAlias = Literal["erased", "refused", "key taken", "another log", "newer here", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss(Plain):
    """Something of the file that is not kept, and why; without its text."""

    kind: Kind  #: what was not kept
    reason: Reason  #: why
    id: str | None = None  #: of a note or a session, or the name of a field
    details: tuple[str, ...] = ()  #: what the guard found


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """Everything that a file holds of one scope."""

    format: Format
    namespace: str | None = None  #: as the file names it
    notes: tuple[Note, ...] = ()
    history: tuple[NoteVersion, ...] = ()
    profiles: tuple[Profile, ...] = ()  #: versions, oldest first
    records: tuple[Record, ...] = ()
    sessions: tuple[IncomingSession, ...] = ()
    workspaces: IncomingWorkspaces | None = None
    documents: tuple[IncomingDocument, ...] = ()
    losses: tuple[Loss, ...] = ()  #: what reading it and the guard left out
    dated: bool = (
        True  #: whether the file says when things were written; if not, what says the same is the same
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Plain):
    """What became of a file."""

    namespace: str  #: where it went
    format: Format  #: which form of file it was
    kept: Mapping[str, int] = field(default_factory=dict[str, int])  #: new here, by table
    known: Mapping[str, int] = field(default_factory=dict[str, int])  #: here already, and left as they are
    quarantined: int = 0  #: of the notes kept: they wait for a decision
    losses: tuple[Loss, ...] = ()  #: what was left out, and why

    @property
    def changed(self) -> bool:
        """Whether anything is new."""
        return any(self.kept.values())
