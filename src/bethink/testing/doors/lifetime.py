"""Conformance of opening and closing memories, as a pytest class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bethink.errors import (
    ClosedError,
)
from bethink.testing.doors.fixtures import FaceConformance, texts, user

if TYPE_CHECKING:
    from bethink.testing.faces import FaceOpener


class LifetimeConformance(FaceConformance):
    """Opening and closing."""

    async def test_after_close_every_handle_is_closed(self, memory: Any, alice: Any) -> None:
        await alice.remember("x y")
        await memory.close()
        await memory.close()
        for attempt in (
            alice.remember("x y"),
            alice.notes(),
            alice.recall("x"),
            alice.session().append([user("x")]),
            alice.session().add_items([]),
            alice.session().get_items(),
        ):
            with pytest.raises(ClosedError):
                await attempt

    async def test_a_memory_is_closed_at_the_end_of_its_block(self, door: FaceOpener) -> None:
        async with door.open() as memory:
            await memory.scope().remember("x y")
        with pytest.raises(ClosedError):
            await memory.scope().notes()

    async def test_what_was_acknowledged_is_there_when_opened_again(
        self, door: FaceOpener, memory: Any
    ) -> None:
        await memory.scope().remember("kept")
        again = self.another(door)
        await memory.close()
        assert texts(await again.scope().notes()) == ["kept"]

    async def test_a_memory_never_shows_a_password(self, door: FaceOpener) -> None:
        memory = door.open()
        assert "://" not in repr(memory) or "@" not in repr(memory).split("://")[1]
        assert door.tenant in repr(memory)
