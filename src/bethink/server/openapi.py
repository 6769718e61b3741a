"""Build the OpenAPI document."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Union, get_args, get_origin, get_type_hints

from fastapi import APIRouter
from fastapi.routing import iter_route_contexts

from bethink.server.authentication import PUBLIC
from bethink.server.idempotency_keys import MAX_KEY
from bethink.server.json_responses import Answer
from bethink.server.json_schema import Schemas, annotation_imports
from bethink.server.path_escapes import register_parts
from bethink.server.problems import PROBLEM
from bethink.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import FastAPI

    from bethink.verbs import Verb

F = TypeVar("F", bound="Callable[..., Any]")
JSON = "application/json"
_PARAMETER = re.compile(r"\{(\w+)\}")
REPEATABLE = frozenset({"POST", "PUT", "PATCH"})
_SECURITY = {
    "key": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Api-Key",
        "description": "A key of `bethink key`.",
    },
    "bearer": {"type": "http", "scheme": "bearer", "description": "The same key, or a JWT of your issuer."},
}


register_parts()


class Repeated(TypedDict):
    """The answer to a request that was repeated with the same Idempotency-Key."""

    repeated: bool
    id: str | None


def of(verb: str) -> Callable[[F], F]:
    """Give a route the words of the verb that it calls: its summary, and the descriptions of its parameters."""

    def say(endpoint: F) -> F:
        endpoint.__doc__ = VERBS[verb].summary
        vars(endpoint)["verb"] = verb
        return endpoint

    return say


class Router(APIRouter):
    """Routes that say what they answer with: `async def read(…) -> Answer[Note]`."""

    def __init__(self, *, prefix: str = "", tags: list[str | Enum] | None = None) -> None:
        super().__init__(prefix=_PARAMETER.sub(r"{\1:part}", prefix), tags=tags)

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """Add a route; its answer is already rendered, so that FastAPI has nothing to check or to write."""
        options["response_model"] = None
        super().add_api_route(_PARAMETER.sub(r"{\1:part}", path), endpoint, **options)


def openapi_document(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """Return what describes the API, the schemas of answers included; it is made when it is first asked for."""
    requests = app.openapi

    @cache
    def openapi() -> dict[str, Any]:
        found = requests()
        _answers(app, found)
        _security(found)
        _idempotency(found)
        for context in iter_route_contexts(app.routes):
            verb = getattr(context.endpoint, "verb", None)
            for method in context.methods or () if verb is not None else ():
                _parameters(found, found["paths"][context.path_format][method.lower()], VERBS[str(verb)])
        return found

    return openapi


def name(route: Any) -> str:
    """Return the name of an operation, for clients that are generated: `notes_remember`."""
    words = [*(str(tag).replace(" ", "_") for tag in route.tags[:1]), route.name]
    return "_".join(dict.fromkeys(words))


def _idempotency(described: dict[str, Any]) -> None:
    """Describe the header that middleware reads of whatever changes something, before any route is asked."""
    key = {
        "name": "idempotency-key",
        "in": "header",
        "required": False,
        "description": "Makes retries of a request harmless for a day.",
        "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY},
    }
    for operations in described["paths"].values():
        for method in (each.lower() for each in REPEATABLE):
            if method in operations:
                operations[method].setdefault("parameters", []).append(key)


def _parameters(described: dict[str, Any], operation: dict[str, Any], verb: Verb) -> None:
    """Describe the parameters of a route, and the fields of its body, as the verb does; a limit of theirs follows."""
    fields = {each["name"]: each for each in operation.get("parameters", ())}
    for content in operation.get("requestBody", {}).get("content", {}).values():
        reference = content["schema"].get("$ref", "").rpartition("/")[2]
        fields |= described["components"]["schemas"].get(reference, {}).get("properties", {})
    for name, text in verb.parameters.items():
        field = fields.get(name, {})
        own = field.get("description", "")
        if field and text not in own:
            field["description"] = f"{text} {own}".strip()


def _answers(app: FastAPI, found: dict[str, Any]) -> None:
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    schemas["Problem"] = PROBLEM
    shapes = Schemas(schemas)
    repeated = shapes.of(Repeated)
    for context in iter_route_contexts(app.routes):
        operations = found["paths"].get(context.path_format, {})
        kind = _kind(context.endpoint) if operations else None
        for method in context.methods or () if kind is not None else ():
            schema = shapes.of(kind)
            if method in REPEATABLE:
                schema = {"anyOf": [schema, repeated]}
            for status, answer in operations[method.lower()]["responses"].items():
                if status.startswith("2"):
                    answer.setdefault("content", {})[JSON] = {"schema": schema}


def _security(found: dict[str, Any]) -> None:
    """Say with which header a client names itself, and which paths need none."""
    found["components"]["securitySchemes"] = _SECURITY
    found["security"] = [{each: []} for each in _SECURITY]
    for path in PUBLIC & found["paths"].keys():
        for operation in found["paths"][path].values():
            operation["security"] = []


def _kind(endpoint: Any) -> Any:
    """Return the type of a route's answer, None where it does not say."""
    hint = get_type_hints(endpoint, localns=annotation_imports(endpoint.__module__)).get("return")
    ways = get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
    return next((get_args(each)[0] for each in ways if get_origin(each) is Answer), None)
