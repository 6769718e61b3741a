"""Maintain a marked block in somebody else's file; the rest of the file is never changed."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from bethink.errors import InvalidError

_ROW: Final = ".bethink/block/"


class Marks(NamedTuple):
    """The two lines that a block stands between; blocks of several kinds can stand in one file."""

    word: str
    about: str

    def begin(self, number: int) -> str:
        """Return the line before a block."""
        return f"<!-- bethink:{self.word}begin {number} ({self.about}) -->"

    @property
    def end(self) -> str:
        """Return the line behind a block."""
        return f"<!-- bethink:{self.word}end -->"

    @property
    def begins(self) -> re.Pattern[str]:
        """Find the line before a block."""
        word = re.escape(self.word)
        return re.compile(
            rf"[ \t]*<!-- bethink:{word}begin\b(?: (\d{{1,12}}))?[^\r\n]*?-->[ \t]*(?:\r\n|\n|\r|\Z)"
        )

    @property
    def ends(self) -> re.Pattern[str]:
        """Find the line behind a block."""
        return re.compile(
            rf"[ \t]*<!-- bethink:{re.escape(self.word)}end\b[^\r\n]*?-->[ \t]*(?:\r\n|\n|\r|\Z)"
        )


NOTES: Final = Marks("", "kept in step with memory; what you edit here is learned")
INSTRUCTIONS: Final = Marks("instructions-", "written by `bethink install`; `bethink uninstall` takes it out")


def newline_of(text: str) -> str:
    """Return how the lines of a text end: as most of them do."""
    crlf = text.count("\r\n")
    ends = {"\r\n": crlf, "\n": text.count("\n") - crlf, "\r": text.count("\r") - crlf}
    most = max(ends, key=lambda each: ends[each])
    return most if ends[most] else "\n"


def block_text(text: str, marks: Marks = NOTES) -> str | None:
    """Return what stands between the marks of a file; None where it has none.

    Raises:
        InvalidError: the marks are not one pair.
    """
    found = _span(text, marks)
    return None if found is None else text[found[1] : found[2]]


def block_version(text: str) -> int | None:
    """Return how often the block had been written when it was; None where it does not say."""
    found = NOTES.begins.search(text)
    return int(found.group(1)) if found and found.group(1) else None


def put(text: str, block: str, number: int, marks: Marks = NOTES) -> str:
    """Return a file with another text between its marks; where it has none, they are put at its end."""
    found = _span(text, marks)
    end = newline_of(text if found is None else text[: found[0]] + text[found[3] :])
    body = block if not block or block.endswith(("\n", "\r")) else block + end
    body = body.lstrip("\n") if end == "\r" else body  # the two would be read as one end of a line
    begin = marks.begin(number) + end
    if found is not None:
        return text[: found[0]] + begin + body + text[found[2] :]
    joint = "" if not text.strip("\ufeff") else end if text.endswith(("\n", "\r")) else end * 2
    return f"{text}{joint}{begin}{body}{marks.end}{end}"


def block_key(path: str) -> str:
    """Return the name under which a store keeps that a file of somebody's holds a block of ours."""
    return f"{_ROW}{path}"


def path_of(name: str) -> str | None:
    """Return the file that such a name speaks of; None where it is a file of ours as a whole."""
    return name.removeprefix(_ROW) if name.startswith(_ROW) else None


def without_block(text: str, marks: Marks = NOTES) -> str:
    """Return a file as it is without the marks, what stands between them, and the empty line put before them."""
    found = _span(text, marks)
    if found is None:
        return text
    before, after = text[: found[0]], text[found[3] :]
    end = newline_of(text)
    if not after and before.endswith(end * 2):
        before = before.removesuffix(end)
    return before + after


def _span(text: str, marks: Marks) -> tuple[int, int, int, int] | None:
    """Return where the marks begin and end."""
    begins, ends = list(marks.begins.finditer(text)), list(marks.ends.finditer(text))
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() < begins[0].end():
        raise InvalidError(
            "the file's Bethink markers are not one matching pair; keep one "
            f"`bethink:{marks.word}begin` and one `bethink:{marks.word}end` below it, or remove both",
            argument="marks",
        )
    return begins[0].start(), begins[0].end(), ends[0].start(), ends[0].end()
