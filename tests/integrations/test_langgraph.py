"""LangGraph over Bethink: graphs, threads and stores as their users have them."""

import asyncio
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from operator import add
from typing import Annotated, TypedDict

import pytest
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import GetOp, InvalidNamespaceError, PutOp, SearchOp
from langgraph.types import Command, interrupt

from bethink import AsyncMemory, InvalidError, Memory, ModelError
from bethink.integrations.langgraph import BethinkSaver, BethinkStore

pytestmark = pytest.mark.anyio
HOUR = timedelta(hours=1)


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.at = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self):
        return self.at


class State(TypedDict):
    steps: Annotated[list[str], add]
    big: str


def step(state):
    return {"steps": [f"step {len(state['steps'])}"]}


def graph(saver, node=step, state=State):
    made = StateGraph(state)
    made.add_node("step", node)
    made.add_edge(START, "step")
    made.add_edge("step", END)
    return made.compile(checkpointer=saver)


def thread(name, **configurable):
    return {"configurable": {"thread_id": name, **configurable}}


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    return str(tmp_path / "m.db") if request.param == "sqlite" else request.getfixturevalue("postgresql_url")


@pytest.fixture
def memory(url, clock):
    with Memory(url, clock=clock) as memory:
        yield memory


@pytest.fixture
def small(clock):
    with Memory(":memory:", clock=clock) as memory:
        yield memory


# ---- the store ------------------------------------------------------------------------------------------------------


def test_what_was_put_is_found_by_its_meaning_without_a_key(memory):
    store = BethinkStore(memory)
    store.put(("ana", "facts"), "diet", {"text": "Eats no meat at all."})
    store.put(("ana", "facts"), "pet", {"text": "Has a dog named Rex."})
    found = store.search(("ana",), query="vegetarian food")
    assert [item.key for item in found] == ["diet", "pet"]
    assert found[0].score > found[1].score
    assert found[0].namespace == ("ana", "facts")


async def test_both_faces_see_what_the_other_one_put(url):
    async with AsyncMemory(url) as memory:
        store = BethinkStore(memory)
        await store.aput(("a",), "k", {"text": "one"})
        assert (await asyncio.to_thread(store.get, ("a",), "k")).value == {"text": "one"}
        await asyncio.to_thread(store.delete, ("a",), "k")
        assert await store.aget(("a",), "k") is None


def in_a_loop(act):
    """Run something without await in the thread of a running loop; it must come back."""
    found = []

    async def main():
        found.append(act())

    caller = threading.Thread(target=lambda: asyncio.run(main()), daemon=True)
    caller.start()
    caller.join(60)
    assert not caller.is_alive(), "it waits for the loop that it holds up"
    return found[0]


@pytest.mark.parametrize("face", [Memory, AsyncMemory])
def test_a_call_without_await_in_a_running_loop_comes_back(url, face):
    memory = face(url)
    store, saver = BethinkStore(memory), BethinkSaver(memory)

    def act():
        store.put(("a",), "k", {"text": "harbour"})
        graph(saver).invoke({"steps": []}, thread("t"))
        return store.search(("a",), query="port"), saver.get_tuple(thread("t"))

    found, state = in_a_loop(act)
    assert found[0].key == "k"
    assert state.checkpoint["channel_values"]["steps"] == ["step 0"]
    asyncio.run(memory.close()) if face is AsyncMemory else memory.close()


def test_each_user_has_items_of_their_own_and_erasing_takes_them(memory):
    store = BethinkStore(memory, users="memories/{user}", shared=["manual"])
    store.put(("memories", "ana"), "k", {"text": "of Ana"})
    store.put(("memories", "bob", "facts"), "k", {"text": "of Bob"})
    store.put(("manual", "harbour"), "k", {"text": "of all"})
    assert memory.scope(agent="langgraph", user="ana").documents.size().documents == 1
    assert [item.value["text"] for item in store.search(("memories", "ana"), query="of whom")] == ["of Ana"]
    assert [item.value["text"] for item in store.search(("memories", "bob"))] == ["of Bob"]
    assert store.list_namespaces(prefix=("memories", "bob")) == [("memories", "bob", "facts")]
    assert memory.erase(user="ana").remaining == 0
    assert store.get(("memories", "ana"), "k") is None
    assert store.get(("memories", "bob", "facts"), "k").value == {"text": "of Bob"}
    assert store.get(("manual", "harbour"), "k").value == {"text": "of all"}


