"""Passages are made after a write has returned, once, in pieces; and nothing erased is kept of them."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest

from bethink import Memory
from bethink.memory.background_index import INDEXING, BackgroundIndex
from bethink.recall import index_cache
from bethink.recall.index_memory_limit import IndexPool
from bethink.recall.passage_blocks import unpack
from bethink.recall.transactions import blocks
from bethink.settings import Settings

WAIT = 60  #: seconds after which a test fails rather than hang


class Counting:
    """Embeds by letters, and remembers every text; a gate may hold it up, and a hook look at what it does."""

    identity = "counting-1"
    dimensions = 26

    def __init__(self, hook=lambda texts: None):
        self.texts = []
        self.hook = hook

    def embed(self, texts):
        self.hook(texts)
        self.texts += texts
        rows = np.array([[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


class Gated(Counting):
    """Stops at the first text of the log until it is let go on."""

    def __init__(self):
        super().__init__(self.stop)
        self.reached, self.gate = threading.Event(), threading.Event()

    def stop(self, texts):
        if any("secret" in text for text in texts):
            self.reached.set()
            assert self.gate.wait(WAIT)


@pytest.fixture
def url(tmp_path):
    return str(tmp_path / "memory.db")


def user(*texts):
    return [{"role": "user", "content": text} for text in texts]


def runtime(memory):
    return memory._twin._runtime if hasattr(memory, "_twin") else memory._runtime


def settle(memory):
    runtime(memory).background.wait()


def stored(memory, scope):
    """Return the blocks that the store has of a scope."""
    found = runtime(memory).store.driver.read(lambda: blocks(scope.namespace))
    return [] if found is None else [unpack(bytes(row[3])) for row in found[1]]


def kept(memory, scope):
    """Return the keys of all passages that the store has."""
    return {
        key
        for block in stored(memory, scope)
        for key in zip(block.kinds.tolist(), block.owners.tolist(), block.seqs.tolist(), strict=True)
    }


def test_what_was_appended_is_indexed_without_anybody_asking(url):
    embedder = Counting()
    with Memory(url, embedder=embedder) as memory:
        alice = memory.scope(user="alice")
        alice.session("a").append(user(*(f"kite number {n}" for n in range(70))))
        settle(memory)
        assert len(kept(memory, alice)) == 70
        before = len(embedder.texts)
        assert alice.recall("kite number 7")
        assert embedder.texts[before:] == ["kite number 7"]


def test_where_the_setting_says_so_it_waits_for_whoever_asks(url):
    embedder = Counting()
    with Memory(url, embedder=embedder, settings=Settings(index_after_seconds=0)) as memory:
        alice = memory.scope(user="alice")
        alice.session("a").append(user("a kite"))
        settle(memory)
        assert embedder.texts == []
        assert alice.recall("kite")


def test_a_small_namespace_is_analysed_once_however_often_it_is_opened(url):
    with Memory(url, embedder=Counting()) as memory:
        alice = memory.scope(user="alice")
        alice.session("a").append(user(*(f"kite number {n}" for n in range(20))))
        settle(memory)
        expected = [hit.text for hit in alice.recall("kite number 7")]
    embedder = Counting()
    with Memory(url, embedder=embedder) as memory:
        assert [hit.text for hit in memory.scope(user="alice").recall("kite number 7")] == expected
    assert embedder.texts == ["kite number 7"]


def test_a_process_that_ends_at_once_may_index_what_it_wrote_before(url):
    embedder = Counting()
    with Memory(url, embedder=embedder, settings=Settings(index_after_seconds=0)) as memory:
        alice = memory.scope(user="alice")
        assert alice.index() == 0
        alice.session("a").append(user("one kite"))
        alice.remember("Flies kites.")
        assert alice.index() == 2
        assert len(embedder.texts) == 2
    with Memory(url, embedder=embedder) as memory:
        assert len(memory.scope(user="alice").recall("kite")) == 2
    assert embedder.texts[2:] == ["kite"]


def test_threads_that_ask_a_cold_namespace_together_analyse_it_once(url):
    embedder = Counting()
    with Memory(url, embedder=embedder, settings=Settings(index_after_seconds=0)) as memory:
        alice = memory.scope(user="alice")
        alice.session("a").append(user(*(f"kite number {n}" for n in range(30))))
        together, found = threading.Barrier(8), []

        def ask():
            together.wait(WAIT)
            found.append([hit.text for hit in alice.recall("kite number 7")])

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(WAIT)
    assert len(found) == 8
    assert all(one == found[0] for one in found)
    kites = [f"kite number {n}" for n in range(30)]
    asked = embedder.texts.count("kite number 7") - 1
    assert 1 <= asked <= 8, "a question has its vector once, or once for each who asks it at the same time"
    assert sorted(embedder.texts) == sorted([*kites, *asked * ["kite number 7"]])


def erase_session(scope):
    return scope.erase(session="a")


def erase_scope(scope):
    return scope.erase()


def erase_note(scope):
    return scope.erase(note=scope.get("n").id)


@pytest.mark.parametrize(("erase", "left"), [(erase_session, 2), (erase_scope, 0), (erase_note, 3)])
def test_erasing_while_it_is_indexed_leaves_nothing(url, erase, left):
    embedder = Gated()
    with Memory(url, embedder=embedder, settings=Settings(index_batch=1)) as memory:
        alice = memory.scope(user="alice")
        alice.session("b").append(user("an open matter"))
        alice.session("a").append(user("the secret kite", "is under the oak"))
        alice.remember("A secret about the elm.", key="n")
        assert embedder.reached.wait(WAIT)  # the thread holds what it read, and has stored nothing of it
        assert kept(memory, alice) == set()
        assert erase(alice).remaining == 0
        embedder.gate.set()
        settle(memory)
        assert len(kept(memory, alice)) <= left
        found = alice.recall("kite oak elm matter", limit=50)
        assert len(found) == left
        assert len(kept(memory, alice)) == left
        gone = {erase_session: "kite", erase_scope: "matter", erase_note: "elm"}[erase]
        assert gone not in " ".join(hit.text for hit in found)


def test_a_killed_process_leaves_what_it_had_made(url, monkeypatch):
    monkeypatch.setattr(index_cache, "PIECE", 10)

    def die(texts):
        if "kite number 25" in texts:
            raise KeyboardInterrupt

    with Memory(
        url, embedder=Counting(die), settings=Settings(index_after_seconds=0, index_batch=1)
    ) as memory:
        alice = memory.scope(user="alice")
        for name in ("a", "b"):
            alice.session(name).append(user(*(f"kite number {n}" for n in range(30))))
        alice.remember("Flies kites.")
        with pytest.raises(KeyboardInterrupt):
            alice.recall("kite")
        made = len(kept(memory, alice))
        assert 10 <= made < 61
    embedder = Counting()
    with Memory(url, embedder=embedder, settings=Settings(index_after_seconds=0, index_batch=1)) as memory:
        alice = memory.scope(user="alice")
        assert alice.recall("kite").scanned == 61
        assert len(kept(memory, alice)) == 61
        assert (
            len(embedder.texts) <= 61 - made + 1 + 1
        )  # the rest, the question, and the note that is read again
        assert len({hit.item.id for hit in alice.recall("kite", limit=99) if hit.item}) == 60


def test_pieces_rank_as_the_whole_does(url, monkeypatch):
    def answers(memory):
        alice = memory.scope(user="alice")
        asked = ("kite number 7", "a note", "oak")
        return [[(hit.text, round(hit.score, 5)) for hit in alice.recall(query, limit=99)] for query in asked]

    quiet = Settings(index_after_seconds=0)
    with Memory(url, embedder=Counting(), settings=quiet) as memory:
        alice = memory.scope(user="alice")
        for n in range(23):
            alice.session(f"s{n % 3}").append(user(f"kite number {n} by the oak", "and a reply"))
            alice.remember(f"A note about kite {n}.")
        whole = answers(memory)
    with Memory(url, embedder=Counting(), settings=quiet) as memory:
        memory._twin._runtime.store.driver.close()
    import sqlite3

    plain = sqlite3.connect(url)
    plain.execute("delete from passage_blocks")
    plain.commit()
    plain.close()
    monkeypatch.setattr(index_cache, "PIECE", 4)
    with Memory(url, embedder=Counting(), settings=Settings(index_after_seconds=0, index_batch=3)) as memory:
        assert answers(memory) == whole
    with Memory(url, embedder=Counting(), settings=quiet) as memory:
        assert answers(memory) == whole


def test_closing_does_not_wait_for_what_is_being_indexed(url):
    embedder = Gated()
    memory = Memory(url, embedder=embedder)
    memory.scope(user="alice").session("a").append(user("the secret kite"))
    assert embedder.reached.wait(WAIT)
    closing = threading.Thread(target=memory.close)
    closing.start()
    closing.join(WAIT)
    assert not closing.is_alive()
    embedder.gate.set()
    with INDEXING.paused(), Memory(url, embedder=Counting()) as again:
        assert len(again.scope(user="alice").recall("kite")) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_child_of_a_fork_indexes_for_itself(url, tmp_path):
    embedder = Gated()
    with Memory(url, embedder=embedder) as memory:
        memory.scope(user="alice").session("a").append(user("the secret kite"))
        assert embedder.reached.wait(
            WAIT
        )  # the thread of this process is at work, and is not there in the child
        child = os.fork()
        if child == 0:
            status = 1
            try:
                other = Memory(str(tmp_path / "other.db"), embedder=Counting())
                bob = other.scope(user="bob")
                bob.session("a").append(user("a red kite"))
                settle(other)
                status = 0 if len(kept(other, bob)) == 0 and len(bob.recall("kite")) == 1 else 2
            finally:
                os._exit(status)
        embedder.gate.set()
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_what_was_let_go_of_is_not_analysed_anew(url):
    embedder = Counting()
    with Memory(
        url, embedder=embedder, settings=Settings(index_megabytes=0, index_after_seconds=0)
    ) as memory:
        scopes = [memory.scope(user=f"user-{n}") for n in range(6)]
        for scope in scopes:
            scope.session("a").append(user(*(f"kite number {n}" for n in range(20))))
        for _ in range(2):
            for scope in scopes:
                assert len(scope.recall("kite")) == 10
    assert len(embedder.texts) == 6 * 20 + 2 * 6


def test_indexes_of_one_process_are_bounded_together(url, tmp_path, monkeypatch):
    options = {"embedder": Counting(), "settings": Settings(index_megabytes=1, index_after_seconds=0)}
    monkeypatch.setitem(
        index_cache.Indexes.__init__.__kwdefaults__, "pool", IndexPool()
    )  # memories of other tests have bounds of their own
    with Memory(url, **options) as one, Memory(str(tmp_path / "other.db"), **options) as two:
        for memory in (one, two, one, two):
            for n in range(4):
                scope = memory.scope(user=f"user-{n}")
                scope.session("a").append(user(*(f"kite {n} {k} " + "word " * 40 for k in range(150))))
                scope.recall("kite")
            assert runtime(one).indexes.nbytes + runtime(two).indexes.nbytes <= 1.3 * (1 << 20)


def test_small_blocks_are_joined_and_say_the_same(url):
    with Memory(url, embedder=Counting()) as memory:
        alice = memory.scope(user="alice")
        for n in range(20):
            alice.session("a").append(user(*(f"kite {n} {k}" for k in range(9))))
            settle(memory)
        expected = [(hit.text, round(hit.score, 5)) for hit in alice.recall("kite 7 3", limit=50)]
        assert len(stored(memory, alice)) == 20
    with Memory(url, embedder=Counting()) as memory:
        alice = memory.scope(user="alice")
        assert [(hit.text, round(hit.score, 5)) for hit in alice.recall("kite 7 3", limit=50)] == expected
        assert len(stored(memory, alice)) == 1
        assert len(kept(memory, alice)) == 180
        alice.session("a").append(user(*(f"oak {k}" for k in range(70))))
        assert alice.recall("oak 4")[0].text == "oak 4"
        assert len(kept(memory, alice)) == 250


def test_a_large_namespace_that_nobody_asks_is_not_loaded_for_a_few_writes(url, monkeypatch):
    from bethink.memory import background_index

    monkeypatch.setattr(background_index, "TOO_LARGE", 50)
    with Memory(url, embedder=Counting()) as memory:
        alice = memory.scope(user="alice")
        alice.session("a").append(user(*(f"kite {k}" for k in range(80))))
        settle(memory)
    with Memory(url, embedder=Counting()) as memory:
        alice = memory.scope(user="alice")
        alice.session("a").append(user("oak"))
        settle(memory)
        assert not runtime(memory).indexes.has(alice.namespace)
        assert alice.recall("oak")[0].text == "oak"


def test_one_thread_serves_every_memory_of_the_process(url, tmp_path):
    with Memory(url, embedder=Counting()) as one, Memory(str(tmp_path / "b.db"), embedder=Counting()) as two:
        for memory in (one, two):
            memory.scope(user="alice").session("a").append(user(*(f"kite {k}" for k in range(9))))
        settle(one)
        settle(two)
        named = [thread for thread in threading.enumerate() if thread.name == "bethink-indexing"]
        assert len(named) == 1
        assert isinstance(runtime(one).background, BackgroundIndex)


def test_a_recall_that_may_not_wait_searches_what_is_indexed_says_so_and_goes_on_at_the_next_one(url):
    with Memory(url, settings=Settings(index_after_seconds=0)) as memory:
        session = memory.scope().session("long")
        session.append(user("The boat is called Heron."))
        memory.scope().index()
        session.append(user(*(f"Line {n} of the log." for n in range(25)), "The harbour is called Breskens."))
    with Memory(url, settings=Settings(index_after_seconds=0, index_at_recall=10)) as memory:
        scope = memory.scope()
        first = scope.recall("what is the boat called, Heron?")
        assert first[0].text == "The boat is called Heron."
        assert [reason for reason in first.degraded if "newest was not searched" in reason]
        assert not [hit for hit in scope.recall("harbour Breskens") if "Breskens" in hit.text]
        third = scope.recall("harbour Breskens")
        assert third[0].text == "The harbour is called Breskens."
        assert not third.degraded


def test_indexing_within_a_time_stops_after_a_piece_and_the_next_call_goes_on(url, monkeypatch):
    monkeypatch.setattr(index_cache, "PIECE", 4)
    with Memory(url, settings=Settings(index_after_seconds=0, index_batch=1)) as memory:
        memory.scope().session("long").append(user(*(f"Line {n} of the log." for n in range(10))))
        assert memory.scope().index(seconds=0) == 4
        assert memory.scope().index(seconds=0) == 8
        assert memory.scope().index() == 10
