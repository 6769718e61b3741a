"""The port to an embedding model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors. It may block: it is called outside the event loop when it is slow."""

    @property
    def identity(self) -> str:
        """Name the vectors: it changes whenever the vector of some text would."""
        ...

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text, of length 1; a text without a known word gives a row of zeros."""
        ...
