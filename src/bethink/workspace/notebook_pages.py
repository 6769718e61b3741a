"""Render notes as pages, changing existing pages only where their notes changed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.distill.firewall import folded
from bethink.lifecycle.text_caches import remembers
from bethink.marked_blocks import newline_of
from bethink.workspace.markdown import Block, parse
from bethink.workspace.notebook_state import Page
from bethink.workspace.rollout_ids import slug_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from bethink.notes.values import Note

INDEX: Final = "MEMORY.md"
SUMMARY: Final = "memory_summary.md"  #: what Codex reads first
MORE: Final = "more-topics.md"
MAX_LINES: Final = 200
MAX_BYTES: Final = 25 * 1024
MAX_NEWEST: Final = 60  #: notes that the index itself shows
_LONGEST: Final = 240  #: characters of a note in the index
_INTRODUCTION: Final = (
    "What is known here. Open a topic's file when its words fit the task; correct what is wrong."
)
_HEAD: Final = f"# Memory\n\n{_INTRODUCTION}"
_NEWEST: Final = "Newest notes"
_TOPICS: Final = "Topics"
_ALL: Final = "All topics"
_LINK: Final = re.compile(r"\[[^\]]*\]\([^)]*\.md\)")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,119}\.md")
_ALONE: Final = ("```", "~~~", "|")
_LINKED: Final = "link:"  #: before the name of a page, what a row that leads there is known by


@dataclass(frozen=True, slots=True)
class Entry:
    """A note as the pages show it."""

    id: str
    text: str
    page: str
    section: str


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that a page is to show."""

    id: str
    text: str
    section: str = ""


def entries(
    notes: Iterable[Note], mask: Callable[[str], str], theirs: Mapping[str, Collection[str]]
) -> list[Entry]:
    """Return notes as they are shown, each with its page: the file it came from, or its first keyword.

    `theirs` are the pages that people wrote, with what they say; a note stays where they have it, and no page of ours
    takes the name of one of theirs, in whatever case.
    """
    taken = {name.casefold() for name in theirs}
    found: list[Entry] = []
    for note in notes:
        text = mask(note.text)
        came = note.metadata.get("file")
        if isinstance(came, str) and came in theirs and folded(text) in theirs[came]:
            found.append(Entry(note.id, text, came, _section(note)))
            continue
        page = _page(note)
        if page.casefold() in taken:
            above, slash, name = page.rpartition("/")
            page = f"{above}{slash}bethink-{name}"
        found.append(Entry(note.id, text, page, _section(note)))
    return found


def rows(listed: Sequence[Entry], theirs: Collection[str], *, summary: bool) -> dict[str, list[Row]]:
    """Return what each page of ours shows; the entries are newest first. The index keeps its limits."""
    topics: dict[str, list[Entry]] = {}
    for each in listed:
        topics.setdefault(each.page, []).append(each)
    made = {
        name: [Row(each.id, each.text, each.section) for each in members]
        for name, members in topics.items()
        if name not in theirs
    }
    links = [
        Row(
            _LINKED + name,
            f"[{name.removesuffix('.md')}]({_target(name)}): {len(members)} note{'s' if len(members) > 1 else ''}",
            _TOPICS,
        )
        for name, members in topics.items()
    ]
    shown = [Row(each.id, each.text, _NEWEST) for each in listed[:MAX_NEWEST] if len(each.text) <= _LONGEST]
    index = rows_that_fit(
        (*links, *shown), lines=_HEAD.count("\n") + 9, most_lines=MAX_LINES, most_bytes=MAX_BYTES
    )
    if len(index) < len(shown) + len(links):
        made[MORE] = [Row(each.id, each.text, _ALL) for each in links]
        index.append(Row(_LINKED + MORE, f"[more]({MORE}): all topics", _TOPICS))
    name = next((each for each in (INDEX, "bethink-" + INDEX) if each not in theirs), INDEX)
    made[name] = sorted(index, key=lambda row: row.section == _TOPICS)
    if summary and SUMMARY not in theirs:
        made[SUMMARY] = made[name]
    return made


def rows_that_fit(wanted: Iterable[Row], *, lines: int, most_lines: int, most_bytes: int) -> list[Row]:
    """Return the rows that fit, those that stand first before others."""
    size = len(_HEAD.encode()) + 256
    kept: list[Row] = []
    for row in wanted:
        text = bullet(row.text)
        more, length = text.count("\n") + 1, len(text.encode("utf-8", "replace")) + 1
        if lines + more > most_lines or size + length > most_bytes:
            continue
        lines, size = lines + more, size + length
        kept.append(row)
    return kept


