"""Modules that import one another in a circle cannot be read one after the other; types may name each other."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import bethink

ROOT = Path(bethink.__file__).parent


def test_no_modules_import_one_another_in_a_circle_not_even_within_functions():
    known = {name_of(path): path for path in ROOT.rglob("*.py")}
    graph = {name: imported(path, name, known) - {name} for name, path in known.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def name_of(path):
    parts = ("bethink", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path, name, known):
    """Return the modules that a file imports when it is run, in its functions too."""
    found = set()
    waiting = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            waiting += node.orelse
        elif isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                module = f"{node.module}.{each.name}"
                found.add(module if module in known else node.module)
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        else:
            waiting += ast.iter_child_nodes(node)
    return {each for each in found if each in known}
