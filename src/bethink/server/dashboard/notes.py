"""The notes pages of a namespace: list, add, edit, forget, restore, review."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from bethink.errors import BethinkError, ConflictError, InvalidError, NotFoundError
from bethink.memory.scope_review import WAITS, Wait
from bethink.notes import transactions
from bethink.server.dashboard import urls as to
from bethink.server.dashboard.dependencies import Form, away, html, is_part
from bethink.server.dashboard.namespaces import place, places, rights
from bethink.server.dependencies import Cursor, Memory, Scope
from bethink.server.problems import status_of

if TYPE_CHECKING:
    from bethink.lifecycle.values import Verdict
    from bethink.memory.scope import AsyncScope
    from bethink.notes.values import Note, NoteVersion

router = APIRouter(prefix="/memory/{namespace}")
Which = Annotated[str, Path(max_length=64, description="The id of a note.")]
Word = Annotated[str, Query(max_length=512)]
SHOWN = 30  #: notes at once
MAX_SESSIONS = 50  #: maximum sessions in the selector


@router.get("")
async def listing(
    request: Request,
    memory: Memory,
    scope: Scope,
    status: Word = "active",
    category: Word = "",
    session: Word = "",
    as_of: Word = "",
    cursor: Cursor = None,
) -> Response:
    """List the notes; the filters are in the address."""
    chosen = {"status": status, "category": category, "session": session, "as_of": as_of}
    options: Any = {
        "category": category or None,
        "session": session or None,
        "status": "active" if as_of else (None if status == "all" else status),
        "as_of": instant(as_of) if as_of else None,
    }
    found = await scope.notes(**options, limit=SHOWN, cursor=cursor)
    values: Any = {"namespace": scope.namespace, "notes": found, "chosen": chosen}
    if cursor is not None and is_part(request):
        return html(request, "_notes.html", **values, can=await rights(memory, scope.namespace))
    sessions = await scope.sessions(limit=MAX_SESSIONS)
    return html(
        request, "notes.html", **values, **await around(memory, scope, "notes"), sessions=sessions, draft=None
    )


@router.post("/notes")
async def add(request: Request, scope: Scope, form: Form) -> Response:
    """Keep a note."""
    keywords = tuple(word.strip() for word in form["keywords"].split(",") if word.strip())
    session, key = form.word("session"), form.word("key")
    if session is not None:
        note = await scope.stage(session, form["text"], keywords=keywords, key=key)
    else:
        category = form.word("category") or "core"
        note = await scope.remember(form["text"], key=key, category=category, keywords=keywords)
    if is_part(request):
        return html(request, "_added.html", **await _row(request, scope, note))
    return away(request, to.memory(scope.namespace))


@router.get("/notes/{note}")
async def read(request: Request, memory: Memory, scope: Scope, note: Which) -> Response:
    """Show a note with everything that it ever said."""
    found, versions = await whole(scope, note)
    if is_part(request):
        return html(request, "_note.html", **await _row(request, scope, found))
    return html(
        request,
        "note.html",
        namespace=scope.namespace,
        note=found,
        versions=versions[::-1],
        verdict=judged(scope, found) if found.status == "quarantined" else None,
        **await around(memory, scope, "notes"),
    )


@router.get("/notes/{note}/edit")
async def edit(request: Request, memory: Memory, scope: Scope, note: Which) -> Response:
    """Show the form that rewords a note."""
    found, _ = await whole(scope, note)
    return await _editing(request, memory, scope, found, found.text)


@router.post("/notes/{note}/edit")
async def revise(request: Request, memory: Memory, scope: Scope, note: Which, form: Form) -> Response:
    """Reword a note, unless it changed since it was read: then both wordings are shown."""
    try:
        revised = await scope.revise(note, form["text"], expected=form.number("expected"))
    except ConflictError as error:
        found, _ = await whole(scope, note)
        return await _editing(request, memory, scope, found, form["text"], error)
    return await _changed(request, scope, revised)


@router.post("/notes/{note}/forget")
async def forget(request: Request, scope: Scope, note: Which) -> Response:
    """Hide a note."""
    return await _changed(request, scope, await scope.forget(note))


@router.post("/notes/{note}/undo")
async def undo(request: Request, scope: Scope, note: Which) -> Response:
    """Take the newest change of a note back."""
    await scope.undo(note)
    return await _changed(request, scope, (await whole(scope, note))[0])


@router.get("/review")
async def quarantine(request: Request, memory: Memory, scope: Scope, cursor: Cursor = None) -> Response:
    """List what waits for a decision, each kind apart, with the reasons; a cursor goes on in one of them."""
    status: Wait = "pending" if request.query_params.get("status") == "pending" else "quarantined"
    kinds = WAITS if cursor is None else (status,)
    found = {each: await scope.review(status=each, limit=SHOWN, cursor=cursor) for each in kinds}
    values: Any = {"namespace": scope.namespace, "found": found}
    return html(request, "review.html", **values, **await around(memory, scope, "review"))


@router.post("/review")
async def decide(request: Request, scope: Scope, form: Form) -> Response:
    """Approve or reject the notes that were chosen, all of them or none."""
    chosen = form.all("note")
    if chosen:
        rejected = form["decision"] == "reject"
        await scope.decide(approve=() if rejected else chosen, reject=chosen if rejected else ())
    else:
        await scope.review(limit=1)  # who may not read the namespace learns nothing of it
    return away(request, to.memory(scope.namespace, "review"))


@router.post("/notes/{note}/approve")
async def approve(request: Request, scope: Scope, note: Which) -> Response:
    """Let a note be recalled."""
    return await _decided(request, scope, await scope.approve(note))


@router.post("/notes/{note}/reject")
async def reject(request: Request, scope: Scope, note: Which) -> Response:
    """Forget a note that waits."""
    return await _decided(request, scope, await scope.reject(note))


async def around(memory: Any, scope: AsyncScope, tab: str) -> dict[str, Any]:
    """Return what stands around every page of a namespace."""
    return {
        "places": await places(memory, scope),
        "place": place(scope.namespace),
        "tab": tab,
        "can": await rights(memory, scope.namespace),
        "waiting_count": (await scope.review(limit=1)).total,
    }


async def whole(scope: AsyncScope, id: str) -> tuple[Note, list[NoteVersion]]:  # noqa: A002
    """Return a note whatever its status, with its earlier versions, oldest first.

    Raises:
        NotFoundError: there is no such note.
    """
    runtime = scope._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    note, versions = await runtime.read(transactions.history, scope.namespace, id)
    if note is None:
        raise NotFoundError("no such note; it may have been erased", kind="note", id=id)
    return note, versions


def judged(scope: AsyncScope, note: Note) -> Verdict:
    """Return what the guard says of a note."""
    guard = scope._runtime.guard  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    return guard.judge(note.text, source=note.source, stage="capture")


def instant(text: str) -> datetime:
    """Read what a field for date and time holds; it is in UTC, as everything shown is.

    Raises:
        InvalidError: it is none.
    """
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError:
        raise InvalidError(
            "as_of must be a date and a time, such as 2026-05-01T12:00", argument="as_of"
        ) from None


async def _row(request: Request, scope: AsyncScope, note: Note) -> dict[str, Any]:
    can = await rights(request.state.memory, scope.namespace)
    return {"namespace": scope.namespace, "note": note, "can": can}


async def _changed(request: Request, scope: AsyncScope, note: Note) -> Response:
    if is_part(request):
        answer = html(request, "_note.html", **await _row(request, scope, note))
        answer.headers["hx-trigger"] = "memory-changed"
        return answer
    return away(request, to.memory(scope.namespace, "notes", note.id))


async def _decided(request: Request, scope: AsyncScope, note: Note) -> Response:
    if is_part(request):
        return html(request, "_decided.html", namespace=scope.namespace, note=note)
    return away(request, to.memory(scope.namespace, "review"))


async def _editing(
    request: Request,
    memory: Any,
    scope: AsyncScope,
    note: Note,
    text: str,
    error: BethinkError | None = None,
) -> Response:
    values: Any = {"namespace": scope.namespace, "note": note, "text": text, "conflict": error is not None}
    status = 200 if error is None else status_of(error)[0]
    if is_part(request):
        return html(request, "_note_edit.html", status, **values)
    return html(request, "note_edit.html", status, **values, **await around(memory, scope, "notes"))
