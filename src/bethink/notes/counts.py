"""Count notes without reading them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.notes import queries
from bethink.scope.transactions import find

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.storage.work import Work


def waiting(namespace: Namespace) -> Work[int]:
    """Return how many notes wait for a decision, of every session too."""
    place = yield from find(namespace)
    if place is None:
        return 0
    (count,) = yield from queries.count_waiting(tenant=place.tenant, scope=place.scope)
    return count
