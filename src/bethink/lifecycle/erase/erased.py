"""The result of one erasing unit of work: counts for the receipt, and texts for the byte scan (never stored)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bethink.json_kinds import is_list, is_object

ItemKey: TypeAlias = tuple[int, int]  #: a session's number, and a place in it


@dataclass(slots=True)
class Erased:
    """What one unit destroyed: counts for the receipt, and texts for the scan, which keeps none of them."""

    counts: dict[str, int] = field(default_factory=dict[str, int])
    texts: set[str] = field(default_factory=set[str])
    digest: str = ""
    scopes: set[int] = field(default_factory=set[int])
    sessions: set[int] = field(default_factory=set[int])
    notes: set[int] = field(default_factory=set[int])
    files: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])  #: directory, path below it
    retained: list[str] = field(default_factory=list[str])  #: what keeps a name, and why, a sentence each
    wordings: tuple[str, ...] = ()  #: of a note: what is looked for in what stays beside it
    within: set[int] = field(default_factory=set[int])  #: scopes in which it is looked for
    items: list[str] = field(default_factory=list[str])  #: ids of items that say it, and stay
    reworded: set[str] = field(default_factory=set[str])  #: names of sessions of which items were redacted
    redacted: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])  #: those items
    looked_through: dict[tuple[str, str], tuple[tuple[str, ...], bool]] = field(
        default_factory=dict[tuple[str, str], tuple[tuple[str, ...], bool]]
    )  #: files by directory and path: the words that they are not to hold, and whether they may be rewritten

    def count(self, table: str, rows: int) -> None:
        """Add destroyed rows of a table."""
        if rows:
            self.counts[table] = self.counts.get(table, 0) + rows

    def join(self, other: Erased) -> None:
        """Add what another unit destroyed."""
        for table, rows in other.counts.items():
            self.count(table, rows)
        self.texts |= other.texts
        self.scopes |= other.scopes
        self.sessions |= other.sessions
        self.notes |= other.notes
        self.files |= other.files
        self.retained += other.retained
        self.wordings = tuple(dict.fromkeys((*self.wordings, *other.wordings)))
        self.within |= other.within
        self.items += other.items
        self.reworded |= other.reworded
        self.redacted |= other.redacted
        self.looked_through |= other.looked_through

    def add(self, value: Any) -> None:
        """Add every text inside a JSON value, however deep."""
        if isinstance(value, str):
            self.texts.add(value)
        elif is_object(value):
            for each in value.values():
                self.add(each)
        elif is_list(value):
            for each in value:
                self.add(each)

    def add_json(self, text: str | None) -> None:
        """Add every text inside a JSON text; what cannot be read is a text itself."""
        if text is None:
            return
        try:
            self.add(json.loads(text))
        except ValueError:
            self.texts.add(text)

    def add_plain(self, *texts: str | None) -> None:
        """Add texts as they are."""
        self.texts.update(text for text in texts if text)
