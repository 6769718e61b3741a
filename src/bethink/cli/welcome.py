"""What `bethink` without a command prints: what it is, and the state of the memory it finds here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bethink.storage.opening import sqlite_path

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """How Bethink stands on this machine."""

    version: str
    database: str
    there: bool  #: whether the database is there, as far as that can be seen
    size: int | None
    agents: tuple[str, ...]  #: coding agents that it is installed in
    failures: int  #: lines in the log of hooks
    log: str
    private: bool


def here(command: CommandContext) -> Installation:
    """Look how Bethink stands; nothing is opened and nothing is written."""
    from bethink import __version__
    from bethink.cli.command_context import USUAL_FILE
    from bethink.coding import options
    from bethink.coding.directories import of_machine
    from bethink.coding.install import install_states

    places = of_machine()
    found = [each for each in install_states(places, Path.cwd()) if each.there]
    chosen = options.read(places.options)
    url = (
        places.database(chosen.db)
        if found and command.db == USUAL_FILE and not Path(USUAL_FILE).exists()
        else command.db
    )
    path = sqlite_path(url)
    file = None if path in {None, ":memory:"} else Path(str(path)).absolute()
    return Installation(
        version=__version__,
        database=_shown(url) if file is None else str(file),
        there=file is None or file.is_file(),
        size=file.stat().st_size if file is not None and file.is_file() else None,
        agents=tuple(f"{each.tool} ({'here' if each.where == 'project' else each.where})" for each in found),
        failures=_lines(places.log),
        log=str(places.log),
        private=chosen.private or places.private,
    )


def lines(found: Installation) -> list[str]:
    """Write it for people, with the three commands that come next."""
    from bethink.cli.views import size

    if not found.there:
        kept = f"{found.database} (not created yet; the first note creates it)"
    else:
        kept = found.database + (f" ({size(found.size)})" if found.size is not None else "")
    shown = [
        f"Bethink {found.version}: the memory of AI agents, in one file, with no key.",
        "",
        f"  memory     {kept}",
        f"  agents     {', '.join(found.agents) or 'in no coding agent yet'}",
    ]
    shown += [
        "  private    on: nothing is stored or injected; turn it off with `bethink project private off`"
    ] * found.private
    shown += [f"  failures   {found.failures} lines in {found.log}"] if found.failures else []
    return [*shown, "", "Next:", *(f"  {command:<46} {why}" for command, why in _next(found)), "", _HELP]


_HELP = "All commands: bethink --help"


def _next(found: Installation) -> tuple[tuple[str, str], ...]:
    if not found.agents:
        return (
            (
                "bethink install claude",
                "give a coding agent a memory; also codex, cursor, gemini, copilot, opencode",
            ),
            ("bethink demo", "see what memory does, on a fresh file"),
            ('bethink remember "I prefer short answers."', "remember something yourself"),
        )
    if not found.there:
        return (
            (
                "bethink import --from claude-code --projects",
                "import the transcripts on this machine",
            ),
            ("bethink project", "which project this folder is"),
            ("bethink install status", "the status in each coding agent"),
        )
    return (
        ('bethink project recall "words that matter"', "search this project and your own memory"),
        ("bethink project", "which project this folder is"),
        ("bethink stats", "what is stored"),
    )


def _shown(url: str) -> str:
    """Return an address without its password."""
    scheme, found, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if found else url


def _lines(path: Path) -> int:
    try:
        return path.read_text(encoding="utf-8", errors="replace").count("\n")
    except OSError:
        return 0
