"""Instruction files of coding agents, in which Bethink maintains a marked block."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bethink.errors import InvalidError
from bethink.workspace.repositories import repository

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class AgentFile:
    """A file of a coding agent."""

    directory: Path
    path: str  #: of the file, below the directory
    frame: str = ""  #: what a new file begins with, so that the agent reads it


def _of_claude(home: Path, project: Path) -> AgentFile:
    root = os.environ.get("CLAUDE_CONFIG_DIR")
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(project))
    return AgentFile(Path(root or home / ".claude") / "projects" / slug / "memory", "MEMORY.md")


def _in_project(path: str, frame: str = "") -> Callable[[Path, Path], AgentFile]:
    return lambda _, project: AgentFile(project, path, frame)


#: by the agent's name, from the home folder and the root of the project: the file that it reads at each start
AGENTS: Final[dict[str, Callable[[Path, Path], AgentFile]]] = {
    "claude-code": _of_claude,
    "codex": _in_project("AGENTS.md"),
    "cursor": _in_project(
        ".cursor/rules/bethink.mdc",
        "---\ndescription: What is remembered of this project and its people\nalwaysApply: true\n---\n\n",
    ),
    "copilot": _in_project(".github/copilot-instructions.md"),
    "gemini": _in_project("GEMINI.md"),
}


def agent_file(agent: str, project: str | Path = ".", *, home: Path | None = None) -> AgentFile:
    """Return the file in which a coding agent is told what is remembered of a project.

    Raises:
        InvalidError: the agent is not one that is known.
    """
    if agent not in AGENTS:
        raise InvalidError(
            f"unknown coding agent; use one of {', '.join(AGENTS)}, or name the agent's folder",
            argument="agent",
        )
    below = Path(project).resolve()
    return AGENTS[agent](home or Path.home(), repository(below) or below)
