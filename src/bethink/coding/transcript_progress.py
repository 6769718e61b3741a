"""Read what of a transcript is not imported yet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from bethink.coding import journal
from bethink.coding.events import TRANSCRIPTS

if TYPE_CHECKING:
    from bethink.coding.directories import Directories
    from bethink.coding.events import Event


class PendingTranscript(NamedTuple):
    """A file that an agent goes on writing."""

    path: Path
    format: str  #: as importers call it; `journal` for our own
    size: int

    @property
    def key(self) -> str:
        """Return the name under which it is kept how far it was taken in."""
        return f"{self.path.stem[-100:]}-{crc32(str(self.path).encode('utf-8', 'surrogateescape')):08x}"

    def has_more(self, taken: dict[str, Any]) -> bool:
        """Tell whether there is more of it than was taken in and learned from; one that shrank was written anew."""
        return self.size != taken.get("offset", 0) or taken.get("due") is True

    @classmethod
    def of(cls, event: Event, places: Directories) -> PendingTranscript | None:
        """Return the file of a session; None where there is none."""
        if event.tool in TRANSCRIPTS:
            path, kind = Path(event.transcript) if event.transcript else None, TRANSCRIPTS[event.tool]
        else:
            path, kind = journal.path_of(places.journals, event.tool, event.session), "journal"
        return None if path is None else cls.file(path, kind)

    @classmethod
    def file(cls, path: Path, kind: str) -> PendingTranscript | None:
        """Return a file as it stands; None where it is not there or not readable."""
        try:
            return cls(path, kind, path.stat().st_size) if path.is_file() else None
        except OSError:
            return None
