"""The context of one settling of a workspace: its services, and the accounting of what was done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bethink.workspace import transactions
from bethink.workspace.values import Generate, GuardedText

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from bethink.lifecycle.guard import Guard
    from bethink.lifecycle.values import ModelUse
    from bethink.notes.values import Admission
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.storage.stores import Store
    from bethink.workspace.files import Files
    from bethink.workspace.lesson_notes import LessonNote
    from bethink.workspace.phase_engines import Phases
    from bethink.workspace.transactions import StoredWorkspace
    from bethink.workspace.values import Location

EDITED: Final = ("MEMORY.md", "memory_summary.md")  #: what people and agents may change
BASE: Final = ".bethink"  #: where the last state of those lies, beside them, and the lock
MAX_KEPT: Final = 1024 * 1024  #: bytes of a file that somebody else put beside ours
MADE: Final = ("raw_memories", "rollout_summaries", "archive", BASE)


@dataclass(frozen=True, kw_only=True)
class WorkspaceContext:
    """What a workspace is worked on with."""

    store: Store
    namespace: Namespace
    location: Location
    files: Files
    guard: Guard
    phases: Phases
    generate: Generate | None
    daily_tokens: int | None
    admission: Admission = "active"  #: what lessons may do at once
    origin: str = ""  #: the sandbox session that summaries name
    read_only: bool = False
    recorded: Mapping[str, int] = field(
        default_factory=dict[str, int]
    )  #: runs that are kept already, by their digest
    writing: Callable[[], Writing]
    clock: Callable[[], datetime]


@dataclass(slots=True)
class ReportBuilder:
    """What comes together on the way to a report."""

    learned: list[str] = field(default_factory=list[str])
    passed: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    dropped: list[str] = field(default_factory=list[str])
    caught: list[GuardedText] = field(default_factory=list[GuardedText])
    remarks: list[str] = field(default_factory=list[str])
    used: list[ModelUse] = field(default_factory=list["ModelUse"])
    engine: str = "rules"
    undo: str = ""
    raced: bool = False  #: somebody saved a file while this went on
    forgotten: list[str] = field(default_factory=list[str])
    edited: dict[str, bytes | None] = field(default_factory=dict[str, "bytes | None"])  #: as they were read
    left: set[str] = field(default_factory=set[str])  #: files that are not touched
    there: set[str] = field(default_factory=set[str])  #: files of others that lie there
    kept: dict[str, str] = field(default_factory=dict[str, str])  #: what the phases keep for the next time
    lessons: tuple[LessonNote, ...] | None = None  #: None: they are what they were


async def load_held(workspace: WorkspaceContext) -> StoredWorkspace:
    """Read what the store holds of a workspace."""
    now = workspace.writing().now
    return await workspace.store.read(transactions.load, workspace.namespace, workspace.location, now=now)


def clean_text(workspace: WorkspaceContext, text: str, place: str) -> tuple[str, list[GuardedText]]:
    """Return a text without secrets and without lines that give orders."""
    from bethink.workspace.text_safety import safe_text

    return safe_text(text, workspace.guard, place)
