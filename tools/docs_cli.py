"""Write the reference of the command line from the commands: usage, a table of own options, and the examples of its help.

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
    from bethink.cli.examples import EXAMPLES

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
        told += ["```text", f"{usage} [options]", "```", ""]
        told += ["For example:", "", "```sh", *EXAMPLES[name], "```", ""]
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
