"""Pydantic AI: it publishes no tests of stores; ours hold its in-memory store and Bethink's to the same answers."""

from __future__ import annotations

from conformance.suites import Framework

FRAMEWORK = Framework(
    title="Pydantic AI",
    extra="pydantic-ai",
    packages=("pydantic-ai-slim==2.68.0",),
    ours=("tests/integrations/test_pydantic_ai.py",),
    remarks="it has no tests for conversation stores. Ours in `tests/integrations/test_pydantic_ai.py` ask its "
    "in-memory store and Bethink's the same, and want the same answers; beside that isolation, erasure, and agents "
    "with a scripted model.",
)
