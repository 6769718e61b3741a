"""The memory of AI agents: one Python library, one file, no key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bethink.errors import (
        BethinkError,
        ClosedError,
        ConflictError,
        DeniedError,
        InvalidError,
        LimitError,
        ModelError,
        NotFoundError,
        RefusedError,
        StorageError,
    )
    from bethink.memory.memory import AsyncMemory
    from bethink.notes.values import Note, NoteVersion
    from bethink.pages import Page
    from bethink.recall.values import Hit, Recall, Why, WhyNot
    from bethink.scope.namespace import Namespace
    from bethink.scope.values import Principal
    from bethink.sessions.values import Head, Item, SessionInfo
    from bethink.settings import Settings
    from bethink.sync import Memory

_HOMES = {
    "bethink.errors": (
        "BethinkError", "ClosedError", "ConflictError", "DeniedError", "InvalidError", "LimitError", "ModelError",
        "NotFoundError", "RefusedError", "StorageError",
    ),
    "bethink.memory.memory": ("AsyncMemory",),
    "bethink.notes.values": ("Note", "NoteVersion"),
    "bethink.pages": ("Page",),
    "bethink.recall.values": ("Hit", "Recall", "Why", "WhyNot"),
    "bethink.scope.namespace": ("Namespace",),
    "bethink.scope.values": ("Principal",),
    "bethink.sessions.values": ("Head", "Item", "SessionInfo"),
    "bethink.settings": ("Settings",),
    "bethink.sync": ("Memory",),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "AsyncMemory",
    "BethinkError",
    "ClosedError",
    "ConflictError",
    "DeniedError",
    "Head",
    "Hit",
    "InvalidError",
    "Item",
    "LimitError",
    "Memory",
    "ModelError",
    "Namespace",
    "NotFoundError",
    "Note",
    "NoteVersion",
    "Page",
    "Principal",
    "Recall",
    "RefusedError",
    "SessionInfo",
    "Settings",
    "StorageError",
    "Why",
    "WhyNot",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `import bethink` alone loads nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'bethink' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
