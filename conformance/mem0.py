"""mem0: its own clients, of Python and of npm, against a server of ours; it publishes no tests for them."""

from __future__ import annotations

from conformance.suites import Framework

FRAMEWORK = Framework(
    title="mem0",
    extra="server",
    packages=("mem0ai==2.2.1", "agent-framework-mem0==1.0.0b261015"),
    ours=("tests/integrations/test_mem0_clients.py",),
    remarks="its clients of Python (2.2.1, with and without `await`) and of npm (3.3.1), unchanged but for `host`, ask "
    "a server of ours for everything that they can ask, in `tests/integrations/test_mem0_clients.py`; so does what is "
    "built on them: Agent Framework's `Mem0ContextProvider`.",
)
