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


def test_a_text_is_judged_once_for_many_contexts():
    with Memory(":memory:") as memory:
        scope = memory.scope(user="alice")
        scope.remember("Prefers aisle seats.")
        for _ in range(3):
            assert "aisle" in scope.context().text
        assert scope._twin._runtime.guard.judge.cache_info().hits >= 2
