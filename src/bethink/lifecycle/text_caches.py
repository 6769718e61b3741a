"""Name the functions that remember what they said of texts of memories, so that an erasure makes them forget it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
P = ParamSpec("P")

_forgets: Final[list[Callable[[], None]]] = []


def remembers(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a function remember what it said last of so many texts, until something is erased."""

    def remembering(function: Callable[P, T]) -> Callable[P, T]:
        cached = lru_cache(maxsize=most)(function)
        _forgets.append(cached.cache_clear)
        return cached  # pyright: ignore[reportReturnType] - it takes what the function takes, if that can be hashed

    return remembering


def forget_texts() -> None:
    """Let go of every text that was remembered: some of them were erased."""
    from bethink.models.static import built_in

    for forget in _forgets:
        forget()
    built_in().forget_words()
