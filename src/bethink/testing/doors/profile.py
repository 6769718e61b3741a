"""Conformance of the profile, as a pytest class."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bethink.errors import (
    ConflictError,
)
from bethink.testing.doors.fixtures import FaceConformance, outcomes

if TYPE_CHECKING:
    from bethink.testing.faces import FaceOpener


class ProfileConformance(FaceConformance):
    """Profile and records."""

    async def test_a_profile_grows_by_versions_and_each_field_says_where_it_came_from(
        self, alice: Any, door: FaceOpener
    ) -> None:
        first = await alice.profile.update({"home_city": "Lyon", "seat": {"long": "aisle"}})
        between = door.clock.advance(hours=1)
        second = await alice.profile.update({"seat": {"short": "window"}}, source="user")
        assert (first.version, second.version) == (1, 2)
        assert second.fields == {"home_city": "Lyon", "seat": {"long": "aisle", "short": "window"}}
        assert second.provenance["home_city"].source == "system"
        assert "user" in {each.source for each in second.provenance.values()}
        assert await alice.profile.get() == second
        assert await alice.profile.get(as_of=between) == first
        assert await alice.profile.history() == [first, second]

    async def test_none_removes_a_field_and_the_same_again_makes_no_version(self, alice: Any) -> None:
        at = datetime(2025, 6, 1, tzinfo=UTC)
        await alice.profile.update({"a": 1, "b": 2}, at=at)
        assert (await alice.profile.update({"a": 1}, at=at)).version == 1
        assert (await alice.profile.update({"a": None})).fields == {"b": 2}

    async def test_older_knowledge_does_not_replace_newer(self, alice: Any) -> None:
        await alice.profile.update({"city": "Lille"}, at=datetime(2025, 6, 1, tzinfo=UTC))
        late = await alice.profile.update({"city": "Lyon"}, at=datetime(2025, 1, 1, tzinfo=UTC))
        assert late.fields == {"city": "Lille"}

    async def test_of_two_updates_of_one_version_exactly_one_wins(self, alice: Any) -> None:
        won, lost = await outcomes(
            alice.profile.update({"city": "Lyon"}, expected=0),
            alice.profile.update({"city": "Lille"}, expected=0),
        )
        assert [type(error) for error in lost] == [ConflictError]
        assert (await alice.profile.get()) == won[0]

    async def test_records_are_listed_most_recent_first(self, alice: Any) -> None:
        for day in (3, 1, 2):
            await alice.records.add("Trip", {"day": day}, at=datetime(2025, 6, day, tzinfo=UTC))
        assert [record.value["day"] for record in await alice.records.latest("trip", 2)] == [3, 2]
        assert await alice.records.latest("order") == []
