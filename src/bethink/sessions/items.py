"""One entry of a conversation: what a recall answers of sessions, and needs no more of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from bethink.plain import Plain, shortened

if TYPE_CHECKING:
    from datetime import datetime

Body: TypeAlias = "dict[str, Any]"  #: an item's own JSON, as the framework made it
Origin: TypeAlias = str  #: where a message came from: chat, webhook, background, import …

DEFAULT_SESSION = "dashboard"
WEBHOOK: Final = "webhook"  #: an origin, alone or followed by a colon and which webhook


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Plain):
    """One entry of a conversation; its `body` is the framework's own JSON, untouched."""

    id: str  #: opaque, unique in its tenant
    session: str  #: the session's name
    seq: int  #: its place in the session: greater is later, never used twice
    body: Body  #: the framework's own JSON
    at: datetime | None  #: when it was said, aware, UTC
    speaker: str | None = None  #: who said it, where a message names somebody
    origin: Origin = "chat"  #: by which way it came: `chat`, `webhook`, `background`, `import` …

    def __str__(self) -> str:
        content = self.body.get("content")
        text = content if isinstance(content, str) else json.dumps(self.body, ensure_ascii=False)
        return f"{self.seq}  {self.speaker or self.body.get('role') or self.body.get('type', '')}: {shortened(text)}"


class Entry(NamedTuple):
    """What there is to index of an entry."""

    seq: int
    body: Body
    at: int | None  #: microseconds since 1970, UTC
    speaker: str | None


def is_foreign(origin: Origin) -> bool:
    """Tell whether a message was written by somebody else than the one whose session it stands in."""
    return origin == WEBHOOK or origin.startswith(f"{WEBHOOK}:")
