"""Write the reference of the command line from the commands: usage, a table of own options, and an example that a test runs.

The options that nearly all commands have are told once, at the top of the page.
"""

from __future__ import annotations

import inspect
import types
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from docs_tables import cell

#: of each command, lines that a test plays in this order in one folder; $NOTE, $PLAN and $WAITING are ids
EXAMPLES = [
    ("remember", 'bethink remember "Prefers aisle seats." --key seat --user alice'),
    ("recall", 'bethink recall "Where does she like to sit?" --user alice'),
    ("timeline", 'bethink timeline "seats" --user alice'),
    ("context", 'bethink context "Book a flight" --tokens 400 --user alice'),
    ("notes list", "bethink notes list --user alice"),
    ("notes show", "bethink notes show seat --user alice"),
    ("notes revise", 'bethink notes revise $NOTE "Prefers aisle seats, not too far back." --user alice'),
    ("notes history", "bethink notes history $NOTE --user alice"),
    ("notes forget", "bethink notes forget $NOTE --user alice"),
    ("notes undo", "bethink notes undo $NOTE --user alice"),
    ("import", "bethink import chatgpt-export.zip --agent concierge --user alice --dry-run"),
    ("ingest", "bethink ingest talk.jsonl --session trip-to-paris --user alice"),
    ("sessions list", "bethink sessions list --user alice"),
    ("sessions show", "bethink sessions show trip-to-paris --user alice"),
    ("sessions window", "bethink sessions window trip-to-paris --user alice"),
    ("sessions rename", 'bethink sessions rename trip-to-paris "A week in Paris" --user alice'),
    ("sessions expire", "bethink sessions expire trip-to-paris --after 30d --user alice"),
    ("sessions export", "bethink sessions export trip-to-paris --user alice"),
    ("sessions undo", "bethink sessions undo chat --turns 1 --user alice"),
    ("sessions delete", "bethink sessions delete chat --user alice"),
    ("distill", "bethink distill trip-to-paris --dry-run --user alice"),
    ("consolidate", "bethink consolidate --session trip-to-paris --user alice"),
    ("consolidate", "bethink consolidate --idle 30"),
    ("plans", "bethink plans --user alice"),
    ("undo", "bethink undo $PLAN --user alice"),
    ("profile set", "bethink profile set home_city=Paris loyalty.airline=gold --user alice"),
    ("profile show", "bethink profile show --user alice"),
    ("profile history", "bethink profile history --user alice"),
    ("documents put", """bethink documents put threads/7 state '{"step": 3}' --user alice"""),
    ("documents get", "bethink documents get threads/7 state --user alice"),
    ("documents list", "bethink documents list --user alice"),
    ("documents ingest", "bethink documents ingest manuals guide.md --user alice"),
    ("documents search", 'bethink documents search manuals "how often to bleed it" --user alice'),
    ("documents delete", "bethink documents delete threads/7 state --user alice"),
    ("review list", "bethink review --user bob"),
    ("review approve", "bethink review approve $WAITING --user bob"),
    ("review reject", "bethink review reject --all --status quarantined --user bob"),
    ("notes approve", "bethink notes approve $WAITING --user bob"),
    ("notes reject", "bethink notes reject $WAITING --user bob"),
    ("quarantine list", "bethink quarantine list --user bob"),
    ("quarantine approve", "bethink quarantine approve $WAITING --user bob"),
    ("quarantine reject", "bethink quarantine reject $WAITING --user bob"),
    ("workspace open", "bethink workspace open ./work --user alice"),
    ("workspace status", "bethink workspace status ./work --user alice"),
    ("workspace close", "bethink workspace close ./work --user alice"),
    ("workspace forget", "bethink workspace forget ./work trip-to-rome --user alice"),
    ("workspace sync", "bethink workspace sync ./notes --dry-run --user alice"),
    ("project separate", "bethink project separate"),
    ("project show", "bethink project show"),
    ("project list", "bethink project list"),
    ("project recall", 'bethink project recall "which port does the server use?"'),
    ("project rename", "bethink project rename shop"),
    ("project join", "bethink project join shop --dir ./copy"),
    ("project confirm", "bethink project confirm --dir ./clone"),
    ("project exclude", "bethink project exclude ./customers"),
    ("project include", "bethink project include ./customers"),
    ("project private", "bethink project private on"),
    ("install", "bethink install claude --dry-run"),
    ("uninstall", "bethink uninstall claude --dry-run"),
    ("hook", """echo '{"session_id": "1", "prompt": "hello"}' | bethink hook prompt --for claude"""),
    ("stats", "bethink stats"),
    ("doctor", "bethink doctor"),
    ("export", "bethink export alice.json --user alice"),
    ("copy", "bethink copy memory.db other.db"),
    ("backup", "bethink backup monday.db"),
    ("restore", "bethink restore monday.db --force"),
    ("migrate", "bethink migrate"),
    ("key", "bethink key alice --keys keys.json"),
    ("chat", 'bethink chat concierge -m "Which seat do I like?" --user alice'),
    ("worker", "bethink worker --once"),
    ("demo", "bethink demo"),
    ("erase", "bethink erase --user alice --yes"),
    ("serve", "bethink serve --demo"),
    ("mcp", "bethink mcp --agent desktop --user alice"),
    ("eval lifecycle", "bethink eval lifecycle --failures"),
    ("eval locomo", "bethink eval locomo locomo10.json"),
    ("eval longmemeval", "bethink eval longmemeval longmemeval_s.json"),
    ("eval beam", "bethink eval beam chats/100K"),
    ("eval convomem", "bethink eval convomem convomem.json"),
]


