"""The base of the handles that belong to one namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.memory.signposts import Signposts

if TYPE_CHECKING:
    from bethink.memory.documents import AsyncDocuments
    from bethink.memory.profile import AsyncProfileHandle
    from bethink.memory.records import AsyncRecords
    from bethink.memory.runtime import Runtime
    from bethink.scope.namespace import Namespace


class ScopeHandle(Signposts):
    """Where the verbs of a scope act, and the handles that they share."""

    def __init__(self, runtime: Runtime, namespace: Namespace) -> None:
        self._runtime = runtime
        self.namespace = namespace

    def __repr__(self) -> str:
        return f"<scope {self.namespace}>"

    @property
    def profile(self) -> AsyncProfileHandle:
        """What is known of the user as fields."""
        from bethink.memory.profile import AsyncProfileHandle

        return AsyncProfileHandle(self._runtime, self.namespace)

    @property
    def records(self) -> AsyncRecords:
        """What happened, such as trips and orders."""
        from bethink.memory.records import AsyncRecords

        return AsyncRecords(self._runtime, self.namespace)

    @property
    def documents(self) -> AsyncDocuments:
        """JSON values by path and key."""
        from bethink.memory.documents import AsyncDocuments

        return AsyncDocuments(self._runtime, self.namespace)
