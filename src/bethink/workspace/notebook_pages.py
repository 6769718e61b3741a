"""Lay notes out as pages: an index that is short enough to be read each time, and topic files for the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bethink.workspace.identity import slug_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bethink.notes.values import Note

INDEX: Final = "MEMORY.md"
SUMMARY: Final = "memory_summary.md"  #: what Codex reads first
MORE: Final = "more-topics.md"
MOST_LINES: Final = 200
MOST_BYTES: Final = 25 * 1024
MOST_NEWEST: Final = 60  #: notes that the index itself shows
_LONGEST: Final = 240  #: characters of a note in the index
_HEAD: Final = (
    "# Memory\n\nWhat is known here. Open a topic's file when its words fit the task; correct what is wrong."
)
_NEWEST: Final = "## Newest notes"
_TOPICS: Final = "## Topics"
_MORE: Final = f"- [more]({MORE}): all topics"
_LINK: Final = re.compile(r"\[[^\]]*\]\([^)]*\.md\)")
_PAGE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,119}\.md")


@dataclass(frozen=True, slots=True)
class Entry:
    """A note as the pages show it."""

    id: str
    text: str
    page: str
    section: str


def entries(notes: Iterable[Note], mask: Callable[[str], str]) -> list[Entry]:
    """Return notes as they are shown, each with its page: the file it came from, or its first keyword."""
    return [Entry(note.id, mask(note.text), _page(note), _section(note)) for note in notes]


def pages(listed: Sequence[Entry], *, summary: bool) -> dict[str, str]:
    """Return the files, by name; the entries are newest first. The index keeps its limits whatever there is."""
    topics: dict[str, list[Entry]] = {}
    for each in listed:
        topics.setdefault(each.page, []).append(each)
    made = {name: _topic(name, members) for name, members in topics.items()}
    links = [
        f"- [{name.removesuffix('.md')}]({name}): {len(members)} note{'s' if len(members) > 1 else ''}"
        for name, members in topics.items()
    ]
    shown = [bullet(each.text) for each in listed[:MOST_NEWEST] if len(each.text) <= _LONGEST]
    index = _fitted(shown, links)
    if len(index) < len(shown) + len(links):
        made[MORE] = "# All topics\n\n" + "\n".join(links) + "\n"
    kept = [row for row in links if row in index]
    if MORE in made:
        kept.append(_MORE)
    made[INDEX] = _index([row for row in shown if row in index], kept)
    if summary:
        made[SUMMARY] = made[INDEX]
    return made


def is_link(text: str) -> bool:
    """Tell whether a line of an index leads to a topic, and says nothing by itself."""
    return _LINK.match(text) is not None


def is_page(name: str) -> bool:
    """Tell whether a file is one that notes are read from."""
    return _PAGE.fullmatch(name) is not None and ".." not in name


def bullet(text: str) -> str:
    """Return a note as an entry of a list."""
    return "- " + text.strip().replace("\n", "\n  ")


def _fitted(shown: list[str], links: list[str]) -> list[str]:
    """Return the rows of the index that fit: links first, since what they lead to is found by nothing else."""
    lines = _HEAD.count("\n") + 9
    size = len(_index([], [_MORE]).encode()) + 64
    kept: list[str] = []
    for row in (*links, *shown):
        rows, length = row.count("\n") + 1, len(row.encode("utf-8", "replace")) + 1
        if lines + rows > MOST_LINES or size + length > MOST_BYTES:
            continue
        lines, size = lines + rows, size + length
        kept.append(row)
    return kept


def _index(shown: Sequence[str], links: Sequence[str]) -> str:
    parts = [_HEAD]
    if shown:
        parts.append(_NEWEST + "\n\n" + "\n".join(shown))
    if links:
        parts.append(_TOPICS + "\n\n" + "\n".join(links))
    return "\n\n".join(parts) + "\n"


def _topic(name: str, members: Sequence[Entry]) -> str:
    sections: dict[str, list[str]] = {}
    for each in members:
        sections.setdefault(each.section, []).append(_block(each.text))
    title = name.removesuffix(".md").rpartition("/")[2]
    parts = [f"# {title}"]
    for section in sorted(sections, key=bool):
        heading = [f"## {section}"] if section and section != title else []
        parts += [*heading, "\n".join(sections[section])]
    return "\n\n".join(parts) + "\n"


def _block(text: str) -> str:
    return f"\n{text.strip()}\n" if text.startswith(("```", "~~~")) else bullet(text)


def _page(note: Note) -> str:
    came = note.metadata.get("file")
    if isinstance(came, str) and is_page(came) and came not in {INDEX, SUMMARY, MORE}:
        return came
    return f"{slug_of(note.keywords[0]) if note.keywords else 'notes'}.md"


def _section(note: Note) -> str:
    section = note.metadata.get("section")
    plain = section if isinstance(section, str) else ""
    return "" if f"## {plain}" in {_NEWEST, _TOPICS} or plain == "Memory" else plain
