"""Report the health score of a memory's notes: junk, duplicates, contradictions, secrets."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bethink.cli import views

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.health.condition.values import Condition, Entry
    from bethink.lifecycle.values import Stage, Verdict
    from bethink.notes.values import Note, Source
    from bethink.sync import Memory, Scope

AMONG = 10  #: a note is found if it is among so many hits
PAGE = 1_000


def of_store(command: CommandContext, namespace: str | None, *, texts: bool) -> Condition:
    """Examine the global notes that stand in every scope of a tenant, or in one."""
    from bethink.health.condition.health_score import assess
    from bethink.lifecycle.guard import RulesGuard

    scopes = command.memory.scopes() if namespace is None else [command.memory.namespace(namespace)]
    by_name = {str(scope.namespace): scope for scope in scopes}
    return assess(
        [entry for scope in scopes for entry in entries(scope)],
        now=datetime.now(UTC),
        guard=RulesGuard(),
        found=_finder(by_name),
        texts=texts,
    )


def of_export(command: CommandContext, path: Path, *, texts: bool) -> Condition:
    """Examine an export of mem0; for the search it is put into a memory that is gone afterwards."""
    from bethink import Memory
    from bethink.health.condition.health_score import assess
    from bethink.health.condition.mem0 import load
    from bethink.lifecycle.guard import RulesGuard

    loaded = load(path)
    with Memory(":memory:", settings=command.settings, guard=_Open()) as memory:
        scopes, places = _filled(memory, loaded)
        ask = _finder(scopes, places)
        return assess(loaded, now=datetime.now(UTC), guard=RulesGuard(), found=ask, texts=texts)


def entries(scope: Scope) -> Iterator[Entry]:
    """Return the global notes of a scope, each with the words that it was made from where they are at hand."""
    from bethink.health.condition.values import Entry

    notes = list(_all(scope, None))
    text_of_note = _texts_of_session_notes(scope) if any(note.sources for note in notes) else {}
    for note in notes:
        declared = note.metadata.get("language")
        yield Entry(
            id=note.id,
            text=note.text,
            owner=str(scope.namespace),
            keywords=note.keywords,
            category=note.category,
            source=note.source,
            since=note.valid_from or note.updated_at,
            expires_at=note.expires_at,
            language=declared if isinstance(declared, str) else None,
            origin=" ".join(text_of_note[each] for each in note.sources if each in text_of_note) or None,
        )


def _all(scope: Scope, session: str | None) -> Iterator[Note]:
    cursor: str | None = None
    while True:
        status = "active" if session is None else None
        page = scope.notes(session=session, status=status, limit=PAGE, cursor=cursor)
        yield from page
        cursor = page.next
        if cursor is None:
            return


def _texts_of_session_notes(scope: Scope) -> dict[str, str]:
    """Return what session notes say, by id: global notes were made from them."""
    texts: dict[str, str] = {}
    cursor: str | None = None
    while True:
        page = scope.sessions(limit=PAGE, cursor=cursor)
        for info in page:
            texts.update({note.id: note.text for note in _all(scope, info.id)})
        cursor = page.next
        if cursor is None:
            return texts


def _finder(
    scopes: Mapping[str, Scope], places: Mapping[tuple[str, str], str] | None = None
) -> Callable[[Entry, str], bool]:
    def found(entry: Entry, words: str) -> bool:
        number = entry.id if places is None else places.get((entry.owner, entry.id))
        hits = scopes[entry.owner].recall(words, limit=AMONG, kinds=("note",))
        return any(hit.note is not None and hit.note.id == number for hit in hits)

    return found


def _filled(memory: Memory, loaded: Sequence[Entry]) -> tuple[dict[str, Scope], dict[tuple[str, str], str]]:
    from bethink.errors import InvalidError, LimitError

    owners = {entry.owner: f"owner-{number}" for number, entry in enumerate(loaded)}
    scopes = {owner: memory.scope(agent="mem0", user=user) for owner, user in owners.items()}
    places: dict[tuple[str, str], str] = {}
    for entry in loaded:
        try:
            note = scopes[entry.owner].remember(entry.text, source="import")
        except (InvalidError, LimitError):  # what cannot be kept as a note cannot be found either
            continue
        places[entry.owner, entry.id] = note.id
    return scopes, places


class _Open:
    """A guard that lets everything in, for a memory that nobody but the examination reads."""

    def judge(self, text: str, *, source: Source, stage: Stage) -> Verdict:  # noqa: ARG002
        from bethink.lifecycle.values import Verdict

        return Verdict(action="allow", text=text)

    def judge_keywords(self, keywords: Iterable[str], *, source: Source, stage: Stage) -> dict[str, Verdict]:
        return {word: self.judge(word, source=source, stage=stage) for word in keywords}

    def mask(self, text: str) -> str:
        return text


def view(condition: Condition) -> Sequence[RenderableType]:
    """The score, the rate of each ailment, then the evidence note by note."""
    if condition.score is None:
        return [views.dim("no notes")]
    made = views.table("ailment", "of the notes")
    for ailment, rate in condition.rates.items():
        made.add_row(ailment, f"{rate:.1%}")
    parts: list[RenderableType] = [
        views.facts([
            ("score", f"{condition.score:g} of 100"),
            ("notes", f"{condition.notes}, {condition.ailing} of them with a finding"),
            ("searched", f"{condition.searched}, using distinctive words of theirs, because recalls are not logged"),
        ]),
        made,
    ]  # fmt: skip
    if condition.findings:
        texts = any(each.text is not None for each in condition.findings)
        evidence = views.table("ailment", "note", "of", "why", *(["text"] if texts else []))
        for each in condition.findings:
            row = [
                each.ailment,
                views.dim(each.id),
                views.literal(each.owner),
                views.literal(each.reason),
            ]
            evidence.add_row(*row, *([views.literal(each.text or "")] if texts else []))
        parts.append(evidence)
    return parts
