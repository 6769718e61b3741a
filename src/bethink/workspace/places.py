"""Where coding agents keep their memory."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from bethink.errors import InvalidError

AGENTS: Final = ("claude-code", "codex")


def place(agent: str, project: str | Path = ".", *, home: Path | None = None) -> Path:
    """Return the directory in which a coding agent keeps what it remembers of a project.

    Raises:
        InvalidError: the agent is not one that is known.
    """
    home = home or Path.home()
    if agent == "claude-code":
        root = _root(Path(project).resolve())
        return home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(root)) / "memory"
    if agent == "codex":
        return home / ".codex" / "memories"
    raise InvalidError(f"the coding agents that are known are {' and '.join(AGENTS)}", argument="agent")


def _root(project: Path) -> Path:
    """Return the root of the repository that a project lies in, or the project itself."""
    return next((each for each in (project, *project.parents) if (each / ".git").exists()), project)
