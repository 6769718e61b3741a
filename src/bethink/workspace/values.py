"""Values of workspaces: layouts, configuration, rollouts, reports."""

from __future__ import annotations

import json
import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from bethink.errors import InvalidError
from bethink.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.lifecycle.values import ModelUse
    from bethink.models.chat import Chat

TerminalState: TypeAlias = Literal[
    "completed", "interrupted", "cancelled", "failed", "max_turns_exceeded", "guardrail_tripped"
]
MAX_SELECTED = 4096  #: raw memories that a consolidation may be asked to read
DEFAULT_NAME = "default"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where in a workspace its memory lies. What has the same layout is shared; other layouts share nothing."""

    memories_dir: str = "memories"  #: consolidated memory, relative to the root of the workspace
    sessions_dir: str = "sessions"  #: one file of run segments a conversation

    def __post_init__(self) -> None:
        for name in ("memories_dir", "sessions_dir"):
            given = getattr(self, name)
            parts = [part for part in given.split("/") if part not in {"", "."}]
            if given.startswith("/"):
                raise InvalidError(
                    f"layout.{name} must be relative to the sandbox workspace root, got: {given}",
                    argument=name,
                )
            if ".." in parts:
                raise InvalidError(f"layout.{name} must not escape root, got: {given}", argument=name)
            if not parts:
                raise InvalidError(f"layout.{name} must be non-empty", argument=name)
            if "\0" in given or "\n" in given or "\\" in given:
                raise InvalidError(f"layout.{name} must be a plain path with forward slashes", argument=name)
            object.__setattr__(self, name, posixpath.normpath(given))


@dataclass(frozen=True, slots=True)
class Read:
    """How an agent reads memory."""

    live_update: bool = True  #: it may correct stale memory in place, during a run


@dataclass(frozen=True, slots=True)
class Generate:
    """How memory is made of runs. Without a model both phases work by rules."""

    max_raw_memories_for_consolidation: int = (
        256  #: conversations that are remembered; older ones are forgotten
    )
    phase_one_model: Chat | str | None = None  #: reads one conversation; a text names a model of OpenAI
    phase_two_model: Chat | str | None = None  #: makes one memory of all of them
    extra_prompt: str | None = None  #: what matters most in this use; models read it
    forgotten: Literal["delete", "archive"] = "delete"  #: what becomes of what is forgotten
    most_asked: int = 500  #: how often phase two may ask its model, in one settling

    def __post_init__(self) -> None:
        most = self.max_raw_memories_for_consolidation
        name = "max_raw_memories_for_consolidation"
        if isinstance(most, bool) or not isinstance(most, int) or most <= 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError(f"MemoryGenerateConfig.{name} must be greater than 0.", argument=name)
        if most > MAX_SELECTED:
            raise InvalidError(
                f"MemoryGenerateConfig.{name} must be less than or equal to {MAX_SELECTED}.", argument=name
            )
        if self.forgotten not in {"delete", "archive"}:
            raise InvalidError("forgotten must be 'delete' or 'archive'", argument="forgotten")


LAYOUT = Layout()
READ = Read()
GENERATE = Generate()


@dataclass(frozen=True, slots=True)
class Location:
    """What tells one workspace of a scope from another: its name and its layout."""

    name: str = DEFAULT_NAME
    layout: Layout = LAYOUT

    @property
    def key(self) -> str:
        """Return the text that the store knows it by."""
        return json.dumps([self.name, self.layout.memories_dir, self.layout.sessions_dir])

    def memory(self, path: str) -> str:
        """Return a path below the memories, from the root of the workspace."""
        return f"{self.layout.memories_dir}/{path}"

    def rollout(self, rollout: str) -> str:
        """Return the path of a conversation's file."""
        return f"{self.layout.sessions_dir}/{rollout}.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """What phase one makes of a conversation."""

    slug: str
    summary: str
    raw: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """A conversation of the workspace, and what was made of it."""

    id: str
    segments: int = 0
    extracted: int = 0  #: how many of them phase one has read
    tries: int = 0  #: how often a model failed it
    updated_at: str = "unknown"
    terminal_state: str = "unknown"
    origin: str = ""  #: the sandbox session that its summary names
    extract: Extract | None = None
    engine: str = ""
    archived: bool = False
    running: bool = False

    @property
    def summary_file(self) -> str:
        """Return the path of its summary, below the memories."""
        return f"rollout_summaries/{self.id}_{self.extract.slug if self.extract else 'conversation'}.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A line of the memory that conversations taught; nobody wrote it by hand."""

    text: str
    section: str
    rollouts: tuple[str, ...]  #: conversations that taught it, the newest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """What phase two makes of all conversations that are remembered."""

    memory: str  #: MEMORY.md
    summary: str  #: memory_summary.md
    skills: Mapping[str, str] = field(default_factory=dict[str, str])  #: texts of SKILL.md, by name
    lessons: tuple[Lesson, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedText(Plain):
    """Something that the guard kept out of memory; the text itself is not told."""

    place: str  #: a file, or a conversation
    reasons: tuple[str, ...]  #: what was found: api_key, instruction …
    action: str  #: redact, quarantine or block


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Plain):
    """What came of opening, closing or syncing a workspace."""

    learned: tuple[str, ...] = ()  #: conversations that gave something to remember
    passed: tuple[str, ...] = ()  #: conversations that gave nothing
    forgotten: tuple[str, ...] = ()  #: conversations beyond the cap
    notes: tuple[str, ...] = ()  #: ids of notes made or changed by edits of the files
    dropped: tuple[str, ...] = ()  #: ids of notes that an edit took away; `undo` brings them back
    moved: tuple[str, ...] = ()  #: ids of notes whose line stands in another place by now
    waiting: tuple[str, ...] = ()  #: ids of notes whose lines are gone, too many to forget without a word
    undo: str = ""  #: pass it to `scope.undo`, to take back all that was done to notes
    diff: str = ""  #: of a dry run: what would be done
    written: tuple[str, ...] = ()  #: files
    removed: tuple[str, ...] = ()  #: files
    conflicts: tuple[str, ...] = ()  #: what was changed on both sides, and where both are kept
    caught: tuple[GuardedText, ...] = ()  #: what the guard kept out
    engine: str = "rules"  #: what made the summary: rules, or a model
    remarks: tuple[str, ...] = ()  #: such as why rules stood in for a model
    used: tuple[ModelUse, ...] = ()  #: what it took of a model


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing(Plain):
    """Where a workspace stands."""

    directory: str  #: where its files are
    name: str  #: the workspace's name
    layout: Layout  #: how its files are arranged
    remembered: int  #: conversations with memory
    waiting: int  #: conversations that phase one has not read to their end
    running: int  #: runs that are under way, or were cut off
    edited: tuple[str, ...] = ()  #: files that somebody changed since they were written
    missing: tuple[str, ...] = ()  #: files that were lost; the next `open` writes them anew
