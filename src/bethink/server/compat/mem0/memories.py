"""Render a note as a mem0 memory, and map its id back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cached_property
from hashlib import md5
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from bethink.errors import NotFoundError
from bethink.ids import note_id, to_number
from bethink.notes.values import HIDDEN_ITEMS, RESTS_ON, STAYS
from bethink.server.compat.mem0.entities import IDS, entities_of

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date

    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.notes.values import Note, NoteVersion

_HALF: Final = 64  #: bits of a UUID: the number of the scope, then the number of the note
_LARGEST: Final = (1 << 63) - 1  #: number that a store has
#: of metadata, what is shown elsewhere or never
_INNER: Final = frozenset({*IDS, RESTS_ON, STAYS, HIDDEN_ITEMS, "said"})
_LEARNED: Final = frozenset({"language"})  #: beside these, of what was learned


@dataclass(frozen=True)
class NumberedScope:
    """A scope, and its number in the store."""

    scope: AsyncScope
    number: int


@dataclass(frozen=True)
class Memory:
    """A note, and where it is kept."""

    note: Note
    place: NumberedScope

    @property
    def id(self) -> str:
        """Return the id that mem0's clients are given: a UUID, which says scope and note."""
        return id_of(self.place, self.note.id)

    @cached_property
    def fields(self) -> dict[str, Any]:
        """Return what filters ask of a memory."""
        note = self.note
        who = entities_of(self.place.scope.namespace, note.metadata)
        return {
            **{name: getattr(who, name) for name in IDS},
            "created_at": note.created_at,
            "updated_at": note.updated_at,
            "timestamp": note.valid_from or note.created_at,
            "categories": list(note.keywords),
            "keywords": note.text,
            "memory_ids": self.id,
            "metadata": shown_metadata(note),
        }

    def shown(self, only: Collection[str] | None = None, **beside: Any) -> dict[str, Any]:
        """Return the memory as JSON; `only` names the fields that are wanted."""
        note = self.note
        who = entities_of(self.place.scope.namespace, note.metadata)
        whole = {
            "id": self.id,
            "memory": note.text,
            **{name: getattr(who, name) for name in IDS},
            "hash": md5(note.text.encode(), usedforsecurity=False).hexdigest(),
            "metadata": shown_metadata(note),
            "categories": list(note.keywords),
            "created_at": note.created_at.isoformat(),
            "updated_at": note.updated_at.isoformat(),
            "timestamp": (note.valid_from or note.created_at).isoformat(),
            "expiration_date": None if note.expires_at is None else last_day(note.expires_at),
            **beside,
        }
        return whole if only is None else {name: whole[name] for name in whole if name in {"id", *only}}


def shown_metadata(note: Note) -> dict[str, Any]:
    """Return what a caller gave as metadata."""
    return {name: value for name, value in note.metadata.items() if not _is_inner(note, name)}


def inner_metadata(note: Note) -> dict[str, Any]:
    """Return the rest of a note's metadata: ids of mem0, and marks of ours."""
    return {name: value for name, value in note.metadata.items() if _is_inner(note, name)}


def _is_inner(note: Note, name: str) -> bool:
    return name in _INNER or (bool(note.sources) and name in _LEARNED)


def id_of(place: NumberedScope, note: str) -> str:
    """Return the id of a note in a scope, as a UUID."""
    return str(UUID(int=place.number << _HALF | (to_number("n", note) or 0)))


def parse_memory_id(id_: str) -> tuple[int, str]:
    """Return the number of the scope and the id of the note that an id of a memory says.

    Raises:
        NotFoundError: it is none of ours.
    """
    try:
        number = UUID(id_).int
    except ValueError:
        raise not_found(id_) from None
    scope, note = divmod(number, 1 << _HALF)
    if max(scope, note) > _LARGEST:
        raise not_found(id_)
    return scope, note_id(note)


async def find(memory: AsyncMemory, id_: str) -> Memory:
    """Return the memory with an id.

    Raises:
        NotFoundError: there is none, or none for this caller.
    """
    number, note = parse_memory_id(id_)
    scope = await memory._scope_numbered(number)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    found = None if scope is None else await scope.get(note)
    if scope is None or found is None or found.session is not None:
        raise not_found(id_)
    return Memory(found, NumberedScope(scope, number))


def not_found(id_: str) -> NotFoundError:
    """Return the refusal of an id that leads to nothing."""
    return NotFoundError("no such memory, or you have no access", kind="memory", id=id_[:64])


def end_of(day: date) -> datetime:
    """Return when a memory ends that is kept until a day, that day included."""
    return datetime.combine(day, time(), UTC) + timedelta(days=1)


def last_day(ends: datetime) -> str:
    """Return the last day of a memory that ends at an instant."""
    return (ends - timedelta(microseconds=1)).date().isoformat()


def history(memory: Memory, versions: list[NoteVersion]) -> list[dict[str, Any]]:
    """Return what a memory said, oldest first; changes of anything but its words are left out."""
    wordings = [(each.note.text, each.note.updated_at) for each in versions]
    wordings.append((memory.note.text, memory.note.updated_at))
    events: list[dict[str, Any]] = []
    before: str | None = None
    for place, (text, at) in enumerate(wordings):
        if text == before:
            continue
        events.append(
            {
                "id": f"{memory.id}-{place}",
                "memory_id": memory.id,
                "input": [],
                "old_memory": before,
                "new_memory": text,
                "event": "ADD" if before is None else "UPDATE",
                "user_id": memory.place.scope.namespace.user,
                "metadata": shown_metadata(memory.note),
                "categories": list(memory.note.keywords),
                "created_at": memory.note.created_at.isoformat(),
                "updated_at": at.isoformat(),
            }
        )
        before = text
    return events
