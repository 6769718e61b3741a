"""The directories of Bethink and of each coding agent: where settings, transcripts and the database are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

DATABASE: Final = "memory.db"
OPTIONS: Final = "coding.json"
LOG: Final = "hooks.log"
JOURNALS: Final = "journals"


def of_machine(environment: Mapping[str, str] | None = None) -> Directories:
    """Return the places that the environment of this process names."""
    given = os.environ if environment is None else environment
    user = Path(given.get("HOME") or given.get("USERPROFILE") or Path.home())
    return Directories(user, given)


class Directories:
    """The folders of one user."""

    def __init__(self, user: Path, environment: Mapping[str, str]) -> None:
        self.user = user
        self.home = Path(environment.get("BETHINK_HOME") or user / ".bethink")
        self.named = environment.get("BETHINK_DB") or ""
        self.private = environment.get("BETHINK_PRIVATE", "").lower() in {"1", "true", "yes", "on"}
        self.claude = Path(environment.get("CLAUDE_CONFIG_DIR") or user / ".claude")
        #: where Claude Code keeps its MCP servers for the user
        self.claude_servers = (
            self.claude / ".claude.json" if environment.get("CLAUDE_CONFIG_DIR") else user / ".claude.json"
        )
        self.codex = Path(environment.get("CODEX_HOME") or user / ".codex")
        self.gemini = user / ".gemini"
        self.cursor = user / ".cursor"
        self.copilot = user / ".copilot"
        self.config = Path(environment.get("XDG_CONFIG_HOME") or user / ".config")
        self.application_data = environment.get("APPDATA") or ""

    @property
    def options(self) -> Path:
        """What the user chose: the database, what is left out, the private mode."""
        return self.home / OPTIONS

    @property
    def log(self) -> Path:
        """One line for each hook that failed."""
        return self.home / LOG

    @property
    def journals(self) -> Path:
        """What agents without a transcript that can be read told their hooks, until it is taken in."""
        return self.home / JOURNALS

    def database(self, chosen: str | None) -> str:
        """Return the database: the one that was chosen at the installation, that of `BETHINK_DB`, or our own."""
        name = chosen or self.named or str(self.home / DATABASE)
        if "://" in name or name == ":memory:":
            return name
        return str(self.user / Path(name).expanduser() if name.startswith("~") else self.home / name)
