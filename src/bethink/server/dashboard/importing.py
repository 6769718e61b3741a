"""The import pages: chunked upload, preview, import."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request
from starlette.datastructures import UploadFile
from starlette.responses import JSONResponse, Response, StreamingResponse

from bethink.errors import BethinkError, InvalidError, LimitError
from bethink.imports.format_detection import OwnExportError, open_source
from bethink.imports.service import ingest
from bethink.imports.values import Entry, Fact, ImportedUsage
from bethink.server import audit
from bethink.server.dashboard import urls as to
from bethink.server.dashboard.dependencies import Form, away, html
from bethink.server.dashboard.import_reports import ImportReport, of_imported, of_ingested
from bethink.server.dashboard.notes import around
from bethink.server.dashboard.rendering import PRIVATE
from bethink.server.dashboard.uploads import MOST_BYTES, MOST_FILES, Uploads, file_name
from bethink.server.dependencies import Memory, Scope
from bethink.server.problems import problem_members, status_of
from bethink.times import now

if TYPE_CHECKING:
    import pathlib
    from collections.abc import AsyncGenerator, Iterator

    from bethink.imports.values import Ingested, Read
    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.server.dashboard.uploads import Upload

router = APIRouter(prefix="/memory/{namespace}/import")
Which = Annotated[str, Path(max_length=64, description="The id of an upload.")]
EVENTS: Final = "text/event-stream"
PIECE: Final = 2 << 20  #: bytes that are sent at once, unless the server takes less
PROGRESS_SECONDS: Final = 0.4  #: between two words about how far it is


@dataclass(slots=True)
class _ImportProgress:
    """How far an import is."""

    done: int = 0

    def add(self, count: int) -> None:
        self.done += count


@router.get("")
async def choose(request: Request, memory: Memory, scope: Scope) -> Response:
    """Show where files are dropped."""
    return await _page(request, memory, scope)


@router.post("")
async def take(request: Request, memory: Memory, scope: Scope) -> Response:
    """Receive files from a form (for browsers without JavaScript) and show a preview."""
    uploads = await _uploads(memory, scope)
    async with request.form(max_files=MOST_FILES) as form:
        files = [each for each in form.getlist("file") if isinstance(each, UploadFile) and each.filename]
        upload = await asyncio.to_thread(uploads.begin, sum(each.size or 0 for each in files))
        for each in files:
            await _copy(each, upload)
    if not files:
        raise InvalidError("choose a file first: nothing was uploaded", argument="file")
    return away(request, to.memory(scope.namespace, "import", upload.id))


@router.post("/uploads")
async def begin(memory: Memory, scope: Scope, form: Form) -> Response:
    """Make room for files that come in pieces."""
    uploads = await _uploads(memory, scope)
    upload = await asyncio.to_thread(uploads.begin, form.number("size") or 0)
    address = to.memory(scope.namespace, "import", upload.id)
    return JSONResponse({"upload": upload.id, "address": address}, status_code=201, headers=PRIVATE)


@router.put("/{upload}/files")
async def put_piece(
    request: Request,
    memory: Memory,
    scope: Scope,
    upload: Which,
    name: Annotated[str, Query(max_length=1_024)],
    at: Annotated[int, Query(ge=0, le=MOST_BYTES)],
) -> Response:
    """Keep a piece of a file."""
    found = (await _uploads(memory, scope)).get(upload)
    await asyncio.to_thread(found.add, name, at, await request.body())
    return Response(status_code=204, headers=PRIVATE)


@router.get("/{upload}")
async def preview(
    request: Request,
    memory: Memory,
    scope: Scope,
    upload: Which,
    clean: Annotated[str, Query(max_length=8)] = "",
) -> Response:
    """Show what is in the files and what would be left out, or what became of them."""
    found = (await _uploads(memory, scope)).get(upload)
    values: Any = {"namespace": scope.namespace, "upload": found, **await around(memory, scope, "import")}
    if found.receipt is not None:
        receipt = found.receipt
        values |= {"receipt": receipt, "report": ImportReport(**receipt["report"])}
        return html(request, "import_receipt.html", **values, text=json.dumps(receipt, indent=2))
    files = await asyncio.to_thread(found.digests)
    try:
        report = await _imported(memory, scope, found, clean=clean == "yes", dry_run=True)
    except (InvalidError, LimitError) as error:
        await asyncio.to_thread(found.discard)
        return await _page(request, memory, scope, error)
    return html(request, "import_preview.html", **values, files=files, report=report, clean=clean == "yes")


@router.post("/{upload}")
async def run(request: Request, memory: Memory, scope: Scope, upload: Which, form: Form) -> Response:
    """Import the files; a script is told how far it is."""
    found = (await _uploads(memory, scope)).get(upload)
    clean, way = form["clean"] == "yes", _ImportProgress()
    if EVENTS not in request.headers.get("accept", ""):
        await _run(memory, scope, found, way, clean=clean)
        return away(request, to.memory(scope.namespace, "import", upload))
    address = to.memory(scope.namespace, "import", upload)
    return StreamingResponse(
        _events(memory, scope, found, way, address, clean=clean), media_type=EVENTS, headers=PRIVATE
    )


@router.post("/{upload}/delete")
async def discard(request: Request, memory: Memory, scope: Scope, upload: Which) -> Response:
    """Let go of files that are not to be imported."""
    found = (await _uploads(memory, scope)).get(upload)
    await asyncio.to_thread(found.discard)
    return away(request, to.memory(scope.namespace, "import"))


async def _page(
    request: Request, memory: AsyncMemory, scope: AsyncScope, error: BethinkError | None = None
) -> Response:
    return html(
        request,
        "import.html",
        200 if error is None else status_of(error)[0],
        namespace=scope.namespace,
        wrong="" if error is None else str(error),
        piece=min(PIECE, request.app.state.options.body_bytes // 2),
        most_bytes=MOST_BYTES,
        most_files=MOST_FILES,
        **await around(memory, scope, "import"),
    )


async def _copy(given: UploadFile, upload: Upload) -> None:
    at = 0
    while (piece := await given.read(PIECE)) or not at:
        await asyncio.to_thread(upload.add, given.filename or "", at, piece)
        if not piece:
            return
        at += len(piece)


async def _uploads(memory: AsyncMemory, scope: AsyncScope) -> Uploads:
    """Return the caller's uploads for a namespace.

    Raises:
        DeniedError: the caller may not write there.
    """
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    await runtime.check("write", scope.namespace)
    return await asyncio.to_thread(Uploads, runtime.principal, scope.namespace)


async def _events(
    memory: AsyncMemory, scope: AsyncScope, upload: Upload, way: _ImportProgress, address: str, *, clean: bool
) -> AsyncGenerator[str]:
    """Say how far an import is until it is over; it ends where nobody listens any more, and is taken up anew."""
    work = asyncio.ensure_future(_run(memory, scope, upload, way, clean=clean))
    try:
        while not (await asyncio.wait({work}, timeout=PROGRESS_SECONDS))[0]:
            yield _event("progress", done=way.done)
        await work
        yield _event("over", address=address)
    except Exception as error:  # noqa: BLE001 - the answer has begun; its words may quote memories
        if not isinstance(error, BethinkError):
            audit.log_defect(error)
        yield _event("failed", detail=problem_members(error)["detail"])
    finally:
        work.cancel()


def _event(kind: str, **data: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n"


async def _run(
    memory: AsyncMemory, scope: AsyncScope, upload: Upload, way: _ImportProgress, *, clean: bool
) -> None:
    """Import files, keep the receipt, and let go of the files."""
    if upload.receipt is not None:
        return  # somebody pressed the button twice
    files = await asyncio.to_thread(upload.digests)
    report = await _imported(memory, scope, upload, way, clean=clean)
    receipt = {
        "imported_at": now().isoformat(timespec="seconds"),
        "namespace": str(scope.namespace),
        "files": files,
        "report": asdict(report),
    }
    await asyncio.to_thread(upload.done, receipt)


async def _imported(
    memory: AsyncMemory,
    scope: AsyncScope,
    upload: Upload,
    way: _ImportProgress | None = None,
    *,
    clean: bool = False,
    dry_run: bool = False,
) -> ImportReport:
    """Import what was uploaded into a namespace, or say what is in it.

    Raises:
        InvalidError: it is of no known form, or nothing of it can be read.
    """
    source = await asyncio.to_thread(lambda: upload.source)
    namespace = scope.namespace
    try:
        opened = await asyncio.to_thread(open_source, source, user=namespace.user)
    except OwnExportError:
        return await _whole(scope, source, dry_run=dry_run)
    except BethinkError as error:
        raise InvalidError(_without_folder(str(error), upload), argument="file") from None
    if namespace.kind != "agent" or namespace.session is not None:
        raise InvalidError(
            "conversations go into what an agent knows of somebody: choose a private memory at the left",
            argument="file",
        )
    found = await ingest(
        memory,
        _here(opened.entries, namespace.user),
        agent=namespace.name,
        user=namespace.user,
        owner=namespace.owner,
        session=f"import {file_name(source.stem)[:80]}",
        clean=clean,
        dry_run=dry_run,
        format=opened.format,
        done=(way or _ImportProgress()).add,
    )
    report = of_ingested(found)
    if report.empty and found.broken:
        raise InvalidError(_unreadable(upload, found), argument="file")
    return replace(report, left=[_without_folder(each, upload) for each in report.left])


def _unreadable(upload: Upload, found: Ingested) -> str:
    names = ", ".join(path.name for path in upload.files[:5])
    reason = _without_folder(found.broken[-1].reason, upload)
    return f"nothing of {names} could be read ({reason}): below stands what can be imported"


def _here(entries: Iterator[Read], user: str | None) -> Iterator[Read]:
    """Let everything belong to the namespace that was chosen, whomever the file names."""
    for each in entries:
        match each:
            case Entry() | Fact():
                yield replace(each, user=user, agent=None)
            case ImportedUsage():
                yield replace(each, user=user)
            case _:
                yield each


async def _whole(scope: AsyncScope, source: pathlib.Path, *, dry_run: bool) -> ImportReport:
    """Take an export of Bethink in, all of it or nothing; a dry run takes it into a memory that is gone afterwards."""
    data = await asyncio.to_thread(lambda: json.loads(source.read_bytes().decode("utf-8-sig")))
    if not dry_run:
        return of_imported(await scope.import_json(data))
    from bethink.memory.memory import AsyncMemory  # here, since only a preview opens a memory of its own

    async with AsyncMemory(":memory:", embedder=None) as nowhere:
        place = nowhere.scope(agent="preview", user=scope.namespace.user)
        return of_imported(await place.import_json(data))


def _without_folder(text: str, upload: Upload) -> str:
    """Leave out where on the server the files lie."""
    files = upload.folder / "files"
    return text.replace(f"{files}/", "").replace(f"{files}\\", "").replace(str(files), "these files")