def new_page(name: str, wanted: Sequence[Row]) -> str:
    """Return a page that is not there yet."""
    if any(row.section in {_NEWEST, _TOPICS} for row in wanted) or name in {INDEX, SUMMARY}:
        return _sections([_HEAD], wanted)
    if name == MORE:
        return _sections([], [Row(row.id, row.text, _ALL) for row in wanted], depth=1)
    title = name.removesuffix(".md").rpartition("/")[2]
    plain = [Row(row.id, row.text, "" if row.section == title else row.section) for row in wanted]
    return _sections([f"# {title}"], sorted(plain, key=lambda row: bool(row.section)))


def merge_page(
    text: str,
    wanted: Sequence[Row],
    page: Page,
    *,
    alive: Collection[str] = (),
    held: Collection[str] = (),
    barred: Collection[str] = (),
) -> Page:
    """Return a page of ours with what changed in the notes, and everything else as it stands there.

    A line goes if its note is gone (not `alive`), or if we wrote it and it belongs elsewhere by now. `held` are notes
    that wait for a word; `barred` is what the guard keeps out.
    """
    return _Merging(parse(text), wanted, page, alive, held, barred).done(newline_of(text))


def is_frame(text: str) -> bool:
    """Tell whether a line leads to a topic, or is the frame of our own pages, and says nothing by itself."""
    return _LINK.match(text) is not None or text == _INTRODUCTION


def is_bare(name: str, text: str) -> bool:
    """Tell whether nothing stands on a page but its title, so that it may go."""
    title = name.removesuffix(".md").rpartition("/")[2]
    return all(
        block.kind == "blank"
        or (block.kind == "heading" and block.text == title)
        or (block.is_statement and is_frame(block.text))
        for block in parse(text)
    )


def bullet(text: str, end: str = "\n", lead: str = "- ") -> str:
    """Return a note as an entry of a list, in one piece; code and tables stand by themselves."""
    plain = text.strip().replace("\r\n", "\n").replace("\r", "\n")
    if plain.startswith(_ALONE) and _is_whole(plain):
        return end + plain.replace("\n", end) + end
    row = lead + plain.replace("\n", "\n" + " " * len(lead))
    if not _is_whole(row):
        row = lead + " ".join(plain.split())
    return row.replace("\n", end)


def _is_whole(raw: str) -> bool:
    """Tell whether a text is one block, and closed, so that what comes after it is another."""
    found = [block for block in parse(f"{raw}\n\nx\n") if block.kind != "blank"]
    return len(found) == 2 and found[1].raw == "x\n"  # noqa: PLR2004 - the text, and what comes after it


@remembers(16_384)
def _known_by(text: str) -> str:
    """Return what a note is recognised by on a page; empty where a page cannot show it."""
    if _LINK.match(text):
        return text
    statements = [block.text for block in parse(bullet(text).strip("\n")) if block.is_statement]
    return folded(statements[0]) if len(statements) == 1 else ""


