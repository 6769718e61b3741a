"""LlamaIndex: its archive has no tests; ours hold its SQL chat store and Bethink's to the same answers."""

from __future__ import annotations

from conformance.suites import Framework

FRAMEWORK = Framework(
    title="LlamaIndex",
    extra="llamaindex",
    packages=("llama-index-core==0.14.25",),
    ours=("tests/integrations/test_llamaindex.py",),
    remarks="its source archive has no tests. Ours in `tests/integrations/test_llamaindex.py` ask its SQL chat store "
    "and Bethink's the same, also under its `Memory`, and want the same answers; beside that isolation, erasure, and "
    "agents and chat engines with a scripted model.",
)
