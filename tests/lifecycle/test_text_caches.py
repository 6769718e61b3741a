"""What was read out of a text is not remembered beyond the erasure of that text."""

import gc
import weakref

from bethink import Memory
from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.clause_score import scored
from bethink.lifecycle.consolidate.nearest_notes import text_vector
from bethink.lifecycle.consolidate.subjects import subject
from bethink.models.static import built_in
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


def test_what_the_score_of_endings_saw_in_a_note_is_gone_with_the_note():
    with Memory(":memory:", embedder=HashingEmbedder()) as memory:
        scope = memory.scope(user="alice")
        for number, text in enumerate(("I play padel on Thursdays.", "I quit padel, it's only squash now.")):
            scope.session(str(number)).append([{"role": "user", "content": text}])
            scope.consolidate()
        (note,) = scope.notes(limit=1)
        seen = weakref.ref(scored(note.text, "en").matters)
        gc.collect()
        assert seen() is not None

        scope.erase()
        gc.collect()
        assert seen() is None


def test_the_words_that_the_built_in_embedder_met_are_gone_with_the_note():
    with Memory(":memory:") as memory:
        scope = memory.scope(user="alice")
        for text in ("I keep a zyxwvuqq.", "A zyxwvuqq lives with me."):
            scope.remember(text)
            scope.consolidate()
        known = built_in()._loaded()
        assert "zyxwvuqq" in known._words
        assert text_vector.cache_info().currsize
        assert subject.cache_info().currsize

        scope.erase()
        assert "zyxwvuqq" not in known._words
        assert not text_vector.cache_info().currsize
        assert not subject.cache_info().currsize