def test_a_namespace_without_a_user_is_refused(small):
    store = BethinkStore(small, users=["memories/{user}", "*/{user}/notes"])
    for act in (
        lambda: store.put(("memories",), "k", {}),
        lambda: store.get(("other",), "k"),
        lambda: store.search(()),
        lambda: store.search(("memories",)),
        lambda: store.delete(("memories",), "k"),
        store.list_namespaces,
        lambda: store.list_namespaces(suffix=("ana",)),
        lambda: store.list_namespaces(prefix=("memories", "*")),
    ):
        with pytest.raises(InvalidError) as refused:
            act()
        assert "belongs to no user" in str(refused.value)


@pytest.mark.parametrize("options", [{"users": "memories"}, {"users": "{user}/{user}"}, {"shared": ["all"]}])
def test_patterns_that_name_no_user_are_refused(small, options):
    with pytest.raises(InvalidError):
        BethinkStore(small, **options)


def test_time_to_live_begins_anew_with_a_read_unless_told_otherwise(memory, clock):
    store = BethinkStore(memory, ttl={"default_ttl": 60})
    store.put(("a",), "read", {"n": 1})
    store.put(("a",), "searched", {"n": 2})
    store.put(("a",), "left", {"n": 3})
    store.put(("a",), "kept", {"n": 4}, ttl=None)
    clock.at += HOUR / 2
    assert store.get(("a",), "read") is not None
    assert store.search(("a",), filter={"n": 2})
    assert store.get(("a",), "left", refresh_ttl=False) is not None
    clock.at += HOUR * 3 / 4
    assert {item.key for item in store.search(("a",), refresh_ttl=False)} == {"read", "searched", "kept"}
    clock.at += 2 * HOUR
    assert {item.key for item in store.search(("a",))} == {"kept"}
    assert store.list_namespaces() == [("a",)]
    assert store.sweep_ttl() == 3
    assert store.sweep_ttl() == 0


def letters(texts):
    return [[float(text.count(letter)) for letter in "abc"] for text in texts]


async def awaited_letters(texts):
    await asyncio.sleep(0)
    return letters(texts)


async def test_the_callers_embedder_ranks_by_its_cosine(url):
    async with AsyncMemory(url) as memory:
        for embed in (letters, awaited_letters):
            store = BethinkStore(memory, index={"dims": 3, "embed": embed, "fields": ["tags[*]", "{x,y}.z"]})
            await store.aput(("a",), "one", {"tags": ["aa", "b"], "text": "cccc"})
            await store.aput(("a",), "two", {"tags": [], "y": {"z": "ab"}})
            await store.aput(("a",), "none", {"tags": ["a"]}, index=False)
            found = await store.asearch(("a",), query="aaaa")
            assert [(item.key, round(item.score, 2)) for item in found] == [("one", 1.0), ("two", 0.71)]


def test_an_embedder_that_is_awaited_works_without_a_loop_and_says_so_within_one(small):
    store = BethinkStore(small, index={"dims": 3, "embed": awaited_letters})
    store.put(("a",), "k", {"text": "aaa"})
    assert store.search(("a",), query="a")[0].key == "k"

    def act():
        with pytest.raises(InvalidError, match="aput"):
            store.put(("a",), "l", {"text": "b"})
        return store.get(("a",), "l")

    assert in_a_loop(act) is None


def test_vectors_of_another_length_are_refused(small):
    store = BethinkStore(small, index={"dims": 4, "embed": letters})
    with pytest.raises(ModelError, match="but dims is 4"):
        store.put(("a",), "k", {"text": "a"})
    with pytest.raises(InvalidError, match="index must contain the length of the vectors"):
        BethinkStore(small, index={"embed": letters})


