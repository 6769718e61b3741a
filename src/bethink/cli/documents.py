"""List, read, write, search and delete documents."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bethink.cli import views
from bethink.cli.command_groups import family
from bethink.cli.instants import spell
from bethink.cli.options import add
from bethink.errors import InvalidError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.documents.values import Document, DocumentHit
    from bethink.pages import Page

Where = Annotated[str, typer.Argument(metavar="PATH")]
Below = Annotated[str, typer.Argument(metavar="PATH")]
Key = Annotated[str, typer.Argument()]
Limit = Annotated[int, typer.Option("--limit", "-n")]
Cursor = Annotated[str | None, typer.Option()]
Expected = Annotated[int | None, typer.Option()]


def listing(command: CommandContext, path: Below = "", *, limit: Limit = 100, cursor: Cursor = None) -> None:
    command.show(command.scope.documents.find(path, limit=limit, cursor=cursor), documents)


def get(command: CommandContext, path: Where, key: Key) -> None:
    found = command.scope.documents.get(path, key)
    if found is None:
        raise NotFoundError(
            f"no document {key} under {path or 'the root'}; `bethink documents` lists them",
            kind="document",
            id=key,
        )
    if found.content is not None:
        sys.stdout.buffer.write(found.content)
    else:
        command.write(found.value)


def put(
    command: CommandContext,
    path: Where,
    key: Key,
    value: Annotated[
        str | None,
        typer.Argument(metavar="[JSON]", help="The JSON value; default: --file, or standard input."),
    ] = None,
    *,
    file: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="A file to store; a .json file is stored as a JSON value."
        ),
    ] = None,
    media_type: Annotated[str | None, typer.Option()] = None,
    expected: Expected = None,
    after: Annotated[
        str | None, typer.Option(metavar="TIME", help="How long to keep the document: 30d, 12h.")
    ] = None,
    index: Annotated[
        list[str] | None,
        typer.Option(help="A field to search by, such as pages[*].text, or $ for all. Repeatable."),
    ] = None,
) -> None:
    kept = command.scope.documents.put(
        path,
        key,
        _value(value, file),
        media_type=media_type,
        expected=expected,
        ttl=None if after is None else spell(after),
        index=index or False,
    )
    command.show(kept, document)


def delete(command: CommandContext, path: Where, key: Key, *, expected: Expected = None) -> None:
    if not command.scope.documents.delete(path, key, expected=expected):
        raise NotFoundError(
            f"no document {key} under {path or 'the root'}; `bethink documents` lists them",
            kind="document",
            id=key,
        )
    command.show({"deleted": key}, views.deleted)


def search(
    command: CommandContext,
    query: Annotated[str, typer.Argument()],
    path: Below = "",
    *,
    limit: Limit = 10,
) -> None:
    command.show(command.scope.documents.search(query, path, limit=limit), hits)


def ingest(
    command: CommandContext,
    path: Where,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Text, Markdown, HTML or PDF.")],
    *,
    key: Annotated[
        str | None, typer.Option(help="The name of the document; default: the name of the file.")
    ] = None,
    title: Annotated[str | None, typer.Option()] = None,
) -> None:
    content = file.read_bytes()
    command.show(command.scope.documents.ingest(path, key or file.name, content, title=title), document)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    members = family(app, "documents", "List, read, write, search and delete documents.", usual="list")
    add(members, listing, name="list", verb="documents.find")
    add(members, get, verb="documents.get")
    add(members, put, makes=True, verb="documents.put")
    add(members, delete, verb="documents.delete")
    add(members, search, verb="documents.search")
    add(members, ingest, makes=True, verb="documents.ingest")


def documents(page: Page[Document]) -> Sequence[RenderableType]:
    """A part of a list of documents."""
    if not page.total:
        return [views.dim("no documents")]
    made = views.table("path", "key", "size", "last written")
    for each in page:
        size = len(each.content) if each.content is not None else len(json.dumps(each.value))
        path = "/".join(each.path)
        made.add_row(
            views.literal(path),
            views.literal(each.key),
            views.size(size),
            views.dim(views.minute(each.updated_at)),
        )
    return [made, views.dim(f"{len(page)} of {page.total}")]


def document(kept: Document) -> RenderableType:
    """What was written."""
    return views.dim(f"{'/'.join((*kept.path, kept.key))} is at revision {kept.revision}")


def hits(found: Sequence[DocumentHit]) -> Sequence[RenderableType]:
    """What a search found."""
    if not found:
        return [views.dim("nothing is indexed there: `bethink documents put --index` names fields")]
    made = views.table("score", "path", "key", "place", "text")
    for hit in found:
        path = "/".join(hit.document.path)
        row = (path, hit.document.key, hit.place, hit.text[:200])
        made.add_row(f"{hit.score:.2f}", *(views.literal(each) for each in row))
    return [made]


def _value(text: str | None, file: Path | None) -> Any:
    if text is not None and file is not None:
        raise InvalidError("pass either a value or --file, not both", argument="value")
    if file is not None:
        data = file.read_bytes()
        if file.suffix.lower() != ".json":
            return data
        text = data.decode("utf-8-sig", "replace")
    given = sys.stdin.read() if text is None else text
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        raise InvalidError(
            "the value must be JSON; quote a string twice, such as '\"aisle\"'", argument="value"
        ) from None
