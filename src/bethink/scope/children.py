"""Fall back to older memory below a namespace that is still empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bethink.scope.namespace import Namespace

T = TypeVar("T")


def is_child(parent: Namespace, candidate: Namespace) -> bool:
    """Tell whether memories of `candidate` may stand in for those of `parent`.

    Children are the session stores of the same agent, owner and user. Columns are compared whole, so `bot`
    has no part in `bot-2`, nor `alice` in `alice:x`; an agent's own namespace never reaches into its users'.
    """
    return (
        parent.kind == candidate.kind == "agent"
        and parent.session is None
        and candidate.session is not None
        and (parent.tenant, parent.owner, parent.name, parent.user)
        == (candidate.tenant, candidate.owner, candidate.name, candidate.user)
    )


def merge_children(
    batches: Iterable[Iterable[T]], *, key: Callable[[T], str | None], newness: Callable[[T], Any]
) -> list[T]:
    """Return what the children hold, newest first, one of each key; what has no key is never a duplicate."""
    seen: set[str] = set()
    merged: list[T] = []
    for each in sorted((each for batch in batches for each in batch), key=newness, reverse=True):
        name = key(each)
        if name is not None:
            if name in seen:
                continue
            seen.add(name)
        merged.append(each)
    return merged
