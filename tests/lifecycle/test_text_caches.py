"""What was read out of a text is not remembered beyond the erasure of that text."""

import gc
import weakref

from bethink import Memory
from bethink.lifecycle.consolidate.attributes import read
from bethink.testing.faces import HashingEmbedder

TEXT = "Prefers aisle seats on night trains."


def test_what_a_note_was_read_as_is_gone_with_the_note():
    with Memory(":memory:", embedder=HashingEmbedder()) as memory:
        scope = memory.scope(user="alice")
        scope.remember(TEXT)
        scope.context(query="seat")
        seen = weakref.ref(read(TEXT))
        gc.collect()
        assert seen() is not None

        scope.erase()
        gc.collect()
        assert seen() is None
