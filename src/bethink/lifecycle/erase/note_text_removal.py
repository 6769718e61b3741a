"""Redact the text of an erased note elsewhere in its scope: in session logs and in workspaces."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from bethink.errors import NotFoundError
from bethink.ids import item_id, item_key, note_id, to_number
from bethink.lifecycle.erase import queries
from bethink.lifecycle.erase.redacting import (
    stored_forms,
    without_content,
    without_lines,
    without_note,
    without_words,
    worth_seeking,
)
from bethink.notes.transactions import by_number
from bethink.scope.transactions import digest, touch
from bethink.sessions.item_json import decode, encode
from bethink.sessions.redaction import is_there, mark_redacted
from bethink.sessions.redaction import redact as redact_entry
from bethink.storage.work import Statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bethink.lifecycle.erase.erased import Erased, ItemKey
    from bethink.notes.values import Note
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.dialect import Dialect
    from bethink.storage.work import Work

_STATE: Final = ".bethink/state.json"  #: what a notebook remembers of its notes
_CODE: Final = re.compile(r"`([^`\n]{2,})`")
_STANDING_FOR: Final = frozenset({"promoted", "merged"})
_LOG: Final = ".jsonl"
_LONGEST_PATTERN: Final = 2_000  #: characters; stores bound how long a pattern is


def made_from(place: ScopeRow, note: Note) -> Work[tuple[list[Note], set[ItemKey]]]:
    """Return the closed notes that a note was made from, and the items that these and it were drawn from."""
    notes: dict[str, Note] = {}
    items: set[ItemKey] = set()
    waiting, seen = [*note.sources], {note.id}
    while waiting:
        word = waiting.pop()
        if word in seen:
            continue
        seen.add(word)
        number = to_number("n", word)
        if number is None:
            items.update(_item(word))
            continue
        other = yield from by_number(place, number)
        if other is not None:
            closed = other.session is not None and other.outcome in _STANDING_FOR
            if closed or (other.status != "active" and other.text == note.text):
                notes[word] = other
                waiting += other.sources
    return list(notes.values()), items


def _item(word: str) -> list[ItemKey]:
    try:
        return [item_key(word)]
    except NotFoundError:
        return []


def items_containing(place: ScopeRow, wordings: Sequence[str]) -> Work[set[ItemKey]]:
    """Return the items that hold some wordings as they are."""
    found: set[ItemKey] = set()
    sought = stored_forms(wordings)
    for form in sought:
        rows = yield from queries.items_holding(**place.keys, pattern=_pattern(form))
        found.update((row.session_id, row.seq) for row in rows if form in row.body)
    return found


def _pattern(text: str) -> str:
    """Return what finds a text with `like`; what it finds is looked at again, with its case."""
    text = text[:_LONGEST_PATTERN]
    for sign in "!%_":
        text = text.replace(sign, f"!{sign}")
    return f"%{text}%"


def redact(
    namespace: Namespace,
    drawn: Iterable[ItemKey],
    held: Iterable[ItemKey],
    erased: Erased,
    *,
    writing: Writing,
) -> Work[None]:
    """Put marks in the place of what items say: of all in those that a note was drawn from, else of its words."""
    whole = frozenset(drawn)
    places: dict[int, list[int]] = {}
    for session, seq in sorted({*whole, *held}):
        places.setdefault(session, []).append(seq)
    for session, seqs in places.items():
        place = yield from touch(namespace, writing)
        done: list[int] = []
        for seq in seqs:
            if (yield from _redact_item(place, (session, seq), erased, whole=(session, seq) in whole)):
                done.append(seq)  # noqa: PERF401 - a comprehension cannot yield
        if done:
            erased.redacted.update((session, seq) for seq in done)
            names = yield from mark_redacted(place, session, done[0], done[-1], len(done), writing=writing)
            erased.reworded.update(names)


def _redact_item(place: ScopeRow, key: ItemKey, erased: Erased, *, whole: bool) -> Work[bool]:
    """Redact an item, and destroy what it was before; tell whether it was there."""
    sought = stored_forms(erased.wordings)

    def rule(body: str) -> str:
        return encode(without_content(decode(body))) if whole else without_words(body, sought)

    rows, versions = yield from redact_entry(place, *key, rule)
    for row in rows:
        erased.add_json(row.body)
    erased.count("items redacted", len(rows))
    for version in versions:
        erased.add_json(version.body)
        erased.add_plain(version.speaker)
    erased.count("item_versions", len(versions))
    return bool(rows)


def still_there(place: ScopeRow, keys: Iterable[ItemKey]) -> Work[list[str]]:
    """Return the ids of those of some items that are in the log."""
    found: list[str] = []
    for key in sorted(keys):
        if (yield from is_there(place, *key)):
            found.append(item_id(*key))  # noqa: PERF401 - a comprehension cannot yield
    return found


def reword_workspaces(place: ScopeRow, notes: Sequence[Note], erased: Erased, *, log: bool) -> Work[None]:
    """Take words out of what the workspaces of a scope keep: with `log` out of their conversations too."""
    taught = _taught(notes)
    for row in (yield from queries.rollouts_of_scope(**place.keys)):
        wordings = (*erased.wordings, *taught.get((row.workspace, row.rollout), ()))
        after = [None if each is None else without_lines(each, wordings) for each in (row.summary, row.raw)]
        if after != [row.summary, row.raw]:
            erased.add_plain(*wordings)
            erased.count("workspace_rollouts reworded", 1)
            yield from queries.reword_rollout(
                **place.keys, workspace=row.workspace, rollout=row.rollout, summary=after[0], raw=after[1]
            )
    numbers = [note_id(each) for each in erased.notes]
    for file in (yield from queries.texts_of_workspace_files(**place.keys)):
        text = _content(file.path, file.content, numbers, tuple(erased.wordings))
        if text != file.content:
            erased.count("workspace_files reworded", 1)
            yield from queries.reword_file(
                **place.keys, workspace=file.workspace, path=file.path, content=text
            )
    if log:
        yield from _reword_segments(place, taught, erased)
    yield from _files_on_disk(place, taught, erased, log=log)


def _taught(notes: Iterable[Note]) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return the commands that lessons quote, by the workspace and conversation that taught them."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for note in notes:
        where, rollout = note.metadata.get("workspace"), note.metadata.get("conversation")
        if isinstance(where, str) and isinstance(rollout, str):
            found[where, rollout] = worth_seeking(_CODE.findall(note.text))
    return found


def _content(path: str, content: str | None, numbers: Sequence[str], wordings: Sequence[str]) -> str | None:
    if content is None:
        return None
    if path == _STATE:
        return json.dumps(without_note(json.loads(content), numbers, wordings))
    return (
        without_words(content, stored_forms(wordings))
        if path.endswith(".json")
        else without_lines(content, wordings)
    )


def _reword_segments(
    place: ScopeRow, taught: Mapping[tuple[str, str], tuple[str, ...]], erased: Erased
) -> Work[None]:
    for row in (yield from queries.segments_of_scope(**place.keys)):
        wordings = (*erased.wordings, *taught.get((row.workspace, row.rollout), ()))
        after = without_words(row.line, stored_forms(wordings))
        if after != row.line:
            erased.count("workspace_segments reworded", 1)
            yield from queries.reword_segment(
                **place.keys,
                workspace=row.workspace,
                rollout=row.rollout,
                seq=row.seq,
                line=after,
                digest=digest(after),
            )


def _files_on_disk(
    place: ScopeRow,
    taught: Mapping[tuple[str, str], tuple[str, ...]],
    erased: Erased,
    *,
    log: bool,
) -> Work[None]:
    """Note which files are to be looked through, and for what."""
    directories: dict[str, list[str]] = {}
    for row in (yield from queries.workspace_places(**place.keys)):
        directories.setdefault(row.workspace, []).append(row.directory)
    for file in (yield from queries.texts_of_workspace_files(**place.keys)):
        workspace, path = file.workspace, file.path
        quoted = tuple(
            text
            for (where, rollout), texts in taught.items()
            if where == workspace and rollout in path
            for text in texts
        )
        wordings = (*erased.wordings, *quoted)
        for directory in directories.get(workspace, ()):
            erased.looked_through[directory, path] = (wordings, log or not path.endswith(_LOG))


def remaining_rows(tenant: str, erased: Erased, dialect: Dialect) -> Work[dict[str, int]]:
    """Count the rows of its scope in which the words of a note still stand, by table."""
    columns: dict[str, list[str]] = {}
    scoped: set[str] = set()
    for table, column, text in (yield Statement(dialect.catalogue, {})):
        scoped |= {table} if column == "scope_id" else set()
        if text and column not in {"tenant_id", "digest"}:
            columns.setdefault(table, []).append(column)
    found: dict[str, int] = {}
    sought = stored_forms(erased.wordings)
    for table in sorted(scoped & columns.keys()):
        held = " or ".join(
            f'{dialect.position}("{name}", :needle{place}) > 0'
            for name in columns[table]
            for place in range(len(sought))
        )
        if not held:
            continue
        needles = {f"needle{place}": each for place, each in enumerate(sought)}
        for scope in erased.within:
            text = (
                f'select count(*) from "{table}" where tenant_id = :tenant and scope_id = :scope and ({held})'
            )
            ((count,),) = yield Statement(text, {"tenant": tenant, "scope": scope, **needles})
            if count:
                found[table] = found.get(table, 0) + count
    return found
