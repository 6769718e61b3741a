"""Answer failed requests: an HTML page, problem JSON, or a logged 500."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from bethink.errors import BethinkError
from bethink.server import audit
from bethink.server.dashboard.failures import failed
from bethink.server.request_bodies import is_small

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bethink.server.services import RequestState


class ErrorResponses:
    """Answers whatever is raised behind it, unless an answer has begun.

    After an answer that comes before the whole of a large body did, the connection is closed.
    """

    def __init__(self, app: ASGIApp, *, auth: str) -> None:
        self.app = app
        self._auth = auth  #: which pages say at their head

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        state: RequestState = scope["state"]
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        state["auth"] = self._auth
        try:
            await self.app(scope, receive, watched)
        except BethinkError as error:
            answer = failed(scope, error)
        except Exception as error:  # noqa: BLE001 - the outermost place: its words may quote memories
            audit.log_defect(error)
            answer = failed(scope, error)
        else:
            return
        if not begun:
            if "body" not in state and not is_small(Headers(scope=scope)):
                answer.headers["connection"] = "close"
            await answer(scope, receive, send)
