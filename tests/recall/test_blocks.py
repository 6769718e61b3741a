from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.errors import StorageError
from bethink.recall.passage_blocks import block_of, drop, pack, unpack

from .samples import embed, note, said

texts = st.lists(st.text(alphabet="abc de猫.", min_size=1, max_size=30), min_size=1, max_size=12)


def columns(block):
    return [getattr(block, name) for name in block.__slots__]


def assert_same(one, other):
    for left, right in zip(columns(one), columns(other), strict=True):
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)


@settings(deadline=None)
@given(texts, st.booleans())
def test_what_is_packed_comes_back_equal(found, with_vectors):
    batch = [*said(5, *found, speaker="Ada"), note(1, "a")]
    block = block_of(batch, embed([p.text for p in batch]) if with_vectors else None)
    assert_same(unpack(pack(block)), block)


@settings(deadline=None)
@given(texts, st.sets(st.integers(0, 12)))
def test_dropping_equals_never_having_packed(found, gone):
    batch = said(5, *found)
    kept = [p for p in batch if p.seq not in gone]
    left = drop(pack(block_of(batch, embed([p.text for p in batch]))), lambda kind, owner, seq: seq in gone)
    if not kept:
        assert left is None
    else:
        assert left is not None
        assert_same(unpack(left), block_of(kept, embed([p.text for p in kept])))


def test_dropping_nothing_leaves_the_bytes_as_they_are():
    payload = pack(block_of(said(1, "a", "b")))
    assert drop(payload, lambda kind, owner, seq: kind == "note") is payload


def test_nothing_is_left_of_a_block_of_another_version_where_something_of_it_goes():
    payload = bytearray(pack(block_of(said(1, "a", "b"))))
    payload[4:6] = (1).to_bytes(2, "little")
    assert drop(bytes(payload), lambda kind, owner, seq: seq == 1) is None


@pytest.mark.parametrize("at", [0, 5, 9, 40, -1])
def test_a_damaged_block_is_refused(at):
    payload = bytearray(pack(block_of(said(1, "the kettle is on"), embed(["the kettle is on"]))))
    payload[at] ^= 1
    with pytest.raises(StorageError):
        unpack(bytes(payload))


def test_a_cut_block_is_refused():
    payload = pack(block_of(said(1, "the kettle is on")))
    for size in (0, 3, 20, len(payload) - 1):
        with pytest.raises(StorageError):
            unpack(payload[:size])


def test_vectors_keep_their_direction():
    vectors = embed(["one two three", "", "four"])
    block = block_of([note(n, "x") for n in range(3)], vectors)
    back = block.vectors * block.scales[:, None]
    assert np.abs(back - vectors).max() < 0.005
    assert not back[1].any()
