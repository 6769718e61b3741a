"""Render the dashboard's templates with security headers."""

from __future__ import annotations

import hashlib
import mimetypes
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import HTMLResponse, Response

from bethink.server.dashboard import labels, urls

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment
    from starlette.types import Scope

HERE: Final = Path(__file__).parent
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
GUARDS: Final[Mapping[str, str]] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
PRIVATE: Final[Mapping[str, str]] = {**GUARDS, "cache-control": "no-store"}


def html(scope: Scope, template: str, status: int = 200, **values: Any) -> Response:
    """Return a page, or a part of one, as the caller of a request is shown it."""
    state = scope.get("state", {})
    text = (
        _templates()
        .get_template(template)
        .render(
            path=scope["path"],
            caller=state.get("caller"),
            csrf=state.get("csrf", ""),
            auth=state.get("auth", "bearer"),
            **values,
        )
    )
    # Half of a surrogate pair that somebody said is no reason to fail; it is shown as a question mark.
    return HTMLResponse(text.encode("utf-8", "replace"), status_code=status, headers=PRIVATE)


def away(headers: Mapping[str, str], to: str) -> Response:
    """Lead to another page, whoever asked."""
    if is_part(headers):
        return Response(headers={**PRIVATE, "hx-redirect": to})
    return Response(status_code=303, headers={**PRIVATE, "location": to})


def is_part(headers: Mapping[str, str]) -> bool:
    """Tell whether htmx asks, for a part of a page."""
    return headers.get("hx-request") == "true"


def static(name: str) -> str:
    """Return the address of a file; it changes with what the file holds, so that it may be kept for ever."""
    return f"{urls.STATIC}{_file(name)[1]}/{name}"


def static_file(name: str) -> Response:
    """Return one of our own files.

    Raises:
        KeyError: there is none of this name.
    """
    body, _, kind = _file(name)
    headers = {**GUARDS, "cache-control": "public, max-age=31536000, immutable"}
    return Response(body, media_type=kind, headers=headers)


@cache
def _names() -> frozenset[str]:
    return frozenset(each.name for each in (HERE / "static").iterdir())


@cache
def _file(name: str) -> tuple[bytes, str, str]:
    if name not in _names():
        raise KeyError(name)
    body = (HERE / "static" / name).read_bytes()
    kind = mimetypes.guess_type(name)[0] or "text/plain"
    return body, hashlib.sha256(body).hexdigest()[:12], kind


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # here, since it is slow to load

    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    given: dict[str, Any] = made.globals  # pyright: ignore[reportAssignmentType] - what Jinja starts with is narrower
    given.update(static=static, to=urls)
    made.filters.update(labels.FILTERS)
    return made
