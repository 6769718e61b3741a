"""Write the reference of REST from the server's own description: routes by group, bodies, answers, and a call of each group.

`EXAMPLES` are calls that a test plays in this order on a fresh server. `description` is what `openapi.json` of the site has.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from docs_tables import cell

ALICE = "/v1/scopes/agent:concierge:u:alice"
ORDER = (
    "notes",
    "recall",
    "profile",
    "documents",
    "sessions",
    "plans",
    "scopes",
    "pools",
    "teams",
    "team runs",
    "agents",
    "chat",
    "tasks",
    "webhooks",
    "subscriptions",
    "health",
)


class Call(NamedTuple):
    tag: str
    verb: str
    path: str
    body: Any = None
    type: str = "application/json"


EXAMPLES = [
    Call("agents", "PUT", "/v1/agents/concierge", {"description": "Plans trips.", "shared_with": ["*"]}),
    Call("notes", "POST", f"{ALICE}/notes", {"text": "Prefers aisle seats.", "key": "seat"}),
    Call("notes", "GET", f"{ALICE}/notes?limit=5"),
    Call("recall", "POST", f"{ALICE}/recall", {"query": "Where does she like to sit?", "limit": 3}),
    Call("recall", "POST", f"{ALICE}/context", {"query": "Book a flight", "tokens": 400}),
    Call("profile", "PATCH", f"{ALICE}/profile", {"fields": {"home_city": "Paris"}}),
    Call("documents", "PUT", f"{ALICE}/documents/at/state?path=threads/7", {"value": {"step": 3}}),
    Call(
        "sessions",
        "POST",
        f"{ALICE}/sessions/trip/items",
        {"items": [{"role": "user", "content": "Remember that I am vegetarian."}]},
    ),
    Call("sessions", "GET", f"{ALICE}/sessions/trip/window"),
    Call("plans", "POST", f"{ALICE}/plans", {"session": "trip"}),
    Call("scopes", "GET", f"{ALICE}/export"),
    Call("pools", "POST", "/v1/pools", {"name": "org:manuals"}),
    Call("pools", "PUT", "/v1/pools/org:manuals/grants/bob", {"rights": ["read"]}),
    Call("teams", "POST", "/v1/teams", {"name": "research"}),
    Call(
        "team runs",
        "PUT",
        "/v1/teams/research/spec",
        {"planner": "concierge", "workers": ["concierge"], "synthesizer": "concierge"},
    ),
    Call("team runs", "POST", "/v1/teams/research/runs", {"message": "Which seat do I like?"}),
    Call("chat", "POST", "/v1/agents/concierge/chat", {"message": "I am vegetarian.", "session": "dinner"}),
    Call(
        "tasks",
        "PUT",
        "/v1/agents/concierge/tasks/morning",
        {"prompt": "What is due today?", "cron": "0 8 * * 1-5"},
    ),
    Call("webhooks", "POST", "/v1/agents/concierge/webhooks", {"session": "parcels"}),
    Call("subscriptions", "GET", "/v1/subscriptions"),
    Call("health", "GET", "/v1/health"),
]


def description() -> dict[str, Any]:
    """Return what a server with every route says of itself."""
    from bethink.server.app import create_app
    from bethink.server.options import Options

    return create_app(Options(db=":memory:")).openapi()


def page() -> str:
    """Return the page: a section for each group of routes, and one for the bodies and answers that they name."""
    described = description()
    by_tag: dict[str, list[tuple[str, str, Any]]] = {}
    for path, verbs in described["paths"].items():
        for verb, told in verbs.items():
            by_tag.setdefault((told.get("tags") or ["other"])[0], []).append((verb.upper(), path, told))
    told: list[str] = []
    for tag in sorted(by_tag, key=lambda each: (ORDER.index(each) if each in ORDER else len(ORDER), each)):
        told += [f"## {tag.capitalize()}", ""]
        calls = [call for call in EXAMPLES if call.tag == tag]
        if calls:
            told += ["```sh", *map(curl, calls), "```", ""]
        told += ["| route | what it does | body, and ?query | answer |", "|---|---|---|---|"]
        for verb, path, operation in by_tag[tag]:
            summary = (operation.get("description") or operation.get("summary") or "").partition("\n")[0]
            told.append(f"| `{verb} {path}` | {cell(summary)} | {_body(operation)} | {_answers(operation)} |")
        told.append("")
    told += ["## Bodies and answers", "", "A field without a default must be there.", ""]
    for name, schema in sorted(described["components"]["schemas"].items()):
        told += _schema(name, schema)
    return "\n".join(told)


def curl(call: Call) -> str:
    """Return a call as a line for a shell."""
    verb = "" if call.verb == "GET" else f"-X {call.verb} "
    line = f"curl {verb}'localhost:8000{call.path}'"
    if call.body is not None:
        line += f" \\\n     -H 'content-type: {call.type}' -d '{json.dumps(call.body, ensure_ascii=False)}'"
    return line


def _body(operation: dict[str, Any]) -> str:
    found = operation.get("requestBody", {}).get("content", {})
    asked = [f"`{each['name']}`" for each in operation.get("parameters", []) if each["in"] == "query"]
    query = f"?{', '.join(asked)}" if asked else ""
    return " ".join(
        filter(None, [next((_kind(each.get("schema", {})) for each in found.values()), ""), query])
    )


def _answers(operation: dict[str, Any]) -> str:
    for status, answer in operation.get("responses", {}).items():
        if status.startswith("2"):
            kinds = {_kind(each.get("schema", {})) for each in answer.get("content", {}).values()}
            return f"{status} {' or '.join(sorted(filter(None, kinds)))}".strip()
    return ""


def _kind(schema: dict[str, Any]) -> str:
    """Return a type for a cell of a table."""
    kind = schema.get("type", "")
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        told = f"[{name}](#schema-{name.lower()})"
    elif several := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        told = " or ".join(dict.fromkeys(map(_kind, several)))
    elif words := schema.get("enum") or ([schema["const"]] if "const" in schema else []):
        told = ", ".join(f"`{each}`" for each in words)
    elif kind == "array":
        told = f"list of {_kind(schema.get('items', {})) or 'anything'}"
    elif kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        told = f"object of {_kind(schema['additionalProperties']) or 'anything'}"
    else:
        told = "whole number" if kind == "integer" else kind
    return told


def _schema(name: str, schema: dict[str, Any]) -> list[str]:
    told = [f"### {name} {{ #schema-{name.lower()} }}", ""]
    if schema.get("description"):
        told += [inspect_clean(schema["description"]), ""]
    properties = schema.get("properties", {})
    if not properties:
        kind = _kind(schema)
        return [*told, f"{kind}.", ""] if kind else told
    required = set(schema.get("required", ()))
    told += ["| field | type | default | what it is |", "|---|---|---|---|"]
    for field, inside in properties.items():
        default = "" if field in required else f"`{json.dumps(inside.get('default'), ensure_ascii=False)}`"
        told.append(
            f"| `{field}` | {cell(_kind(inside) or 'anything')} | {cell(default)} | {cell(_bounds(inside))} |"
        )
    return [*told, ""]


def _bounds(schema: dict[str, Any]) -> str:
    bounds = {
        "minLength": "characters at least",
        "maxLength": "characters at most",
        "minimum": "at least",
        "maximum": "at most",
        "minItems": "entries at least",
        "maxItems": "entries at most",
    }
    inside = [schema, *schema.get("anyOf", [])]
    facts = [
        f"{each[word]:,} {told}"
        if told.endswith(("least", "most")) and " " in told
        else f"{told} {each[word]:,}"
        for each in inside
        for word, told in bounds.items()
        if word in each
    ]
    described = inspect_clean(schema.get("description", ""))
    return " ".join(filter(None, [described, f"({', '.join(facts)})" if facts else ""]))


def inspect_clean(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    print(page())
