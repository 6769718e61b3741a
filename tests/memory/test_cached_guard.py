"""What the guard said is remembered, and let go of with what was erased."""

from __future__ import annotations

import gc

from bethink import Memory


def test_no_text_of_an_erased_scope_stays_in_the_memory_of_the_process():
    words = "xylophone " + "quagmire"
    with Memory(":memory:") as memory:
        scope = memory.scope(user="alice")
        scope.remember(f"Plays the {words}.")
        assert words in scope.context(query="Plays what?").text
        assert scope.recall("Plays what?")[0].text
        scope.erase()
        gc.collect()
        runtime = scope._twin._runtime
        assert runtime.guard.mask.cache_info().currsize == 0
        assert runtime.guard.judge.cache_info().currsize == 0
        assert not runtime.indexes.nbytes


def test_what_is_indexed_is_not_kept_for_being_masked():
    with Memory(":memory:") as memory:
        scope = memory.scope(user="alice")
        scope.session("talk").append(
            [{"role": "user", "content": f"Parcel {n} is here."} for n in range(200)]
        )
        assert len(scope.recall("Which parcel is here?", limit=5)) == 5
        assert scope._twin._runtime.guard.mask.cache_info().currsize < 20


def test_a_secret_is_masked_before_it_is_indexed_and_when_it_is_shown():
    with Memory(":memory:") as memory:
        scope = memory.scope(user="alice")
        scope.session("talk").append([{"role": "user", "content": "My visa card is 4111 1111 1111 1111."}])
        (hit,) = scope.recall("Which visa card?")
        assert hit.text == "My visa card is [card removed]."
        assert not [hit for hit in scope.recall("4111") if "4111" in hit.why.terms]


def test_a_text_is_judged_once_for_many_contexts():
    with Memory(":memory:") as memory:
        scope = memory.scope(user="alice")
        scope.remember("Prefers aisle seats.")
        for _ in range(3):
            assert "aisle" in scope.context().text
        assert scope._twin._runtime.guard.judge.cache_info().hits >= 2