def test_a_batch_reads_before_it_writes_and_the_last_put_wins(small):
    store = BethinkStore(small)
    store.put(("a",), "k", {"n": 1})
    found = store.batch(
        [
            PutOp(("a",), "k", {"n": 2}),
            GetOp(("a",), "k"),
            PutOp(("a",), "k", {"n": 3}),
            SearchOp(("a",)),
            PutOp(("a",), "gone", {"n": 4}),
            PutOp(("a",), "gone", None),
        ]
    )
    assert found[1].value == {"n": 1}
    assert [item.value for item in found[3]] == [{"n": 1}]
    assert store.get(("a",), "k").value == {"n": 3}
    assert store.get(("a",), "gone") is None
    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp(("a",), "k", {"n": 5}), PutOp(("a.b",), "k", {"n": 5})])
    assert store.get(("a",), "k").value == {"n": 3}


@pytest.mark.parametrize("wrong", [{"a'b": 1}, {"a": {"$regex": "x"}}, {"a b": 1}])
def test_a_filter_that_is_not_understood_is_a_value_error(small, wrong):
    store = BethinkStore(small)
    for query in (None, "words"):
        with pytest.raises(ValueError, match=r"filter|operator"):
            store.search(("a",), query=query, filter=wrong)


def test_values_that_json_writes_otherwise_are_written_so(small):
    store = BethinkStore(small)
    store.put(("a",), "k", {"pair": (1, 2), "at": datetime(2026, 1, 1, tzinfo=UTC)})
    assert store.get(("a",), "k").value == {"pair": [1, 2], "at": "2026-01-01T00:00:00+00:00"}
    with pytest.raises(InvalidError, match="not JSON"):
        store.put(("a",), "k", {"no": object()})


def test_a_secret_comes_back_as_it_was_put_and_is_not_what_is_searched(small):
    store, secret = BethinkStore(small), "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"
    store.put(("a",), "k", {"key": secret})
    assert store.get(("a",), "k").value == {"key": secret}
    assert all(
        secret not in hit.text for hit in small.scope(agent="langgraph").documents.search("key", "store")
    )


async def test_a_put_that_is_cancelled_is_there_as_a_whole_or_not_at_all(url):
    async with AsyncMemory(url) as memory:
        store = BethinkStore(memory)
        ops = [PutOp(("a",), str(number), {"n": number}) for number in range(40)]
        for moment in range(4):
            task = asyncio.ensure_future(store.abatch(ops))
            for _ in range(moment):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert len(await store.asearch(("a",), limit=100)) in {0, 40}


def test_what_is_no_memory_is_refused():
    for make in (BethinkStore, BethinkSaver):
        with pytest.raises(InvalidError, match="must be a Memory or an AsyncMemory"):
            make("memory.db")


# ---- the checkpointer -----------------------------------------------------------------------------------------------


def test_a_thread_goes_on_where_it_was_interrupted_in_another_process(url):
    script = """
import sys
sys.path.insert(0, sys.argv[2])
from test_langgraph import BethinkSaver, Memory, ask, graph, thread
with Memory(sys.argv[1]) as memory:
    found = graph(BethinkSaver(memory), ask).invoke({"steps": []}, thread("t"))
    assert found["__interrupt__"][0].value == "May I?", found
"""
    folder = __file__.rpartition("/")[0]
    subprocess.run([sys.executable, "-W", "ignore", "-c", script, url, folder], check=True)
    with Memory(url) as memory:
        found = graph(BethinkSaver(memory), ask).invoke(Command(resume="yes"), thread("t"))
    assert found["steps"] == ["said yes"]


def ask(state):
    return {"steps": [f"said {interrupt('May I?')}"]}


