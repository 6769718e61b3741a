"""A real endpoint, and a memory that asks it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bethink import Memory
from bethink.models.openai_chat import OpenAIChat
from bethink.notes.values import Note
from bethink.sessions.values import Item
from bethink.testing.faces import Clock, HashingEmbedder
from bethink.testing.model_server import ModelServer

AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def server(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ModelServer() as server:
        yield server


@pytest.fixture
def chat(server):
    with OpenAIChat(
        "small", base_url=server.url, timeout=1.0, deadline=5.0, backoff=0.0, most_bytes=200_000
    ) as chat:
        yield chat


@pytest.fixture
def open_memory(chat):
    opened = []

    def open_memory(**options):
        given = {"chat": chat, "embedder": HashingEmbedder(), "clock": Clock(), **options}
        opened.append(Memory(":memory:", **given))
        return opened[-1]

    yield open_memory
    for memory in opened:
        memory.close()


@pytest.fixture
def alice(open_memory):
    return open_memory().scope(agent="concierge", user="alice")


@pytest.fixture
def said():
    """Return what a user said, as items."""

    def said(*texts):
        return [
            Item(id=f"i{place}", session="s", seq=place, body={"role": "user", "content": text}, at=AT)
            for place, text in enumerate(texts, 1)
        ]

    return said


@pytest.fixture
def note():
    """Return a note."""

    def note(name, text, *, session=None, day=1, **fields):
        at = datetime(2026, 1, day, tzinfo=UTC)
        return Note(
            **{
                "id": name,
                "text": text,
                "session": session,
                "category": "core" if session is None else "conversation",
                "created_at": at,
                "updated_at": at,
                "valid_from": at,
                "revision": day,
                **fields,
            }
        )

    return note
