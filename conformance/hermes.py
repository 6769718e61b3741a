"""Hermes Agent: it publishes no tests; ours run its own plugin loader, memory manager and agent."""

from __future__ import annotations

from conformance.suites import Framework

FRAMEWORK = Framework(
    title="Hermes Agent",
    extra="hermes",
    packages=("hermes-agent==0.19.0",),
    ours=("tests/integrations/test_hermes.py",),
    remarks="its package has no tests. Ours in `tests/integrations/test_hermes.py` run its plugin loader, its memory "
    "manager, and its own agent over a scripted model.",
)
