"""Cut a list of keys into pieces of sixteen, for the statements that read as many rows at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

T = TypeVar("T")

SIXTEEN: Final = "abcdefghijklmnop"  #: how such a statement tells its keys apart: `:na`, `:nb` …


def sixteens(keys: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield sixteen keys at a time; the last piece is filled up with its last key, which reads no row twice."""
    for start in range(0, len(keys), len(SIXTEEN)):
        some = list(keys[start : start + len(SIXTEEN)])
        yield some + some[-1:] * (len(SIXTEEN) - len(some))
