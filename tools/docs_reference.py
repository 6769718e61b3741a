"""Write the reference pages of the site from the code itself: a hook of MkDocs, and a command that shows one page.

    python tools/docs_reference.py reference/cli.md

Pages of `docs/reference/` hold a sentence and `<!-- generated -->`; what stands there in the site is made here, from the
verbs, the settings, the errors, the tools, the commands and the description of the API.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import sys
from typing import Any

MARK = "<!-- generated -->"


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Fill in the generated part of a page (MkDocs calls this)."""
    make = PAGES.get(page.file.src_uri)
    return markdown.replace(MARK, make()) if make else markdown


def _row(*cells: Any) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _table(head: list[str], rows: list[str]) -> str:
    return "\n".join([_row(*head), "|" + "---|" * len(head), *rows])


def settings() -> str:
    from bethink.settings import Settings

    rows = [
        _row(f"`{each.name}`", f"`BETHINK_{each.name.upper()}`", f"`{each.default}`", each.metadata["help"])
        for each in dataclasses.fields(Settings)
    ]
    return _table(["setting", "variable", "default", "what it does"], rows)


def errors() -> str:
    from bethink import errors as module

    told: list[str] = []
    kinds = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Exception)]
    comments = _comments(inspect.getsource(module))
    for kind in kinds:
        told += [f"## `{kind.__name__}`", "", inspect.getdoc(kind) or "", ""]
        names = [name for name in vars(kind).get("__annotations__", {}) if name != "facts"]
        if names:
            rows = [_row(f"`{name}`", comments.get((kind.__name__, name), "")) for name in names]
            told += [_table(["attribute", "what it is"], rows), ""]
    return "\n".join(told)


def _comments(source: str) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    kind = ""
    for line in source.splitlines():
        if line.startswith("class "):
            kind = line[6:].partition("(")[0]
        elif line.startswith("    ") and ":" in line and "#:" in line:
            found[kind, line.partition(":")[0].strip()] = line.partition("#:")[2].strip()
    return found


def tools() -> str:
    from typing import get_args

    from bethink.tools.registry import tools as chosen
    from bethink.tools.values import Family

    told: list[str] = []
    for family in get_args(Family):
        told += [f"## Family `{family}`", ""]
        for tool in chosen((family,)):
            schema = json.dumps(tool.parameters, indent=2, ensure_ascii=False)
            told += [f"### `{tool.name}`", "", tool.description, "", "```json", schema, "```", ""]
    return "\n".join(told)


def commands() -> str:
    import typer

    from bethink.cli.app import app

    root = typer.main.get_command(app)
    told: list[str] = []

    def walk(command: Any, path: str, level: int) -> None:
        told.extend([f"{'#' * level} `{path}`", "", inspect.cleandoc(command.help or ""), ""])
        examples = [line for line in (command.epilog or "").split("\n\n") if line.startswith("bethink ")]
        if examples:
            told.extend(["```console", *(f"$ {each}" for each in examples), "```", ""])
        rows = [
            _row(", ".join(f"`{each}`" for each in option.opts + option.secondary_opts), option.help or "")
            if option.param_type_name == "option"
            else _row(f"`{option.name}`", getattr(option, "help", "") or "")
            for option in command.params
            if not getattr(option, "hidden", False) and option.name != "help"
        ]
        if rows:
            told.extend([_table(["option", "what it does"], rows), ""])
        if getattr(command, "commands", None):
            for name, each in sorted(command.commands.items()):
                if not each.hidden:
                    walk(each, f"{path} {name}", min(level + 1, 4))

    for name, each in sorted(getattr(root, "commands", {}).items()):
        if not each.hidden:
            walk(each, f"bethink {name}", 2)
    return "\n".join(told)


def rest() -> str:
    from bethink.server.app import create_app
    from bethink.server.options import Options

    described = create_app(Options(db=":memory:")).openapi()
    by_tag: dict[str, list[str]] = {}
    for path, verbs in described["paths"].items():
        for verb, told in verbs.items():
            tag = (told.get("tags") or ["other"])[0]
            summary = (told.get("description") or told.get("summary") or "").partition("\n")[0]
            by_tag.setdefault(tag, []).append(_row(f"`{verb.upper()} {path}`", summary))
    return "\n\n".join(
        f"## {tag.capitalize()}\n\n{_table(['route', 'what it does'], rows)}"
        for tag, rows in sorted(by_tag.items())
    )


def verbs() -> str:
    from bethink.verbs import VERBS

    known = _where()
    told: list[str] = []
    for name, verb in VERBS.items():
        told += [f"## `{name}`", "", verb.summary, ""]
        if verb.summary in known:
            told += [f"Also: {', '.join(dict.fromkeys(known[verb.summary]))}.", ""]
        if verb.parameters:
            rows = [_row(f"`{each}`", text) for each, text in verb.parameters.items()]
            told += [_table(["parameter", "what it is"], rows), ""]
    return "\n".join(told)


def _where() -> dict[str, list[str]]:
    """Return what each verb, by its summary, is called in REST, the command line and MCP."""
    from typing import get_args

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


PAGES = {
    "reference/verbs.md": verbs,
    "reference/settings.md": settings,
    "reference/errors.md": errors,
    "reference/tools.md": tools,
    "reference/cli.md": commands,
    "reference/rest.md": rest,
}

if __name__ == "__main__":
    print(PAGES[sys.argv[1]]())
