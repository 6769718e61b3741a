"""The register of shared memory: pools or teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.errors import DeniedError
from bethink.scope import shares
from bethink.scope.namespace import Namespace
from bethink.scope.values import SYSTEM, Rights, validate_grantee, validate_principal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from bethink.memory.runtime import Runtime
    from bethink.scope.shares import Share


class AsyncShares:
    """The register of pools, or of teams, and their grants."""

    def __init__(self, runtime: Runtime, kind: Literal["pool", "team"]) -> None:
        self._runtime = runtime
        self._kind: Literal["pool", "team"] = kind

    def _namespace(self, name: str) -> Namespace:
        return Namespace(tenant=self._runtime.tenant, kind=self._kind, name=name)

    async def create(self, name: str, *, owner: str) -> Share:
        """Register a pool or a team with its owner.

        Args:
            name: The name.
            owner: The id of the principal who owns it.

        Raises:
            ConflictError: the name is taken.
            DeniedError: a principal may only register in its own name.
        """
        runtime = self._runtime
        owner = validate_principal(owner) if owner != SYSTEM else owner
        principal = runtime.principal
        if principal is not None and not principal.admin and (principal.id != owner or owner == SYSTEM):
            raise DeniedError(
                f"only {owner!r} or an admin can register a {self._kind} owned by {owner!r}",
                principal=principal.id,
                right="admin",
                namespace=name,
            )
        return await runtime.store.write(
            shares.create, self._namespace(name), owner, writing=runtime.writing()
        )

    async def grant(self, name: str, to: str, rights: str | Iterable[str]) -> Share:
        """Grant rights to a principal, a group or everyone, in place of earlier grants.

        What was given to the same addressee before is replaced; no rights at all takes it back.

        Args:
            name: The name.
            to: The id of a principal, group:NAME, or * for everyone.
            rights: read, write, delete and admin, separated by commas; empty revokes.

        Raises:
            NotFoundError: the name is not registered.
            DeniedError: the caller may not administer it.
        """
        given = Rights.parse(rights) if isinstance(rights, str) else Rights.of(*rights)
        return await self._runtime.store.write(
            shares.grant,
            self._namespace(name),
            validate_grantee(to),
            given,
            principal=self._runtime.principal,
            writing=self._runtime.writing(),
        )

    async def get(self, name: str) -> Share:
        """Return the owner and the grants of a pool or a team.

        Args:
            name: The name.

        Raises:
            NotFoundError: the name is not registered.
            DeniedError: the caller may not read it.
        """
        return await self._runtime.read(shares.registered, self._namespace(name))

    async def all(self) -> list[Share]:
        """List the pools or teams that the caller may read."""
        found = await self._runtime.store.read(shares.listing, self._kind, self._runtime.tenant)
        return [share for share in found if self._may_read(share)]

    async def remove(self, name: str) -> None:
        """Unregister an empty pool or team.

        Args:
            name: The name.

        Raises:
            ConflictError: it still holds memories; erase them first.
            DeniedError: the caller may not administer it.
        """
        await self._runtime.store.write(
            shares.unregister, self._namespace(name), principal=self._runtime.principal
        )

    def _may_read(self, share: Share) -> bool:
        from bethink.scope.access import has_right

        return has_right(
            self._runtime.principal,
            "read",
            self._namespace(share.name),
            tenant=self._runtime.tenant,
            owner=share.owner,
            grants=share.grants,
        )
