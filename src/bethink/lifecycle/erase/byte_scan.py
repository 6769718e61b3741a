"""Scan the bytes of files for erased texts.

A long text lies in a file in pieces, page by page, so it is recognised by short windows taken along it: as it is
in UTF-8, and as JSON escapes it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LENGTH = 24  #: bytes of a window; a shorter text is a window as a whole
SHORTEST = 8  #: bytes; what is shorter stands in any file by chance
STRIDE = 400  #: bytes from one window of a long text to the next


def byte_windows(texts: Iterable[str]) -> set[bytes]:
    """Return the windows by which texts are recognised."""
    found: set[bytes] = set()
    for text in texts:
        plain = text.encode("utf-8", "surrogatepass")
        escaped = json.dumps(text)[1:-1].encode()
        for form in {plain, escaped}:
            for start in range(0, max(len(form) - LENGTH, 0) + 1, STRIDE):
                window = form[start : start + LENGTH]
                if len(window.strip()) >= SHORTEST:
                    found.add(window)
            if len(form) > LENGTH:
                found.add(form[-LENGTH:])
    return found


def occurrences(data: bytes, wanted: set[bytes]) -> set[bytes]:
    """Return the windows that stand somewhere in the data.

    All of them are looked for at once: their first eight bytes, read as a number, at each of the eight alignments.
    """
    import numpy as np

    if not wanted:
        return set()
    heads: dict[int, list[bytes]] = {}
    for window in wanted:
        heads.setdefault(int.from_bytes(window[:8], "little"), []).append(window)
    numbers = np.fromiter(sorted(heads), np.uint64, len(heads))
    found: set[bytes] = set()
    for alignment in range(8):
        count = (len(data) - alignment) // 8
        if count <= 0:
            continue
        column = np.frombuffer(data, np.dtype("<u8"), count, alignment)
        for place in np.flatnonzero(np.isin(column, numbers)):
            start = alignment + 8 * int(place)
            for window in heads[int(column[place])]:
                if data[start : start + len(window)] == window:
                    found.add(window)
    return found
