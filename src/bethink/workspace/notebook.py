"""Two-way sync of Markdown files with a scope's notes.

A folder of ours holds pages that we made; a folder that was adopted is only read; a file of somebody's may hold a
marked block. Of each, what people did is found by comparing it with how it was last seen, and what the notes want is
put in line by line: nothing is ever rendered anew over what stands there.
"""

from __future__ import annotations

import asyncio
import difflib
import hashlib
import platform
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bethink import marked_blocks
from bethink.errors import BethinkError, ConflictError, InvalidError
from bethink.lifecycle.distill.firewall import folded
from bethink.notes.transactions import listing
from bethink.workspace import notebook_edits, notebook_state, repositories, transactions
from bethink.workspace.edits import read_edits
from bethink.workspace.folder_listing import FolderListing, list_folder
from bethink.workspace.markdown import decoded, parse
from bethink.workspace.notebook_pages import Row as _Row
from bethink.workspace.notebook_pages import (
    entries,
    is_bare,
    merge_page,
    new_page,
    rows,
    rows_that_fit,
)
from bethink.workspace.notebook_state import MARKER, STATE, Page, State
from bethink.workspace.transactions import MARK
from bethink.workspace.values import Location, Report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bethink.lifecycle.guard import Guard
    from bethink.notes.values import Note, Source
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.storage.stores import Store
    from bethink.workspace.agent_files import AgentFile
    from bethink.workspace.directory import Directory, LocalFiles
    from bethink.workspace.edits import EditOutcome
    from bethink.workspace.values import GuardedText

LOCATION: Final = Location("notebook")
MAX_REMOVALS: Final = 5  #: notes that one sync forgets without a word
ROUNDS: Final = 3  #: in one sync, where somebody saves a file meanwhile
LEASE_SECONDS: Final = 30
PATIENCE: Final = 5.0  #: seconds to wait for another sync
_PAUSE: Final = 0.05
_BLOCK_LINES: Final = 150
_BLOCK_BYTES: Final = 16 * 1024
_REGION: Final = "#bethink"  #: after the name of a file, its marked block as a page
_BLOCK_HEAD: Final = "## Memory"


@dataclass(frozen=True, kw_only=True)
class NotebookContext:
    """What a notebook is worked on with."""

    store: Store
    namespace: Namespace
    files: LocalFiles
    guard: Guard
    summary: bool = False  #: whether there is a `memory_summary.md` too
    block: AgentFile | None = None  #: the file of a coding agent that holds a marked block
    writing: Callable[[], Writing]


@dataclass(frozen=True, kw_only=True)
class SyncOptions:
    """What is asked of a sync."""

    source: Source = "agent"
    dry_run: bool = False
    adopt: bool = False  #: read a folder that we did not make
    confirm: bool = False  #: forget however many lines were taken out
    restore: bool = False  #: write lines that were taken out again, rather than forget them


@dataclass(slots=True)
class _Opened:
    """A folder, or a file with a block, as it is found."""

    location: Location
    number: str
    state: State | None
    listing: FolderListing
    adopted: bool = False  #: it is only read
    set_back: bool = False  #: it is not what went on from what we saw last: a checkout, a stash, a copy
    commit: str = ""  #: of the repository that it lies in

    @property
    def texts(self) -> dict[str, str]:
        """Return the pages that can be read, as texts."""
        return {path: decoded(data) or "" for path, data in self.listing.pages.items()}


async def sync(notebook: NotebookContext, options: SyncOptions) -> Report:
    """Bring notes and files in step. What was changed on both sides is kept twice, and told.

    Raises:
        InvalidError: the folder is not one of ours, and was not adopted.
        ConflictError: another process is at it.
        LimitError: the folder is too large.
    """
    if options.dry_run:
        return (await _once(notebook, options))[0]
    async with _Lease(notebook):
        report, raced = await _once(notebook, options)
        for _ in range(ROUNDS - 1):
            if not raced:
                break
            more, raced = await _once(notebook, options)
            report = _joined(report, more)
        saved = [f"{path} was saved while this went on: the next sync merges it" for path in raced]
        return replace(report, remarks=(*report.remarks, *saved))


