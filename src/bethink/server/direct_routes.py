"""Answer a POST of JSON by its route at once, without what the framework does for requests of every other kind.

The endpoint is the same, and so are its arguments. A request that is not plainly good (another kind of body, a field
that is missing) goes the framework's way, which says what is wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic import BaseModel, ValidationError

from bethink.scope.labels import LABEL_BYTES
from bethink.server import dependencies

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi.routing import RouteContext
    from starlette.types import ASGIApp, Receive, Send
    from starlette.types import Scope as HttpScope

    from bethink.server.routes import Routes
    from bethink.server.services import RequestState

_MADE_BY: Final[Mapping[Any, str]] = {
    dependencies.find_scope: "scope",
    dependencies.find_session: "session",
    dependencies.find_operation: "operation",
    dependencies.find_expected: "expected",
}
_JSON: Final = b"application/json"
_TOLD: Final = frozenset({b"content-type", b"if-match"})  #: headers that a route may ask for


class _Direct(NamedTuple):
    """How the arguments of an endpoint are made of a request."""

    endpoint: Callable[..., Any]
    asked: tuple[tuple[str, str], ...]  #: arguments, and what each of them is
    body: str  #: the name of the argument that has the body
    validator: Any  #: of the body


class _Route:
    """A route that takes a POST."""

    def __init__(self, context: RouteContext) -> None:
        self._context = context
        self.match = context.path_regex.match
        self.original = context.original_route  #: as the framework notes it of a request
        self.convertors: Mapping[str, Any] = context.param_convertors

    @cached_property
    def direct(self) -> _Direct | None:
        """How its endpoint is called; None where that asks for more than a scope or a session and one body."""
        endpoint, asks = self._context.endpoint, self._context.dependant
        answer = "" if endpoint is None else str(endpoint.__annotations__.get("return"))
        others = (asks.query_params, asks.header_params, asks.cookie_params, asks.path_params)
        if endpoint is None or not answer.startswith("Answer[") or any(others) or len(asks.body_params) != 1:
            return None
        asked = tuple((str(each.name), _MADE_BY.get(each.call, "")) for each in asks.dependencies)
        (body,) = asks.body_params
        model: Any = body.field_info.annotation
        if not asked or any(not kind for _, kind in asked) or asks.request_param_name is not None:
            return None
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            return None
        return _Direct(endpoint, asked, body.name, model.__pydantic_validator__)


class DirectRoutes:
    """Finds the endpoints that ask for a scope or a session and one body, and calls them."""

    def __init__(self, app: ASGIApp, *, routes: Routes) -> None:
        self.app = app
        self._named = routes

    async def __call__(self, scope: HttpScope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "http" and scope["method"] == "POST" and not _watched(scope):
            state: RequestState = scope["state"]
            found = self._found(scope) if "body" in state and "memory" in state else None
            given = None if found is None else _arguments(found[0], found[1], scope["headers"], state)
            if found is not None and given is not None:
                response = await found[0].endpoint(**given)
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _found(self, scope: HttpScope) -> tuple[_Direct, dict[str, str]] | None:
        """Return how the arguments of the endpoint are made, and the parts of the path, as the framework finds both."""
        path = scope["path"]
        for route in self._routes:
            match = route.match(path)
            if match is None:
                continue
            direct = route.direct
            if direct is None:
                return None
            parts = {name: route.convertors[name].convert(part) for name, part in match.groupdict().items()}
            scope["route"], scope["endpoint"], scope["path_params"] = route.original, direct.endpoint, parts
            return direct, parts
        return None

    @cached_property
    def _routes(self) -> list[_Route]:
        """The routes that take a POST, in the order in which they are asked."""
        return [_Route(context) for context in self._named.posts]


def _watched(scope: HttpScope) -> bool:
    """Tell whether the framework itself is asked to tell of requests, or serves them below another path."""
    return bool(scope.get("root_path")) or scope.get("fastapi.telemetry") is not None


def _arguments(
    direct: _Direct, parts: Mapping[str, str], headers: list[tuple[bytes, bytes]], state: RequestState
) -> dict[str, Any] | None:
    """Return the arguments of an endpoint; None where the framework has to look at the request.

    Raises:
        InvalidError: the path names no scope or no session.
    """
    named, session = parts.get("namespace", ""), parts.get("session", "")
    if len(named) > dependencies.LONGEST_NAMESPACE or len(session) > LABEL_BYTES:
        return None
    kinds = [value for name, value in headers if name in _TOLD]
    if len(kinds) != 1 or kinds[0].partition(b";")[0].strip().lower() != _JSON:
        return None
    try:
        body = direct.validator.validate_python(json.loads(state.get("body", b"")))
    except (ValueError, RecursionError, ValidationError):
        return None
    given: dict[str, Any] = {direct.body: body}
    for name, kind in direct.asked:
        match kind:
            case "scope":
                given[name] = state["memory"].namespace(named)  # pyright: ignore[reportTypedDictNotRequiredAccess]
            case "session":
                given[name] = state["memory"].namespace(named).session(session)  # pyright: ignore[reportTypedDictNotRequiredAccess]
            case "operation":
                given[name] = state.get("operation")
            case _:  # the revision that a header expects, which is not there
                given[name] = None
    return given
