"""Write the page of the verbs: what each does and takes, and what it is called in REST, MCP and the command line."""

from __future__ import annotations

import inspect
from typing import Any, get_args

from docs_tables import cell


def page() -> str:
    """Return a section for each verb of the table."""
    from bethink.verbs import VERBS

    known = _where()
    told: list[str] = []
    for name, verb in VERBS.items():
        told += [f"## `{name}`", "", verb.summary, ""]
        if verb.summary in known:
            told += [f"Also: {', '.join(dict.fromkeys(known[verb.summary]))}.", ""]
        if verb.parameters:
            told += ["| parameter | what it is |", "|---|---|"]
            told += [f"| `{each}` | {cell(text)} |" for each, text in verb.parameters.items()]
            told.append("")
    return "\n".join(told)


def _where() -> dict[str, list[str]]:
    """Return what each verb, by its summary, is called in REST, the command line and MCP."""
    import typer

    from bethink.cli.app import app
    from bethink.server.app import create_app
    from bethink.server.options import Options
    from bethink.tools.registry import tools as chosen
    from bethink.tools.values import Family
    from bethink.verbs import VERBS

    found: dict[str, list[str]] = {}
    for path, operations in create_app(Options(db=":memory:")).openapi()["paths"].items():
        for method, told in operations.items():
            found.setdefault(told["description"], []).append(f"`{method.upper()} {path.removeprefix('/v1')}`")

    def walk(command: Any, path: str) -> None:
        for each, member in getattr(command, "commands", {}).items():
            walk(member, f"{path} {each}")
        summary = inspect.cleandoc(command.help or "").partition("\n")[0]
        found.setdefault(summary, []).append(f"`{path}`")

    walk(typer.main.get_command(app), "bethink")
    for tool in chosen(get_args(Family)):
        if tool.verb is not None:
            found.setdefault(VERBS[tool.verb].summary, []).append(f"tool `{tool.name}`")
    return found
