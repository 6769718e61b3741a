"""Distinct values of a NumPy array: like `np.unique`, without its slow import of masked arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T", bound=np.generic)


def distinct_values(values: NDArray[T]) -> NDArray[T]:
    """Return each value once."""
    ordered = np.sort(values)
    return ordered[_firsts(ordered)]


def with_places(values: NDArray[T]) -> tuple[NDArray[T], NDArray[np.int64]]:
    """Return each value once, and for every place which of them stands there."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    firsts = _firsts(ordered)
    places = np.empty(len(values), np.int64)
    places[order] = np.cumsum(firsts) - 1
    return ordered[firsts], places


def with_counts(values: NDArray[T]) -> tuple[NDArray[T], NDArray[np.int64]]:
    """Return each value once, and how often it is there."""
    ordered = np.sort(values)
    starts = np.flatnonzero(_firsts(ordered))
    return ordered[starts], np.diff(starts, append=len(values))


def _firsts(ordered: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark where a value differs from the one before it."""
    firsts = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=firsts[1:])
    return firsts
