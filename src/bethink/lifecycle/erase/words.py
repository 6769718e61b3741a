"""Destroy the words of a note where else they stand in its scope: in the log, and in what workspaces keep."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import NotFoundError
from bethink.ids import item_id, item_key, note_id, to_number
from bethink.lifecycle.erase import queries
from bethink.lifecycle.erase.redacting import (
    forms,
    without_content,
    without_lines,
    without_note,
    without_words,
    worth_seeking,
)
from bethink.notes.rows import from_row
from bethink.notes.transactions import sql as note_sql
from bethink.scope.transactions import digest, note_event, touch
from bethink.sessions.codec import decode, encode
from bethink.sessions.transactions import sql as session_sql
from bethink.storage.work import Statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bethink.lifecycle.erase.transactions import Erased
    from bethink.notes.values import Note
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Place, Writing
    from bethink.storage.dialect import Dialect
    from bethink.storage.work import Work

_STATE: Final = ".bethink/state.json"  #: what a notebook remembers of its notes
_CODE: Final = re.compile(r"`([^`\n]{2,})`")
_STANDING_FOR: Final = frozenset({"promoted", "merged"})
_LOG: Final = ".jsonl"
_LONGEST_PATTERN: Final = 2_000  #: characters; stores bound how long a pattern is

ItemKey = tuple[int, int]  #: a session's number, and a place in it


def made_from(place: Place, note: Note) -> Work[tuple[list[Note], set[ItemKey]]]:
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
        for row in (yield note_sql.find_note(tenant=place.tenant, scope=place.scope, note=number)):
            other = from_row(row)
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


def holding(place: Place, wordings: Sequence[str]) -> Work[set[ItemKey]]:
    """Return the items that hold some wordings as they are."""
    found: set[ItemKey] = set()
    sought = forms(wordings)
    for form in sought:
        rows = yield from queries.items_holding(
            tenant=place.tenant, scope=place.scope, pattern=_pattern(form)
        )
        found.update((session, seq) for session, seq, body in rows if form in body)
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
        keys = {"tenant": place.tenant, "scope": place.scope, "session": session}
        done: list[int] = []
        for seq in seqs:
            done += yield from _redact_item(keys, seq, erased, whole=(session, seq) in whole, place=place)
        if not done:
            continue
        erased.redacted.update((session, seq) for seq in done)
        erased.reworded.update(name for (name,) in (yield session_sql.session_by_id(**keys)))
        yield session_sql.remove_summaries(**keys, first=done[0])
        yield session_sql.mark_session(**keys, revision=place.revision, now=writing.now)
        told = {"session": session, "from": done[0], "to": done[-1], "items": len(done)}
        yield from note_event(place, writing, "session.replaced", told)


def _redact_item(
    keys: Mapping[str, Any], seq: int, erased: Erased, *, whole: bool, place: Place
) -> Work[list[int]]:
    """Redact an item, and destroy what it was before; return its place, where there is one."""
    done: list[int] = []
    for _, body, at, speaker, _ in (yield session_sql.find_items(**keys, seq=seq)):
        erased.add_json(body)
        after = (
            encode(without_content(decode(body))) if whole else without_words(body, forms(erased.wordings))
        )
        yield session_sql.replace_item(
            **keys, seq=seq, body=after, at=at, speaker=speaker, revision=place.revision
        )
        erased.count("items redacted", 1)
        done.append(seq)
    for body, speaker in (yield from queries.erase_versions_of_item(**keys, seq=seq)):
        erased.add_json(body)
        erased.add_plain(speaker)
        erased.count("item_versions", 1)
    return done


def still_there(place: Place, keys: Iterable[ItemKey]) -> Work[list[str]]:
    """Return the ids of those of some items that are in the log."""
    found: list[str] = []
    for session, seq in sorted(keys):
        rows = yield session_sql.find_items(tenant=place.tenant, scope=place.scope, session=session, seq=seq)
        found += [item_id(session, seq) for _ in rows]
    return found


def reword_workspaces(place: Place, notes: Sequence[Note], erased: Erased, *, log: bool) -> Work[None]:
    """Take words out of what the workspaces of a scope keep: with `log` out of their conversations too."""
    keys: dict[str, Any] = {"tenant": place.tenant, "scope": place.scope}
    taught = _taught(notes)
    for workspace, rollout, summary, raw in (yield from queries.rollouts_of_scope(**keys)):
        wordings = (*erased.wordings, *taught.get((workspace, rollout), ()))
        after = [None if each is None else without_lines(each, wordings) for each in (summary, raw)]
        if after != [summary, raw]:
            erased.add_plain(*wordings)
            erased.count("workspace_rollouts reworded", 1)
            yield from queries.reword_rollout(
                **keys, workspace=workspace, rollout=rollout, summary=after[0], raw=after[1]
            )
    numbers = [note_id(each) for each in erased.notes]
    for workspace, path, content in (yield from queries.texts_of_workspace_files(**keys)):
        after = _content(path, content, numbers, tuple(erased.wordings))
        if after != content:
            erased.count("workspace_files reworded", 1)
            yield from queries.reword_file(**keys, workspace=workspace, path=path, content=after)
    if log:
        yield from _reword_segments(keys, taught, erased)
    yield from _files_on_disk(keys, taught, erased, log=log)


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
        without_words(content, forms(wordings))
        if path.endswith(".json")
        else without_lines(content, wordings)
    )


def _reword_segments(
    keys: Mapping[str, Any], taught: Mapping[tuple[str, str], tuple[str, ...]], erased: Erased
) -> Work[None]:
    for workspace, rollout, seq, line in (yield from queries.segments_of_scope(**keys)):
        after = without_words(line, forms((*erased.wordings, *taught.get((workspace, rollout), ()))))
        if after != line:
            erased.count("workspace_segments reworded", 1)
            yield from queries.reword_segment(
                **keys, workspace=workspace, rollout=rollout, seq=seq, line=after, digest=digest(after)
            )


def _files_on_disk(
    keys: Mapping[str, Any],
    taught: Mapping[tuple[str, str], tuple[str, ...]],
    erased: Erased,
    *,
    log: bool,
) -> Work[None]:
    """Note which files are to be looked through, and for what."""
    directories: dict[str, list[str]] = {}
    for workspace, directory in (yield from queries.workspace_places(**keys)):
        directories.setdefault(workspace, []).append(directory)
    for workspace, path, _ in (yield from queries.texts_of_workspace_files(**keys)):
        quoted = tuple(
            text
            for (where, rollout), texts in taught.items()
            if where == workspace and rollout in path
            for text in texts
        )
        wordings = (*erased.wordings, *quoted)
        for directory in directories.get(workspace, ()):
            erased.looked_through[directory, path] = (wordings, log or not path.endswith(_LOG))


def standing(tenant: str, erased: Erased, dialect: Dialect) -> Work[dict[str, int]]:
    """Count the rows of its scope in which the words of a note still stand, by table."""
    columns: dict[str, list[str]] = {}
    scoped: set[str] = set()
    for table, column, text in (yield Statement(dialect.catalogue, {})):
        scoped |= {table} if column == "scope_id" else set()
        if text and column not in {"tenant_id", "digest"}:
            columns.setdefault(table, []).append(column)
    found: dict[str, int] = {}
    sought = forms(erased.wordings)
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
