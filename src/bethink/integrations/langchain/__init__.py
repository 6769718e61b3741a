"""LangChain's agents over Bethink: middleware that injects and learns, tools, and a retriever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.integrations.versions import require

require("langchain", ("langchain", "1.4", "2"), ("langchain-core", "1.7", "2"), ("langgraph", "1.2", "2"))

if TYPE_CHECKING:
    from bethink.integrations.langchain.middleware import BethinkMiddleware
    from bethink.integrations.langchain.retriever import BethinkRetriever
    from bethink.integrations.langchain.tools import memory_tools

_PACKAGE = "bethink.integrations.langchain"
_HOME = {"BethinkMiddleware": "middleware", "BethinkRetriever": "retriever", "memory_tools": "tools"}

__all__ = ["BethinkMiddleware", "BethinkRetriever", "memory_tools"]


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