class _Lease:
    """Keeps two processes, or two machines with one store, from syncing one folder at once."""

    def __init__(self, notebook: NotebookContext) -> None:
        self._notebook = notebook
        self._holder = ""
        path = "" if notebook.block is None else notebook.block.path
        self._name = f"notebook {_digest(notebook.files.directory, path)}"

    async def __aenter__(self) -> None:
        from bethink.lifecycle.leases import take_lease

        notebook, waited = self._notebook, 0.0
        while True:
            writing = notebook.writing()
            self._holder = str(writing.fresh())
            until = writing.now + LEASE_SECONDS * 1_000_000
            held = await notebook.store.write(
                take_lease, notebook.namespace, self._name, self._holder, until, writing=writing
            )
            if held is None:
                return
            if waited >= PATIENCE:
                raise ConflictError(
                    f"another process is syncing {notebook.files.directory}; run this again when it is done",
                    reason="leased",
                )
            waited += _PAUSE
            await asyncio.sleep(_PAUSE)

    async def __aexit__(self, *_: object) -> None:
        from bethink.lifecycle.leases import drop_lease

        await self._notebook.store.write(drop_lease, self._notebook.namespace, self._name, self._holder)


# ---- what lies there ------------------------------------------------------------------------------------------


async def _opened(notebook: NotebookContext, options: SyncOptions) -> _Opened:
    opened = await (
        _opened_folder(notebook, options)
        if notebook.block is None
        else _opened_block(notebook, notebook.block, options)
    )
    tree, state = notebook.files.tree, opened.state or State()
    for path in state.pages:
        if (
            path not in opened.listing.pages
            and path not in opened.listing.left
            and not path.endswith(_REGION)
        ):
            why = await notebook.store.call(_still_there, tree, path)
            if why:
                opened.listing.left[path] = why
    opened.commit = await notebook.store.call(repositories.commit, tree.root)
    if state.commit and opened.commit != state.commit:
        went_on = await notebook.store.call(repositories.went_on, tree.root, state.commit, opened.commit)
        opened.set_back = opened.set_back or not went_on
    return opened


def _still_there(tree: Directory, path: str) -> str:
    """Say why a page that is there is not read; nothing where it is gone."""
    try:
        return "git ignores it now" if tree.kind(path)[0] == "file" else ""
    except BethinkError as error:
        return str(error)


async def _opened_folder(notebook: NotebookContext, options: SyncOptions) -> _Opened:
    listing = await notebook.store.call(list_folder, notebook.files.tree)
    found = notebook_state.read_marker(await _quietly(notebook, MARKER))
    if found is not None:
        number, stamp = found
        location = Location(f"notebook-{number}")
        state = await _state(notebook, location)
        if state is not None:
            return _Opened(location, number, state, listing, set_back=stamp != state.stamp)
    number = _digest(notebook.files.directory)
    location = Location(f"notebook-{number}")
    state = await _state(notebook, location)
    if state is not None and (found is None or options.adopt):
        ours = any(page.ours for page in state.pages.values())
        return _Opened(
            location, number, state, listing, adopted=not ours, set_back=bool(listing.pages) and ours
        )
    old = notebook_state.earlier_state(await _quietly(notebook, notebook_state.EARLIER))
    if old is not None and found is None and await _knows(notebook, old):
        return _Opened(location, number, old, listing)
    if not listing.pages and not listing.left and not listing.others:
        return _Opened(location, number, None, listing)
    if options.adopt:
        return _Opened(location, number, None, listing, adopted=True)
    raise InvalidError(_foreign(notebook, listing, another=found is not None), argument="adopt")


async def _opened_block(notebook: NotebookContext, block: AgentFile, options: SyncOptions) -> _Opened:
    """Read a file with a marked block: the block is a page of ours, what stands around it is read if it was adopted."""
    data = await notebook.files.read(block.path)
    text = "" if data is None else decoded(data)
    if text is None:
        raise InvalidError(
            f"{notebook.files.directory}/{block.path} is not valid UTF-8; save it as UTF-8, then run this again",
            argument="path",
        )
    number = _digest(notebook.files.directory, block.path)
    location = Location(f"notebook-{number}")
    state = await _state(notebook, location)
    listing = FolderListing()
    inside = marked_blocks.block_text(text)
    if inside is not None:
        listing.pages[block.path + _REGION] = inside.encode()
    stamp = marked_blocks.block_version(text)
    if data is not None and (options.adopt or (state is not None and block.path in state.pages)):
        listing.pages[block.path] = marked_blocks.without_block(text).encode()
    return _Opened(
        location, number, state, listing, set_back=state is not None and stamp not in {None, state.stamp}
    )


