"""What scores over hashed features share: where a feature is hashed to, and numbers that come with the package."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


def bucket(feature: str, buckets: int) -> int:
    """Return which of some places a feature is hashed to, the same in every process."""
    return crc32(feature.encode("utf-8", "surrogatepass")) % buckets


def trained(file: str, arrays: Iterable[str]) -> list[NDArray[Any]]:
    """Return some arrays of a file of `models/data`, by their names."""
    import numpy as np

    with (files("bethink.models.data") / file).open("rb") as stream:
        found = np.load(stream, allow_pickle=False)
        return [found[name] for name in arrays]
