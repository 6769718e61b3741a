"""The memory of AI agents: one Python library, one file, no key."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bethink.documents.values import Document, DocumentHit
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
    from bethink.health.values import Health, Stats
    from bethink.lifecycle.erase.values import Receipt
    from bethink.lifecycle.exchange.values import Imported
    from bethink.lifecycle.inject.values import Context
    from bethink.lifecycle.plans import Plan
    from bethink.lifecycle.values import Distilled, Verdict
    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.memory.session import AsyncSession
    from bethink.memory.tool import AsyncTool
    from bethink.memory.turn import AsyncTurn
    from bethink.memory.workspace import AsyncWorkspace
    from bethink.models.chat import Chat
    from bethink.models.embedding import Embedder
    from bethink.notes.values import Note, NoteVersion
    from bethink.pages import Page
    from bethink.recall.values import Hit, Recall, TimelineEntry, Why, WhyNot
    from bethink.scope.namespace import Namespace
    from bethink.scope.shares import Share
    from bethink.scope.values import Grant, Principal, Rights
    from bethink.sessions.values import Attempt, Branch, Head, Item, SessionInfo, TurnUsage
    from bethink.settings import Settings
    from bethink.state.transactions import Record
    from bethink.state.values import Profile
    from bethink.sync import Memory, Scope, Session, Tool, Turn, Workspace

_HOMES = {
    "bethink.documents.values": ("Document", "DocumentHit"),
    "bethink.errors": ("BethinkError", "ClosedError", "ConflictError", "DeniedError", "InvalidError", "LimitError",
        "ModelError", "NotFoundError", "RefusedError", "StorageError"),
    "bethink.health.values": ("Health", "Stats"),
    "bethink.lifecycle.erase.values": ("Receipt",),
    "bethink.lifecycle.exchange.values": ("Imported",),
    "bethink.lifecycle.inject.values": ("Context",),
    "bethink.lifecycle.plans": ("Plan",),
    "bethink.lifecycle.values": ("Distilled", "Verdict"),
    "bethink.memory.memory": ("AsyncMemory",),
    "bethink.memory.scope": ("AsyncScope",),
    "bethink.memory.session": ("AsyncSession",),
    "bethink.memory.tool": ("AsyncTool",),
    "bethink.memory.turn": ("AsyncTurn",),
    "bethink.memory.workspace": ("AsyncWorkspace",),
    "bethink.models.chat": ("Chat",),
    "bethink.models.embedding": ("Embedder",),
    "bethink.notes.values": ("Note", "NoteVersion"),
    "bethink.pages": ("Page",),
    "bethink.recall.values": ("Hit", "Recall", "TimelineEntry", "Why", "WhyNot"),
    "bethink.scope.namespace": ("Namespace",),
    "bethink.scope.shares": ("Share",),
    "bethink.scope.values": ("Grant", "Principal", "Rights"),
    "bethink.sessions.values": ("Attempt", "Branch", "Head", "Item", "SessionInfo", "TurnUsage"),
    "bethink.settings": ("Settings",),
    "bethink.state.transactions": ("Record",),
    "bethink.state.values": ("Profile",),
    "bethink.sync": ("Memory", "Scope", "Session", "Tool", "Turn", "Workspace"),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "AsyncMemory",
    "AsyncScope",
    "AsyncSession",
    "AsyncTool",
    "AsyncTurn",
    "AsyncWorkspace",
    "Attempt",
    "BethinkError",
    "Branch",
    "Chat",
    "ClosedError",
    "ConflictError",
    "Context",
    "DeniedError",
    "Distilled",
    "Document",
    "DocumentHit",
    "Embedder",
    "Grant",
    "Head",
    "Health",
    "Hit",
    "Imported",
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
    "Plan",
    "Principal",
    "Profile",
    "Recall",
    "Receipt",
    "Record",
    "RefusedError",
    "Rights",
    "Scope",
    "Session",
    "SessionInfo",
    "Settings",
    "Share",
    "Stats",
    "StorageError",
    "TimelineEntry",
    "Tool",
    "Turn",
    "TurnUsage",
    "Verdict",
    "Why",
    "WhyNot",
    "Workspace",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `import bethink` alone loads nothing."""
    if name not in _HOME:
        raise _unknown(name)
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def _unknown(name: str) -> AttributeError | ImportError:
    """Return the error of a name that is not there, with what it is called here where other libraries have it."""
    problem, hint = f"module 'bethink' has no attribute {name!r}", None
    if not name.startswith("_"):
        from bethink.foreign_names import PACKAGE

        hint = PACKAGE.get(name)
    if hint and sys._getframe(2).f_code.co_name == "_handle_fromlist":  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - `from bethink import name`
        return ImportError(f"cannot import name {name!r} from 'bethink'; {hint}", name="bethink")
    return AttributeError(f"{problem}; {hint}" if hint else problem, name=name, obj=sys.modules["bethink"])


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