def commands() -> Iterator[tuple[str, Any]]:
    """Yield the name and the command of each command that is shown, those of families as `family name`."""
    import typer

    from bethink.cli.app import app

    def walk(command: Any, path: str) -> Iterator[tuple[str, Any]]:
        members = getattr(command, "commands", None)
        if not members:
            yield path, command
            return
        for name, member in sorted(
            members.items(), key=lambda each: (bool(getattr(each[1], "commands", None)), each[0])
        ):
            if not member.hidden:
                yield from walk(member, f"{path} {name}".strip())

    yield from walk(typer.main.get_command(app), "")


def page() -> str:
    """Return the page: the options that all commands share, and a section for each command."""
    chosen = list(commands())
    counted = Counter(_told(option) for _, command in chosen for option in _options(command))
    shared = [told for told, count in counted.items() if count > len(chosen) * 0.6]
    told = [
        "## Options of all commands",
        "",
        "They may stand behind any command, and are not listed again below.",
        "",
    ]
    told += [_table("option", list(shared)), ""]
    families = {name.partition(" ")[0] for name, _ in chosen if " " in name}
    opened: set[str] = set()
    for name, command in chosen:
        head, _, member = name.partition(" ")
        if member and head in families and head not in opened:
            opened.add(head)
            told += [f"## `bethink {head}`", "", _family_help(head), ""]
        told += [f"{'###' if member else '##'} `bethink {name}`", "", _help(command), ""]
        arguments = [
            each for each in command.params if each.param_type_name == "argument" and not each.hidden
        ]
        usage = " ".join(["bethink", name, *map(_argument, arguments)])
        examples = [line for owner, line in EXAMPLES if owner == name]
        told += ["```text", f"{usage} [options]", "```", ""]
        if examples:
            told += ["For example:", "", "```sh", *examples, "```", ""]
        if arguments and any(getattr(each, "help", "") for each in arguments):
            rows = [
                (f"`{_argument(each)}`", _default(each), getattr(each, "help", "") or "")
                for each in arguments
            ]
            told += [_table("argument", rows), ""]
        own = [row for option in _options(command) if (row := _told(option)) not in shared]
        told += [_table("option", own), ""] if own else []
    return "\n".join(told)


def _family_help(name: str) -> str:
    import typer

    from bethink.cli.app import app

    return _help(typer.main.get_command(app).commands[name])  # pyright: ignore[reportAttributeAccessIssue]


def _help(command: Any) -> str:
    return inspect.cleandoc(command.help or "").replace("\b\n", "")


def _options(command: Any) -> list[Any]:
    return [
        each
        for each in command.params
        if each.param_type_name == "option" and not getattr(each, "hidden", False) and each.name != "help"
    ]


def _told(option: Any) -> tuple[str, str, str]:
    names = ", ".join(f"`{each}`" for each in [*option.opts, *option.secondary_opts])
    kind = _metavar(option)
    return f"{names} {kind}".strip(), _default(option), option.help or ""


def _metavar(parameter: Any) -> str:
    """Return what is put behind an option: nothing behind one that is said or not."""
    if getattr(parameter, "is_flag", False) or getattr(parameter, "count", False):
        return ""
    if parameter.metavar:
        return f"`{parameter.metavar}`"
    return f"`{_kind(parameter.type_descriptor.annotation)}`"


def _kind(annotation: Any) -> str:
    origin = get_origin(annotation)
    if origin in {Union, types.UnionType}:
        return "|".join(_kind(each) for each in get_args(annotation) if each is not type(None))
    if origin is Literal:
        return "|".join(map(str, get_args(annotation)))
    if origin is list:
        return f"{_kind(get_args(annotation)[0])} …"
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "|".join(str(each.value) for each in annotation)
    return {str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "PATH"}.get(annotation, "VALUE")


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    value = parameter.default
    if value is None or value is False or callable(value) or value in ([], (), ""):
        return ""
    if value is True:
        return "yes"
    return f"`{getattr(value, 'value', value)}`"


def _argument(parameter: Any) -> str:
    name = (parameter.metavar or parameter.name.upper()).strip("[]").removesuffix("...")
    many = " …" if parameter.nargs == -1 else ""
    return f"{name}{many}" if parameter.required else f"[{name}{many}]"


def _table(first: str, rows: list[tuple[str, str, str]]) -> str:
    lines = [f"| {first} | default | what it does |", "|---|---|---|"]
    lines += ["| " + " | ".join(map(cell, row)) + " |" for row in rows]
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())