def _foreign(notebook: NotebookContext, listing: FolderListing, *, another: bool) -> str:
    if another:
        return (
            f"{notebook.files.directory} is the notebook of another memory; choose that memory (--db, --agent, "
            "--user), or import it into this one with --adopt, which does not change the folder. Nothing was changed"
        )
    return (
        f"{notebook.files.directory} contains files that Bethink did not create ({len(listing.pages)} Markdown pages); "
        "--adopt imports them as notes without changing the folder, and --dry-run previews that. To export "
        "notes as pages, name an empty folder. Nothing was changed"
    )


async def _quietly(notebook: NotebookContext, path: str) -> bytes | None:
    try:
        return await notebook.files.read(path)
    except BethinkError:
        return None


async def _knows(notebook: NotebookContext, old: State) -> bool:
    """Tell whether the notes of an earlier version's folder are those of this scope."""
    if not old.notes:
        return True
    notes, _ = await notebook.store.read(listing, notebook.namespace, now=0, status=None, everywhere=True)
    return bool({note.id for note in notes} & set(old.notes))


async def _state(notebook: NotebookContext, location: Location) -> State | None:
    return notebook_state.read(
        await notebook.store.read(transactions.file, notebook.namespace, location, STATE)
    )


async def _notes(notebook: NotebookContext) -> list[Note]:
    """Return the global notes as they are shown, newest first; lines of workspaces belong to their own files."""
    now = notebook.writing().now
    notes, _ = await notebook.store.read(listing, notebook.namespace, now=now, status="active")
    mine = [note for note in notes if note.metadata.get(MARK) in {None, LOCATION.key}]
    return [replace(note, text=notebook.guard.mask(note.text)) for note in mine]


def _digest(*parts: str | None) -> str:
    machine = platform.node()
    return hashlib.blake2b(
        "\0".join((machine, *map(str, parts))).encode("utf-8", "surrogateescape"), digest_size=9
    ).hexdigest()


# ---- one round ------------------------------------------------------------------------------------------------


async def _once(notebook: NotebookContext, options: SyncOptions) -> tuple[Report, list[str]]:
    opened = await _opened(notebook, options)
    base = opened.state or State()
    before = await _notes(notebook)
    texts = opened.texts
    found, made, waiting = _read(notebook, options, opened, base, texts, before)
    after = _simulated(before, made) if options.dry_run else before
    written: list[Note] = []
    undo = ""
    if not options.dry_run and made.notes:
        written, undo = await notebook.store.write(
            transactions.edit_notes,
            notebook.namespace,
            made.notes,
            reason="edited in files",
            writing=notebook.writing(),
        )
        after = await _notes(notebook)
    held = set[str]() if options.restore else waiting
    pages = _wanted(notebook, opened, base, texts, after, held, made, found)
    changes = {} if held else _changes(opened, texts, pages)  # no file is written before the word is spoken
    report = Report(
        notes=tuple(note.id for note in written),
        dropped=made.notes.gone,
        moved=tuple(number for number, _ in made.notes.moved),
        waiting=tuple(sorted(waiting)),
        conflicts=tuple(found.conflicts),
        caught=made.caught,
        remarks=(*made.lost, *_left(opened), *_stale(base, texts, after, made)),
        undo=undo,
        diff=_diff(texts, changes, made, before, waiting) if options.dry_run else "",
    )
    if options.dry_run:
        written_paths = {path for path, text in changes.items() if text is not None}
        gone = {path for path, text in changes.items() if text is None}
        return replace(report, written=tuple(sorted(written_paths)), removed=tuple(sorted(gone))), []
    return await _kept(notebook, opened, base, texts, pages, changes, after, held, report)


