"""Cache of what a model extracted from each conversation, so that only new ones are sent to it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Self, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.workspace.raw_memories import RawMemory
    from bethink.workspace.values import Rollout

KINDS: Final = ("preferences", "knowledge", "failures")
PIECE_TOKENS: Final = 8_000  #: of what a model is shown at once, at four bytes each
MAX_AT_ONCE: Final = 12  #: conversations
MAX_TRIES: Final = 3


@dataclass(slots=True)
class ExtractedLessons:
    """What a model found in some conversations."""

    texts: dict[str, dict[str, list[str]]] = field(
        default_factory=dict[str, dict[str, list[str]]]
    )  #: by conversation
    skills: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, kind: str, rollout: str, text: str) -> None:
        """Note one lesson of a conversation."""
        texts = self.texts.setdefault(rollout, {}).setdefault(kind, [])
        if text not in texts:
            texts.append(text)


class Lessons:
    """What is known of conversations, by what they said when a model was asked."""

    def __init__(self, by: str, known: dict[str, Any], tries: dict[str, int]) -> None:
        self._by = by
        self._known = known
        self._tries = tries

    @classmethod
    def read(cls, text: str, by: str | None = None) -> Self:
        """Return what was kept; nothing where another model, or another guidance than `by`, found it."""
        try:
            found: Any = json.loads(text or "null")
        except ValueError:
            found = None
        stored = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
        if by is not None and stored.get("by") != by:
            return cls(by, {}, {})
        return cls(
            by or str(stored.get("by")), dict(stored.get("known") or {}), dict(stored.get("tries") or {})
        )

    def write(self, selected: Sequence[Rollout]) -> str:
        """Return what is kept of those that are remembered."""
        marks = {_mark(each) for each in selected}
        return json.dumps(
            {
                "by": self._by,
                "known": {mark: entry for mark, entry in sorted(self._known.items()) if mark in marks},
                "tries": {mark: count for mark, count in sorted(self._tries.items()) if mark in marks},
            }
        )

    def knows(self, rollout: Rollout) -> bool:
        """Tell whether a model was asked about a conversation as it stands."""
        return _mark(rollout) in self._known

    def pieces(self, selected: Sequence[Rollout]) -> list[list[Rollout]]:
        """Return the conversations that a model is to be asked about, the newest first, in bounded pieces."""
        made: list[list[Rollout]] = []
        left = 0
        for each in selected:
            if self.knows(each) or self._tries.get(_mark(each), 0) >= MAX_TRIES:
                continue
            size = _size(each)
            if not made or size > left or len(made[-1]) >= MAX_AT_ONCE:
                made.append([])
                left = PIECE_TOKENS
            made[-1].append(each)
            left -= size
        return made

    def learned(self, piece: Sequence[Rollout], found: ExtractedLessons) -> None:
        """Keep what was found; a conversation that gave nothing is known, too."""
        for place, each in enumerate(piece):
            entry: dict[str, Any] = dict(found.texts.get(each.id, {}))
            if place == 0 and found.skills:
                entry["skills"] = found.skills
            self._known[_mark(each)] = entry

    def failed(self, piece: Sequence[Rollout]) -> bool:
        """Count a failure; tell whether it is not worth another try."""
        for each in piece:
            self._tries[_mark(each)] = self._tries.get(_mark(each), 0) + 1
        return all(self._tries[_mark(each)] >= MAX_TRIES for each in piece)

    def with_lessons(self, raw: RawMemory) -> RawMemory:
        """Return what was read of a conversation, with what the model found in the place of what rules found."""
        known = self._known.get(_mark(raw.rollout))
        if known is None:
            return raw
        return replace(
            raw,
            preferences=tuple(known.get("preferences", ())),
            knowledge=tuple(known.get("knowledge", ())),
            failures=tuple(known.get("failures", ())),
        )

    def skills(self, selected: Sequence[Rollout]) -> dict[str, str]:
        """Return the procedures that those that are remembered showed; the newer wording holds."""
        made: dict[str, str] = {}
        for each in reversed(selected):
            made |= self._known.get(_mark(each), {}).get("skills", {})
        return made


def _size(rollout: Rollout) -> int:
    made = rollout.extract
    if made is None:
        return 1
    shown = min(len(made.summary.encode()), PIECE_TOKENS) + min(len(made.raw.encode()), PIECE_TOKENS * 2)
    return shown // 4 + 64


def _mark(rollout: Rollout) -> str:
    """Return what a conversation is recognised by, as long as it says the same."""
    made = rollout.extract
    text = f"{rollout.id}\0{made.summary if made else ''}\0{made.raw if made else ''}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
