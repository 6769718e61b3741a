"""A block between two marks in somebody's file: what stands outside of it is never touched."""

from __future__ import annotations

import re
from typing import Final

from bethink.errors import InvalidError

END: Final = "<!-- bethink:end -->"
_BEGIN: Final = re.compile(r"[ \t]*<!-- bethink:begin\b(?: (\d{1,12}))?[^\r\n]*?-->[ \t]*(?:\r\n|\n|\r|\Z)")
_ROW: Final = ".bethink/block/"
_END: Final = re.compile(r"[ \t]*<!-- bethink:end\b[^\r\n]*?-->[ \t]*(?:\r\n|\n|\r|\Z)")


def newline_of(text: str) -> str:
    """Return how the lines of a text end: as most of them do."""
    crlf = text.count("\r\n")
    ends = {"\r\n": crlf, "\n": text.count("\n") - crlf, "\r": text.count("\r") - crlf}
    most = max(ends, key=lambda each: ends[each])
    return most if ends[most] else "\n"


def inside(text: str) -> str | None:
    """Return what stands between the marks of a file; None where it has none.

    Raises:
        InvalidError: the marks are not one pair.
    """
    found = _span(text)
    return None if found is None else text[found[1] : found[2]]


def stamp(text: str) -> int | None:
    """Return how often the block had been written when it was; None where it does not say."""
    found = _BEGIN.search(text)
    return int(found.group(1)) if found and found.group(1) else None


def put(text: str, block: str, number: int) -> str:
    """Return a file with another text between its marks; where it has none, they are put at its end."""
    found = _span(text)
    end = newline_of(text if found is None else text[: found[0]] + text[found[3] :])
    body = block if not block or block.endswith(("\n", "\r")) else block + end
    body = body.lstrip("\n") if end == "\r" else body  # the two would be read as one end of a line
    begin = f"<!-- bethink:begin {number} (kept in step with memory; what you edit here is learned) -->{end}"
    if found is not None:
        return text[: found[0]] + begin + body + text[found[2] :]
    joint = "" if not text.strip("\ufeff") else end if text.endswith(("\n", "\r")) else end * 2
    return f"{text}{joint}{begin}{body}{END}{end}"


def row(path: str) -> str:
    """Return the name under which a store keeps that a file of somebody's holds a block of ours."""
    return f"{_ROW}{path}"


def path_of(name: str) -> str | None:
    """Return the file that such a name speaks of; None where it is a file of ours as a whole."""
    return name.removeprefix(_ROW) if name.startswith(_ROW) else None


def without(text: str) -> str:
    """Return a file as it is without the marks, what stands between them, and the empty line put before them."""
    found = _span(text)
    if found is None:
        return text
    before, after = text[: found[0]], text[found[3] :]
    end = newline_of(text)
    if not after and before.endswith(end * 2):
        before = before.removesuffix(end)
    return before + after


def _span(text: str) -> tuple[int, int, int, int] | None:
    """Return where the marks begin and end."""
    begins, ends = list(_BEGIN.finditer(text)), list(_END.finditer(text))
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() < begins[0].end():
        raise InvalidError(
            "the marks of Bethink in this file are not one pair: leave one `bethink:begin` and one "
            "`bethink:end` below it, or take both out",
            argument="marks",
        )
    return begins[0].start(), begins[0].end(), ends[0].start(), ends[0].end()