def _read(
    notebook: NotebookContext,
    options: SyncOptions,
    opened: _Opened,
    base: State,
    texts: Mapping[str, str],
    before: Sequence[Note],
) -> tuple[notebook_edits.PageEdits, EditOutcome, set[str]]:
    """Find what people did, and what it does to notes; return the notes whose removal waits for a word, too."""
    unread = {path for path in base.pages if path in opened.listing.left}
    known = {path: page.text for path, page in base.pages.items() if path not in unread}
    for path in [each for each in known if each.endswith(_REGION) and each not in texts]:
        del known[path]  # who takes the marks out wants no block; that forgets nothing
    if known and not texts:  # nobody forgets everything by an empty folder
        known = {}
    found = notebook_edits.compare_pages(known, texts)
    notebook_edits.resolve_conflicts(found, base.notes, {note.id: note.text for note in before})
    made = read_edits(
        [(_file(name), edits) for name, edits in found.edits],
        before,
        LOCATION,
        notebook.guard,
        source=options.source,
        moved=[(_file(name), line) for name, line in found.moved],
    )
    few = len(made.notes.gone) <= MAX_REMOVALS and not opened.set_back
    waiting = set[str]() if options.confirm or (few and not options.restore) else set(made.notes.gone)
    if waiting:
        made = replace(made, notes=replace(made.notes, gone=()))
    return found, made, waiting


def _wanted(
    notebook: NotebookContext,
    opened: _Opened,
    base: State,
    texts: Mapping[str, str],
    after: Sequence[Note],
    held: set[str],
    made: EditOutcome,
    found: notebook_edits.PageEdits,
) -> dict[str, Page]:
    """Return every page as it is to be: those of ours merged with what the notes want, the others as they are."""
    renamed = {new: base.pages[old] for old, new in found.renamed.items() if base.pages[old].ours}
    ours = {path: page for path, page in base.pages.items() if page.ours} | renamed
    theirs = {path: text for path, text in texts.items() if path not in ours and not path.endswith(_REGION)}
    pages = {path: Page(text) for path, text in theirs.items()}
    if opened.adopted:
        return pages
    if notebook.block is not None:
        wanted = _block_rows(notebook, notebook.block, after, theirs)
    else:
        is_statement = {
            path: {folded(each.text) for each in parse(text) if each.is_statement}
            for path, text in theirs.items()
        }
        listed = entries(after, notebook.guard.mask, is_statement)
        unread = [path for path in opened.listing.left if path not in ours]
        wanted = rows(listed, {*theirs, *unread}, summary=notebook.summary) if listed or ours else {}
    alive = {note.id for note in after}
    barred = {folded(text) for text in made.barred}
    for path in {**wanted, **ours}:
        if path in opened.listing.left:
            continue
        rows_of, page = wanted.get(path, []), ours.get(path, Page(""))
        text = texts.get(path)
        if text is None:
            shown = [row for row in rows_of if row.id not in held]
            if not shown:
                continue
            text = _BLOCK_HEAD + "\n" if path.endswith(_REGION) else new_page(path, shown)
            page = Page("", ours=True, mine=frozenset(row.id for row in shown))
        merged_page = merge_page(text, rows_of, page, alive=alive, held=held, barred=barred)
        if path in wanted or path.endswith(_REGION) or not is_bare(path, merged_page.text):
            pages[path] = merged_page
    return pages


def _block_rows(
    notebook: NotebookContext, block: AgentFile, after: Sequence[Note], theirs: Mapping[str, str]
) -> dict[str, list[_Row]]:
    """Return what the block shows: the newest notes that fit, but those that stand beside it anyway."""
    beside = {folded(each.text) for text in theirs.values() for each in parse(text) if each.is_statement}
    shown = [
        _Row(note.id, text, "Memory")
        for note in after
        if folded(text := notebook.guard.mask(note.text)) not in beside
    ]
    return {
        block.path + _REGION: rows_that_fit(shown, lines=4, most_lines=_BLOCK_LINES, most_bytes=_BLOCK_BYTES)
    }


def _changes(opened: _Opened, texts: Mapping[str, str], pages: Mapping[str, Page]) -> dict[str, str | None]:
    """Return the pages of ours that are to be written, and with None those that are to be removed."""
    changes: dict[str, str | None] = {
        path: page.text for path, page in pages.items() if page.ours and texts.get(path) != page.text
    }
    for path, page in (opened.state or State()).pages.items():
        if page.ours and path in texts and path not in pages:
            changes[path] = None
    return changes


# ---- writing --------------------------------------------------------------------------------------------------


