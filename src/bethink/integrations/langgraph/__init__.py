"""LangGraph: a store of long-term memory, and a checkpointer of threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.integrations.lazy_exports import lazy_exports
from bethink.integrations.versions import require_versions

require_versions("langgraph", ("langgraph", "1.2", "2"), ("langgraph-checkpoint", "4.3", "5"))

if TYPE_CHECKING:
    from bethink.integrations.langgraph.checkpointer import BethinkSaver
    from bethink.integrations.langgraph.store import BethinkStore

_HOME = {"BethinkSaver": "checkpointer", "BethinkStore": "store"}

__all__ = ["BethinkSaver", "BethinkStore"]

__getattr__, __dir__ = lazy_exports(__name__, _HOME, globals())
