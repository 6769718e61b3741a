"""Write the page of examples and `examples/README.md` from the examples themselves: what each shows, and its whole text.

python tools/docs_examples.py            # write examples/README.md
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
HEAD = """# Examples

Each runs as it is, without a network and without a key: where a model would answer, a script stands in for it. A test runs each.
This list is written by `make pictures` from the first sentence of each file.

"""
EXTRAS = {
    "agents": "agents",
    "anthropic": "anthropic",
    "fastapi": "server",
    "langchain": "langchain",
    "langgraph": "langgraph",
    "claude_agent_sdk": "claude",
    "google": "adk",
    "pydantic_ai": "pydantic-ai",
    "strands": "strands",
    "mcp": "mcp",
}


def told(path: Path) -> str:
    """Return the sentence that a file begins with, without the line that starts it."""
    if path.suffix == ".ipynb":
        first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"][0]
        return f"{first.lstrip('# ').strip()}, as a notebook."
    sentence = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n\n")[0]
    sentence = re.sub(r"[:;] (?:python|pytest|uvicorn) \S+$", "", " ".join(sentence.split()))
    return sentence if sentence.endswith(".") else f"{sentence}."


def extras(path: Path) -> list[str]:
    """Return the extras that a file imports something of."""
    if path.suffix == ".ipynb":
        return []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    modules += [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    return sorted({EXTRAS[top] for module in modules if (top := module.partition(".")[0]) in EXTRAS})


def files() -> list[Path]:
    """Return the examples."""
    return sorted([*EXAMPLES.glob("*.py"), *EXAMPLES.glob("*.ipynb")])


def readme() -> str:
    """Return `examples/README.md`: a line for each example."""
    rows = [
        f"| [{path.name}]({path.name}) | {told(path)} | {', '.join(f'`{each}`' for each in extras(path))} |"
        for path in files()
    ]
    return HEAD + "\n".join(["| example | what it shows | extras |", "|---|---|---|", *rows, ""])


def page() -> str:
    """Return the page: each example with its install line and its text."""
    parts: list[str] = []
    for path in files():
        wanted = extras(path)
        install = f"    pip install 'bethink[{','.join(wanted)}]'\n\n" if wanted else ""
        parts.append(f"## {path.name}\n\n{told(path)}\n\n{install}{_code(path)}\n")
    return "\n".join(parts)


def _code(path: Path) -> str:
    if path.suffix == ".py":
        return f"```py\n{path.read_text(encoding='utf-8').rstrip()}\n```"
    shown: list[str] = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"]).rstrip()
        if cell["cell_type"] == "markdown":
            shown.append(re.sub(r"^#+ (.*)$", r"**\1**", source, flags=re.MULTILINE))
        else:
            shown.append(f"```py\n{source}\n```")
            for output in cell["outputs"]:
                text = output.get("text") or output["data"]["text/plain"]
                shown.append(f"```text\n{''.join(text).rstrip()}\n```")
    return "\n\n".join(shown)


if __name__ == "__main__":
    (EXAMPLES / "README.md").write_text(readme(), encoding="utf-8")