async def _kept(
    notebook: NotebookContext,
    opened: _Opened,
    base: State,
    texts: Mapping[str, str],
    pages: Mapping[str, Page],
    changes: Mapping[str, str | None],
    after: Sequence[Note],
    waiting: set[str],
    report: Report,
) -> tuple[Report, list[str]]:
    """Keep what was read, then write the files, then keep what was written: a crash between them loses nothing."""
    notes = {note.id: note.text for note in after} | {
        each: text for each, text in base.notes.items() if each in waiting
    }
    seen = _seen(base, opened, texts, pages, waiting)
    state = State(base.stamp, seen, notes, opened.commit)
    first = opened.state is None
    if not first or changes or opened.adopted or report.notes:
        await _remember(notebook, opened, state, changes)
    changed: list[str] = []
    removed: list[str] = []
    raced: list[str] = []
    for path, text in changes.items():
        try:
            done = await _put(notebook, opened, path, text, base.stamp + 1)
        except BethinkError as error:
            report = replace(report, remarks=(*report.remarks, str(error)))
            continue
        (raced if not done else removed if text is None else changed).append(path)
    if changed or removed:
        landed = {**seen, **{path: pages[path] for path in changed}}
        for path in removed:
            landed.pop(path, None)
        ours = notebook.block is None
        state = State(base.stamp + 1, _held(landed, base, waiting), notes, opened.commit)
        if ours:
            await notebook.files.write(MARKER, notebook_state.marker(opened.number, state.stamp))
            await notebook.files.remove(notebook_state.EARLIER)
        await _remember(notebook, opened, state, changes)
    elif opened.set_back and not waiting and notebook.block is None and not opened.adopted:
        await notebook.files.write(MARKER, notebook_state.marker(opened.number, base.stamp))
    written = [_file(path) for path in changed]
    return replace(report, written=tuple(written), removed=tuple(removed)), [_file(path) for path in raced]


def _seen(
    base: State,
    opened: _Opened,
    texts: Mapping[str, str],
    pages: Mapping[str, Page],
    waiting: set[str],
) -> dict[str, Page]:
    """Return the pages as they stand on the disk, with what is known of the lines on them."""
    seen: dict[str, Page] = {}
    for path, text in texts.items():
        page = pages.get(path)
        if page is not None and page.text == text:
            seen[path] = page
            continue
        old = base.pages.get(path)
        if old is None:
            seen[path] = Page(text, ours=page is not None and page.ours)
        else:
            seen[path] = replace(old, text=text)
    for path in opened.listing.left:
        if path in base.pages:
            seen[path] = base.pages[path]
    return _held(seen, base, waiting)


def _held(seen: Mapping[str, Page], base: State, waiting: set[str]) -> dict[str, Page]:
    """Keep how pages were last seen whose removed lines wait for a word."""
    if not waiting:
        return dict(seen)
    lines = {folded(base.notes[each]) for each in waiting if each in base.notes}
    kept = dict(seen)
    for path, page in base.pages.items():
        if any(folded(block.text) in lines for block in parse(page.text) if block.is_statement):
            now = kept.get(path)
            kept[path] = replace(now, text=page.text) if now is not None else page
    return kept


async def _remember(
    notebook: NotebookContext, opened: _Opened, state: State, changes: Mapping[str, str | None]
) -> None:
    """Keep a state, with the names of the files that are ours: who erases the scope has to find them."""
    ours = {path for path, page in state.pages.items() if page.ours} | {
        path for path, text in changes.items() if text is not None
    }
    names = {_row(notebook, path) for path in ours}
    if names and notebook.block is None:
        names.add(MARKER)
    await notebook.store.write(
        transactions.keep_notebook,
        notebook.namespace,
        opened.location,
        {STATE: notebook_state.write(state), **dict.fromkeys(names)},
        directory=notebook.files.directory,
        writing=notebook.writing(),
    )


def _row(notebook: NotebookContext, path: str) -> str:
    """Return the name under which the store keeps that a file is ours; of a block, one that erasing knows."""
    return path if notebook.block is None else marked_blocks.block_key(notebook.block.path)


async def _put(notebook: NotebookContext, opened: _Opened, path: str, text: str | None, stamp: int) -> bool:
    """Write or remove one page, if it still is as it was read."""
    if notebook.block is not None:
        return await _put_block(notebook, notebook.block, opened, text or "", stamp)
    found = opened.listing.pages.get(path)
    if text is None:
        return await notebook.files.remove_if(path, found or b"")
    return await notebook.files.write_if(path, text.encode("utf-8", "replace"), found)


