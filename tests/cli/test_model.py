"""A chat model that is named on the command line decides, and the rules stand in for it."""

from __future__ import annotations

import json

import pytest

from bethink import Memory
from bethink.testing.model_server import ModelServer, Says, Status


@pytest.fixture
def server():
    with ModelServer() as server:
        yield server


@pytest.fixture
def said(folder):
    with Memory("memory.db") as memory:
        memory.scope(user="alice").session("talk").append(
            [{"role": "user", "content": "I am vegetarian."}], at=None
        )


NOTE = {
    "text": "Is vegetarian.",
    "kind": "fact",
    "durable": True,
    "keywords": ["dietary"],
    "sources": [1],
    "confidence": 0.9,
}
FOUND = Says({"notes": [NOTE], "nothing": []})
DECIDED = Says({"decisions": [{"note": "s1", "as": "new", "of": [], "text": "Is vegetarian."}]})


def kept():
    with Memory("memory.db") as memory:
        return [note.text for note in memory.scope(user="alice").notes()]


@pytest.mark.usefixtures("said")
def test_the_model_that_is_named_distills_and_consolidates(bethink, server, monkeypatch):
    monkeypatch.setenv("BETHINK_MODEL_KEY", "sk-from-the-environment")
    server.then(FOUND, DECIDED)
    plan = bethink(
        "consolidate",
        "--user",
        "alice",
        "--session",
        "talk",
        "--model",
        "small",
        "--model-url",
        server.url,
        "--json",
    ).json
    assert plan["engine"] == "openai:small"
    assert {request.body["model"] for request in server.requests} == {"small"}
    keys = {
        {name.lower(): value for name, value in request.headers.items()}["authorization"]
        for request in server.requests
    }
    assert keys == {"Bearer sk-from-the-environment"}
    assert kept() == ["Is vegetarian."]


@pytest.mark.usefixtures("said")
def test_a_key_of_openai_is_sent_to_nobody_else(bethink, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    server.then(FOUND, DECIDED)
    bethink("consolidate", "--user", "alice", "--model", "small", "--model-url", server.url, status=0)
    assert "sk-of-openai" not in json.dumps([dict(request.headers) for request in server.requests])


@pytest.mark.usefixtures("said")
def test_what_is_idle_is_decided_by_it_too(bethink, server):
    server.then(FOUND, DECIDED)
    bethink("consolidate", "--idle", "0", "--model", "small", "--model-url", server.url, status=0)
    assert kept() == ["Is vegetarian."]


@pytest.mark.usefixtures("said")
def test_the_rules_stand_in_for_a_model_that_refuses(bethink, server):
    server.then(Status(401), Status(401))
    done = bethink(
        "consolidate", "--user", "alice", "--model", "small", "--model-url", server.url, "--json", status=0
    )
    assert kept()
    assert done.json["remarks"]


@pytest.mark.usefixtures("said")
def test_an_endpoint_without_a_model_is_refused(bethink):
    done = bethink("consolidate", "--user", "alice", "--model-url", "http://127.0.0.1:9", status=1)
    assert "--model NAME" in done.err
