"""Conformance of turns, as a pytest class."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bethink.errors import (
    ClosedError,
    ConflictError,
)
from bethink.testing.doors.fixtures import FaceConformance, call, outcomes, result, user


class TurnsConformance(FaceConformance):
    """A turn: stored whole when it succeeded, or not at all."""

    @pytest.fixture
    def talk(self, alice: Any) -> Any:
        return alice.session("talk")

    async def test_a_turn_reads_its_own_writes_and_others_see_them_after_it(self, talk: Any) -> None:
        await talk.append([user("before")])
        async with talk.turn() as turn:
            await turn.add_items([user("one"), call(1)])
            await turn.append([result(1)])
            assert await turn.get_items() == [user("before"), user("one"), call(1), result(1)]
            assert await turn.get_items(2) == [call(1), result(1)]
            assert await turn.get_items(4) == await turn.get_items(99)
            assert await turn.get_items(0) == []
            assert await talk.get_items() == [user("before")]
        assert await talk.get_items() == [user("before"), user("one"), call(1), result(1)]
        assert turn.head == await talk.head()
        assert turn.session_id == "talk"

    async def test_a_turn_that_fails_leaves_an_attempt_and_nothing_else(self, talk: Any) -> None:
        await talk.append([user("before")])
        with pytest.raises(TimeoutError):  # noqa: PT012 - the error is raised inside the turn
            async with talk.turn() as turn:
                await turn.append([user("secret plan"), call(1, "pay_bill")])
                raise TimeoutError
        assert await talk.get_items() == [user("before")]
        (attempt,) = await talk.attempts()
        assert (attempt.error, attempt.calls) == ("TimeoutError", ("pay_bill",))
        assert "secret plan" not in repr(attempt)

    async def test_a_turn_takes_back_what_it_said_and_what_was_said_before(self, talk: Any) -> None:
        await talk.append([user("one"), user("two"), user("three")])
        async with talk.turn() as turn:
            await turn.append([user("four")])
            assert await turn.pop_item() == user("four")
            assert await turn.pop_item() == user("three")
            assert await turn.get_items(1) == [user("two")]
            assert await turn.pop_item() == user("two")
            await turn.append([user("five")])
            assert await turn.get_items() == [user("one"), user("five")]
            assert len(await talk.get_items()) == 3
        assert await talk.get_items() == [user("one"), user("five")]

    async def test_a_turn_that_clears_commits_at_once_what_comes_instead(self, talk: Any) -> None:
        await talk.append([user("one"), user("two")])
        async with talk.turn() as turn:
            await turn.clear_session()
            assert await turn.get_items() == []
            assert await turn.pop_item() is None
            await turn.append([user("summary")])
            assert await talk.get_items() == [user("one"), user("two")]
        assert await talk.get_items() == [user("summary")]

    @pytest.mark.parametrize("removes", [False, True])
    async def test_a_turn_conflicts_with_a_writer_that_came_between(self, talk: Any, removes: bool) -> None:
        await talk.append([user("one")])
        with pytest.raises(ConflictError):  # noqa: PT012 - raised at the end of the turn
            async with talk.turn() as turn:
                await turn.append([user("mine")])
                if removes:
                    await turn.clear_session()
                await talk.append([user("theirs")])
        assert await talk.get_items() == [user("one"), user("theirs")]

    async def test_of_two_turns_at_once_exactly_one_is_stored(self, talk: Any) -> None:
        await talk.append([user("before")])

        async def take(text: str) -> str:
            async with talk.turn() as turn:
                await turn.append([user(text)])
                await both.wait()
            return text

        both = asyncio.Barrier(2)
        won, lost = await outcomes(take("left"), take("right"))
        assert [type(error) for error in lost] == [ConflictError]
        assert await talk.get_items() == [user("before"), user(won[0])]

    async def test_a_turn_is_used_once_and_inside_its_block(self, talk: Any) -> None:
        turn = talk.turn()
        with pytest.raises(ClosedError):
            await turn.append([user("early")])
        async with turn:
            pass
        with pytest.raises(ClosedError):
            await turn.get_items()
        with pytest.raises(ClosedError):
            async with turn:
                pass
        assert await talk.info() is None

    async def test_what_a_turn_reads_is_fresh(self, talk: Any) -> None:
        async with talk.turn() as turn:
            await turn.append([user("one")])
            (await turn.get_items())[0]["content"] = "changed"
            assert await turn.get_items() == [user("one")]
