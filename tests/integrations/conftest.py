"""The SDK under our sessions: no network, no tracing."""

from importlib.util import find_spec

import pytest


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """Keep the SDK from its servers, whatever a test does."""
    if find_spec("agents") is None:  # in the environment of another framework, see conformance/
        yield
        return
    import agents

    agents.set_tracing_disabled(True)
    monkeypatch.setenv("OPENAI_API_KEY", "no-key")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    yield
    from bethink.integrations.shared_memory import close_idle

    close_idle()


@pytest.fixture
def anyio_backend():
    return "asyncio"
