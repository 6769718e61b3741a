"""An embedder that fails costs the vectors, never the answer."""

from __future__ import annotations

import numpy as np
import pytest

from bethink import Memory, ModelError


class Moody:
    """Embeds by letters, and fails while it is told to."""

    identity = "moody-1"
    dimensions = 26

    def __init__(self):
        self.failing = False

    def embed(self, texts):
        if self.failing:
            raise ModelError("no answer", provider="moody", reason="unavailable")
        rows = np.array([[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


@pytest.fixture
def embedder():
    return Moody()


@pytest.fixture
def scope(embedder):
    with Memory(":memory:", embedder=embedder) as memory:
        yield memory.scope(user="alice")


def test_a_question_is_answered_by_words_alone_and_says_so(scope, embedder):
    scope.remember("Prefers aisle seats.")
    assert not scope.recall("aisle").degraded
    embedder.failing = True
    found = scope.recall("which aisle?")  # what was asked before has its vector
    assert found[0].text == "Prefers aisle seats."
    assert "unavailable" in found.degraded[0]
    embedder.failing = False
    assert not scope.recall("aisle").degraded


def test_what_was_written_meanwhile_is_found_and_embedded_later(scope, embedder):
    scope.remember("Prefers aisle seats.")
    embedder.failing = True
    scope.remember("Drinks oolong tea.")
    assert scope.recall("oolong").degraded
    assert scope.recall("oolong")[0].text == "Drinks oolong tea."
    embedder.failing = False
    indexes = scope._twin._runtime.indexes
    while scope.recall("oolong").degraded:
        indexes.wait()
    assert scope.recall("oolong")[0].why.dense
