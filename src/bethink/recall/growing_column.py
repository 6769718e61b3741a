"""An array in memory that grows at its end without a copy of all for each addition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_D = TypeVar("_D", bound=np.generic)


class Column(Generic[_D]):
    """An array that grows at its end."""

    __slots__ = ("_held", "n")

    def __init__(self, dtype: type[_D], width: int | None = None) -> None:
        self._held: NDArray[_D] = np.zeros(0 if width is None else (0, width), dtype)
        self.n = 0

    @property
    def all(self) -> NDArray[_D]:
        """Return what is in it."""
        return self._held[: self.n]

    @property
    def nbytes(self) -> int:
        """Return the memory it takes."""
        return self._held.nbytes

    def extend(self, more: NDArray[Any]) -> None:
        """Add values at the end."""
        end = self.n + len(more)
        if end > len(self._held):
            room = end if not self.n else max(end, len(self._held) + len(self._held) // 2 + 64)
            held = np.empty((room, *self._held.shape[1:]), self._held.dtype)
            held[: self.n] = self.all
            self._held = held
        self._held[self.n : end] = more
        self.n = end

    def replace(self, values: NDArray[Any]) -> None:
        """Hold other values."""
        self._held = np.ascontiguousarray(values, self._held.dtype)
        self.n = len(values)
