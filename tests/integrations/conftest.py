"""The SDK under our sessions: no network, no tracing."""

import os

import pytest

try:
    import agents
except ImportError:  # an environment of `make conformance`, which has another framework
    if "BETHINK_CONFORMANCE_ENVIRONMENT" not in os.environ:
        raise
    agents = None


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """Keep the SDK from its servers, whatever a test does."""
    if agents is None:
        yield
        return
    agents.set_tracing_disabled(True)
    monkeypatch.setenv("OPENAI_API_KEY", "no-key")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    yield
    from bethink.integrations.openai_agents.shared import close_idle

    close_idle()


@pytest.fixture
def anyio_backend():
    return "asyncio"
