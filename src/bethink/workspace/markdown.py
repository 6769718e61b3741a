"""Parse Markdown into blocks with their exact text, so that one can be changed alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind: TypeAlias = Literal["front", "blank", "heading", "item", "paragraph", "code", "table", "html", "rule"]

_ROW: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_HEADING: Final = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*")
_ITEM: Final = re.compile(r"(\s{0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+)(.*)")
_FENCE: Final = re.compile(r"\s*(`{3,}|~{3,})")
_RULE: Final = re.compile(r"\s{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_UNDERLINE: Final = re.compile(r"\s{0,3}(=+|-{2,})[ \t]*")
_HTML: Final = re.compile(r"\s{0,3}<(?:[A-Za-z/!?])")
_REFERENCE: Final = re.compile(r"\s{0,3}\[[^\]]+\]:\s")
_COMMENT: Final = re.compile(r"\s*<!--.*?-->\s*", re.DOTALL)
_INDENT: Final = 3


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a file."""

    raw: str  #: exactly as it stands there, with its line ends
    kind: Kind
    text: str = ""  #: what it says; empty where it says nothing by itself
    section: str = ""  #: the heading that it stands under
    lead: str = ""  #: of an item, what stands before its words
    depth: int = 0  #: of a heading

    @property
    def is_statement(self) -> bool:
        """Tell whether it is something that may be remembered."""
        return bool(self.text) and self.kind in {"item", "paragraph", "code", "table"}


def parse(text: str) -> list[Block]:
    """Return the blocks of a file; joined, they are the file."""
    reading = _Reading(_ROW.findall(text))
    return list(_within(reading.blocks()))


def _within(blocks: Iterator[Block]) -> Iterator[Block]:
    """Yield blocks with the heading that each stands under."""
    heading = ""
    for each in blocks:
        if each.kind == "heading":
            heading = each.text
            yield each
        else:
            yield Block(each.raw, each.kind, each.text, heading, each.lead)


class _Reading:
    """Goes through the rows of a file."""

    def __init__(self, rows: list[str]) -> None:
        self._rows = rows
        self._at = 0

    def blocks(self) -> Iterator[Block]:
        front = self._front()
        if front:
            yield Block(front, "front")
        while self._at < len(self._rows):
            yield self._next()

    def _front(self) -> str:
        if not self._rows or self._rows[0].lstrip("\ufeff").rstrip() != "---":
            return ""
        for at in range(1, len(self._rows)):
            if self._rows[at].rstrip() in {"---", "..."}:
                self._at = at + 1
                return "".join(self._rows[: self._at])
        return ""

    def _next(self) -> Block:  # noqa: PLR0911 - one return a kind of block
        row = self._rows[self._at]
        plain = row.rstrip("\r\n").lstrip("\ufeff")
        if not plain.strip():
            return self._one(row, "blank")
        fence = _FENCE.match(plain)
        if fence and len(plain) - len(plain.lstrip()) <= _INDENT:
            raw = self._fenced(fence.group(1))
            return Block(raw, "code", _joined(raw.splitlines()))
        title = _HEADING.fullmatch(plain)
        if title:
            self._at += 1
            return Block(row, "heading", title.group(2), depth=len(title.group(1)))
        if _RULE.fullmatch(plain) or _REFERENCE.match(plain):
            return self._one(row, "rule")
        if plain.lstrip().startswith("<!--"):
            return Block(self._until("-->"), "html")
        if _HTML.match(plain):
            return Block(self._until(None), "html")
        if plain.lstrip().startswith("|"):
            return self._table()
        item = _ITEM.fullmatch(plain)
        if item:
            return self._item(item.group(1), item.group(2))
        return self._paragraph()

    def _one(self, row: str, kind: Kind) -> Block:
        self._at += 1
        return Block(row, kind)

    def _until(self, mark: str | None) -> str:
        """Take rows up to one with a mark, or up to an empty one."""
        taken: list[str] = []
        while self._at < len(self._rows):
            row = self._rows[self._at]
            if mark is None and taken and not row.strip():
                break
            taken.append(row)
            self._at += 1
            if mark is not None and mark in row:
                break
        return "".join(taken)

    def _fenced(self, fence: str) -> str:
        taken = [self._rows[self._at]]
        self._at += 1
        while self._at < len(self._rows):
            row = self._rows[self._at]
            taken.append(row)
            self._at += 1
            if row.strip().startswith(fence) and not row.strip().strip(fence[0]):
                break
        return "".join(taken)

    def _table(self) -> Block:
        taken = [self._rows[self._at]]
        self._at += 1
        while self._at < len(self._rows) and self._rows[self._at].lstrip().startswith("|"):
            taken.append(self._rows[self._at])
            self._at += 1
        return Block("".join(taken), "table", _joined([row.lstrip("\ufeff").strip() for row in taken]))

    def _item(self, lead: str, first: str) -> Block:
        taken = [self._rows[self._at]]
        rows = [first]
        self._at += 1
        while self._at < len(self._rows):
            plain = self._rows[self._at].rstrip("\r\n").lstrip("\ufeff")
            fence = _FENCE.match(plain)
            if fence and plain[:1].isspace():
                raw = self._fenced(fence.group(1))
                taken.append(raw)
                rows += raw.splitlines()
                continue
            if self._opens(plain):
                break
            taken.append(self._rows[self._at])
            rows.append(plain.strip())
            self._at += 1
        return Block("".join(taken), "item", _joined(rows), lead=lead)

    def _paragraph(self) -> Block:
        taken = [self._rows[self._at]]
        rows = [taken[0].rstrip("\r\n").lstrip("\ufeff").strip()]
        self._at += 1
        while self._at < len(self._rows):
            plain = self._rows[self._at].rstrip("\r\n").lstrip("\ufeff")
            underline = _UNDERLINE.fullmatch(plain)
            if underline:
                taken.append(self._rows[self._at])
                self._at += 1
                return Block(
                    "".join(taken), "heading", " ".join(rows), depth=1 if underline.group(1)[0] == "=" else 2
                )
            if self._opens(plain):
                break
            taken.append(self._rows[self._at])
            rows.append(plain.strip())
            self._at += 1
        return Block("".join(taken), "paragraph", _joined(rows))

    @staticmethod
    def _opens(plain: str) -> bool:
        """Tell whether a row ends the paragraph or the item before it."""
        return (
            not plain.strip()
            or _HEADING.fullmatch(plain) is not None
            or _ITEM.fullmatch(plain) is not None
            or _FENCE.match(plain) is not None
            or _RULE.fullmatch(plain) is not None
            or plain.lstrip().startswith("<!--")
        )


def _joined(rows: Iterator[str] | list[str]) -> str:
    return _COMMENT.sub(" ", "\n".join(rows)).strip()


def decoded(data: bytes) -> str | None:
    """Return a file as text; None where it is not UTF-8, so that nobody changes it."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text
