"""Conformance of exports, as a pytest class."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from bethink.errors import (
    NotFoundError,
)
from bethink.testing.doors.fixtures import FaceConformance, user


class ExportConformance(FaceConformance):
    """An export holds everything of a scope, and nothing of another."""

    async def test_an_export_holds_everything_as_plain_json(self, alice: Any, memory: Any) -> None:
        note = await alice.remember("aisle", key="seat", metadata={"a": [1]})
        await alice.revise("seat", "window")
        await alice.session("trip").remember("This time the middle.")
        odd = {"role": "user", "content": "\ud800\x00", "n": 10**40}
        await alice.session("trip").append([odd], speaker="Ann")
        await alice.profile.update({"city": "Lyon"})
        await alice.records.add("trip", {"to": "Paris"}, at=datetime(2025, 1, 1, tzinfo=UTC))
        await memory.scope(agent="concierge", user="bob").remember("not mine")
        found = json.loads(json.dumps(await alice.export()))
        assert (found["format"], found["namespace"]) == ("bethink-export", "agent:concierge:u:alice")
        assert [each["text"] for each in found["notes"]] == ["window", "This time the middle."]
        assert found["notes"][0]["id"] == note.id
        assert [each["note"]["text"] for each in found["history"]] == ["aisle"]
        assert found["sessions"][0]["items"][0]["body"] == odd
        assert found["sessions"][0]["items"][0]["speaker"] == "Ann"
        assert found["profile"]["fields"] == {"city": "Lyon"}
        assert found["records"][0]["value"] == {"to": "Paris"}
        assert "not mine" not in json.dumps(found)

    async def test_the_export_of_an_empty_scope_is_empty(self, alice: Any) -> None:
        found = await alice.export()
        assert (found["notes"], found["sessions"], found["history"], found["records"]) == ([], [], [], [])

    async def test_a_long_session_is_exported_whole(self, alice: Any) -> None:
        await alice.session("long").append([user(f"{n}") for n in range(2_500)])
        found = await alice.session("long").export()
        assert [entry["body"]["content"] for entry in found["items"]] == [f"{n}" for n in range(2_500)]
        with pytest.raises(NotFoundError):
            await alice.session("absent").export()
