"""Errors of the dashboard: a page for browsers, a fragment for htmx, problem JSON for programs."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from starlette.datastructures import Headers

from bethink.errors import BethinkError
from bethink.server.dashboard.rendering import away, html, is_part
from bethink.server.dashboard.urls import SIGN_IN, is_page
from bethink.server.problems import HttpError, problem_body, problem_members, problem_response

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Scope

TITLES: Final = {
    400: "Bad request",
    401: "Please sign in",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    408: "That took too long",
    409: "It changed in the meantime",
    413: "Too large",
    421: "Unknown host name",
    422: "Invalid input",
    429: "Too many requests",
    500: "Internal error",
    501: "Not installed",
    502: "The model did not answer",
    503: "Not available right now",
}


def failed(scope: Scope, error: BaseException, *, preconditioned: bool = False) -> Response:
    """Return the answer to a request that failed, in the form that its sender reads."""
    shown_problem = problem_members(error)
    if not wants_page(scope):
        known = isinstance(error, BethinkError)
        return (
            problem_response(error, preconditioned=preconditioned)
            if known
            else problem_body(shown_problem["status"], shown_problem["title"], shown_problem["detail"])
        )
    answer = shown(scope, shown_problem["status"], shown_problem["detail"], hint=_hint(shown_problem["type"]))
    if isinstance(error, HttpError):
        answer.headers.update(error.headers)
    return answer


def wants_page(scope: Scope) -> bool:
    """Tell whether a person reads the answer."""
    headers = Headers(scope=scope)
    return is_page(scope["path"]) and (is_part(headers) or "text/html" in headers.get("accept", ""))


def shown(scope: Scope, status: int, detail: str, *, hint: str = "") -> Response:
    """Return a page, or the part that htmx puts under the head of one; who is not signed in is led there."""
    headers = Headers(scope=scope)
    if status == HTTPStatus.UNAUTHORIZED and scope["method"] == "GET":
        # as it was sent: read out of the query of the form it is the address again, a name with a slash included
        to = quote(scope.get("raw_path") or scope["path"] if not is_part(headers) else "/", safe="/")
        return away(headers, f"{SIGN_IN}?next={to}")
    values = {"title": TITLES.get(status, "That did not work"), "detail": detail, "hint": hint}
    if is_part(headers):
        answer = html(scope, "_problem.html", status, **values)
        answer.headers["hx-retarget"], answer.headers["hx-reswap"] = "#flash", "innerHTML"
        return answer
    return html(scope, "problem.html", status, **values, code=status)


def _hint(kind: str) -> str:
    return {
        "urn:bethink:conflict": "Reload the page to see the current version.",
        "urn:bethink:refused": "The guard keeps secrets, card numbers and identity numbers out of memory.",
        "urn:bethink:unauthorized": "Sign in and try again.",
    }.get(kind, "")
