"""What the verbs of a scope and of a session act on: one namespace, one log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.memory.documents import AsyncDocuments
from bethink.memory.foreign_names import Signposts
from bethink.memory.profile import AsyncProfileHandle
from bethink.memory.records import AsyncRecords
from bethink.scope.labels import label

if TYPE_CHECKING:
    from bethink.memory.runtime import Runtime
    from bethink.memory.scope import AsyncScope
    from bethink.scope.namespace import Namespace


class Place(Signposts):
    """Where the verbs of a scope act, and the handles that they share."""

    def __init__(self, runtime: Runtime, namespace: Namespace) -> None:
        self._runtime = runtime
        self.namespace = namespace

    def __repr__(self) -> str:
        return f"<scope {self.namespace}>"

    @property
    def profile(self) -> AsyncProfileHandle:
        """What is known of the user as fields."""
        return AsyncProfileHandle(self._runtime, self.namespace)

    @property
    def records(self) -> AsyncRecords:
        """What happened, such as trips and orders."""
        return AsyncRecords(self._runtime, self.namespace)

    @property
    def documents(self) -> AsyncDocuments:
        """JSON values by path and key."""
        return AsyncDocuments(self._runtime, self.namespace)


class Log(Signposts):
    """Where the verbs of a session act."""

    def __init__(self, runtime: Runtime, scope: AsyncScope, name: str, settings: Any = None) -> None:
        self._runtime = runtime
        self.scope = scope
        self.session_id: str = label(name, argument="session")
        self.session_settings = settings

    def __repr__(self) -> str:
        return f"<session {self.session_id!r} of {self.scope.namespace}>"

    def _written(self) -> None:
        """Let mirrors know that the session was written, apart from a turn, which copies it by itself."""
        for mirror in self._runtime.mirrors:
            mirror._written(self.scope.namespace, self.session_id)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
