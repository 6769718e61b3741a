"""Recognise memory in a log (tool results, injected context, offline answers), so that it is not learned again.

All of it is kept in the log, and none of it is anything that somebody said: what memory told once must not come back
as a second witness of itself.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from bethink.expressions import Expression
from bethink.json_kinds import is_object
from bethink.sessions.readers.registry import read

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from bethink.sessions.readers.values import Call, Reading, Ref

#: the memory tools and what each may be called with: an application's own `timeline(user_id=…)` is none of them
MEMORY_TOOLS: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(arguments.split())
    for name, arguments in {
        "save_memory_note": "text keywords",
        "remember": "key content source",
        "recall": "key",
        "search_memory": "query top_k",
        "forget": "key",
        "list_memories": "limit",
        "memory_store": "key content category",
        "memory_recall": "query limit",
        "memory_forget": "key",
        "share_to": "pool key content",
        "read_from_pool": "pool key",
        "search_pool": "pool query top_k",
        "list_pool": "pool limit",
        "share_finding": "key content",
        "read_shared": "key",
        "search_shared": "query top_k",
        "list_shared": "limit",
        "search_history": "query roles session since top_k until",
        "timeline": "query cursor limit roles session since until",
        "list_waiting": "limit",
        "document_list": "path limit cursor",
        "document_get": "path key",
        "document_put": "path key value expected",
        "document_delete": "path key expected",
        "document_search": "query path top_k",
        "workspace_view": "path view_range",
        "workspace_create": "path file_text",
        "workspace_str_replace": "path old_str new_str",
        "workspace_insert": "path insert_line insert_text",
        "workspace_delete": "path",
        "workspace_rename": "old_path new_path",
        # Anthropic's memory tool
        "memory": "command path view_range file_text old_str new_str insert_line insert_text old_path new_path",
    }.items()
}
#: what the offline responder ends its answers with
OFFLINE_NOTICE: Final = "(Offline responder: "
_OFFLINE: Final = Expression(r"\(Offline responder: [^()\n]*\)\s*\Z")
_QUALIFIED: Final = Expression(r".*(?:__|[./:])", re.DOTALL)  #: `mcp__memory__recall`, `memory.recall`
_FENCES: Final = Expression(r"<(user_profile|memories|memory_policy)>\n.*?\n</\1>[ \t]*\n?", re.DOTALL)


def is_memory_call(call: Call) -> bool:
    """Tell whether a call is one of a memory tool."""
    if not isinstance(call.name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        return False
    known = MEMORY_TOOLS.get(_QUALIFIED.compiled.sub("", call.name))
    return known is not None and _named(call.arguments) <= known


def without_context(text: str) -> str:
    """Return a text without the context that was injected into it."""
    if "</" not in text:
        return text
    left, count = _FENCES.compiled.subn("", text)
    return left.strip() if count else text


def is_offline_answer(text: str) -> bool:
    """Tell whether the offline responder said this."""
    return OFFLINE_NOTICE in text and _OFFLINE.compiled.search(text) is not None


class MemoryAnswers:
    """Follows a log from item to item, and tells which results in it are answers of memory tools."""

    def __init__(self, before: Iterable[Mapping[str, Any]] = ()) -> None:
        self._open: dict[Ref, bool] = {}
        for body in before:
            reading = read(body)
            if reading is not None:
                self.among(reading)

    def among(self, reading: Reading) -> Collection[Ref]:
        """Return the results of an item that memory tools gave; items come in the order of the log."""
        if not reading.calls and not reading.results:  # most items
            return ()
        for call in reading.calls:
            if call.id:
                self._open[call.family, call.id] = is_memory_call(call)
        return {
            (result.family, result.id)
            for result in reading.results
            if self._open.get((result.family, result.id), result.name in MEMORY_TOOLS)
        }


def _named(arguments: object) -> set[str]:
    """Return the names of a call's arguments."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            return {""}
    return set(arguments) if is_object(arguments) else set() if arguments is None else {""}
