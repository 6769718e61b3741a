"""Distinct values, without what loads masked arrays: as numpy has them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.recall.numpy_unique import distinct_values, with_counts, with_places

NUMBERS = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 5), max_size=60)


@given(NUMBERS)
@pytest.mark.parametrize("kind", [np.uint64, np.int64])
def test_they_are_as_numpy_has_them(kind, numbers):
    values = np.array([number % 2**63 for number in numbers], kind)
    assert distinct_values(values).tolist() == np.unique(values).tolist()
    found, places = with_places(values)
    assert (found[places] == values).all()
    assert found.tolist() == np.unique(values).tolist()
    found, counts = with_counts(values)
    expected, repeats = np.unique(values, return_counts=True)
    assert (found.tolist(), counts.tolist()) == (expected.tolist(), repeats.tolist())
    assert found.dtype == values.dtype