async def _put_block(
    notebook: NotebookContext, block: AgentFile, opened: _Opened, body: str, stamp: int
) -> bool:
    """Put a block into its file, if both are as they were read."""
    data = await notebook.files.read(block.path)
    text = block.frame if data is None else decoded(data)
    if text is None:
        return False
    seen = opened.listing.pages.get(block.path + _REGION)
    inside = marked_blocks.block_text(text)
    if inside is not None and inside.encode() != seen:
        return False
    end = marked_blocks.newline_of(text)
    body = body if inside is not None else body.replace("\n", end)
    return await notebook.files.write_if(
        block.path, marked_blocks.put(text, body, stamp).encode("utf-8", "replace"), data
    )


def _file(path: str) -> str:
    return path.removesuffix(_REGION)


# ---- remarks --------------------------------------------------------------------------------------------------


def _left(opened: _Opened) -> list[str]:
    return [f"{path} was skipped: {why}" for path, why in sorted(opened.listing.left.items())]


def _stale(base: State, texts: Mapping[str, str], after: Sequence[Note], made: EditOutcome) -> list[str]:
    """Tell of notes that changed elsewhere, and stand as they were in a file that is not ours to change."""
    now = {note.id: folded(note.text) for note in after}
    mine = {number for number, _ in made.notes.revised} | set(made.notes.gone)
    moved_on = {
        folded(text): number
        for number, text in base.notes.items()
        if number not in mine and now.get(number) != folded(text)
    }
    if not moved_on:
        return []
    found: list[str] = []
    for path, text in texts.items():
        page = base.pages.get(path)
        if page is None or page.ours:
            continue
        for block in parse(text):
            number = moved_on.get(folded(block.text)) if block.is_statement else None
            if number is not None:
                what = "has another text" if number in now else "is forgotten"
                found.append(
                    f"{path} still contains the text of note {number}, which now {what}; change it there"
                )
    return found


def _simulated(before: Sequence[Note], made: EditOutcome) -> list[Note]:
    """Return the notes as they would be."""
    from bethink.notes.values import Note
    from bethink.times import to_datetime

    reworded = dict(made.notes.revised)
    placed = dict(made.notes.moved)
    kept = [
        replace(
            note,
            text=reworded.get(note.id, note.text),
            metadata={**note.metadata, **placed.get(note.id, {})},
        )
        for note in before
        if note.id not in made.notes.gone
    ]
    at = to_datetime(0)
    new = [
        Note(
            id=f"new{place}",
            text=each.text,
            keywords=each.keywords,
            metadata=each.metadata,
            created_at=at,
            updated_at=at,
        )
        for place, each in enumerate(made.notes.new)
        if each.status == "active"
    ]
    return [*reversed(new), *kept]


def _diff(
    texts: Mapping[str, str],
    changes: Mapping[str, str | None],
    made: EditOutcome,
    before: Sequence[Note],
    waiting: set[str],
) -> str:
    """Return what would be done, to notes and then to files."""
    before_texts = {note.id: note.text for note in before}
    parts = [f"+ note: {each.text}" for each in made.notes.new]
    parts += [
        f"~ note {number}: {before_texts.get(number, '')} -> {text}" for number, text in made.notes.revised
    ]
    parts += [f"> note {number}: now in {metadata['file']}" for number, metadata in made.notes.moved]
    parts += [f"- note {number}: {before_texts.get(number, '')}" for number in made.notes.gone]
    parts += [
        f"? note {number}: {before_texts.get(number, '')} (its line is gone: --confirm)"
        for number in sorted(waiting)
    ]
    for path, text in changes.items():
        rows_of = difflib.unified_diff(
            texts.get(path, "").splitlines(),
            (text or "").splitlines(),
            f"a/{_file(path)}" if path in texts else "/dev/null",
            f"b/{_file(path)}" if text is not None else "/dev/null",
            lineterm="",
        )
        parts += list(rows_of)
    return "\n".join(parts)


def _joined(first: Report, second: Report) -> Report:
    """Return two rounds of one sync as one."""

    def both(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*getattr(first, name), *getattr(second, name))))

    caught: tuple[GuardedText, ...] = tuple(dict.fromkeys((*first.caught, *second.caught)))
    return replace(
        second,
        notes=both("notes"),
        dropped=both("dropped"),
        moved=both("moved"),
        written=both("written"),
        removed=both("removed"),
        conflicts=both("conflicts"),
        remarks=both("remarks"),
        caught=caught,
        undo=second.undo or first.undo,
    )
