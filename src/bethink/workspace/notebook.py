"""Keep a directory of Markdown in step with the notes of a scope, both ways: for coding agents and for people."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast

from bethink.lifecycle.distill.firewall import folded
from bethink.notes.units import listing
from bethink.workspace import units
from bethink.workspace.edits import taken
from bethink.workspace.files import text_of
from bethink.workspace.lines import Edits, compare
from bethink.workspace.notebook_pages import entries, is_link, is_page, pages
from bethink.workspace.units import MARK
from bethink.workspace.values import Report, Spot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bethink.lifecycle.guard import Guard
    from bethink.notes.values import Note, Source
    from bethink.scope.namespace import Namespace
    from bethink.scope.units import Writing
    from bethink.storage.stores import Store
    from bethink.workspace.files import Files
    from bethink.workspace.lines import Line
    from bethink.workspace.notebook_pages import Entry

BASE: Final = ".bethink/base.json"  #: what stood in the files when they were in step last
LOCK: Final = ".bethink/lock"
SPOT: Final = Spot("notebook")
MOST_FILES: Final = 2_000


@dataclass(frozen=True, kw_only=True)
class Book:
    """What a notebook is worked on with."""

    store: Store
    namespace: Namespace
    files: Files
    guard: Guard
    summary: bool  #: whether there is a `memory_summary.md` too
    writing: Callable[[], Writing]


@dataclass(frozen=True, slots=True)
class _Base:
    """What stood in the files, and which note each line was."""

    files: Mapping[str, str]
    notes: Mapping[str, str]  #: text, by id


async def sync(book: Book, *, source: Source) -> Report:
    """Bring notes and files in step. What was changed on both sides is kept twice, and told.

    Raises:
        ConflictError: another process is at it.
    """
    async with book.files.locked(LOCK):
        base = _read_base(await book.files.read(BASE))
        before = await _notes(book)
        disk = await _disk(book)
        edits = [
            (name, edit)
            for name in {**disk, **base.files}
            if (edit := _told(compare(base.files.get(name, ""), disk.get(name, ""))))
        ]
        edits = _without_lost_files(edits, base, disk)
        kept, conflicts = _weighed(edits, base, before)
        made = taken(kept, before, SPOT, book.guard, source=source)
        written: list[Note] = []
        if made.notes.new or made.notes.revised or made.notes.gone:
            written = await book.store.write(
                units.edit_notes, book.namespace, made.notes, writing=book.writing()
            )
        after = await _notes(book)
        listed = entries(after, book.guard.mask)
        texts = pages(listed, summary=book.summary)
        changed, removed = await _write(book, base, disk, texts, listed)
        return Report(
            notes=tuple(note.id for note in written),
            dropped=made.notes.gone,
            written=tuple(changed),
            removed=tuple(removed),
            conflicts=tuple(conflicts),
            caught=made.caught,
            remarks=made.lost,
        )


async def _notes(book: Book) -> list[Note]:
    """Return the global notes as they are shown, newest first; lines of workspaces belong to their own files."""
    now = book.writing().now
    notes, _ = await book.store.read(listing, book.namespace, now=now, status="active")
    mine = [note for note in notes if note.metadata.get(MARK) in {None, SPOT.key}]
    return [replace(note, text=book.guard.mask(note.text)) for note in mine]


async def _disk(book: Book) -> dict[str, str]:
    """Return the pages that lie in the directory."""
    found: dict[str, str] = {}
    folders = [""]
    while folders and len(found) < MOST_FILES:
        folder = folders.pop()
        for name in await book.files.names(folder):
            path = f"{folder}/{name}" if folder else name
            if name.startswith("."):
                continue
            if name.endswith("/"):
                folders.append(path.removesuffix("/"))
            elif is_page(path):
                found[path] = text_of(await book.files.read(path) or b"")
    return found


def _told(edits: Edits) -> Edits:
    """Leave out what leads somewhere and says nothing."""

    def telling(lines: Sequence[Line]) -> tuple[Line, ...]:
        return tuple(line for line in lines if not is_link(line.text))

    return Edits(
        added=telling(edits.added),
        removed=telling(edits.removed),
        reworded=tuple(pair for pair in edits.reworded if not is_link(pair[0].text)),
    )


def _without_lost_files(
    edits: list[tuple[str, Edits]], base: _Base, disk: Mapping[str, str]
) -> list[tuple[str, Edits]]:
    """Take files that are gone for lost where all are gone: nobody forgets everything by an empty directory."""
    if base.files and not disk:
        return []
    return edits


def _weighed(
    edits: Sequence[tuple[str, Edits]], base: _Base, standing: Sequence[Note]
) -> tuple[list[tuple[str, Edits]], list[str]]:
    """Return the edits that can be taken as they are, and tell what was changed on both sides."""
    by_text = {folded(text): number for number, text in base.notes.items()}
    now = {note.id: note.text for note in standing}
    conflicts: dict[str, None] = {}
    kept: list[tuple[str, Edits]] = []

    def moved_on(line: Line) -> str | None:
        """Return the note of a line, where it is not what it was."""
        number = by_text.get(folded(line.text))
        if number is None or (number in now and folded(now[number]) == folded(line.text)):
            return None
        return number

    for name, each in edits:
        added = list(each.added)
        reworded: list[tuple[Line, Line]] = []
        for before, after in each.reworded:
            number = moved_on(before)
            if number is None:
                reworded.append((before, after))
                continue
            added.append(after)
            what = "changed" if number in now else "forgotten"
            conflicts[f"{name}: a line was reworded here and {what} elsewhere: both are kept ({number})"] = (
                None
            )
        removed: list[Line] = []
        for line in each.removed:
            number = moved_on(line)
            if number is None:
                removed.append(line)
            elif number in now:
                conflicts[f"{name}: a line was taken out here and changed elsewhere: it stays ({number})"] = (
                    None
                )
        kept.append((name, Edits(added=tuple(added), removed=tuple(removed), reworded=tuple(reworded))))
    return kept, list(conflicts)


async def _write(
    book: Book, base: _Base, disk: Mapping[str, str], texts: Mapping[str, str], listed: Sequence[Entry]
) -> tuple[list[str], list[str]]:
    changed: list[str] = []
    stale = [name for name in {**base.files, **disk} if name not in texts]
    known = dict.fromkeys((*texts, BASE, LOCK))
    await book.store.write(
        units.put_files,
        book.namespace,
        SPOT,
        known,
        stale,
        directory=book.files.directory,
        writing=book.writing(),
    )
    for name, text in texts.items():
        if disk.get(name) != text:
            await book.files.write(name, text.encode("utf-8", "replace"))
            changed.append(name)
    removed = [name for name in stale if name in disk]
    for name in removed:
        await book.files.remove(name)
    plain = {"version": 1, "files": dict(texts), "notes": {each.id: each.text for each in listed}}
    data = json.dumps(plain, indent=1).encode()
    if await book.files.read(BASE) != data:
        await book.files.write(BASE, data)
    return changed, removed


def _read_base(data: bytes | None) -> _Base:
    try:
        found: Any = json.loads(data or b"null")
    except ValueError:
        return _Base({}, {})
    if not isinstance(found, dict):
        return _Base({}, {})
    told = cast("dict[str, Any]", found)
    return _Base(_texts(told.get("files")), _texts(told.get("notes")))


def _texts(value: Any) -> dict[str, str]:
    pairs = cast("dict[str, Any]", value).items() if isinstance(value, dict) else ()
    return {name: text for name, text in pairs if isinstance(text, str)}
