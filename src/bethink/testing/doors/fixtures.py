"""Fixtures of the API conformance: the face, two users, and their sessions."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from bethink.scope.values import Principal
from bethink.testing.faces import FaceOpener

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

ALICE = Principal("alice")
BOB = Principal("bob")


def user(text: str) -> dict[str, Any]:
    """Return what a user says."""
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    """Return what an assistant says."""
    return {"role": "assistant", "content": text}


def call(number: int, name: str = "look_up") -> dict[str, Any]:
    """Return the call of a tool."""
    return {"type": "function_call", "call_id": f"call_{number}", "name": name, "arguments": "{}"}


def result(number: int) -> dict[str, Any]:
    """Return the result of a tool."""
    return {"type": "function_call_output", "call_id": f"call_{number}", "output": "done"}


def texts(found: Any) -> list[str]:
    """Return the texts of notes or hits, in order."""
    return [each.text for each in found]


async def pages(verb: Any, **options: Any) -> tuple[list[Any], set[int]]:
    """Return every entry of a list, page by page, and the totals that the pages named."""
    entries: list[Any] = []
    totals: set[int] = set()
    cursor = None
    while True:
        page = await verb(**options, cursor=cursor)
        entries += page
        totals.add(page.total)
        cursor = page.next
        if cursor is None:
            return entries, totals


async def outcomes(*waiting: Any) -> tuple[list[Any], list[BaseException]]:
    """Await verbs together, and return what succeeded and what was raised."""
    settled = await asyncio.gather(*waiting, return_exceptions=True)
    return (
        [each for each in settled if not isinstance(each, BaseException)],
        [each for each in settled if isinstance(each, BaseException)],
    )


class FaceConformance:
    """What all doors share: a door, a memory, and Alice's scope in it."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @pytest.fixture
    async def door(self, face: str, url: str, tenant: str, anyio_backend: str) -> AsyncGenerator[FaceOpener]:  # noqa: ARG002 - the fixture is a coroutine
        door = FaceOpener(face, url, tenant)
        yield door
        await door.close()

    @pytest.fixture
    def memory(self, door: FaceOpener) -> Any:
        return door.open()

    @pytest.fixture
    def alice(self, memory: Any) -> Any:
        return memory.scope(agent="concierge", user="alice")

    def another(self, door: FaceOpener, **options: Any) -> Any:
        """Return a second memory on the same database."""
        if not door.many:
            pytest.skip("a database in memory has one owner")
        return door.open(**options)
