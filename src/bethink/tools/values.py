"""Values of tools: a tool, its reach, and its result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from bethink.notes.values import Door
    from bethink.tools.verbs import ScopeVerbs, SharedScopes, WorkspaceVerbs

Family: TypeAlias = Literal[
    "notes",  #: save_memory_note, as a personal agent stages what it hears
    "private",  #: remember, recall, search_memory, forget, list_memories
    "categories",  #: memory_store, memory_recall, memory_forget
    "pools",  #: share_to, read_from_pool, search_pool, list_pool
    "team",  #: share_finding, read_shared, search_shared, list_shared
    "history",  #: search_history, timeline: what was said, by question and by time
    "review",  #: list_waiting: what waits for a person's decision, and why
    "documents",  #: document_list, _get, _put, _delete, _search: values under a path and a key
    "workspace",  #: workspace_view, _create, _str_replace, _insert, _delete, _rename: files of memory
]


TEXT: Mapping[str, Any] = {"type": "string"}

Effect: TypeAlias = Literal[
    "reads",
    "adds",  #: something new each time
    "puts",  #: in the place of what was there; saying it twice changes nothing more
    "removes",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What the tools of one agent work on."""

    scope: ScopeVerbs
    session: str | None = None  #: whose notes are staged; the default session where none is named
    memory: SharedScopes | None = None  #: where pools and teams are found
    pools: tuple[str, ...] = ()  #: the pools that the agent may name
    team: str | None = None  #: the team that it works in
    workspace: WorkspaceVerbs | None = None  #: the directory that it keeps files in
    door: Door = "tools"  #: by which they are called


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """Something that a model may call."""

    name: str
    family: Family
    description: str  #: what the model is told of it
    parameters: Mapping[str, Any]  #: JSON schema of its arguments; every field has a type
    act: Callable[[Reach, Mapping[str, Any]], Awaitable[Any]]  #: answers with text, or with JSON
    verb: str | None = None  #: of the library, in whose words it is described
    effect: Effect = "reads"
    answers: Mapping[str, Any] = field(default_factory=lambda: TEXT)  #: JSON schema of what it answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tool said, or why it did nothing."""

    value: Any  #: text, or JSON
    done: bool = True
