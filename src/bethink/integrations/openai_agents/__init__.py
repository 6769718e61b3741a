"""OpenAI Agents SDK: sessions, hooks, instructions, tools and sandbox memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.integrations.lazy_exports import lazy_exports
from bethink.integrations.versions import require_versions

require_versions("agents", ("openai-agents", "0.24", "0.30"))

if TYPE_CHECKING:
    from bethink.integrations.openai_agents.callbacks import pair_safe, windowed
    from bethink.integrations.openai_agents.compaction_session import (
        ChatCompactor,
        CompactionContext,
        CompactionSession,
        ResponsesCompactor,
        RulesCompactor,
    )
    from bethink.integrations.openai_agents.context_injection import memory_input
    from bethink.integrations.openai_agents.hooks import MemoryHooks, conversation
    from bethink.integrations.openai_agents.in_memory import MemorySession
    from bethink.integrations.openai_agents.instructions import memory_instructions
    from bethink.integrations.openai_agents.openai_conversations import remote_session, start_remote_session
    from bethink.integrations.openai_agents.run_queue import exclusive
    from bethink.integrations.openai_agents.runs import note_usage, run
    from bethink.integrations.openai_agents.sandbox import BethinkMemory
    from bethink.integrations.openai_agents.session import BethinkSession
    from bethink.integrations.openai_agents.tools import memory_tools

_HOMES = {
    "callbacks": ("pair_safe", "windowed"),
    "compaction_session": (
        "ChatCompactor",
        "CompactionContext",
        "CompactionSession",
        "ResponsesCompactor",
        "RulesCompactor",
    ),
    "hooks": ("MemoryHooks", "conversation"),
    "in_memory": ("MemorySession",),
    "context_injection": ("memory_input",),
    "instructions": ("memory_instructions",),
    "run_queue": ("exclusive",),
    "openai_conversations": ("remote_session", "start_remote_session"),
    "runs": ("note_usage", "run"),
    "sandbox": ("BethinkMemory",),
    "session": ("BethinkSession",),
    "tools": ("memory_tools",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "BethinkMemory",
    "BethinkSession",
    "ChatCompactor",
    "CompactionContext",
    "CompactionSession",
    "MemoryHooks",
    "MemorySession",
    "ResponsesCompactor",
    "RulesCompactor",
    "conversation",
    "exclusive",
    "memory_input",
    "memory_instructions",
    "memory_tools",
    "note_usage",
    "pair_safe",
    "remote_session",
    "run",
    "start_remote_session",
    "windowed",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOME, globals())
