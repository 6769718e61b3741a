"""The entity map page: people, places and projects of a namespace, each with its notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from bethink.errors import NotFoundError
from bethink.ids import item_key
from bethink.scope.transactions import find
from bethink.server.dashboard import urls as to
from bethink.server.dashboard.charts import Lane, lanes
from bethink.server.dashboard.dependencies import html
from bethink.server.dashboard.entities import HEADS, MOST_NOTES, count, known
from bethink.server.dashboard.items import entries
from bethink.server.dashboard.labels import since
from bethink.server.dashboard.notes import around
from bethink.server.dependencies import Cursor, Memory, Scope
from bethink.sessions.log_items import item

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bethink.scope.namespace import Namespace
    from bethink.server.dashboard.entities import Entity
    from bethink.server.dashboard.entity_extraction import Kind
    from bethink.sessions.values import Item
    from bethink.storage.work import Work

router = APIRouter(prefix="/memory/{namespace}")
READ: Final = 100  #: notes at once
DRAWN: Final = 12  #: of a kind
MARKS: Final = 40  #: of a row
LETTERS: Final = 120  #: of a note in the title of its mark
_COLORS: Final[Mapping[Kind, int]] = {"person": 0, "place": 3, "project": 1}


@router.get("/map")
async def show(request: Request, memory: Memory, scope: Scope, cursor: Cursor = None) -> Response:
    """Show the map of the newest notes, or of earlier ones."""
    notes = await scope.notes(limit=READ, cursor=cursor)
    profile = await scope.profile.get() if cursor is None else None
    found = known(list(notes), None if profile is None else profile.fields)
    return html(
        request,
        "map.html",
        namespace=scope.namespace,
        found=found,
        heads=HEADS,
        most=MOST_NOTES,
        notes=notes,
        earlier=cursor is not None,
        total=count(found),
        plot=lanes(list(_rows(scope.namespace, found))),
        **await around(memory, scope, "map"),
    )


@router.get("/said/{which}")
async def source_items(
    request: Request, memory: Memory, scope: Scope, which: Annotated[str, Path(max_length=64)]
) -> Response:
    """Show what somebody said, of which a note was made."""
    runtime = scope._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    found = await runtime.read(_item, scope.namespace, which)
    if found is None:
        raise NotFoundError("nothing is said there any more: it may have been erased", kind="item", id=which)
    values: Any = {"namespace": scope.namespace, "item": found, "said": entries([found])}
    return html(request, "said.html", **values, **await around(memory, scope, "notes"))


def _item(namespace: Namespace, which: str) -> Work[Item | None]:
    """Find an entry of a conversation by its id."""
    session, seq = item_key(which)
    place = yield from find(namespace)
    return None if place is None else (yield from item(place, session, seq))


def _rows(namespace: Namespace, found: Mapping[Kind, Sequence[Entity]]) -> Iterator[Lane]:
    for kind, color in _COLORS.items():
        for each in found.get(kind, ())[:DRAWN]:
            marks = [
                (since(note), to.memory(namespace, "notes", note.id), f"{each.name}: {note.text[:LETTERS]}")
                for note in each.notes[:MARKS]
            ]
            if marks:
                yield Lane(name=each.name, address=f"#{each.anchor}", color=color, marks=marks)
