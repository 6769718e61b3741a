"""Run the notebooks of `examples/` without Jupyter, and keep in them what they print.

    python tools/notebook.py            # run, and write the outputs
    python tools/notebook.py --check    # run, and say where an output is another one

Cells run in order in one namespace, in a folder of their own. What a cell prints is kept, and what its last line is worth, as
Jupyter shows it: HTML where the value has it, else its text.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

IDS = re.compile(r"\b([nipr])1m[0-9a-z]{11}\b")
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def run(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook with the outputs of its cells."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells: list[dict[str, Any]] = []
    count = 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                outputs = _outputs("".join(cell["source"]), namespace, count)
                cells.append({**cell, "execution_count": count, "outputs": outputs})
            else:
                cells.append(cell)
    return {**notebook, "cells": cells}


def _outputs(source: str, namespace: dict[str, Any], count: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    told = io.StringIO()
    value = None
    with contextlib.redirect_stdout(told):
        exec(compile(tree, f"cell {count}", "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if told.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(told.getvalue())})
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            data = {"text/html": _lines(value._repr_html_()), "text/plain": _lines(str(value))}
        outputs.append(
            {"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data}
        )
    return outputs


def _lines(text: str) -> list[str]:
    """Return text as a notebook keeps it, with ids that are the same each time."""
    return IDS.sub(lambda found: f"{found[1]}1m7k2xq0d3a", text).splitlines(keepends=True)


def text(notebook: dict[str, Any]) -> str:
    """Return a notebook as its file has it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main() -> None:
    os.environ.pop("BETHINK_DB", None)
    for path in sorted(EXAMPLES.glob("*.ipynb")):
        old = path.read_text(encoding="utf-8")
        new = text(run(json.loads(old)))
        if "--check" not in sys.argv:
            path.write_text(new, encoding="utf-8")
        elif new != old:
            raise SystemExit(f"{path.name} prints something else by now: run `make pictures`")


if __name__ == "__main__":
    main()