async def test_history_is_read_and_forked_on_both_faces(url):
    async with AsyncMemory(url) as memory:
        made = graph(BethinkSaver(memory))
        for _ in range(3):
            await made.ainvoke({"steps": ["in"]}, thread("t"))
        history = [state async for state in made.aget_state_history(thread("t"))]
        assert [
            state.config
            for state in await asyncio.to_thread(lambda: list(made.get_state_history(thread("t"))))
        ] == [state.config for state in history]
        first = next(state for state in history if state.values["steps"] == ["in", "step 1"])
        forked = await made.ainvoke({"steps": ["fork"]}, first.config)
        assert forked["steps"] == ["in", "step 1", "fork", "step 3"]
        assert len(history[0].values["steps"]) == 6


def test_a_value_that_did_not_change_is_stored_once(memory):
    saver = BethinkSaver(memory)
    made = graph(saver)
    made.invoke({"steps": [], "big": "x" * 100_000}, thread("t"))
    for _ in range(10):
        made.invoke({"steps": []}, thread("t"))
    assert made.get_state(thread("t")).values["big"] == "x" * 100_000
    assert (
        saver.size("t").bytes < 400_000
    )  # once as the input, as a write and as the channel, not once a step
    assert saver.size("other").documents == 0


def test_only_the_newest_checkpoints_are_kept_with_what_they_need(memory):
    saver = BethinkSaver(memory, keep=3)
    made = graph(saver)
    made.invoke({"steps": [], "big": "x" * 1000}, thread("t"))
    sizes = []
    for turn in range(12):
        made.invoke({"steps": [], "big": f"{turn}" * 1000} if turn % 4 == 0 else {"steps": []}, thread("t"))
        sizes.append(saver.size("t").documents)
        assert len(list(saver.list(thread("t")))) == 3
    assert made.get_state(thread("t")).values == {
        "steps": [f"step {n}" for n in range(13)],
        "big": "8" * 1000,
    }
    assert max(sizes) < 40
    assert sizes[-1] <= sizes[3]


def test_keeping_none_at_all_is_refused(small):
    for wrong in (0, True, "3"):
        with pytest.raises(InvalidError):
            BethinkSaver(small, keep=wrong)


class Deltas(TypedDict):
    steps: Annotated[
        list[str],
        DeltaChannel(lambda old, new: [*old, *(x for one in new for x in one)], snapshot_frequency=8),
    ]


@pytest.mark.parametrize("way", ["keep", "prune"])
def test_a_channel_of_deltas_is_rebuilt_after_older_checkpoints_went(memory, way):
    saver = BethinkSaver(memory, keep=1 if way == "keep" else None)
    made = graph(saver, lambda state: {"steps": [f"step {len(state['steps'])}"]}, Deltas)
    for _ in range(7):
        made.invoke({"steps": ["in"]}, thread("t"))
    expected = made.get_state(thread("t")).values["steps"]
    before = len(list(saver.list(thread("t"))))
    saver.prune(["t"])
    assert made.get_state(thread("t")).values["steps"] == expected
    assert expected == [each for n in range(7) for each in ("in", f"step {2 * n + 1}")]
    if way == "prune":
        assert len(list(saver.list(thread("t")))) < before


def test_checkpoints_end_and_newer_ones_keep_the_values_that_they_share(memory, clock):
    saver = BethinkSaver(memory, ttl=HOUR)
    made = graph(saver)
    made.invoke({"steps": [], "big": "x" * 1000}, thread("t"))
    clock.at += HOUR * 3 / 4
    made.invoke({"steps": []}, thread("t"))
    clock.at += HOUR / 2
    assert made.get_state(thread("t")).values == {"steps": ["step 0", "step 1"], "big": "x" * 1000}
    assert len(list(saver.list(thread("t")))) == 3
    clock.at += HOUR
    assert made.get_state(thread("t")).values == {}
    made.invoke({"steps": []}, thread("u"))
    assert saver.size("t").documents == 0


