"""Microsoft Agent Framework: its archive has no tests; ours hold its history and Bethink's to the same answers."""

from __future__ import annotations

from conformance.suites import Framework

FRAMEWORK = Framework(
    title="Microsoft Agent Framework",
    extra="agent-framework",
    packages=("agent-framework-core==1.23.0",),
    ours=("tests/integrations/test_agent_framework.py",),
    remarks="its source archive has no tests. Ours in `tests/integrations/test_agent_framework.py` ask its in-memory "
    "history and Bethink's the same, and want the same answers; beside that isolation, erasure, and agents with a "
    "scripted client.",
)
