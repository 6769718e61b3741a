"""Google ADK: its archive has no tests; ours hold its services to what its in-memory ones do."""

from __future__ import annotations

from conformance.suites import Framework

FRAMEWORK = Framework(
    title="Google ADK",
    extra="adk",
    packages=("google-adk==2.13.0",),
    ours=("tests/integrations/test_google_adk.py",),
    remarks="its source archive has no tests. Ours in `tests/integrations/test_google_adk.py` ask its in-memory "
    "services and Bethink's the same, and want the same answers; beside that stale writers, isolation, erasure, "
    "and a runner with a scripted model.",
)
