"""The audit log: who read and wrote what, without the content."""

from __future__ import annotations

import json
import logging
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bethink.ids import to_number
from bethink.server.authentication import is_public
from bethink.server.routes import method_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bethink.errors import BethinkError
    from bethink.server.authentication import Caller
    from bethink.server.background.runner import JobRun

log = logging.getLogger("bethink.audit")
#: what a path may name, and we write down
_NAMED = ("namespace", "session", "plan", "name", "tool", "to")
ID_CHARACTERS = 13  #: at least; a key that is shorter is no id, whatever its letters


class AccessLog:
    """Writes a line for each request when it is over, but for those that anybody may make; if the log is read."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http" or is_public(scope["path"]) or not log.isEnabledFor(logging.INFO):
            await self.app(scope, receive, send)
            return
        began, status = time.monotonic(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            record(scope, scope["state"].get("caller"), status, time.monotonic() - began)


def record(scope: Scope, caller: Caller | None, status: int, seconds: float) -> None:
    """Write one line of JSON: the route, never the query or the body."""
    params = scope.get("path_params", {})
    named = {name: params[name] for name in _NAMED if name in params}
    note = str(params.get("note", ""))
    if (
        len(note) >= ID_CHARACTERS and to_number("n", note) is not None
    ):  # a key may say something; an id does not
        named["note"] = note
    named |= scope.get("state", {}).get("named", {})
    line: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(),
        "tenant": caller.tenant if caller else None,
        "principal": caller.id if caller else None,
        "does": f"{method_of(scope)} {scope['app'].state.routes.template(scope)}",
        "what": named,
        "status": status,
        "milliseconds": round(seconds * 1000, 1),
    }
    log.info("%s", json.dumps(line))


def log_defect(error: BaseException) -> None:
    """Write down an error that nobody foresaw: its kind and its place, not its words."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    place = f"{frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}" if frame else "unknown"
    logging.getLogger("bethink.server").error(
        "%s", json.dumps({"defect": type(error).__name__, "where": place})
    )


def log_job(ran: JobRun) -> None:
    """Write down that a job did something, or failed: counts and names, no words."""
    if ran.status != "done" or ran.outcome:
        line = {"job": ran.job, "tenant": ran.tenant, "status": ran.status, "seconds": round(ran.seconds, 3)}
        logging.getLogger("bethink.server").info("%s", json.dumps({**line, "outcome": dict(ran.outcome)}))


def log_background_failure(what: str, error: BethinkError) -> None:
    """Write down that work in the background met an error, which it will meet with another try."""
    logging.getLogger("bethink.server").warning(
        "%s", json.dumps({"failed": what, "error": type(error).__name__})
    )