class _Merging:
    """Goes through the blocks of a page."""

    def __init__(
        self,
        blocks: list[Block],
        wanted: Sequence[Row],
        page: Page,
        alive: Collection[str],
        held: Collection[str],
        barred: Collection[str],
    ) -> None:
        self._blocks = blocks
        self._wanted = wanted
        self._by_fold: dict[str, list[Row]] = {}  # notes that differ in nothing but signs have one line
        for row in wanted:
            self._by_fold.setdefault(_known_by(row.text), []).append(row)
        self._by_id = {row.id: row for row in wanted}
        self._old = {fold: number for number, line in page.shown.items() if (fold := _known_by(line))}
        self._page = page
        self._alive = alive
        self._held = held
        self._barred = barred
        self._shown: dict[str, str] = {}
        self._mine: set[str] = set()

    def done(self, end: str) -> Page:
        """Return the page as it is to be."""
        kept = [found for block in self._blocks if (found := self._kept(block, end)) is not None]
        missing = [
            each[0]
            for fold, each in self._by_fold.items()
            if fold and not any(row.id in self._shown or row.id in self._held for row in each)
        ]
        if missing:
            kept = self._with(kept, missing, end)
        waiting = {each: line for each, line in self._page.shown.items() if each in self._held}
        mine = self._mine | (self._page.mine & set(waiting))
        text = "".join(block.raw for block in kept)
        return Page(text, ours=True, shown={**waiting, **self._shown}, mine=frozenset(mine))

    def _kept(self, block: Block, end: str) -> Block | None:
        fold = _fold(block.text) if block.is_statement else ""
        if not fold or fold in self._barred:
            return None if fold else block
        if fold in self._by_fold:
            for each in self._by_fold[fold]:
                self._note(each)
            return block
        number = self._old.get(fold)
        if number is None or number in self._held:
            return block
        row = self._by_id.get(number)
        if row is not None and number not in self._shown:
            self._note(row)
            return _worded(block, row.text, end)
        gone = not number.startswith(_LINKED) and number not in self._alive
        return None if gone or number in self._page.mine else block

    def _note(self, row: Row) -> None:
        self._shown[row.id] = row.text
        if row.id in self._page.mine:
            self._mine.add(row.id)

    def _with(self, kept: list[Block], missing: Sequence[Row], end: str) -> list[Block]:
        """Put rows in: before the first row of ours in their section, or at its end, or under a heading of its own."""
        title = next((block.text for block in kept if block.kind == "heading" and block.depth == 1), "")
        for section in dict.fromkeys(row.section or title for row in missing):
            mine = [row for row in missing if (row.section or title) == section]
            for row in (each for first in mine for each in self._by_fold[_known_by(first.text)]):
                self._shown[row.id] = row.text
                self._mine.add(row.id)
            at, made = self._place(kept, section, [bullet(row.text, end) + end for row in mine], end)
            kept = [*kept[:at], *(Block(raw, "item", section=section) for raw in made), *kept[at:]]
        return kept

    def _place(self, kept: list[Block], section: str, made: list[str], end: str) -> tuple[int, list[str]]:
        bound = len(kept) - bool(
            kept and _is_open(kept[-1])
        )  # what stays open takes in all that comes after it
        here = [
            at
            for at, block in enumerate(kept[:bound])
            if block.section == section and block.kind != "heading"
        ]
        ours = [at for at in here if kept[at].kind == "item" and _fold(kept[at].text) in self._folds()]
        if ours:
            return ours[0], made
        filled = [at for at in here if kept[at].kind != "blank"]
        heads = [
            at for at, block in enumerate(kept[:bound]) if block.kind == "heading" and block.text == section
        ]
        if not filled and not heads:
            opening = [] if not section else [f"## {section}{end}{end}"]
            tail = [end] if bound < len(kept) else []
            return bound, [*_gap(kept[:bound], end), *opening, *made, *tail]
        last = filled[-1] if filled else heads[0]
        raw = kept[last].raw
        closed = raw.endswith(("\n", "\r")) and not (raw.endswith("\r") and end == "\n")
        close = "" if closed else end
        beside = kept[last].kind == "item"
        after = kept[last + 1] if last + 1 < len(kept) else None
        tail = "" if after is None or after.kind == "blank" else end
        return last + 1, [close + ("" if beside else end) + made[0], *made[1:-1], *_last(made, tail)]

    def _folds(self) -> set[str]:
        return {_known_by(line) for line in (*self._shown.values(), *self._page.shown.values())}


def _is_open(block: Block) -> bool:
    """Tell whether a piece of code or a remark at the end of a file is not closed."""
    return block.kind in {"code", "html", "item"} and parse(f"{block.raw}\n\nx\n")[-1].raw != "x\n"


def _last(made: list[str], tail: str) -> list[str]:
    return [made[-1] + tail] if len(made) > 1 else ([tail] if tail else [])


def _gap(kept: Sequence[Block], end: str) -> list[str]:
    """Return what has to stand between a page and what is put at its end."""
    text = "".join(block.raw for block in kept[-2:])
    if not text.strip():
        return []
    if not text.endswith(("\n", "\r")) or (text.endswith("\r") and end == "\n"):
        return [end * 2]  # a lone carriage return and a line feed are one end of a row
    return [] if kept[-1].kind == "blank" else [end]


def _worded(block: Block, text: str, end: str) -> Block:
    """Return a block with other words in the place of its own."""
    mark = "\ufeff" if block.raw.startswith("\ufeff") else ""
    close = block.raw[len(block.raw.rstrip("\r\n")) :]
    alone = text.startswith(_ALONE) and _is_whole(text)
    body = bullet(text, end, "" if block.kind == "paragraph" else block.lead or "- ").strip("\r\n")
    if alone and block.kind == "item":
        body = end + body
    return Block(mark + body + close, block.kind, text, block.section, block.lead)


def _fold(text: str) -> str:
    """Return what a line is recognised by; one that leads to a page is known by all of it."""
    return text if _LINK.match(text) else folded(text)


def _sections(parts: list[str], wanted: Sequence[Row], depth: int = 2) -> str:
    sections: dict[str, list[str]] = {}
    for row in wanted:
        sections.setdefault(row.section, []).append(bullet(row.text))
    for section, texts in sections.items():
        parts += [f"{'#' * depth} {section}"] if section else []
        parts.append("\n".join(texts).strip("\n"))
    return "\n\n".join(parts) + "\n"


def _target(name: str) -> str:
    return f"<{name}>" if " " in name else name


def _page(note: Note) -> str:
    came = note.metadata.get("file")
    plain = came if isinstance(came, str) and ".." not in came else ""
    if _NAME.fullmatch(plain) and plain not in {INDEX, SUMMARY, MORE}:
        return plain
    return f"{slug_of(note.keywords[0]) if note.keywords else 'notes'}.md"


def _section(note: Note) -> str:
    section = note.metadata.get("section")
    plain = section if isinstance(section, str) else ""
    return "" if plain in {_NEWEST, _TOPICS, _ALL, "Memory"} else " ".join(plain.split())
