"""Conformance of pools and teams, as a pytest class."""

from __future__ import annotations

from typing import Any

import pytest

from bethink.errors import (
    ConflictError,
    DeniedError,
    InvalidError,
    NotFoundError,
)
from bethink.scope.values import Principal
from bethink.testing.doors.fixtures import ALICE, BOB, FaceConformance, outcomes, texts, user
from bethink.testing.doors.scopes import ScopesApiConformance
from bethink.testing.doors.verb_arguments import HANDLES, VERBS, arguments


class SharesConformance(FaceConformance):
    """Pools and teams: registered, granted, and nothing by declaration."""

    @pytest.fixture(params=["pool", "team"])
    def kind(self, request: pytest.FixtureRequest) -> str:
        return request.param

    @pytest.fixture
    def register(self, memory: Any, kind: str) -> Any:
        return memory.pools if kind == "pool" else memory.teams

    def shared(self, memory: Any, kind: str, name: str = "docs") -> Any:
        return memory.pool(name) if kind == "pool" else memory.team(name)

    async def test_what_is_not_registered_is_not_there_even_for_the_application(
        self, memory: Any, kind: str
    ) -> None:
        for asking in (memory, memory.acting_as(ALICE)):
            scope = self.shared(asking, kind)
            for attempt in (
                scope.remember("x y"),
                scope.recall("x"),
                scope.notes(),
                scope.session().append([user("x")]),
            ):
                with pytest.raises(NotFoundError) as caught:
                    await attempt
                assert (caught.value.kind, caught.value.id) == (kind, "docs")

    async def test_a_name_is_registered_once(self, register: Any) -> None:
        share = await register.create("docs", owner="alice")
        assert (share.name, share.owner, share.grants) == ("docs", "alice", ())
        with pytest.raises(ConflictError):
            await register.create("docs", owner="bob")
        assert (await register.get("docs")).owner == "alice"

    async def test_a_name_claimed_by_two_at_once_belongs_to_one(self, register: Any) -> None:
        won, lost = await outcomes(*(register.create("docs", owner=owner) for owner in ("alice", "bob")))
        assert [type(error) for error in lost] == [ConflictError]
        assert (await register.get("docs")).owner == won[0].owner

    async def test_a_declaration_gives_no_right(self, memory: Any, kind: str, register: Any) -> None:
        await register.create("docs", owner="alice")
        await self.shared(memory.acting_as(ALICE), kind).remember("We ship on Fridays.")
        theirs = self.shared(memory.acting_as(BOB), kind)
        for attempt in (theirs.recall("ship"), theirs.remember("x y"), theirs.forget("x"), theirs.export()):
            with pytest.raises(DeniedError):
                await attempt

    @pytest.mark.parametrize("to", ["bob", "group:staff", "*"])
    async def test_a_grant_gives_what_it_names_and_no_more(
        self, memory: Any, kind: str, register: Any, to: str
    ) -> None:
        await register.create("docs", owner="alice")
        shared = self.shared(memory.acting_as(ALICE), kind)
        note = await shared.remember("We ship on Fridays.")
        theirs = self.shared(memory.acting_as(Principal("bob", ("staff",))), kind)
        own = memory.acting_as(ALICE).pools if kind == "pool" else memory.acting_as(ALICE).teams
        await own.grant("docs", to, "read")
        assert texts(await theirs.recall("when do we ship")) == ["We ship on Fridays."]
        for attempt in (theirs.remember("x y"), theirs.revise(note.id, "x y"), theirs.forget(note.id)):
            with pytest.raises(DeniedError) as caught:
                await attempt
        assert caught.value.right == "delete"
        await own.grant("docs", to, ["read", "write"])
        await theirs.remember("We test on Mondays.")
        with pytest.raises(DeniedError):
            await theirs.forget(note.id)
        await own.grant("docs", to, [])
        with pytest.raises(DeniedError):
            await theirs.recall("ship")

    async def test_a_group_of_another_name_gets_nothing(self, memory: Any, kind: str, register: Any) -> None:
        await register.create("docs", owner="alice")
        await register.grant("docs", "group:staff", "read")
        for principal in (BOB, Principal("group:staff"), Principal("staff"), Principal("x", ("Staff",))):
            with pytest.raises(DeniedError):
                await self.shared(memory.acting_as(principal), kind).notes()

    async def test_a_reader_changes_nothing_through_any_verb(
        self, memory: Any, kind: str, register: Any
    ) -> None:
        await register.create("docs", owner="alice")
        await register.grant("docs", "bob", "read")
        shared = self.shared(memory, kind)
        await ScopesApiConformance().fill(shared)
        before = await shared.export()
        for handles, verb in VERBS:
            handle = HANDLES[handles](self.shared(memory.acting_as(BOB), kind))
            _, errors = await outcomes(getattr(handle, verb)(**arguments(handles, verb)))
            assert all(isinstance(error, DeniedError | NotFoundError) for error in errors), (verb, errors)
            assert await shared.export() == before, verb

    async def test_only_who_administers_may_grant_or_remove(
        self, memory: Any, kind: str, register: Any
    ) -> None:
        await register.create("docs", owner="alice")
        await register.grant("docs", "bob", ["read", "write", "delete"])
        bobs = memory.acting_as(BOB).pools if kind == "pool" else memory.acting_as(BOB).teams
        for attempt in (bobs.grant("docs", "bob", "admin"), bobs.remove("docs")):
            with pytest.raises(DeniedError):
                await attempt
        with pytest.raises(DeniedError):
            await bobs.create("more", owner="alice")
        assert (await bobs.create("more", owner="bob")).owner == "bob"
        await bobs.remove("more")
        with pytest.raises(NotFoundError):
            await bobs.get("more")
        with pytest.raises(NotFoundError):
            await register.grant("more", "bob", "read")

    async def test_a_caller_lists_what_it_may_read(self, memory: Any, kind: str, register: Any) -> None:
        for name, owner in (("a", "alice"), ("b", "bob"), ("c", "carol")):
            await register.create(name, owner=owner)
        await register.grant("c", "bob", "read")
        bobs = memory.acting_as(BOB).pools if kind == "pool" else memory.acting_as(BOB).teams
        assert [share.name for share in await bobs.all()] == ["b", "c"]
        assert [share.name for share in await register.all()] == ["a", "b", "c"]
        with pytest.raises(DeniedError):
            await bobs.get("a")

    async def test_a_pool_that_holds_something_is_not_removed(
        self, memory: Any, kind: str, register: Any
    ) -> None:
        await register.create("docs", owner="alice")
        await self.shared(memory, kind).remember("We ship on Fridays.")
        with pytest.raises(ConflictError):
            await register.remove("docs")
        assert len(await self.shared(memory, kind).recall("ship")) == 1

    @pytest.mark.parametrize(
        "name", ["agent:bot:u:alice", "%61gent:bot", "x:u:alice", "team:x", "a" * 300, ""]
    )
    async def test_a_pool_cannot_be_named_like_somebodys_memory(self, memory: Any, name: str) -> None:
        with pytest.raises(InvalidError):
            memory.pool(name)
        with pytest.raises(InvalidError):
            await memory.pools.create(name, owner="mallory")
