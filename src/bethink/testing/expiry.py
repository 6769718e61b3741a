"""Conformance of item TTL: nobody sees an expired item, with both faces and on every store."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from bethink.errors import InvalidError
from bethink.testing.doors.fixtures import FaceConformance

DAY = timedelta(days=1)


def said(text: str) -> dict[str, Any]:
    """Return a message of the user."""
    return {"role": "user", "content": text}


class ExpiryConformance(FaceConformance):
    """The promises of `session.expire`."""

    @pytest.fixture
    async def talk(self, alice: Any, door: Any) -> Any:
        """A session that keeps its items for a day: one is overdue, one is not."""
        session = alice.session("talk")
        await session.expire(DAY)
        await session.append([said("The harbour master likes marmalade.")], keys=["first"])
        door.clock.at += timedelta(hours=20)
        await session.append([said("The lighthouse keeper likes honey.")])
        assert (await session.info()).count == 2
        door.clock.at += timedelta(hours=5)
        return session

    async def test_what_is_overdue_is_in_no_view_of_the_log(self, talk: Any) -> None:
        left = [said("The lighthouse keeper likes honey.")]
        assert await talk.get_items() == await talk.get_items(10) == await talk.window() == left
        page = await talk.items()
        assert ([item.body for item in page], page.total) == (left, 1)
        assert (await talk.info()).count == (await talk.head()).count == 1
        assert await talk.item("first") is None
        assert await talk.versions("first") == []

    @pytest.mark.parametrize("verb", ["get_items", "window", "info", "head", "items", "export", "tools_used"])
    async def test_each_verb_alone_shows_nothing_of_it(self, talk: Any, verb: str) -> None:
        assert "marmalade" not in str(await getattr(talk, verb)())
        assert (await talk.info()).count == 1

    async def test_it_is_not_taken_back_and_not_popped_in_the_place_of_what_is_left(
        self, talk: Any, door: Any
    ) -> None:
        assert (await talk.pop_item())["content"] == "The lighthouse keeper likes honey."
        assert await talk.pop_item() is None
        await talk.append([said("One more.")])
        door.clock.at += 2 * DAY
        assert (await talk.undo()).count == 0

    @pytest.mark.usefixtures("talk")
    @pytest.mark.parametrize("verb", ["recall", "context", "timeline", "distill", "consolidate", "sessions"])
    async def test_no_verb_of_the_scope_sees_it(self, alice: Any, verb: str) -> None:
        given: dict[str, Any] = {
            "recall": {"query": "What does the harbour master like?"},
            "context": {"session": "talk", "query": "What does the harbour master like?"},
            "timeline": {"query": "harbour master"},
            "distill": {"session": "talk", "dry_run": True},
        }
        assert "marmalade" not in str(await getattr(alice, verb)(**given.get(verb, {})))
        assert "honey" in str(await alice.recall("Who likes honey?"))
        assert (await alice.sessions())[0].count == 1

    async def test_an_index_that_knew_it_lets_go_of_it(self, alice: Any, door: Any) -> None:
        session = alice.session("talk")
        await session.append([said("The harbour master likes marmalade.")])
        assert len(await alice.recall("marmalade")) == 1
        await session.expire(DAY)
        door.clock.at += 2 * DAY
        assert len(await alice.recall("marmalade")) == 0
        page = await alice.timeline("marmalade")
        assert page.total == 0

    async def test_a_lifetime_that_is_set_late_holds_for_what_is_there(self, alice: Any, door: Any) -> None:
        session = alice.session("talk")
        await session.append([said("old")])
        door.clock.at += 2 * DAY
        await session.append([said("new")])
        assert len(await session.get_items()) == 2
        answer = await session.expire(DAY)
        assert (answer.session, answer.seconds) == ("talk", 86_400.0)
        assert await session.get_items() == [said("new")]

    async def test_what_was_said_long_ago_is_overdue_as_it_comes_in(self, alice: Any, door: Any) -> None:
        session = alice.session("talk")
        await session.expire(DAY)
        await session.append([said("fresh")])
        await session.append([said("stale"), said("fresh, too")], at=[door.clock.at - 2 * DAY, door.clock.at])
        assert await session.get_items() == [said("fresh"), said("fresh, too")]

    async def test_its_key_stays_known_so_that_an_import_does_not_bring_it_back(self, talk: Any) -> None:
        head = await talk.append([said("The harbour master likes marmalade.")], keys=["first"])
        assert (head.known, head.repeated) == (1, True)
        assert len(await talk.get_items()) == 1

    async def test_for_ever_ends_it(self, alice: Any, door: Any) -> None:
        session = alice.session("talk")
        await session.expire(DAY)
        await session.append([said("kept")])
        await session.expire(None)
        door.clock.at += 900 * DAY
        assert await session.get_items() == [said("kept")]
        assert (await session.expiry()).seconds is None
        assert (await session.origins()).ttl is None

    async def test_a_fork_keeps_items_for_as_long(self, talk: Any, door: Any) -> None:
        fork = await talk.fork(None, "fork")
        assert len(await fork.get_items()) == 1
        assert (await fork.expiry()).seconds == DAY.total_seconds()
        door.clock.at += DAY
        assert await fork.get_items() == []

    async def test_other_sessions_and_notes_stay(self, alice: Any, talk: Any) -> None:
        await alice.remember("Likes marmalade.")
        assert (await talk.info()).count == 1
        assert [note.text for note in await alice.notes()] == ["Likes marmalade."]

    async def test_another_process_sees_neither_what_is_overdue_nor_a_copy_of_it(
        self, talk: Any, door: Any
    ) -> None:
        other = self.another(door).scope(agent="concierge", user="alice").session("talk")
        assert len(await other.get_items(10)) == 1
        assert await talk.get_items(10) == await other.get_items(10)
        door.clock.at += DAY
        assert await other.get_items(10) == await talk.get_items(10) == []

    @pytest.mark.usefixtures("talk")
    async def test_an_export_is_without_it_and_says_for_how_long_items_are_kept(
        self, alice: Any, door: Any, memory: Any
    ) -> None:
        found = json.loads(json.dumps(await alice.export()))
        assert "marmalade" not in json.dumps(found)
        assert found["sessions"][0]["expires_after"] == DAY.total_seconds()
        there = memory.scope(agent="concierge", user="bob")
        await there.import_json(found)
        assert len(await there.session("talk").get_items()) == 1
        door.clock.at += DAY
        assert await there.session("talk").get_items() == []

    async def test_it_is_removed_from_the_store_without_anybody_reading(self, memory: Any, talk: Any) -> None:
        assert await memory.purge() == 1
        assert await memory.purge() == 0
        assert (await talk.info()).count == 1

    async def test_summaries_of_it_go_with_it(self, alice: Any, door: Any) -> None:
        session = alice.session("talk")
        await session.expire(DAY)
        await session.append([said("secret")])
        await session.replace(1, said("less secret"))
        assert len(await session.versions(1)) == 1
        door.clock.at += 2 * DAY
        await session.append([said("new")])
        assert await session.versions(1) == []
        assert "secret" not in json.dumps(await session.export())

    @pytest.mark.parametrize("after", [timedelta(0), timedelta(days=-1), 5, "1d", timedelta(days=10**6)])
    async def test_a_lifetime_that_is_none_is_refused(self, alice: Any, after: Any) -> None:
        with pytest.raises(InvalidError) as caught:
            await alice.session("talk").expire(after)
        assert caught.value.facts["argument"] == "after"
        assert await alice.session("talk").info() is None
