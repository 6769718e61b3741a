"""Export documents as plain JSON, and read them back."""

from __future__ import annotations

import base64
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from bethink.documents import paths as rules
from bethink.documents import queries
from bethink.documents.transactions import BROUGHT, Passage, add_passages, keys_of, listed_passages
from bethink.documents.transactions import all_documents as every_document
from bethink.documents.values import Document
from bethink.times import to_datetime, to_micros

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.storage.work import Work


class IncomingDocument(NamedTuple):
    """A document of an export, with the texts by which it is found."""

    document: Document
    passages: tuple[Passage, ...]


def exported_documents(namespace: Namespace) -> Work[list[dict[str, Any]]]:
    """Return every document of a scope as an export has it; vectors are made anew elsewhere."""
    found: dict[tuple[tuple[str, ...], str], list[dict[str, str]]] = {}
    for path, key, passage in (yield from listed_passages(namespace, ())):
        found.setdefault((path, key), []).append({"place": passage.place, "text": passage.text})
    return [
        {**document_json(document), "indexed": found.get((document.path, document.key), [])}
        for document in (yield from every_document(namespace))
    ]


def document_json(document: Document) -> dict[str, Any]:
    """Return a document as an export has it."""
    written: dict[str, Any] = {
        "path": list(document.path),
        "key": document.key,
        "media_type": document.media_type,
        "created_at": document.created_at.isoformat(),
        "updated_at": document.updated_at.isoformat(),
        "expires_at": document.expires_at.isoformat() if document.expires_at else None,
        "ttl": document.ttl.total_seconds() if document.ttl is not None else None,
    }
    if document.content is not None:
        return {**written, "content": base64.b64encode(document.content).decode("ascii")}
    return {**written, "value": document.value}


def read(written: Mapping[str, Any]) -> IncomingDocument:
    """Return a document of an export with its passages.

    Raises:
        InvalidError: a name or a value cannot be kept.
        KeyError, TypeError, ValueError: something is missing, or has another form.
    """
    passages = tuple(
        Passage(str(each["place"]), str(each["text"]), BROUGHT, None) for each in written.get("indexed") or ()
    )
    return IncomingDocument(_document(written), passages)


def _document(written: Mapping[str, Any]) -> Document:
    content = written.get("content")
    if content is None:
        rules.encoded_json(written["value"])
    expires, ttl = written.get("expires_at"), written.get("ttl")
    return Document(
        path=rules.path(written["path"]),
        key=rules.checked_label(written["key"], "key"),
        value=written.get("value") if content is None else None,
        content=None if content is None else base64.b64decode(content, validate=True),
        media_type=written.get("media_type"),
        created_at=_instant(written["created_at"]),
        updated_at=_instant(written["updated_at"]),
        expires_at=None if expires is None else _instant(expires),
        ttl=None if ttl is None else timedelta(seconds=ttl),
        revision=0,
    )


def _instant(text: str) -> datetime:
    return to_datetime(to_micros(datetime.fromisoformat(text)))


def is_there(place: ScopeRow, document: Document) -> Work[bool]:
    """Tell whether a scope has a document of this name, even one whose time is over."""
    keys = keys_of(place, document.path, document.key)
    return bool((yield from queries.find_document(**keys, now=0)))


def bring_documents(place: ScopeRow, documents: Iterable[IncomingDocument]) -> Work[None]:
    """Keep documents as another store has them, with their times and what they are found by."""
    for document, passages in documents:
        keys = keys_of(place, document.path, document.key)
        yield from queries.bring_document(
            **keys,
            value=None if document.content is not None else rules.encoded_json(document.value),
            content=document.content,
            media_type=document.media_type,
            created_at=to_micros(document.created_at),
            updated_at=to_micros(document.updated_at),
            expires_at=None if document.expires_at is None else to_micros(document.expires_at),
            ttl=None if document.ttl is None else document.ttl // timedelta(microseconds=1),
            revision=place.revision,
        )
        yield from add_passages(keys, passages)
