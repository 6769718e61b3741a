"""Sample arguments for every verb of every handle."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from bethink.documents.values import PutDocument
from bethink.memory.documents import AsyncDocuments
from bethink.memory.notebook import AsyncNotebook
from bethink.memory.profile import AsyncProfileHandle
from bethink.memory.records import AsyncRecords
from bethink.memory.scope import AsyncScope
from bethink.memory.session import AsyncSession
from bethink.memory.workspace import AsyncWorkspace
from bethink.testing.doors.fixtures import user
from bethink.testing.faces import verbs

if TYPE_CHECKING:
    from collections.abc import Callable


def _nothing_more(_results: Any) -> tuple[tuple[()], tuple[()]]:
    """Go on with no documents and no names, whatever the first batch answered."""
    return (), ()


#: what a verb is called with, by the name of the parameter
_SAMPLES: dict[str, Any] = {
    "text": "Bob was here.",
    "key_or_id": "secret",
    "id": "secret",
    "query": "marmalade",
    "session": "secret-talk",
    "items": [user("Bob was here.")],
    "item": user("Bob was here."),
    "key": "secret",
    "name": "bobs-copy",
    "at": None,
    "after": timedelta(days=1),
    "title": "Bob was here.",
    "fields": {"bob": True},
    "kind": "trip",
    "value": {"bob": True},
    "tokens_in": 1,
    "tokens_out": 1,
    "data": {"profile": {"bob": True}},
    "words": "marmalade",
    "content": "# Bob\n\nBob was here.",
    "conversation": "secret-talk",
    "path": "secrets",
    "documents": [("secrets", "bobs", {"bob": True})],
    "command": {"command": "create", "path": "/memories/bob.md", "file_text": "Bob was here."},
    "input": "Bob was here.",
    "names": [("secrets", "bobs")],
    "then": _nothing_more,
    "changes": [PutDocument(path="secrets", key="bobs", value={"bob": True})],
}


def directory() -> str:
    """Return a directory that nothing else uses; it goes when the process ends."""
    made = tempfile.mkdtemp(prefix="bethink-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


#: every class of handles below a scope, and the way to it
HANDLES: dict[type, Callable[[Any], Any]] = {
    AsyncScope: lambda scope: scope,
    AsyncSession: lambda scope: scope.session("secret-talk"),
    AsyncProfileHandle: lambda scope: scope.profile,
    AsyncRecords: lambda scope: scope.records,
    AsyncDocuments: lambda scope: scope.documents,
    AsyncWorkspace: lambda scope: scope.workspace(directory()),
    AsyncNotebook: lambda scope: scope.notebook(directory()),
}
#: every public verb of them: one without a check fails the tests below, and so does one without samples
VERBS = [(kind, name) for kind in HANDLES for name in verbs(kind)]


def arguments(kind: type, verb: str, **known: Any) -> dict[str, Any]:
    """Return what a verb needs; a verb with a new required parameter has to be given a sample of it here."""
    import inspect

    needed = [
        parameter.name
        for parameter in inspect.signature(getattr(kind, verb)).parameters.values()
        if parameter.default is parameter.empty and parameter.name != "self"
    ]
    unknown = [name for name in needed if name not in _SAMPLES]
    assert not unknown, f"{kind.__name__}.{verb}: no sample for {unknown}"
    samples = {**_SAMPLES, **known}
    if kind is AsyncRecords:
        samples["at"] = datetime(2026, 1, 1, tzinfo=UTC)
    return {name: samples[name] for name in needed}
