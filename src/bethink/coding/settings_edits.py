"""Add Bethink's entries to an agent's settings file and remove them: pure edits of text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from bethink import marked_blocks
from bethink.coding import jsonc
from bethink.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SERVER: Final = "bethink"  #: what the MCP server is called
_OURS: Final = re.compile(r"""\bbethink(?:\.cli|\.exe)?["']?\s+hook\b""")


class FileEdit(Protocol):
    """A change of one file."""

    @property
    def path(self) -> Path:
        """The file."""
        ...

    @property
    def what(self) -> str:
        """What is put there, in a word or two."""
        ...

    def put(self, text: str) -> str:
        """Return the file with it; a file that has it comes back as it is."""
        ...

    def take(self, text: str) -> str:
        """Return the file without it."""
        ...


def is_ours(entry: Any) -> bool:
    """Tell whether an entry of hooks calls Bethink."""
    if isinstance(entry, dict):
        members = cast("dict[str, Any]", entry)
        if any(is_ours(each) for each in members.get("hooks") or ()):
            return True
        return any(
            isinstance(members.get(name), str) and _OURS.search(members[name]) for name in ("command", "bash")
        )
    return False


@dataclass(frozen=True, slots=True)
class Hooks:
    """Hooks in a file of settings, an entry for each event; those of others stay."""

    path: Path
    entries: Mapping[str, Any]  #: by the agent's name of the event
    beside: Mapping[str, Any]  #: what the file has to say beside, such as its version
    what: str = "hooks"

    def put(self, text: str) -> str:
        """Return the file with an entry for each event, once."""
        for name, value in self.beside.items():
            if not text.strip().strip("\ufeff") or jsonc.parse(text).member(name) is None:
                text = jsonc.put(text, [name], value)
        for event, entry in self.entries.items():
            found = _list(text, ["hooks", event])
            if [each for each in found if is_ours(each)] == [entry]:
                continue
            text = jsonc.drop(text, ["hooks", event], is_ours)
            text = jsonc.add(text, ["hooks", event], entry)
        return text

    def take(self, text: str) -> str:
        """Return the file without any entry of ours, whichever version wrote it."""
        hooks = jsonc.parse(text).member("hooks")
        for event in [each.name for each in (hooks.node.members or ())] if hooks else ():
            left = _list(text, ["hooks", event])
            if not any(is_ours(each) for each in left):
                continue
            text = jsonc.drop(text, ["hooks", event], is_ours)
            if not _list(text, ["hooks", event]):
                text = jsonc.remove(text, ["hooks", event])
        return text


@dataclass(frozen=True, slots=True)
class Server:
    """The MCP server in a file of settings."""

    path: Path
    place: Sequence[str]
    entry: Mapping[str, Any]
    what: str = "MCP server"

    def put(self, text: str) -> str:
        """Return the file with the server."""
        return jsonc.put(text, self.place, dict(self.entry))

    def take(self, text: str) -> str:
        """Return the file without it."""
        return jsonc.remove(text, self.place)


@dataclass(frozen=True, slots=True)
class TomlServer:
    """The MCP server in Codex's `config.toml`."""

    path: Path
    entry: Mapping[str, Any]
    what: str = "MCP server"

    def put(self, text: str) -> str:
        """Return the file with the server."""
        import tomlkit

        document = self._parsed(text)
        servers: Any = document.get("mcp_servers")
        if servers is None:
            servers = tomlkit.table(is_super_table=True)
            document["mcp_servers"] = servers
        elif not hasattr(servers, "items"):
            raise InvalidError("mcp_servers must be a table", argument="settings", place="mcp_servers")
        if servers.get(SERVER) is not None and servers[SERVER].unwrap() == dict(self.entry):
            return text
        table = tomlkit.table()
        for name, value in self.entry.items():
            table[name] = value
        servers[SERVER] = table
        return tomlkit.dumps(document)

    def take(self, text: str) -> str:
        """Return the file without it."""
        import tomlkit

        document = self._parsed(text)
        servers: Any = document.get("mcp_servers")
        if not hasattr(servers, "items") or SERVER not in servers:
            return text
        del servers[SERVER]
        if not servers:
            del document["mcp_servers"]
        left = tomlkit.dumps(document)
        return left.rstrip("\r\n") + _newline(left) if left.strip() else ""

    def _parsed(self, text: str) -> Any:
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        try:
            return tomlkit.parse(text)
        except TOMLKitError as error:
            line = getattr(error, "line", 1)
            raise InvalidError(f"not valid TOML; see line {line}", argument="settings", line=line) from None


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file that is ours from its first line to its last."""

    path: Path
    content: str
    what: str

    def put(self, text: str) -> str:  # noqa: ARG002 - whatever an older version wrote
        """Return the file."""
        return self.content

    def take(self, text: str) -> str:  # noqa: ARG002
        """Return that there is nothing left of it."""
        return ""


@dataclass(frozen=True, slots=True)
class Block:
    """A marked block in instructions that people write."""

    path: Path
    content: str
    what: str = "instructions"

    def put(self, text: str) -> str:
        """Return the file with the block."""
        found = marked_blocks.block_text(text, marked_blocks.INSTRUCTIONS)
        if found is not None and found.strip() == self.content.strip():
            return text
        return marked_blocks.put(text, self.content, 1, marked_blocks.INSTRUCTIONS)

    def take(self, text: str) -> str:
        """Remove the block from a file; a block of notes inside it stays."""
        return marked_blocks.without_block(text, marked_blocks.INSTRUCTIONS)


def _list(text: str, path: Sequence[str]) -> list[Any]:
    node = jsonc.parse(text) if text.strip().strip("\ufeff") else jsonc.parse("{}")
    for name in path:
        member = node.member(name)
        if member is None:
            return []
        node = member.node
    found = node.plain()
    if not isinstance(found, list):
        raise InvalidError(f"{'.'.join(path)} must be a list", argument="settings", place=".".join(path))
    return cast("list[Any]", found)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def own_json(value: Any) -> str:
    """Return JSON as a file of ours has it."""
    return json.dumps(value, indent=2) + "\n"