def test_a_read_lets_the_time_begin_anew_where_it_is_told_to(small, clock):
    reading, other = (
        BethinkSaver(small, ttl=HOUR, refresh_on_read=True),
        BethinkSaver(small, agent="o", ttl=HOUR),
    )
    for saver in (reading, other):
        graph(saver).invoke({"steps": []}, thread("t"))
    clock.at += HOUR * 3 / 4
    assert reading.get_tuple(thread("t")) is not None
    assert other.get_tuple(thread("t")) is not None
    clock.at += HOUR / 2
    assert reading.get_tuple(thread("t")).checkpoint["channel_values"]["steps"] == ["step 0"]
    assert other.get_tuple(thread("t")) is None


async def test_a_checkpoint_whose_put_is_cancelled_is_there_as_a_whole_or_not_at_all(url):
    async with AsyncMemory(url) as memory:
        for moment in range(6):
            saver, config = (
                BethinkSaver(memory),
                {"configurable": {"thread_id": f"t{moment}", "checkpoint_ns": ""}},
            )
            checkpoint = empty_checkpoint()
            checkpoint["channel_values"] = {"a": "x" * 100, "b": ["y"] * 20}
            checkpoint["channel_versions"] = {"a": 1, "b": 1}
            put = saver.aput(config, checkpoint, {"source": "input", "step": -1}, {"a": 1, "b": 1})
            task = asyncio.ensure_future(put)
            for _ in range(moment):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            found = await saver.aget_tuple(config)
            assert found is None or found.checkpoint["channel_values"] == checkpoint["channel_values"]
            await saver.aput(config, checkpoint, {"source": "input", "step": -1}, {"a": 1, "b": 1})
            assert (await saver.aget_tuple(config)).checkpoint["channel_values"]["a"] == "x" * 100


async def test_threads_of_one_name_are_apart_for_each_user(url):
    async with AsyncMemory(url) as memory:
        saver = BethinkSaver(memory, user_key="user_id")
        made = graph(saver)
        await made.ainvoke({"steps": ["of Ana"]}, thread("t", user_id="ana"))
        assert (await made.aget_state(thread("t", user_id="bob"))).values == {}
        assert [each async for each in saver.alist(thread("t", user_id="bob"))] == []
        await saver.of("bob").adelete_thread("t")
        assert (await made.aget_state(thread("t", user_id="ana"))).values["steps"][0] == "of Ana"
        assert (await memory.erase(user="ana")).remaining == 0
        assert (await made.aget_state(thread("t", user_id="ana"))).values == {}


async def test_verbs_that_take_no_config_act_on_the_threads_of_the_user_that_is_named(url):
    async with AsyncMemory(url) as memory:
        saver = BethinkSaver(memory, user_key="user_id")
        made = graph(saver)
        for user in ("ana", "bob"):
            await made.ainvoke({"steps": [f"of {user}"]}, thread("t", user_id=user))
        await saver.of("ana").acopy_thread("t", "copy")
        copied = (await made.aget_state(thread("copy", user_id="ana"))).values["steps"][0]
        assert copied == "of ana"
        assert (await made.aget_state(thread("copy", user_id="bob"))).values == {}
        await saver.of("ana").adelete_thread("t")
        assert (await made.aget_state(thread("t", user_id="ana"))).values == {}
        assert (await made.aget_state(thread("t", user_id="bob"))).values["steps"][0] == "of bob"


async def test_a_thread_without_its_user_is_refused(small):
    saver = BethinkSaver(small, user_key="user_id")
    made = graph(saver)
    with pytest.raises(InvalidError, match="no user named"):
        made.invoke({"steps": []}, thread("t"))
    for act in (
        lambda: saver.delete_thread("t"),
        lambda: saver.prune(["t"]),
        lambda: saver.copy_thread("t", "u"),
        lambda: saver.delete_for_runs(["r"]),
        lambda: saver.size("t"),
        lambda: list(saver.list(None)),
        lambda: saver.of("bob").get_tuple(thread("t", user_id="ana")),
        lambda: BethinkSaver(small).of("ana"),
    ):
        with pytest.raises(InvalidError):
            act()


