"""Conformance of scopes (who sees what), as a pytest class."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from bethink.errors import (
    ConflictError,
    DeniedError,
    InvalidError,
    NotFoundError,
)
from bethink.memory.memory import AsyncMemory
from bethink.memory.turn import AsyncTurn
from bethink.scope.values import Principal
from bethink.testing.doors.fixtures import ALICE, BOB, FaceConformance, outcomes, texts, user
from bethink.testing.doors.verb_arguments import HANDLES, VERBS, arguments, directory
from bethink.testing.faces import FaceOpener, verbs


class ScopesApiConformance(FaceConformance):
    """Who sees what: two users, two tenants and two agents never meet, through any verb."""

    @pytest.fixture
    async def secret(self, memory: Any) -> Any:
        """Alice's scope with one of everything in it."""
        scope = memory.scope(agent="concierge", user="alice")
        await self.fill(scope)
        return scope

    async def fill(self, scope: Any) -> None:
        """Write one of everything."""
        await scope.remember("The marmalade is in the cellar.", key="secret")
        await scope.revise("secret", "The marmalade is in the attic.")
        await scope.session("secret-talk").append([user("Do not touch the marmalade.")])
        await scope.session("secret-talk").remember("She is making marmalade today.")
        await scope.profile.update({"favourite": "marmalade"})
        await scope.records.add("trip", {"carried": "marmalade"}, at=datetime(2026, 1, 1, tzinfo=UTC))
        space = scope.workspace(directory())
        await space.record("Do not touch the marmalade.", final_output="I shall not.")
        await space.close()

    async def test_a_principal_is_denied_every_verb_of_another_users_scope(
        self, memory: Any, secret: Any
    ) -> None:
        before = await secret.export()
        for kind, verb in VERBS:
            theirs = HANDLES[kind](memory.acting_as(BOB).scope(agent="concierge", user="alice"))
            with pytest.raises(DeniedError) as caught:
                pytest.fail(f"allowed: {verb}: {await getattr(theirs, verb)(**arguments(kind, verb))!r}")
            assert caught.value.principal == "bob"
            assert "marmalade" not in str(caught.value)
        assert await secret.export() == before

    async def test_a_user_finds_nothing_of_another_by_name_or_id(self, memory: Any, secret: Any) -> None:
        await self.meets_nothing(secret, memory.acting_as(BOB).scope(agent="concierge", user="bob"))

    async def test_two_agents_of_one_user_do_not_meet(self, memory: Any, secret: Any) -> None:
        await self.meets_nothing(secret, memory.scope(agent="concierge-2", user="alice"))

    async def test_two_tenants_of_one_database_do_not_meet(self, door: FaceOpener, secret: Any) -> None:
        other = self.another(door, tenant=f"{door.tenant}-other")
        await self.meets_nothing(secret, other.scope(agent="concierge", user="alice"))

    async def meets_nothing(self, secret: Any, other: Any) -> None:
        """Call every verb with every name and id that the other one uses, and find nothing of theirs."""
        before = await secret.export()
        note = await secret.get("secret")
        for word in ("secret", note.id, (await secret.session("secret-talk").items())[0].id):
            for kind, verb in VERBS:
                given_ = arguments(kind, verb, id=word, key_or_id=word)
                answered, errors = await outcomes(getattr(HANDLES[kind](other), verb)(**given_))
                assert all(isinstance(error, NotFoundError | ConflictError) for error in errors), (
                    verb,
                    errors,
                )
                shown = repr((answered, errors))
                assert "marmalade is" not in shown, verb
                assert "Do not touch" not in shown, verb
                assert "favourite" not in shown, verb
        assert await secret.export() == before

    async def test_verbs_of_the_whole_memory_show_and_change_nothing_of_others(
        self, memory: Any, secret: Any
    ) -> None:
        before = await secret.export()
        asking = memory.acting_as(BOB)
        for verb in set(verbs(AsyncMemory)) - {"close"}:
            given_ = {"user": "alice"} if verb == "erase" else {}
            answered, errors = await outcomes(getattr(asking, verb)(**given_))
            assert all(isinstance(error, DeniedError) for error in errors), (verb, errors)
            assert "alice" not in repr(answered), verb
            assert "marmalade" not in repr(answered), verb
        assert await secret.export() == before

    async def test_a_turn_is_denied_as_its_session_is(self, memory: Any, secret: Any) -> None:
        before = await secret.export()
        with pytest.raises(DeniedError):
            async with (
                memory.acting_as(BOB).scope(agent="concierge", user="alice").session("secret-talk").turn()
            ):
                pass
        assert await secret.export() == before
        assert set(verbs(AsyncTurn)) == {"append", "get_items", "add_items", "pop_item", "clear_session"}

    async def test_a_user_may_do_everything_in_the_own_scope(self, memory: Any) -> None:
        mine = memory.acting_as(ALICE).scope(agent="concierge", user="alice")
        await self.fill(mine)
        assert (await mine.export())["profile"]["provenance"]["favourite"]["by"] == "alice"
        await mine.session("secret-talk").delete()
        await mine.forget("secret")

    async def test_an_agents_own_memory_is_the_applications(self, memory: Any) -> None:
        own = memory.scope(agent="concierge")
        await own.remember("Opening hours are nine to five.")
        with pytest.raises(DeniedError):
            await memory.acting_as(ALICE).scope(agent="concierge").recall("opening hours")
        assert len(await own.recall("opening hours")) == 1
        assert len(await memory.scope(agent="concierge", user="alice").recall("opening hours")) == 0

    async def test_acting_as_never_widens(self, memory: Any) -> None:
        narrowed = memory.acting_as(BOB)
        for wider in (ALICE, Principal("bob", admin=True), Principal("bob", ("staff",)), None):
            with pytest.raises(InvalidError):
                narrowed.acting_as(wider)
        with pytest.raises(InvalidError):
            memory.acting_as(None)

    @pytest.mark.parametrize("nobody", ["", "anonymous", "system"])
    async def test_reserved_ids_have_no_rights(self, memory: Any, nobody: str) -> None:
        asking = memory.acting_as(Principal(nobody))
        await memory.pools.create("org:docs", owner="system")
        for scope in (asking.pool("org:docs"), asking.scope(user=nobody or None)):
            with pytest.raises(DeniedError):
                await scope.remember("mine")
        with pytest.raises((DeniedError, InvalidError)):
            await asking.pools.create("org:more", owner="system")

    async def test_an_admin_reaches_everything_of_the_tenant(self, memory: Any, secret: Any) -> None:
        admin = memory.acting_as(Principal("root", admin=True))
        assert await admin.scope(agent="concierge", user="alice").export() == await secret.export()

    async def test_names_that_look_alike_are_kept_apart(self, memory: Any) -> None:
        names = ["alice", "alice:x", "alice%3Ax", "Alice", "ali", "u", "a/b", "a b", "😀"]
        for name in names:
            await memory.scope(agent="bot", user=name).remember(f"I am <{name}>.")
        await memory.scope(agent="bot:u", user="alice").remember("another agent")
        for name in names:
            scope = memory.scope(agent="bot", user=name)
            assert texts(await scope.notes()) == [f"I am <{name}>."]
            same = memory.namespace(str(scope.namespace))
            assert texts(await same.notes()) == [f"I am <{name}>."]

    async def test_a_namespace_is_written_as_the_documents_write_it(self, memory: Any) -> None:
        assert str(memory.scope(agent="concierge", user="alice").namespace) == "agent:concierge:u:alice"
        assert str(memory.pool("org:docs").namespace) == "org:docs"
        assert str(memory.team("research").namespace) == "team:research"
