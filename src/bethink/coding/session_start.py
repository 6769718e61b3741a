"""The context that is injected at a session's start, selected ahead and cached as lines that a hook can read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.coding.context_block import block, context_line, session_start_block
from bethink.coding.hook_memory import open_hook_memory
from bethink.coding.hook_reads import START
from bethink.coding.project_register import Register
from bethink.coding.projects import AGENT
from bethink.ids import to_number
from bethink.lifecycle.guard import RulesGuard

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.coding.directories import Directories
    from bethink.coding.options import Options
    from bethink.coding.projects import Project
    from bethink.coding.repository import Repository
    from bethink.notes.values import Note
    from bethink.sync import Scope

MAX_OF_PROJECT: Final = 24  #: notes
MAX_OF_USER: Final = 12
_LOOKED_AT: Final = 200  #: the newest notes


def start(repository: Repository, places: Directories, chosen: Options) -> str:
    """Return what a session is told that begins in a folder; a folder that is new begins a project."""
    with open_hook_memory(places, chosen) as memory:
        register = Register(memory, chosen.user)
        wishes = selected_texts(register.own, MAX_OF_USER)
        if repository.is_nowhere(places.user):
            return block(session_start_block((), wishes))
        found = register.resolve(repository)
        if found.decision.how == "asks" and found.decision.project is not None:
            if found.decision.project.excluded:
                return ""
            return _asking(repository, found.decision.project, wishes)
        if found.project is None:
            return ""
        lessons = selected_texts(register.memory_of(found.project), MAX_OF_PROJECT)
        return block(session_start_block(lessons, wishes), project=found.project.name)


def selected_texts(scope: Scope, most: int) -> tuple[str, ...]:
    """Choose what a session is told of a memory, keep the list, and return its texts.

    What people said comes before what was found by rules; of each the newest first. What the guard would change or
    hold back is not told at all.
    """
    newest = scope.notes(limit=1, status=None).entries
    if not newest:
        return ()
    noted = newest[0].revision
    chosen = _chosen(scope.notes(limit=_LOOKED_AT).entries, most)
    listing = {"noted": noted, "notes": [to_number("n", note.id) for note in chosen]}
    kept = scope.documents.get(AGENT, START)
    if kept is None or kept.value != listing:
        scope.documents.put(AGENT, START, listing)
    return tuple(note.text for note in chosen)


def _chosen(notes: Iterable[Note], most: int) -> list[Note]:
    guard = RulesGuard()
    passed = [
        note
        for note in notes
        if guard.judge(note.text, source=note.source, stage="injection").action == "allow"
        and guard.mask(note.text) == note.text
    ]
    from_user = [note for note in passed if note.source == "user"]
    found = [note for note in passed if note.source != "user"]
    return [*from_user, *found][:most]


def _asking(repository: Repository, project: Project, wishes: tuple[str, ...]) -> str:
    question = (
        f"{context_line(repository.path)} has the same remote or history as the project "
        f"{context_line(project.name)} ({context_line(', '.join(project.paths[:2]))}). Its memory is not used, and "
        "nothing of this folder is kept, until the user says whether they are one: `bethink project confirm` or "
        "`bethink project separate`, in this folder."
    )
    return block([("To be decided once:", (question,)), *session_start_block((), wishes)])
