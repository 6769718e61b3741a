"""Conformance of a store, as pytest classes that need a `store` fixture.

class TestMine(StorageConformance):
    @pytest.fixture
    async def store(self): ...
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from bethink.errors import ClosedError, ConflictError, StorageError
from bethink.storage.stores import AwaitedStore, BlockingStore, run
from bethink.testing.marks import ask, gated, look_twice, mark, mark_many, mark_then_raise, marks

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.storage.work import Work

_BLOCK = """insert into passage_blocks (tenant_id, scope_id, block_id, embedder, revision, passages, payload)
values (:tenant, 1, :block, :embedder, :revision, 0, :payload)"""
_BLOCKS = """select embedder, revision, payload from passage_blocks
where tenant_id = :tenant and scope_id = 1 order by block_id"""
_OPTIONAL = """insert into sessions (tenant_id, scope_id, session_id, name, title, head, count, revision, distilled,
  metadata, created_at, updated_at) values (:tenant, 1, :id, :name, :title, 0, 0, 0, 0, '{}', 0, 0)"""
_OPTIONALS = "select name, title from sessions where tenant_id = :tenant and scope_id = 1 order by name"


class Conformance:
    """What all suites share: each test asks for a `store`, which whoever runs them provides empty."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"


class StorageConformance(Conformance):
    """Transactions, groups, cancellation, order and the end of a driver."""

    async def test_a_write_is_seen_by_the_next_read(self, store: AwaitedStore) -> None:
        assert await store.write(mark, "one") == 1
        assert await store.read(marks) == ["one"]

    async def test_a_unit_that_yields_nothing_returns_its_result(self, store: AwaitedStore) -> None:
        assert await store.write(mark) == 0

    async def test_units_started_together_all_take_effect(self, store: AwaitedStore) -> None:
        names = [f"{number:03}" for number in range(300)]
        assert await asyncio.gather(*(store.write(mark, name) for name in names)) == [1] * 300
        assert await store.read(marks) == names

    async def test_a_unit_that_raises_writes_nothing_and_its_error_arrives(self, store: AwaitedStore) -> None:
        error = ConflictError("changed", expected=1, actual=2)
        with pytest.raises(ConflictError) as caught:
            await store.write(mark_then_raise, "gone", error)
        assert caught.value is error
        assert await store.read(marks) == []

    async def test_a_failing_unit_leaves_those_beside_it_alone(self, store: AwaitedStore) -> None:
        def one(number: int) -> Work[int]:
            if number % 3 == 0:
                return mark_then_raise(f"{number:03}", ValueError(str(number)))  # pyright: ignore[reportReturnType]
            return mark(f"{number:03}")

        outcomes = await asyncio.gather(
            *(store.write(one, number) for number in range(90)), return_exceptions=True
        )
        assert [str(each) for each in outcomes[::3]] == [str(number) for number in range(0, 90, 3)]
        assert await store.read(marks) == [f"{number:03}" for number in range(90) if number % 3]

    async def test_a_refused_statement_spoils_its_own_unit_alone(self, store: AwaitedStore) -> None:
        await store.write(mark, "taken")
        outcomes = await asyncio.gather(
            *(store.write(mark, f"{number:03}", *["taken"] * (number == 20)) for number in range(40)),
            return_exceptions=True,
        )
        (refused,) = [each for each in outcomes if isinstance(each, BaseException)]
        assert isinstance(refused, StorageError)
        assert refused.outcome == "none"
        assert await store.read(marks) == [f"{number:03}" for number in range(40) if number != 20] + ["taken"]

    async def test_an_error_quotes_nothing_that_is_stored(self, store: AwaitedStore) -> None:
        await store.write(mark, "a secret of hers")
        with pytest.raises(StorageError) as caught:
            await store.write(mark, "a secret of hers")
        chain: BaseException | None = caught.value
        while chain is not None:
            assert "secret" not in f"{chain} {vars(chain)}"
            chain = chain.__cause__

    async def test_a_statement_that_makes_no_sense_is_a_storage_error(self, store: AwaitedStore) -> None:
        with pytest.raises(StorageError) as caught:
            await store.write(ask, "select nothing from nowhere where tenant_id = :tenant")
        assert caught.value.outcome == "none"
        assert await store.write(mark, "after") == 1

    async def test_the_same_unit_may_be_run_again_from_the_start(self, store: AwaitedStore) -> None:
        unit = partial(mark, "again")
        await store.write(unit)
        with pytest.raises(StorageError):
            await store.write(unit)
        await store.write(ask, "delete from tombstones where tenant_id = :tenant and kind = 'mark'")
        assert await store.write(unit) == 1

    async def test_a_cancelled_write_is_applied_wholly_or_not_at_all(self, store: AwaitedStore) -> None:
        for round_ in range(60):
            names = [f"{round_:03}{part}" for part in "abc"]
            task = asyncio.create_task(store.write(mark, *names))
            for _ in range(round_ % 6):
                await asyncio.sleep(0)
            task.cancel()
            cancelled = False
            try:
                await task
            except asyncio.CancelledError:
                cancelled = True
            there = [name for name in await store.read(marks) if name in names]
            assert there in ([], names)
            assert cancelled or there == names

    async def test_once_a_cancelled_write_has_ended_its_outcome_is_settled(self, store: AwaitedStore) -> None:
        gate = threading.Event()
        task = asyncio.create_task(store.write(gated, gate, "held"))
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.sleep(0)
        gate.set()
        with suppress(asyncio.CancelledError):
            await task
        settled = await store.read(marks)
        assert settled in ([], ["held"])
        assert await store.read(marks) == settled

    async def test_a_withdrawn_write_never_runs(self, store: AwaitedStore) -> None:
        gate = threading.Event()
        runs: list[str] = []

        def noticed() -> Work[int]:
            runs.append("run")
            return (yield from mark("withdrawn"))

        # More than any store runs at once, so that what comes after has to wait.
        holders = [asyncio.create_task(store.write(gated, gate, f"held {n:03}")) for n in range(300)]
        await asyncio.sleep(0)
        task = asyncio.create_task(store.write(noticed))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.sleep(0)
        gate.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.gather(*holders)
        assert runs == []
        assert "withdrawn" not in await store.read(marks)

    async def test_a_caller_finds_its_writes_in_their_order(self, store: AwaitedStore) -> None:
        seen: list[list[str]] = []
        for number in range(20):
            await store.write(mark, f"{number:02}")
            seen.append(await store.read(marks))
        assert seen == [[f"{n:02}" for n in range(number + 1)] for number in range(20)]

    async def test_a_unit_reads_what_it_wrote(self, store: AwaitedStore) -> None:
        def write_and_read() -> Work[list[str]]:
            yield from mark("mine")
            return (yield from marks())

        assert await store.write(write_and_read) == ["mine"]

    async def test_a_reading_unit_sees_one_moment(self, store: AwaitedStore) -> None:
        await store.write(mark, "before")
        first, between = threading.Event(), threading.Event()
        reading = asyncio.create_task(store.read(look_twice, first, between))
        await asyncio.to_thread(first.wait, 30)
        writing = asyncio.create_task(store.write(mark, "later"))
        writing.add_done_callback(lambda _: between.set())
        assert await reading == (["before"], ["before"])
        await writing
        assert await store.read(marks) == ["before", "later"]

    async def test_a_reading_unit_cannot_write(self, store: AwaitedStore) -> None:
        with pytest.raises(StorageError):
            await store.read(mark, "sly")
        await store.write(mark, "honest")
        assert await store.read(marks) == ["honest"]

    async def test_one_statement_writes_many_rows(self, store: AwaitedStore) -> None:
        names = [f"{number:05}" for number in range(2_000)]
        assert await store.write(mark_many, names) == 2_000
        assert await store.read(marks) == names

    async def test_one_bad_row_of_many_spoils_them_all(self, store: AwaitedStore) -> None:
        with pytest.raises(StorageError):
            await store.write(mark_many, ["a", "b", "a"])
        assert await store.read(marks) == []

    async def test_values_come_back_equal(self, store: AwaitedStore) -> None:
        values = [
            ("", 0, b""),
            ("plain", (1 << 62) + 1, bytes(range(256))),
            ('it\'s; "quoted" \\ and %s :name /* for update */ $1', -(1 << 62), b"\x00" * 1000),
            ("Grüße, 東京, 🦜, \u200bé é", 1, "🦜".encode()),
            ("x" * 1_000_000, 2, b"\xff" * 1_000_000),
        ]
        for block, (text, number, payload) in enumerate(values):
            await store.write(ask, _BLOCK, block=block, embedder=text, revision=number, payload=payload)
        assert await store.read(ask, _BLOCKS) == values

    async def test_an_absent_value_stays_absent(self, store: AwaitedStore) -> None:
        await store.write(ask, _OPTIONAL, id=1, name="a", title=None)
        await store.write(ask, _OPTIONAL, id=2, name="b", title="")
        assert await store.read(ask, _OPTIONALS) == [("a", None), ("b", "")]

    async def test_text_is_ordered_by_its_bytes(self, store: AwaitedStore) -> None:
        names = ["b", "A", "é", "a", "Z", "_", "B", "10", "9", "東", "a b", "a-b", "ab"]
        await store.write(mark, *names)
        assert await store.read(marks) == sorted(names, key=str.encode)

    async def test_a_long_list_arrives_whole(self, store: AwaitedStore) -> None:
        names = [f"{number:06}" for number in range(20_000)]
        await store.write(mark_many, names)
        assert await store.read(marks) == names

    async def test_the_blocking_face_runs_the_same_units(self, store: AwaitedStore) -> None:
        blocking = BlockingStore(store.driver)

        def script(name: str) -> list[str]:
            run(blocking.write(mark, name))
            with pytest.raises(ValueError, match="no"):
                run(blocking.write(mark_then_raise, "gone", ValueError("no")))
            return run(blocking.read(marks))

        assert await asyncio.to_thread(script, "in a thread") == ["in a thread"]
        assert script("in this thread") == await store.read(marks)

    async def test_threads_and_tasks_write_beside_one_another(self, store: AwaitedStore) -> None:
        blocking = BlockingStore(store.driver)

        def script(thread: int) -> None:
            for number in range(20):
                run(blocking.write(mark, f"t{thread}-{number:02}"))

        threads = [asyncio.to_thread(script, thread) for thread in range(4)]
        tasks = [store.write(mark, f"task-{number:02}") for number in range(40)]
        await asyncio.gather(*threads, *tasks)
        assert len(await store.read(marks)) == 120

    async def test_a_thousand_handles_share_the_threads_of_one_driver(self, store: AwaitedStore) -> None:
        before = threading.active_count()
        handles = [AwaitedStore(store.driver) for _ in range(1_000)]
        await asyncio.gather(*(handle.write(mark, f"{n:04}") for n, handle in enumerate(handles)))
        assert len(await store.read(marks)) == 1_000
        assert threading.active_count() - before <= 16

    async def test_closing_finishes_what_was_accepted(self, store: AwaitedStore) -> None:
        accepted = [asyncio.create_task(store.write(mark, f"{number:03}")) for number in range(200)]
        await asyncio.sleep(0)
        await asyncio.to_thread(store.driver.close)
        assert await asyncio.gather(*accepted) == [1] * 200

    async def test_after_closing_every_verb_is_refused(self, store: AwaitedStore) -> None:
        await store.write(mark, "before")
        store.driver.close()
        store.driver.close()
        verbs: list[Callable[[], Any]] = [
            lambda: run(BlockingStore(store.driver).write(mark, "after")),
            lambda: run(BlockingStore(store.driver).read(marks)),
        ]
        for verb in verbs:
            with pytest.raises(ClosedError):
                verb()
        with pytest.raises(ClosedError):
            await store.write(mark, "after")
        with pytest.raises(ClosedError):
            await store.read(marks)