def test_a_copy_of_a_thread_goes_its_own_way(memory):
    saver = BethinkSaver(memory)
    made = graph(saver)
    made.invoke({"steps": [], "big": "x" * 1000}, thread("t"))
    saver.copy_thread("t", "u")
    made.invoke({"steps": []}, thread("t"))
    assert made.get_state(thread("u")).values == {"steps": ["step 0"], "big": "x" * 1000}
    assert {each.config["configurable"]["thread_id"] for each in saver.list(thread("u"))} == {"u"}
    saver.delete_thread("t")
    assert made.get_state(thread("u")).values["big"] == "x" * 1000
    assert saver.size("t").documents == 0
    assert saver.size().documents == saver.size("u").documents


def test_what_a_run_made_is_deleted_and_the_rest_can_be_read(memory):
    saver = BethinkSaver(memory)
    made = graph(saver)
    for run in ("r1", "r2"):
        made.invoke({"steps": [], "big": run * 300}, {**thread("t"), "metadata": {"run_id": run}})
    saver.delete_for_runs(["r2"])
    assert made.get_state(thread("t")).values == {"steps": ["step 0"], "big": "r1" * 300}
    saver.delete_for_runs(["r1"])
    assert made.get_state(thread("t")).values == {}
    assert saver.size("t").documents == 0


class Turned:
    """A cipher that hides nothing from anybody but a search of bytes."""

    def encrypt(self, plaintext):
        return "turned", bytes(each ^ 0x55 for each in plaintext)

    def decrypt(self, ciphername, ciphertext):
        assert ciphername == "turned"
        return bytes(each ^ 0x55 for each in ciphertext)


def test_nothing_of_a_thread_is_in_the_file_where_it_is_encrypted(tmp_path):
    path = tmp_path / "m.db"
    with Memory(path) as memory:
        saver = BethinkSaver(memory, serde=EncryptedSerializer(Turned()))
        graph(saver).invoke(
            {"steps": ["tell nobody"]}, {**thread("t"), "metadata": {"who": "somebody secret"}}
        )
        assert graph(saver).get_state(thread("t")).values["steps"][0] == "tell nobody"
    found = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert b"tell nobody" not in found
    assert b"somebody secret" not in found


@pytest.mark.parametrize("name", ["plain", "a/b%c", "x" * 2000, "nul\0", "ü😀", ".", "*"])
def test_threads_and_namespaces_of_any_name_are_kept_apart(small, name):
    saver = BethinkSaver(small)
    made = graph(saver)
    made.invoke({"steps": [name.replace("\0", "0")]}, thread(name))
    made.invoke({"steps": ["other"]}, thread(name + "_"))
    found = list(saver.list(thread(name)))
    assert {each.config["configurable"]["thread_id"] for each in found} == {name}
    assert made.get_state(thread(name)).values["steps"][0] == name.replace("\0", "0")
    assert {each.config["configurable"]["thread_id"] for each in saver.list(None)} == {name, name + "_"}
    saver.delete_thread(name)
    assert list(saver.list(thread(name))) == []
    assert made.get_state(thread(name + "_")).values["steps"][0] == "other"


def test_lists_are_filtered_and_cut_where_they_are_asked_to(small):
    saver = BethinkSaver(small)
    made = graph(saver)
    for number in range(60):
        made.invoke({"steps": []}, {**thread("t"), "metadata": {"n": number}})
    everything = list(saver.list(thread("t")))
    assert len(everything) == 180
    ids = [each.config["configurable"]["checkpoint_id"] for each in everything]
    assert ids == sorted(ids, reverse=True)
    assert [each.metadata["n"] for each in saver.list(thread("t"), filter={"n": 3})] == [3, 3, 3]
    assert [each.config for each in saver.list(thread("t"), limit=70)] == [
        each.config for each in everything[:70]
    ]
    assert [each.config for each in saver.list(thread("t"), before=everything[99].config, limit=5)] == [
        each.config for each in everything[100:105]
    ]


