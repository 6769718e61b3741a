"""A real endpoint for the providers."""

from __future__ import annotations

import pytest

from bethink.testing.model_server import ModelServer


@pytest.fixture
def server(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ModelServer() as server:
        yield server
