"""Find notes that are written in another language than expected."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from bethink.health.condition.values import Finding
from bethink.languages.detection import UNKNOWN, detect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.health.condition.values import Entry

FEWEST: Final = 5  #: notes from which on they have a language in common
MAX: Final = 0.8  #: the part of them that has it
LONG: Final = 12  #: signs of a note whose language can be told


def wrong_language(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Compare each note of one owner with what it was made from, else with the language that was noted.

    Where neither is known, the language of nearly all the owner's notes is expected.
    """
    found = {each.id: detect(each.text, UNKNOWN) for each in entries if len(each.text) >= LONG}
    counts = Counter(code for code in found.values() if code != UNKNOWN)
    common, times = counts.most_common(1)[0] if counts else (UNKNOWN, 0)
    shared = common if counts.total() >= FEWEST and times >= MAX * counts.total() else None
    for entry in entries:
        code = found.get(entry.id, UNKNOWN)
        if code == UNKNOWN:
            continue
        expected, why = _expected(entry, shared)
        if expected not in {None, UNKNOWN, code}:
            yield Finding(
                ailment="language", id=entry.id, owner=entry.owner, reason=f"in {code}, {why} {expected}"
            )


def _expected(entry: Entry, shared: str | None) -> tuple[str | None, str]:
    if entry.origin is not None:
        return detect(entry.origin, UNKNOWN), "made from words in"
    if entry.language is not None:
        return entry.language, "noted as"
    return shared, "among notes in"
