"""Hermes Agent: its archive has no tests of providers; ours run its plugin loader, its manager and its agent."""

from __future__ import annotations

from conformance.suites import Framework

FRAMEWORK = Framework(
    title="Hermes Agent",
    extra="hermes",
    packages=("hermes-agent==0.19.0",),
    ours=("tests/integrations/test_hermes.py",),
    remarks="its source archive has no tests of memory providers. Ours in `tests/integrations/test_hermes.py` run its "
    "plugin loader, its memory manager, and its own agent over a scripted model.",
)
