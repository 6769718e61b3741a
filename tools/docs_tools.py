"""Write the reference of tools: each with its description, a call and what it answers, and its parameters."""

from __future__ import annotations

import json
from typing import Any, get_args

from docs_tables import cell

#: calls that are played in this order on a fresh memory
EXAMPLES: list[tuple[str, dict[str, Any]]] = [
    ("remember", {"key": "seat", "content": "Prefers aisle seats."}),
    ("recall", {"key": "seat"}),
    ("search_memory", {"query": "aisle or window?", "top_k": 3}),
    ("list_memories", {}),
    ("forget", {"key": "seat"}),
    ("save_memory_note", {"text": "A window seat, this time.", "keywords": ["seat"]}),
    ("memory_store", {"content": "Prefers trains.", "key": "trains", "category": "core"}),
    ("memory_recall", {"query": "how to travel"}),
    ("memory_forget", {"key": "trains"}),
    ("share_to", {"pool": "org:manuals", "key": "fees", "content": "Fees are due in May."}),
    ("read_from_pool", {"pool": "org:manuals", "key": "fees"}),
    ("search_pool", {"pool": "org:manuals", "query": "when are fees due?"}),
    ("list_pool", {"pool": "org:manuals"}),
    ("share_finding", {"key": "ferry", "content": "The ferry leaves at nine."}),
    ("read_shared", {"key": "ferry"}),
    ("search_shared", {"query": "ferry"}),
    ("list_shared", {}),
    ("list_waiting", {}),
    ("search_history", {"query": "Porto", "top_k": 2}),
    ("timeline", {"query": "Porto", "limit": 2}),
    ("document_put", {"path": "threads/7", "key": "state", "value": '{"step": 3}'}),
    ("document_get", {"path": "threads/7", "key": "state"}),
    ("document_list", {"path": "threads"}),
    ("document_search", {"query": "harbour fees"}),
    ("document_delete", {"path": "threads/7", "key": "state"}),
    ("workspace_create", {"path": "/memories/notes.md", "file_text": "Deploy on Fridays.\n"}),
    ("workspace_view", {"path": "/memories/notes.md"}),
    ("workspace_str_replace", {"path": "/memories/notes.md", "old_str": "Fridays", "new_str": "Mondays"}),
    ("workspace_insert", {"path": "/memories/notes.md", "insert_line": 1, "insert_text": "Ask first.\n"}),
    ("workspace_rename", {"old_path": "/memories/notes.md", "new_path": "/memories/deploy.md"}),
    ("workspace_delete", {"path": "/memories/deploy.md"}),
]


def chosen() -> list[tuple[str, list[Any]]]:
    """Return the tools of each family."""
    from bethink.tools.registry import tools
    from bethink.tools.values import Family

    return [(family, list(tools((family,)))) for family in get_args(Family)]


def played() -> dict[str, str]:
    """Return what each example answers, when all are played in their order."""
    import tempfile

    from bethink import Memory

    answers: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder, Memory(":memory:") as memory:
        memory.pools.create("org:manuals", owner="alice")
        memory.teams.create("harbour", owner="alice")
        alice = memory.scope(agent="concierge", user="alice")
        said = ("I prefer aisle seats, and trains to planes.", "We land in Porto on Friday.")
        alice.session("monday").append([{"role": "user", "content": said[1]}])
        alice.session("trip").append([{"role": "user", "content": said[0]}])
        alice.documents.put("manuals", "fees", {"title": "Fees of the harbour"}, index=True)
        families = [family for family, _ in chosen() if family != "workspace"]
        bound = {
            tool.name: tool
            for tool in alice.tools(tuple(families), session="trip", pools=["org:manuals"], team="harbour")
        }
        workspace = alice.workspace(folder)
        workspace.open()
        bound |= {tool.name: tool for tool in workspace.tools()}
        for name, arguments in EXAMPLES:
            answers[name] = bound[name].call(arguments)
    return answers


def page() -> str:
    """Return the page."""
    answers = played()
    told: list[str] = []
    for family, tools in chosen():
        told += [f"## Family `{family}`", ""]
        for tool in tools:
            told += [f"### `{tool.name}`", "", tool.description, ""]
            for name, arguments in EXAMPLES:
                if name == tool.name:
                    call = json.dumps(arguments, ensure_ascii=False)
                    told += ["```text", f"{name}({call})", answers[name].rstrip(), "```", ""]
            told += [*_parameters(tool.parameters), ""]
    return "\n".join(told)


def _parameters(schema: dict[str, Any]) -> list[str]:
    if not schema.get("properties"):
        return ["It takes no parameters."]
    required = set(schema.get("required", ()))
    told = ["| parameter | type | | what it is |", "|---|---|---|---|"]
    for name, inside in schema["properties"].items():
        kinds = [each.get("type", "anything") for each in inside.get("anyOf", [inside])]
        words = inside.get("enum") or [
            word for each in inside.get("anyOf", []) for word in each.get("enum", [])
        ]
        kind = ", ".join(f"`{word}`" for word in words) or " or ".join(map(str, kinds))
        needed = "required" if name in required else f"`{json.dumps(inside.get('default'))}`"
        described = cell(str(inside.get("description", "")))
        told.append(f"| `{name}` | {kind} | {needed} | {described} |")
    return told


if __name__ == "__main__":
    print(page())
