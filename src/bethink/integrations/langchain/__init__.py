"""LangChain: middleware that injects and learns, tools, and a retriever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.integrations.lazy_exports import lazy_exports
from bethink.integrations.versions import require_versions

require_versions(
    "langchain", ("langchain", "1.4", "2"), ("langchain-core", "1.7", "2"), ("langgraph", "1.2", "2")
)

if TYPE_CHECKING:
    from bethink.integrations.langchain.middleware import BethinkMiddleware
    from bethink.integrations.langchain.retriever import BethinkRetriever
    from bethink.integrations.langchain.tools import memory_tools

_HOME = {"BethinkMiddleware": "middleware", "BethinkRetriever": "retriever", "memory_tools": "tools"}

__all__ = ["BethinkMiddleware", "BethinkRetriever", "memory_tools"]

__getattr__, __dir__ = lazy_exports(__name__, _HOME, globals())
