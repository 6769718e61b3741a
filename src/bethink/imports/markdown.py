"""Read folders of Markdown with front matter: basic-memory, Obsidian, Anthropic's memory tool, coding agents."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from bethink.imports import names_and_ids
from bethink.imports.values import Fact, Malformed, Skipped
from bethink.sessions.readers.parts import instant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bethink.imports.streams import Blob
    from bethink.imports.values import Read

ENDINGS: Final = frozenset({".md", ".markdown", ".txt"})
_HIDDEN: Final = frozenset({".obsidian", ".trash", ".git", "node_modules", ".venv"})
_LARGEST: Final = 4 << 20  #: bytes of a page
_FIELD: Final = re.compile(r"([\w-]+):\s*(.*)")
_CATEGORY: Final = re.compile(r"\[([^\]\[(]+)\]\s+(.*?)\s*(?:\(([^()]*)\))?$")
_USERS: Final = re.compile(
    r"(?:^|/)user/([^/]+)/memories/"
)  #: where OpenViking keeps what it knows of a user
_TAG: Final = re.compile(r"(?<!\S)#([\w/-]+)")


def files(folder: Path) -> Iterator[Path]:
    """Yield the pages of a folder, in their order; links and hidden folders are not followed."""
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder).parts
        if any(part in _HIDDEN or part.startswith(".") for part in inner) or path.is_symlink():
            continue
        if any(parent.is_symlink() for parent in path.parents if folder in parent.parents):
            continue
        if path.is_file() and path.suffix.lower() in ENDINGS:
            yield path


def read(folder: Path) -> Iterator[Read]:
    """Read every page: each bullet and each paragraph is a fact, with the page's title beside it."""
    for number, path in enumerate(files(folder), 1):
        yield from page(number, path, path.relative_to(folder).as_posix())


def page(number: int, path: Path, place: str) -> Iterator[Read]:
    """Read one page."""
    try:
        if path.stat().st_size > _LARGEST:
            yield Skipped(reason="a page of more than 4 MiB")
            return
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        yield Malformed(line=number, reason=f"cannot be read: {type(error).__name__}", file=place)
        return
    yield from _page(number, text, place, datetime.fromtimestamp(path.stat().st_mtime, UTC))


def of_blob(blob: Blob) -> Iterator[Read]:
    """Read a page that is a member of an archive."""
    with blob.bytes() as raw:
        data = raw.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        yield Skipped(reason="a page of more than 4 MiB")
        return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield Malformed(line=1, reason=f"cannot be read: {type(error).__name__}", file=blob.name)
        return
    yield from _page(1, text, blob.name, blob.modified)


def _page(number: int, text: str, place: str, modified: datetime | None) -> Iterator[Read]:
    fields, body = _front_matter(text)
    title = fields.get("title") or PurePosixPath(place).stem
    at = instant(fields.get("modified") or fields.get("created")) or modified
    of_user = _USERS.search(place)
    general = title.casefold() in {
        "memory",
        "readme",
        "index",
        "memory_summary",
        "raw_memories",
        "claude",
        "agents",
    }
    tags = tuple(each for each in re.split(r"[,\s\[\]#'\"]+", fields.get("tags", "")) if each)
    for statement, heading in names_and_ids.markdown_statements(body):
        fact, keywords = statement, [*_TAG.findall(statement), *tags]
        found = _CATEGORY.match(statement)
        if found and not statement.startswith(("[[", "[x]")):
            fact, keywords = found[2], [found[1], *keywords]
            if found[3]:
                fact = f"{fact} ({found[3]})"
        fact = " ".join(_TAG.sub(r"\1" if not found else "", fact).split())
        if not fact:
            continue
        if not general and title.casefold() not in fact.casefold():
            fact = f"{title}: {fact}"
        yield Fact(
            line=number,
            text=fact,
            id=names_and_ids.text_digest(place, statement),
            origin="markdown",
            at=at,
            keywords=tuple(dict.fromkeys(keywords)),
            user=of_user[1] if of_user else None,
            details={"page": place, **({"heading": heading} if heading else {})},
        )


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    """Return the plain fields of YAML front matter, and the rest."""
    if not text.startswith("---\n"):
        return {}, text
    head, mark, body = text[4:].partition("\n---")
    if not mark:
        return {}, text
    fields: dict[str, Any] = {}
    name = ""
    for line in head.splitlines():
        if found := _FIELD.fullmatch(line.strip()):
            name = found[1].lower()
            fields[name] = found[2].strip().strip("'\"")
        elif line.strip().startswith("- ") and name:
            fields[name] = f"{fields[name]} {line.strip()[2:]}".strip()
    return fields, body.partition("\n")[2]
