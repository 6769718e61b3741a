"""Register pools and teams on first use, where the server's options allow it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bethink.errors import ConflictError, NotFoundError
from bethink.scope.namespace import Namespace
from bethink.scope.values import NOOP, SYSTEM
from bethink.server.registration_policy import OPEN

if TYPE_CHECKING:
    from bethink.memory.memory import AsyncMemory
    from bethink.memory.shares import AsyncShares
    from bethink.scope.shares import Share
    from bethink.server.registration_policy import RegistrationPolicy

SharedKind = Literal["pool", "team"]


async def register(
    memory: AsyncMemory,
    kind: SharedKind,
    name: str,
    *,
    owner: str | None = None,
    creation: RegistrationPolicy = OPEN,
) -> Share:
    """Register a pool or a team: for the caller, and as an admin for anybody.

    Raises:
        ConflictError: the name is taken.
        DeniedError: the caller may not register it, or not in this name.
        HttpError: 429, the caller owns as many as one may.
    """
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    principal, shares = runtime.principal, _register(memory, kind)
    written = Namespace(tenant=runtime.tenant, kind=kind, name=name).name
    caller = SYSTEM if principal is None or principal.id == NOOP.id else principal.id

    async def owned() -> int:
        return sum(share.owner == caller for share in await shares.all())

    await creation.check(principal, kind, written, owned)
    return await shares.create(written, owner=owner or caller)


async def register_if_missing(
    memory: AsyncMemory, kind: SharedKind, name: str, *, creation: RegistrationPolicy = OPEN
) -> None:
    """Make sure that a pool or a team which a spec names may be read by who saves it.

    One that nobody registered is registered for them, and is open to nobody else until they grant it.

    Raises:
        DeniedError: it is another's, or the caller may not register it.
    """
    shares = _register(memory, kind)
    try:
        await shares.get(name)
    except NotFoundError:
        try:
            await register(memory, kind, name, creation=creation)
        except ConflictError:  # somebody else did at the same moment
            await shares.get(name)


def _register(memory: AsyncMemory, kind: SharedKind) -> AsyncShares:
    return memory.pools if kind == "pool" else memory.teams
