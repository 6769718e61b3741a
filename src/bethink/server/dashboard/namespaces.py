"""List the namespaces that the caller may see, for the side bar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bethink.scope.access import rights_on
from bethink.scope.values import SYSTEM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.scope.namespace import Namespace
    from bethink.scope.values import Rights

HEADS: Final = {"agent": "Private", "pool": "Pools", "team": "Teams"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedNamespace:
    """A namespace in a list."""

    namespace: Namespace
    title: str
    whose: str  #: the user and the session, where there are any

    @property
    def text(self) -> str:
        """Return the namespace's text."""
        return str(self.namespace)


def place(namespace: Namespace) -> ListedNamespace:
    """Return a namespace as people read it."""
    title = namespace.name if namespace.owner == SYSTEM else f"{namespace.owner} / {namespace.name}"
    whose = [
        *([f"of {namespace.user}"] if namespace.user is not None else []),
        *([f"in {namespace.session}"] if namespace.session is not None else []),
    ]
    return ListedNamespace(namespace=namespace, title=title, whose=" ".join(whose))


async def places(memory: AsyncMemory, here: AsyncScope | None = None) -> dict[str, list[ListedNamespace]]:
    """Return what the caller may see, by kind; `here` is there even before anything is kept in it."""
    found = {str(scope.namespace): place(scope.namespace) for scope in await memory.scopes()}
    if here is not None:
        found.setdefault(str(here.namespace), place(here.namespace))
    return grouped(list(found.values()))


def grouped(found: Sequence[ListedNamespace]) -> dict[str, list[ListedNamespace]]:
    """Return places under the heads of their kinds."""
    return {
        head: sorted((each for each in found if each.namespace.kind == kind), key=lambda each: each.text)
        for kind, head in HEADS.items()
        if any(each.namespace.kind == kind for each in found)
    }


async def rights(memory: AsyncMemory, namespace: Namespace) -> Rights:
    """Return what the caller may do in a namespace, so that nothing else is offered.

    Raises:
        NotFoundError: the pool or the team is not registered.
        DeniedError: the caller may not read it.
    """
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    if namespace.kind == "agent":
        return rights_on(runtime.principal, namespace, tenant=runtime.tenant)
    register = memory.pools if namespace.kind == "pool" else memory.teams
    share = await register.get(namespace.name)
    return rights_on(
        runtime.principal, namespace, tenant=runtime.tenant, owner=share.owner, grants=share.grants
    )
