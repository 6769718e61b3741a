"""A recall that meets a change finds what was there before it, or what is there after it: never nothing."""

from __future__ import annotations

import pytest

from bethink import Memory

from .test_background_index import Counting, runtime, user


def once(do):
    """Return a function of texts that does something the first time that it is called after `ready` is set."""

    def hook(texts):
        if hook.ready:
            hook.ready = False
            do(texts)

    hook.ready = False
    return hook


@pytest.fixture
def url(tmp_path):
    return str(tmp_path / "memory.db")


def test_a_keyed_note_that_is_replaced_after_it_was_ranked_is_found_as_it_is_now(url):
    hook = once(lambda _: writer.scope(user="alice").remember("Gate number 7.", key="gate"))
    with Memory(url) as writer, Memory(url, embedder=Counting(hook)) as memory:
        alice = memory.scope(user="alice")
        alice.remember("Gate number 4.", key="gate")
        alice.recall("which gate?")
        hook.ready = True
        assert [hit.text for hit in alice.recall("which gate number?")] == ["Gate number 7."]
        assert not hook.ready


def test_a_note_that_is_forgotten_after_it_was_ranked_makes_room_for_the_next(url):
    hook = once(lambda _: writer.scope(user="alice").forget("gate"))
    with Memory(url) as writer, Memory(url, embedder=Counting(hook)) as memory:
        alice = memory.scope(user="alice")
        alice.remember("Gate number 4 is the gate.", key="gate")
        alice.remember("The gate is closed at night.")
        alice.recall("which gate?")
        hook.ready = True
        assert [hit.text for hit in alice.recall("which gate number?", limit=1)] == [
            "The gate is closed at night."
        ]


def test_a_message_that_is_removed_after_it_was_ranked_makes_room_for_the_next(url):
    hook = once(lambda _: writer.scope(user="alice").session("b").delete())
    with Memory(url) as writer, Memory(url, embedder=Counting(hook)) as memory:
        alice = memory.scope(user="alice")
        alice.session("a").append(user("a kite"))
        alice.session("b").append(user("a kite number 4"))
        alice.recall("kite")
        hook.ready = True
        assert [hit.text for hit in alice.recall("kite number 4", limit=1)] == ["a kite"]


def test_a_recall_that_loses_everything_says_so(url):
    hook = once(lambda _: writer.scope(user="alice").erase())
    with Memory(url) as writer, Memory(url, embedder=Counting(hook)) as memory:
        alice = memory.scope(user="alice")
        alice.remember("Gate number 4.")
        alice.recall("which gate?")
        hook.ready = True
        found = alice.recall("which gate number?")
        assert len(found) == 0
        assert found.empty_because


def test_while_the_passages_of_a_change_are_made_what_it_replaces_is_found(url):
    seen = []

    def look(_):
        index = runtime(memory).indexes.get(alice.namespace).index
        seen.append(len(index.search("gate").hits))

    hook = once(look)
    with Memory(url, embedder=Counting(hook)) as memory:
        alice = memory.scope(user="alice")
        alice.remember("Gate number 4.", key="gate")
        alice.recall("which gate?")
        runtime(memory).background.wait()
        alice.remember("Gate number 7.", key="gate")
        hook.ready = True
        assert [hit.text for hit in alice.recall("gate")] == ["Gate number 7."]
        assert seen == [1]
