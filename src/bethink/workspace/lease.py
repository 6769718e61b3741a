"""The lease of a workspace, so that no two machines settle it at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.errors import ConflictError

if TYPE_CHECKING:
    from bethink.workspace.workspace_context import WorkspaceContext

LEASE_SECONDS: Final = 30


class Lease:
    """Keeps two machines from settling one workspace at once, where no lock of files does."""

    def __init__(self, workspace: WorkspaceContext) -> None:
        self._workspace = workspace
        self._holder = ""

    async def __aenter__(self) -> None:
        from bethink.lifecycle.leases import take_lease

        workspace = self._workspace
        if (
            workspace.files.directory is not None
        ):  # a lock of the directory ends with its holder, whatever happens
            return
        writing = workspace.writing()
        self._holder = str(writing.fresh())
        until = writing.now + LEASE_SECONDS * 1_000_000
        held = await workspace.store.write(
            take_lease, workspace.namespace, self._name, self._holder, until, writing=writing
        )
        if held is not None:
            raise ConflictError(
                "another worker is consolidating this workspace; try again when it is done", reason="leased"
            )

    async def __aexit__(self, *_: object) -> None:
        from bethink.lifecycle.leases import drop_lease

        if self._holder:
            await self._workspace.store.write(drop_lease, self._workspace.namespace, self._name, self._holder)

    @property
    def _name(self) -> str:
        return f"workspace {self._workspace.location.key}"
