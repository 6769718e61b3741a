"""Find the route template of a request, for logs, metrics and traces."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from fastapi.routing import iter_route_contexts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import FastAPI
    from fastapi.routing import RouteContext

UNKNOWN = "unknown"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "OTHER"  #: label for unknown HTTP methods


def method_of(scope: Mapping[str, Any]) -> str:
    """Return the method of a request, if it is one."""
    return scope["method"] if scope["method"] in METHODS else OTHER


class Routes:
    """The routes of an application, looked up once all of them are there."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    @cached_property
    def _all(self) -> list[RouteContext]:
        return [each for each in iter_route_contexts(self._app.routes) if each.endpoint is not None]

    @cached_property
    def _templates(self) -> dict[int, str]:
        return {id(each.original_route): str(each.path_format) for each in self._all}

    @property
    def posts(self) -> list[RouteContext]:
        """Return what takes a POST, in the order in which it is asked."""
        return [each for each in self._all if "POST" in (each.methods or ())]

    def template(self, scope: Mapping[str, Any]) -> str:
        """Return the whole template of the path, such as `/v1/scopes/{namespace}/notes`.

        Below a mounted application it is the place of that application; what leads nowhere is `unknown`.
        """
        found = self._templates.get(id(scope.get("route")))
        if found is None and scope.get("root_path"):
            found = f"{scope['root_path']}/*"
        return found or UNKNOWN

    def methods(self, path: str) -> list[str]:
        """Return the methods that a path has."""
        found = [each for each in self._all if each.path_regex.match(path)]
        return sorted({method for each in found for method in each.methods or ()})