def test_a_run_that_goes_on_while_another_one_prunes_loses_no_value(memory):
    saver = BethinkSaver(memory, keep=1)
    graph(saver).invoke({"steps": [], "big": "first" * 100}, thread("t"))
    first = saver.get_tuple(thread("t"))
    graph(saver).invoke({"steps": [], "big": "second" * 100}, thread("t"))
    again = {**first.checkpoint, "id": "f" * 36}
    saver.put(thread("t"), again, {"source": "loop", "step": 9}, {})
    assert saver.get_tuple(thread("t")).checkpoint["channel_values"]["big"] == "first" * 100


class Interrupted:
    """A serialiser that lets something happen between a checkpoint and its values."""

    def __init__(self, act):
        self.act = act
        self.inner = BethinkSaver.serde

    def dumps_typed(self, value):
        return self.inner.dumps_typed(value)

    def loads_typed(self, data):
        act, self.act = self.act, None
        if act is not None:
            other = threading.Thread(target=act)
            other.start()
            other.join(60)
        return self.inner.loads_typed(data)


def test_a_checkpoint_is_read_as_it_stood_at_one_moment(url):
    with Memory(url) as memory, Memory(url) as another:
        made = graph(BethinkSaver(memory))
        made.invoke({"steps": [], "big": "x" * 1000}, thread("t"))
        reading = BethinkSaver(memory, serde=Interrupted(lambda: BethinkSaver(another).delete_thread("t")))
        assert reading.get_tuple(thread("t")).checkpoint["channel_values"]["big"] == "x" * 1000
        assert reading.get_tuple(thread("t")) is None


def test_checkpoints_that_are_each_others_parents_end_a_walk(small):
    saver = BethinkSaver(small, keep=1)
    checkpoint = (
        graph(BethinkSaver(small, agent="o")).invoke({"steps": []}, thread("t"))
        and next(BethinkSaver(small, agent="o").list(thread("t"))).checkpoint
    )
    metadata = {"counters_since_delta_snapshot": {"absent": (1, 1)}}
    one = saver.put(thread("t"), {**checkpoint, "id": "a"}, metadata, {})
    two = saver.put(one, {**checkpoint, "id": "b"}, metadata, {})
    saver.put(two, {**checkpoint, "id": "a"}, metadata, {})
    assert saver.get_delta_channel_history(config=two, channels=["absent"]) == {"absent": {"writes": []}}
    assert {each.checkpoint["id"] for each in saver.list(thread("t"))} == {"a", "b"}


def test_checkpoints_are_found_by_fields_within_fields(small):
    saver = BethinkSaver(small)
    graph(saver).invoke({"steps": []}, thread("t"))
    found = saver.get_tuple(thread("t"))
    saver.put(found.config, {**found.checkpoint, "id": "f" * 36}, {"user": {"access-level": "inner"}}, {})
    assert len(list(saver.list(None, filter={"user.access-level": "inner"}))) == 1
    assert list(saver.list(None, filter={"user.other": "inner"})) == []
    with pytest.raises(ValueError, match="Invalid filter key"):
        list(saver.list(None, filter={"a') = '1": 1}))


# ---- the versions ---------------------------------------------------------------------------------------------------


def test_another_version_of_the_framework_is_refused_with_the_range(monkeypatch):
    from bethink.integrations import versions

    versions.require_versions("langgraph", ("langgraph", "1.2", "2"))
    monkeypatch.setattr(versions, "version", lambda name: {"langgraph": "2.0.1rc1"}[name])
    with pytest.raises(
        ImportError, match=r"langgraph 2.0.1rc1 is installed, but 1.2 or later and before 2 is required:"
    ):
        versions.require_versions("langgraph", ("langgraph", "1.2", "2"))


def test_without_the_framework_the_error_says_what_to_install():
    code = (
        "import importlib.metadata as m\n"
        "def gone(name): raise m.PackageNotFoundError(name)\n"
        "m.version = gone\n"
        "try:\n import bethink.integrations.langgraph\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "langgraph is required: pip install 'bethink[langgraph]'"
