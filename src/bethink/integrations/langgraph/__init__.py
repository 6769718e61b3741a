"""LangGraph over Bethink: the store of long-term memory, and the checkpointer of threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.integrations.versions import require

require("langgraph", ("langgraph", "1.2", "2"), ("langgraph-checkpoint", "4.3", "5"))

if TYPE_CHECKING:
    from bethink.integrations.langgraph.saver import BethinkSaver
    from bethink.integrations.langgraph.store import BethinkStore

_PACKAGE = "bethink.integrations.langgraph"
_HOME = {"BethinkSaver": "saver", "BethinkStore": "store"}

__all__ = ["BethinkSaver", "BethinkStore"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module {_PACKAGE!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{_PACKAGE}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
