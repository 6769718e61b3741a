"""Each supported coding agent: where it keeps hooks, MCP servers and instructions, and in which format."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, Final

from bethink.coding.settings_edits import SERVER, Block, Hooks, Server, TomlServer, WholeFile, own_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.coding.directories import Directories
    from bethink.coding.settings_edits import FileEdit

NAMES: Final = ("claude", "codex", "cursor", "gemini", "copilot", "opencode", "vscode")
_SECONDS: Final = 15  #: that an agent waits for a hook; hooks end before
_CLAUDE: Final = ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd")
_CODEX: Final = ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop")
_GEMINI: Final = ("SessionStart", "BeforeAgent", "PreCompress", "AfterAgent", "SessionEnd")
_COPILOT: Final = ("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SessionEnd")
_CURSOR: Final = (
    "sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "afterShellExecution", "preCompact", "stop",
    "sessionEnd",
)  # fmt: skip
REMARKS: Final = {
    "codex": "Codex runs new hooks only once you trust them: it asks when it starts next.",
    "copilot": "Copilot tells its sessions nothing that a hook says: they search by the MCP server.",
    "cursor": "Cursor hears a hook at the start of a session alone; prompts search by the MCP server.",
    "opencode": "OpenCode runs the plugin when it starts next.",
    "vscode": "VS Code has the MCP server alone: what is said there is not taken in.",
}


def file_of_ours(name: str) -> str:
    """Return a text that comes with the package."""
    data = get_data("bethink.coding", f"files/{name}")
    if data is None:
        raise FileNotFoundError(f"{name} is missing; reinstall the package")
    return data.decode("utf-8")


def file_edits(
    tool: str, places: Directories, root: Path | None, command: Sequence[str], *, mcp: bool
) -> list[FileEdit]:
    """Return what is put where for an agent: for the user, or with `root` for a project alone."""
    made = {
        "claude": _claude,
        "codex": _codex,
        "cursor": _cursor,
        "gemini": _gemini,
        "copilot": _copilot,
        "opencode": _opencode,
        "vscode": _vscode,
    }[tool](places, root, command)
    return [piece for piece in made if mcp or piece.what != "MCP server"]


def hook_command(command: Sequence[str], event: str, tool: str) -> str:
    """Return the command line of a hook."""
    return f"{shlex.join(command)} hook {event} --for {tool}"


def _nested(command: Sequence[str], tool: str, events: Sequence[str], seconds: int) -> dict[str, Any]:
    return {
        event: {
            "hooks": [{"type": "command", "command": hook_command(command, event, tool), "timeout": seconds}]
        }
        for event in events
    }


def _started(command: Sequence[str], where: str = ".") -> dict[str, Any]:
    return {"command": command[0], "args": [*command[1:], "mcp", "--project", where]}


def _skill(folder: Path) -> WholeFile:
    return WholeFile(folder / "skills" / "bethink" / "SKILL.md", file_of_ours("SKILL.md"), "skill")


def _claude(places: Directories, root: Path | None, command: Sequence[str]) -> list[FileEdit]:
    folder = root / ".claude" if root else places.claude
    servers = root / ".mcp.json" if root else places.claude_servers
    return [
        Hooks(folder / "settings.json", _nested(command, "claude", _CLAUDE, _SECONDS), {}),
        Server(servers, ("mcpServers", SERVER), {"type": "stdio", **_started(command)}),
        _skill(folder),
    ]


def _codex(places: Directories, root: Path | None, command: Sequence[str]) -> list[FileEdit]:
    folder = root / ".codex" if root else places.codex
    instructions = root / "AGENTS.md" if root else places.codex / "AGENTS.md"
    return [
        Hooks(folder / "hooks.json", _nested(command, "codex", _CODEX, _SECONDS), {}),
        TomlServer(folder / "config.toml", _started(command)),
        Block(instructions, file_of_ours("instructions.md")),
    ]


def _gemini(places: Directories, root: Path | None, command: Sequence[str]) -> list[FileEdit]:
    folder = root / ".gemini" if root else places.gemini
    settings = folder / "settings.json"
    return [
        Hooks(settings, _nested(command, "gemini", _GEMINI, _SECONDS * 1000), {}),
        Server(settings, ("mcpServers", SERVER), _started(command)),
        Block(root / "GEMINI.md" if root else folder / "GEMINI.md", file_of_ours("instructions.md")),
    ]


def _cursor(places: Directories, root: Path | None, command: Sequence[str]) -> list[FileEdit]:
    folder = root / ".cursor" if root else places.cursor
    entries = {
        event: {"command": hook_command(command, event, "cursor"), "timeout": _SECONDS} for event in _CURSOR
    }
    made: list[FileEdit] = [
        Hooks(folder / "hooks.json", entries, {"version": 1}),
        Server(folder / "mcp.json", ("mcpServers", SERVER), _started(command, "${workspaceFolder}")),
    ]
    if root:
        head = "---\ndescription: When to search the memory of this project\nalwaysApply: true\n---\n\n"
        made.append(
            WholeFile(folder / "rules" / "bethink.mdc", head + file_of_ours("instructions.md"), "rule")
        )
    return made


def _copilot(places: Directories, root: Path | None, command: Sequence[str]) -> list[FileEdit]:
    made: list[FileEdit] = [
        Server(
            places.copilot / "mcp-config.json",
            ("mcpServers", SERVER),
            {"type": "local", **_started(command), "tools": ["*"]},
        )
    ]
    if root:
        hooks = {
            event: [
                {
                    "type": "command",
                    "bash": hook_command(command, event, "copilot"),
                    "powershell": hook_command(command, event, "copilot"),
                    "timeoutSec": _SECONDS,
                }
            ]
            for event in _COPILOT
        }
        made = [
            WholeFile(
                root / ".github" / "hooks" / "bethink.json", own_json({"version": 1, "hooks": hooks}), "hooks"
            ),
            Block(root / ".github" / "copilot-instructions.md", file_of_ours("instructions.md")),
        ]
    return made


def _opencode(places: Directories, root: Path | None, command: Sequence[str]) -> list[FileEdit]:
    folder = root / ".opencode" if root else places.config / "opencode"
    above = root or folder
    written = above / "opencode.jsonc"
    settings = written if written.exists() else above / "opencode.json"
    plugin = file_of_ours("opencode.js").replace(
        '"@COMMAND@"', own_json(f"{shlex.join(command)} hook").strip()
    )
    entry = {"type": "local", "command": [*command, "mcp", "--project", "."], "enabled": True}
    return [
        WholeFile(folder / "plugins" / "bethink.js", plugin, "plugin"),
        Server(settings, ("mcp", SERVER), entry),
        Block(above / "AGENTS.md", file_of_ours("instructions.md")),
    ]


def _vscode(places: Directories, root: Path | None, command: Sequence[str]) -> list[FileEdit]:
    entry = {"type": "stdio", **_started(command, "${workspaceFolder}")}
    if root:
        return [
            Server(root / ".vscode" / "mcp.json", ("servers", SERVER), entry),
            Block(root / ".github" / "copilot-instructions.md", file_of_ours("instructions.md")),
        ]
    return [Server(_code(places) / "User" / "mcp.json", ("servers", SERVER), entry)]


def _code(places: Directories) -> Path:
    if sys.platform == "darwin":
        return places.user / "Library" / "Application Support" / "Code"
    if sys.platform == "win32" and places.application_data:
        return Path(places.application_data) / "Code"
    return places.config / "Code"
