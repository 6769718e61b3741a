"""Write the reference of values: what verbs answer with, field by field, read from the classes and the comments beside them.

A field is told by the `#:` comment on its line or above it, or by the string below it; words that a field may have (a
`Literal` under a name) by the comments beside each of them.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, get_args

from docs_tables import cell

import bethink

FACE = (
    "Memory",
    "Scope",
    "Session",
    "Turn",
    "ProfileHandle",
    "Records",
    "Documents",
    "Workspace",
    "Notebook",
    "Shares",
    "Tool",
)
ELSEWHERE = {"Settings"}  #: values that have a page of their own


class FieldDoc(NamedTuple):
    name: str
    type: str
    default: str
    meaning: str


def values() -> list[type]:
    """Return every value of the public face, and every one that these hold or that a verb answers with."""
    found: dict[type, None] = {}
    waiting = [
        getattr(bethink, name)
        for name in bethink.__all__
        if name not in ELSEWHERE and _is_value(getattr(bethink, name))
    ]
    waiting += [value for _, _, returned, module in verbs() for value in _named(returned, module)]
    while waiting:
        value = waiting.pop(0)
        if value in found or value.__name__ in ELSEWHERE:
            continue
        found[value] = None
        for field in fields(value):
            waiting += _named(field.type, value.__module__)
    return list(found)


def verbs() -> Iterator[tuple[str, str, str, str]]:
    """Yield class, verb, what it answers with, and the module, of each public verb of the blocking face."""
    from bethink import sync

    for name in FACE:
        for verb, member in vars(getattr(sync, name)).items():
            function = member.fget if isinstance(member, property) else member
            if verb.startswith("_") or not inspect.isfunction(function):
                continue
            yield name, verb, str(function.__annotations__.get("return", "")), "bethink.sync"


def _is_value(kind: Any) -> bool:
    return isinstance(kind, type) and dataclasses.is_dataclass(kind)


@cache
def _module(name: str) -> tuple[ast.Module, list[str]]:
    source = inspect.getsource(importlib.import_module(name))
    return ast.parse(source), source.splitlines()


@cache
def _homes(module: str) -> dict[str, str]:
    """Return from where a module has each name, imports for the type checker included."""
    found: dict[str, str] = {}
    for node in ast.walk(_module(module)[0]):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("bethink"):
            found.update({each.asname or each.name: node.module for each in node.names})
    return found


def _named(told: str, module: str) -> list[type]:
    """Return the values that a type names."""
    found: list[type] = []
    for word in re.findall(r"[A-Z]\w+", told):
        kind = _resolve(word, module)
        if _is_value(kind):
            found.append(kind)
        elif kind is not None and get_args(kind) and not _words(word, module):
            found += [each for each in get_args(kind) if _is_value(each)]  # a union under a name
    return found


def _resolve(word: str, module: str) -> Any:
    home = importlib.import_module(_homes(module).get(word, module))
    found = getattr(home, word, None)
    return (
        found
        if str(getattr(found, "__module__", "bethink")).startswith(("bethink", "typing", "types"))
        else None
    )


def fields(value: type) -> list[FieldDoc]:
    """Return the fields of a value with what the source says of each."""
    tree, lines = _module(value.__module__)
    node = next(
        each for each in ast.walk(tree) if isinstance(each, ast.ClassDef) and each.name == value.__name__
    )
    found: list[FieldDoc] = []
    for at, statement in enumerate(node.body):
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        name = statement.target.id
        if name.startswith("_"):
            continue
        below = node.body[at + 1] if at + 1 < len(node.body) else None
        default = "" if statement.value is None else _default(statement.value)
        found.append(
            FieldDoc(
                name, ast.unparse(statement.annotation).strip("'"), default, _meaning(statement, below, lines)
            )
        )
    return found


def _default(node: ast.expr) -> str:
    told = ast.unparse(node)
    made = re.fullmatch(r"field\(default_factory=(\w+).*\)", told) or re.fullmatch(
        r"field\(default=(.+)\)", told
    )
    return {"dict": "{}", "list": "[]", "tuple": "()"}.get(made[1], made[1]) if made else told


def _meaning(node: ast.stmt, below: ast.stmt | None, lines: list[str]) -> str:
    if (
        isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(below.value.value, str)
    ):
        return " ".join(below.value.value.split())
    beside = _comments(lines[node.lineno - 1 : node.end_lineno])
    if beside:
        return beside
    above: list[str] = []
    for line in reversed(lines[: node.lineno - 1]):
        if not line.strip().startswith("#:"):
            break
        above.insert(0, line)
    return _comments(above)


def _comments(lines: list[str]) -> str:
    return " ".join(line.partition("#:")[2].strip() for line in lines if "#:" in line)


def _words(alias: str, module: str) -> list[tuple[str, str]]:
    """Return the words that a type of this name allows, each with its meaning; none where it is no such type."""
    tree, lines = _module(_homes(module).get(alias, module))
    for node in tree.body:
        named = node.target if isinstance(node, ast.AnnAssign) else None
        if not (isinstance(named, ast.Name) and named.id == alias and isinstance(node.value, ast.Subscript)):
            continue
        if ast.unparse(node.value.value) != "Literal":
            return []
        chosen = node.value.slice.elts if isinstance(node.value.slice, ast.Tuple) else [node.value.slice]
        spread = node.lineno != node.end_lineno
        return [
            (ast.literal_eval(each), _comments([lines[each.lineno - 1]]) if spread else "") for each in chosen
        ]
    return []


def _anchor(value: type) -> str:
    return f"{value.__module__}.{value.__qualname__}"


def _type(told: str, module: str, known: set[type]) -> str:
    """Return a type for a cell of a table, with links to the values it names."""
    parts: list[str] = []
    for piece in re.split(r"([A-Za-z_]\w*)", told.replace(" ", "")):
        kind = _resolve(piece, module) if piece[:1].isupper() else None
        parts.append(f"[{piece}](#{_anchor(kind)})" if isinstance(kind, type) and kind in known else piece)
    return "".join(parts).replace("|", " \\| ").replace(",", ", ").replace("[[", "\\[[").strip()


def page() -> str:
    """Return the page: a heading, a sentence, where it comes from, and a table of fields for each value."""
    chosen = sorted(values(), key=lambda each: (each.__name__ not in bethink.__all__, each.__name__))
    known = set(chosen)
    told: list[str] = []
    for value in chosen:
        told += [f"## `{value.__name__}` {{ #{_anchor(value)} }}", "", inspect.getdoc(value) or "", ""]
        made = [
            f"`{name}.{verb}`"
            for name, verb, returned, module in verbs()
            if value in _named(returned, module)
        ]
        if made:
            told += [f"Returned by {', '.join(made)}.", ""]
        if value.__name__ in bethink.__all__:
            told += [f"`from bethink import {value.__name__}`", ""]
        else:
            told += [f"`from {value.__module__} import {value.__name__}`", ""]
        told += ["| field | type | default | what it is |", "|---|---|---|---|"]
        for field in fields(value):
            default = f"`{field.default}`" if field.default else ""
            kind = _type(field.type, value.__module__, known)
            told.append(f"| `{field.name}` | {kind} | {default} | {_sentence(field.meaning)} |")
        told.append("")
        told += _choices(value)
        members = [
            f"* `{name}{'' if isinstance(member, property) else '()'}`: {doc.partition(chr(10))[0]}"
            for name, member in vars(value).items()
            if not name.startswith("_")
            and (isinstance(member, property) or inspect.isfunction(member))
            and name not in {"to_dict", "to_json"}
            and (doc := inspect.getdoc(member))
        ]
        told += [*members, ""] if members else []
    return "\n".join(told)


def _choices(value: type) -> list[str]:
    told: list[str] = []
    for field in fields(value):
        for word in re.findall(r"[A-Z]\w+", field.type):
            words = _words(word, value.__module__)
            if words:
                listed = ", ".join(
                    f"`{name}`" + (f" ({meaning})" if meaning else "") for name, meaning in words
                )
                told += [f"* `{field.name}` is one of {listed}."]
    return [*told, ""] if told else []


def _sentence(meaning: str) -> str:
    return cell(meaning[:1].upper() + meaning[1:].rstrip(".") + ".")


if __name__ == "__main__":
    if "--missing" in sys.argv:
        for each in values():
            lacking = [field.name for field in fields(each) if not field.meaning]
            if lacking:
                print(_anchor(each), *lacking)
    else:
        print(page())
