"""Tools for memory files: the commands of Anthropic's memory tool, one tool each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.tools.schemas import arguments, number, text
from bethink.tools.values import Tool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bethink.tools.values import Effect, Reach


def _command(name: str) -> Callable[[Reach, Mapping[str, Any]], Awaitable[str]]:
    async def act(reach: Reach, given: Mapping[str, Any]) -> str:
        if reach.workspace is None:
            raise InvalidError("this agent has no workspace; start it with `bethink mcp --workspace DIR`")
        return await reach.workspace.command({"command": name, **given})

    return act


def _tool(name: str, effect: Effect, description: str, parameters: Mapping[str, Any]) -> Tool:
    return Tool(
        name=f"workspace_{name}",
        family="workspace",
        effect=effect,
        description=description,
        parameters=parameters,
        act=_command(name),
    )


PATH = text("a path that begins with /memories")
RANGE = {
    "type": "array",
    "items": {"type": "integer"},
    "description": "the first and the last line to show; -1 for the end",
}

TOOLS = (
    _tool(
        "view",
        "reads",
        "Show a file of your memory with the numbers of its lines, or what a folder holds. Begin with /memories.",
        arguments(("view_range",), path=PATH, view_range=RANGE),
    ),
    _tool(
        "create",
        "adds",
        "Make a new file in your memory.",
        arguments(path=PATH, file_text=text("what the file holds")),
    ),
    _tool(
        "str_replace",
        "puts",
        "Put a text in the place of another one that stands in a file exactly once.",
        arguments(
            ("new_str",), path=PATH, old_str=text("what stands there"), new_str=text("what shall stand there")
        ),
    ),
    _tool(
        "insert",
        "adds",
        "Put text after a line of a file.",
        arguments(
            path=PATH,
            insert_line=number("the line; 0 for the beginning"),
            insert_text=text("what to put there"),
        ),
    ),
    _tool("delete", "removes", "Remove a file or a folder of your memory.", arguments(path=PATH)),
    _tool(
        "rename",
        "puts",
        "Move a file or a folder of your memory.",
        arguments(old_path=PATH, new_path=text("where it goes; nothing may be there yet")),
    ),
)
