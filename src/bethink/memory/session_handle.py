"""One log, as the verbs of its handle see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.memory.signposts import Signposts
from bethink.scope.labels import label

if TYPE_CHECKING:
    from bethink.memory.runtime import Runtime
    from bethink.memory.scope import AsyncScope


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
