"""Tell whether something was kept of the messages just before one: who says much is quoted only where it is sure."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from bethink.notes.values import Note
    from bethink.sessions.values import Item

LESS_SURE = "less sure than what was kept nearby"  #: the reason why a middling clause is not kept
ONE_MORE = 0.08  #: how much surer a middling clause has to be for each note beside it in its message
MESSAGES = 8  #: of the session, replies among them, that are near before a message
TIME = timedelta(days=1)  #: after which nothing is near any more, where both tell when they were said


class Nearby:
    """The messages of a session of which something was kept.

    What was kept before is read from the notes that stand, so that it is the same whether a session is distilled
    message by message or as a whole.

    Args:
        first: the first message that is read.
        known: notes that stand, each with the items that it was drawn from.
    """

    def __init__(self, first: Item, known: Sequence[Note]) -> None:
        self._kept = [each for each in _places(first, known) if first.seq - MESSAGES <= each[0] < first.seq]

    def before(self, item: Item) -> bool:
        """Tell whether something was kept of the messages just before one."""
        return any(
            item.seq - MESSAGES <= seq < item.seq and (at is None or item.at is None or item.at - at <= TIME)
            for seq, at in self._kept
        )

    def add(self, item: Item) -> None:
        """Note that something was kept of a message."""
        self._kept.append((item.seq, item.at))


def _places(first: Item, known: Sequence[Note]) -> Iterator[tuple[int, datetime | None]]:
    """Yield where in the session of an item notes were drawn from, and when that was said."""
    session, dot, _ = first.id.partition(".")
    for note in known if dot else ():
        for source in note.sources:
            head, _, place = source.partition(".")
            if head == session and place.isdecimal():
                yield int(place), note.valid_from
