"""Verbs of a whole tenant: stats, health check, erase."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bethink.errors import DeniedError, InvalidError
from bethink.memory.signposts import Signposts
from bethink.scope.labels import label

if TYPE_CHECKING:
    from bethink.health.values import Health, Stats
    from bethink.lifecycle.erase.values import Receipt, Subject
    from bethink.memory.runtime import Runtime


class TenantVerbs(Signposts):
    """Verbs of a whole tenant."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def stats(self) -> Stats:
        """Count what every scope of the tenant contains.

        Raises:
            DeniedError: the caller is neither the application nor an admin.
        """
        from bethink.health import service as health

        self._check_whole()
        found = await health.count(self._runtime.store, self._runtime.tenant)
        return replace(found, recent=self._runtime.recent.use())

    async def doctor(self) -> Health:
        """Check all data of the tenant for damage, without changing anything.

        Raises:
            DeniedError: the caller is neither the application nor an admin.
        """
        from bethink.health import service as health

        self._check_whole()
        runtime = self._runtime
        return await health.examine(runtime.store, runtime.tenant, embedder=runtime.indexes.identity)

    async def purge(self) -> int:
        """Delete expired items in every scope of the tenant; return how many scopes contained any.

        They are shown to nobody as it is: whoever reads a session has them removed before. `bethink worker` does this
        every minute, and this does it where no worker runs.

        Raises:
            DeniedError: the caller is neither the application nor an admin.
        """
        self._check_whole()
        return await self._runtime.all_on_time()

    def _check_whole(self) -> None:
        principal = self._runtime.principal
        if principal is not None and not principal.admin:
            raise DeniedError(
                "this covers the whole tenant, which only an admin or the application may access",
                principal=principal.id,
                right="admin",
                namespace=self._runtime.tenant,
            )

    async def erase(self, *, user: str | None = None, tenant: str | None = None) -> Receipt:
        """Destroy everything about a user, or of the whole tenant, for good, and return a receipt.

        Name one of the two; a tenant is named so that it is not erased by mistake. What others keep in pools and
        teams is theirs: erase it there.

        Args:
            user: The user to erase, in the memory of every agent.
            tenant: This memory's own tenant, to erase it completely.

        Raises:
            InvalidError: neither or both are named, or the tenant is another one.
            DeniedError: the caller may not do this.
        """
        from bethink.lifecycle.erase.transactions import erase_tenant, erase_user
        from bethink.memory.erasure_receipts import receipt

        runtime = self._runtime
        principal = runtime.principal
        if (user is None) == (tenant is None):
            raise InvalidError("pass either user or tenant", argument="user")
        if tenant is not None and tenant != runtime.tenant:
            raise InvalidError(f"tenant must be this memory's own, {runtime.tenant!r}", argument="tenant")
        if principal is not None and not principal.admin and principal.id != user:
            raise DeniedError(
                "only the user, an admin or the application may erase this",
                principal=principal.id,
                right="delete",
                namespace=user or tenant,
            )
        writing = runtime.writing()
        subject: Subject = "user" if user is not None else "tenant"
        if user is not None:
            user = label(user, argument="user")
            erased = await runtime.store.write(erase_user, runtime.tenant, user, writing=writing)
        else:
            erased = await runtime.store.write(erase_tenant, runtime.tenant, writing=writing)
        for mirror in runtime.mirrors:
            erased.count("mirror files", await mirror._forget_where(lambda each: user in {None, each.user}))  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        return await receipt(runtime, subject, erased, writing=writing)
