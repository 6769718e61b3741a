"""Conformance of the recall index after every kind of change, as a pytest class."""

from __future__ import annotations

import asyncio
from typing import Any

from bethink.testing.doors.fixtures import FaceConformance, texts, user
from bethink.testing.doors.recall import BRANDS, COLOURS
from bethink.testing.faces import FaceOpener, HashingEmbedder


class RecallIndexConformance(FaceConformance):
    """What the index finds after every change, elsewhere, and when it was stored and loaded."""

    async def test_what_was_taken_back_is_not_found(self, alice: Any) -> None:
        talk = alice.session("talk")
        await talk.append([user("The violet umbrella is mine.")])
        await talk.append([user("The orange umbrella is hers.")])
        assert len(await alice.recall("umbrella")) == 2
        await talk.undo()
        assert texts(await alice.recall("umbrella")) == ["The violet umbrella is mine."]
        await talk.append([user("The yellow umbrella is new.")])
        assert len(await alice.recall("umbrella")) == 2
        await talk.pop_item()
        assert len(await alice.recall("umbrella")) == 1
        await talk.clear()
        assert len(await alice.recall("umbrella")) == 0
        await talk.append([user("The silver umbrella is broken.")])
        await talk.delete()
        assert len(await alice.recall("umbrella")) == 0

    async def test_a_revised_note_is_found_by_its_new_words_alone(self, door: FaceOpener) -> None:
        alice = door.open(embedder=None).scope(user="alice")
        note = await alice.remember("Plays the oboe.")
        assert len(await alice.recall("oboe")) == 1
        await alice.revise(note.id, "Plays the viola.")
        assert len(await alice.recall("oboe")) == 0
        assert texts(await alice.recall("viola")) == ["Plays the viola."]

    async def test_another_memory_sees_every_change_at_once(self, door: FaceOpener, alice: Any) -> None:
        note = await alice.remember("The spare key is under the mat.")
        other = self.another(door).scope(agent="concierge", user="alice")
        assert len(await other.recall("spare key")) == 1
        await alice.forget(note.id)
        assert len(await other.recall("spare key")) == 0
        await other.session().append([user("The spare key is with Ben.")])
        assert texts(await alice.recall("spare key")) == ["The spare key is with Ben."]
        await other.session().clear()
        assert len(await alice.recall("spare key")) == 0

    async def test_an_index_that_was_stored_and_loaded_ranks_as_before(self, door: FaceOpener) -> None:
        from bethink.settings import Settings

        settings = Settings(index_batch=8)
        memory = self.another(door, settings=settings)
        alice = memory.scope(user="alice")
        ids = [
            (await alice.remember(f"{colour} {brand} number {n}", category="daily" if n % 3 else "core")).id
            for n, (colour, brand) in enumerate(_pairs())
        ]
        await alice.recall("red")
        await alice.session("talk").append([user(f"we rode the {brand}") for brand in BRANDS])
        await alice.recall("red")
        for id_ in ids[::4]:
            await alice.forget(id_)
        await alice.revise(ids[1], "turquoise Bianchi number 1")
        await alice.session("talk").undo(2)
        await alice.recall("red")
        questions = ["red Bianchi", "number 7", "turquoise", "who rode the Trek"]

        async def answers(scope: Any) -> list[list[tuple[str, float]]]:
            return [
                [(hit.text, round(hit.score, 6)) for hit in await scope.recall(question, limit=30, **options)]
                for question in questions
                for options in ({}, {"category": "daily"}, {"kinds": ["item"]})
            ]

        before = await answers(alice)
        assert await answers(self.another(door, settings=settings).scope(user="alice")) == before
        assert await answers(self.another(door).scope(user="alice")) == before
        await memory.close()
        assert await answers(self.another(door, settings=settings).scope(user="alice")) == before

    async def test_another_embedder_makes_its_vectors_while_words_are_searched(
        self, door: FaceOpener
    ) -> None:
        from bethink.settings import Settings

        settings = Settings(index_batch=4)
        memory = self.another(door, settings=settings)
        for colour in COLOURS:
            await memory.scope(user="alice").remember(f"The door is {colour}.")
        assert len(await memory.scope(user="alice").recall("green door")) == 5
        await memory.close()
        gate = asyncio.Event()
        slow = _Gated("slow", asyncio.get_running_loop(), gate)
        memory = self.another(door, settings=settings, embedder=slow)
        alice = memory.scope(user="alice")
        during = await alice.recall("green door")
        assert during.degraded
        assert during[0].text == "The door is green."
        gate.set()
        await memory.close()
        memory = self.another(door, settings=settings, embedder=HashingEmbedder("slow"))
        after = await memory.scope(user="alice").recall("green door")
        assert after.degraded == ()
        assert after[0].text == "The door is green."

    async def test_indexes_stay_within_their_memory(self, door: FaceOpener) -> None:
        from bethink.settings import Settings

        memory = door.open(settings=Settings(index_megabytes=0))
        for number in range(4):
            await memory.scope(user=f"user-{number}").remember(f"Likes number {number}.")
        for number in (0, 1, 2, 3, 0, 1):
            found = await memory.scope(user=f"user-{number}").recall("likes number")
            assert texts(found) == [f"Likes number {number}."]


def _pairs() -> list[tuple[str, str]]:
    return [(colour, brand) for colour in COLOURS for brand in BRANDS]


class _Gated(HashingEmbedder):
    """An embedder that embeds more than one text only once a gate is open."""

    def __init__(self, salt: str, loop: asyncio.AbstractEventLoop, gate: asyncio.Event) -> None:
        super().__init__(salt)
        self._loop = loop
        self._gate = gate

    def embed(self, texts: Any) -> Any:
        if len(texts) > 1:
            asyncio.run_coroutine_threadsafe(self._gate.wait(), self._loop).result()
        return super().embed(texts)
