"""Problem details (RFC 9457): HTTP status codes and bodies of errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from bethink.errors import (
    BethinkError,
    ClosedError,
    ConflictError,
    DeniedError,
    InvalidError,
    LimitError,
    ModelError,
    NotFoundError,
    RefusedError,
    StorageError,
)
from bethink.plain import plain
from bethink.server.json_responses import Json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.responses import Response

E = TypeVar("E", bound=BaseException)
STATUS: Final[tuple[tuple[type[BethinkError], int, str], ...]] = (
    (InvalidError, 422, "invalid"),
    (RefusedError, 422, "refused"),
    (DeniedError, 403, "denied"),
    (NotFoundError, 404, "not-found"),
    (ConflictError, 409, "conflict"),
    (LimitError, 413, "limit"),
    (ModelError, 502, "model"),
    (StorageError, 503, "storage"),
    (ClosedError, 503, "closed"),
)
MEDIA: Final = "application/problem+json"
PROBLEM: Final[dict[str, Any]] = {
    "type": "object",
    "description": "What went wrong; the facts of the error are fields beside these.",
    "properties": {
        "type": {"type": "string", "description": "urn:bethink: and a word."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What to do next."},
    },
    "required": ["type", "title", "status", "detail"],
}


class HttpError(BethinkError):
    """Something that only a door can meet: no credentials, too many requests, a body that is too large."""

    def __init__(
        self, status: int, kind: str, message: str, *, headers: Mapping[str, str] | None = None, **facts: Any
    ) -> None:
        super().__init__(message, **facts)
        self.status = status
        self.kind = kind
        self.headers = dict(headers or {})


def problem_response(error: BethinkError, *, preconditioned: bool = False) -> Response:
    """Return the answer to a request that failed; an `If-Match` that no longer holds is 412 and not 409."""
    error = without_existence(error)
    status, kind = status_of(error)
    if status == 409 and kind == "conflict" and preconditioned:  # noqa: PLR2004
        status, kind = 412, "precondition"
    headers = error.headers if isinstance(error, HttpError) else {}
    return problem_body(status, kind, sentence(error), error.facts, headers)


def without_existence(error: E) -> E | NotFoundError:
    """Return what a caller is told of an error: what is not there, and what they may do nothing with, are one."""
    if not (isinstance(error, DeniedError | NotFoundError) and error.unseen):
        return error
    return NotFoundError(
        "no such pool, team or scope, or you have no access; its owner can register it and grant rights",
        kind="scope",
    )


def sentence(error: BethinkError) -> str:
    """Return an error's sentence, with the route that helps in the place of the verb."""
    verb = error.listed_by if isinstance(error, NotFoundError) else None
    return f"{error.sentence}; GET …/{verb} lists them" if verb else error.sentence


def status_of(error: BaseException) -> tuple[int, str]:
    """Return the status and the word that an error is answered with."""
    if isinstance(error, HttpError):
        return error.status, error.kind
    return next(
        ((status, kind) for known, status, kind in STATUS if isinstance(error, known)), (500, "defect")
    )


def problem_members(error: BaseException) -> dict[str, Any]:
    """Return the problem that an error is; the words of a defect are left out, as they may quote memories."""
    error = without_existence(error)
    status, kind = status_of(error)
    known = isinstance(error, BethinkError)
    detail = sentence(error) if isinstance(error, BethinkError) else "internal error; please report it"
    return _content(status, kind, detail, error.facts if known else None)


def validation_problem(errors: Sequence[Mapping[str, Any]]) -> Response:
    """Return the problem of a request that failed validation: where and why, without the values that were sent."""
    where = [
        {"where": [str(part) for part in each["loc"]], "kind": str(each["type"]), **_reason(each)}
        for each in errors[:20]
    ]
    return problem_body(422, "invalid", "the request does not match the API; see `errors`", {"errors": where})


def _reason(error: Mapping[str, Any]) -> dict[str, str]:
    """Return what was expected, in words; those of a check of our own may quote what was sent."""
    return {} if error["type"] in {"value_error", "assertion_error"} else {"reason": str(error["msg"])}


def problem_body(
    status: int,
    kind: str,
    detail: str,
    facts: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return problem details."""
    content = _content(status, kind, detail, facts)
    return Json(content, status_code=status, headers=dict(headers or {}), media_type=MEDIA)


def _content(status: int, kind: str, detail: str, facts: Mapping[str, Any] | None) -> dict[str, Any]:
    content = {name: plain(value) for name, value in (facts or {}).items()}
    return content | {"type": f"urn:bethink:{kind}", "title": kind, "status": status, "detail": detail}
