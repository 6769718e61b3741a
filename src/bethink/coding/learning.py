"""Distill a coding session by rules: the user's statements, corrections, and what commands showed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bethink.coding.projects import AGENT
from bethink.errors import BethinkError, ConflictError
from bethink.integrations.learning import ignoring_silence
from bethink.lifecycle.distill.firewall import fingerprint
from bethink.lifecycle.guard import RulesGuard
from bethink.lifecycle.values import Distilled
from bethink.times import now

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.notes.values import Source
    from bethink.sessions.values import Item
    from bethink.sync import Scope
    from bethink.workspace.evidence import Evidence

LESSON: Final = "lesson"  #: the category of what was found by rules
TAUGHT: Final = (
    "taught"  #: the key of the marks of what was taught once: what was forgotten does not come back
)
MAX_MARKS: Final = 4_000
_LOOKED_AT: Final = 200  #: items of a session, the newest
#: how people say that something holds in every project, in the languages that we claim
_EVERYWHERE: Final = re.compile(
    r"""\b(?:(?:in|for|across)\ (?:all|every|each|any)\ (?:of\ )?(?:my\ |our\ )?
      (?:projects?|repos?|repositor(?:y|ies)|codebases?)
    |everywhere|in\ general|no\ matter\ (?:which|what)\ (?:project|repo)
    |in\ all(?:en)?\ (?:meinen\ )?(?:projekten|repos)|überall|in\ jedem\ projekt
    |dans\ tous\ mes\ (?:projets|dépôts)|partout|en\ todos\ mis\ (?:proyectos|repositorios)|en\ todas\ partes)\b
    |すべてのプロジェクト|全てのプロジェクト|どのプロジェクトでも|所有项目|每个项目""",
    re.IGNORECASE | re.VERBOSE,
)
#: commands that are worth knowing of a project, where they worked
_ROUTINE: Final = re.compile(
    r"\b(?:test|tests|pytest|vitest|jest|build|lint|check|deploy|migrate|format|typecheck|release|e2e)\b",
    re.IGNORECASE,
)
_HELPED: Final = re.compile(r"; `.+` worked\.\Z|` failed.* until `.+after that it worked\.\Z")


def learn(scope: Scope, own: Scope, session: str) -> None:
    """Make notes of what is new in a session: in its project's memory, or the user's own where they say so."""
    with ignoring_silence():  # nothing of the transcript was kept
        try:
            scope.consolidate(session=session)
        except ConflictError:
            return  # another hook is at it
        if scope.namespace != own.namespace:
            _move_wishes(scope, own)
        found = scope.session(session).items(limit=_LOOKED_AT).entries
        _teach(scope, session, [(text, source) for text, source in _lessons(session, found) if text])


def _move_wishes(scope: Scope, own: Scope) -> None:
    """Put what the user wants in every project into their own memory."""
    for note in scope.notes(limit=_LOOKED_AT).entries:
        if note.source == "user" and _EVERYWHERE.search(note.text):
            try:
                own.remember(note.text, keywords=note.keywords, metadata={"project": scope.namespace.name})
                scope.forget(note.id)
            except BethinkError:
                continue  # it stays where it is


def _lessons(session: str, items: Sequence[Item]) -> Iterator[tuple[str, Source]]:
    from bethink.workspace.evidence import gather_evidence

    bodies = [_with_status(item.body) for item in items]
    segment: dict[str, Any] = {
        "updated_at": now().isoformat(),
        "input": bodies,
        "generated_items": [],
        "terminal_metadata": {"terminal_state": "completed"},
    }
    found: Evidence = gather_evidence(
        session, [segment], distiller=_Distilled(), guard=RulesGuard(), today=now().date()
    )
    for signal in found.signals:
        yield signal.text, "user"
    for text in found.failed:
        if _HELPED.search(text):
            yield text, "tool"
    for text in found.works:
        if _ROUTINE.search(text):
            yield text, "tool"


class _Distilled:
    """Finds nothing: what distillation finds is in the memory already."""

    def distill(self, items: Sequence[Item], **_: Any) -> Distilled:  # noqa: ARG002
        """Return nothing."""
        return Distilled()


def _with_status(body: dict[str, Any]) -> dict[str, Any]:
    """Return an item as the rules for commands read it: what a transcript does not call an error has worked."""
    if body.get("type") != "function_call_output" or body.get("status") != "completed":
        return body
    return {**body, "output": [{"text": body.get("output") or "", "outcome": {"exit_code": 0}}]}


def _teach(scope: Scope, session: str, lessons: Sequence[tuple[str, Source]]) -> None:
    if not lessons:
        return
    kept = scope.documents.get(AGENT, TAUGHT)
    marks: list[str] = list(kept.value) if kept is not None else []
    known = {*marks, *(fingerprint(note.text) for note in scope.notes(limit=1_000).entries)}
    fresh: list[str] = []
    for text, source in lessons:
        mark = fingerprint(text)
        if mark in known:
            continue
        known.add(mark)
        fresh.append(mark)
        try:
            scope.remember(text, category=LESSON, source=source, metadata={"conversation": session})
        except BethinkError:
            continue  # the guard does not want it
    if fresh:
        scope.documents.put(AGENT, TAUGHT, [*marks, *fresh][-MAX_MARKS:])
