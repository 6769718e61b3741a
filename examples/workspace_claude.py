"""Claude's memory tool over a workspace. With ANTHROPIC_API_KEY, pass the tool to the SDK's `tool_runner`.

pip install 'bethink[anthropic]'; python examples/workspace_claude.py [DIR]
"""

import sys
import tempfile
from pathlib import Path

from anthropic.lib.tools import ToolError

from bethink import Memory
from bethink.integrations.anthropic_memory import MemoryTool


def main(directory: str) -> None:
    with Memory(str(Path(directory) / "memory.db")) as memory:
        tool = MemoryTool(memory.scope(agent="claude", user="alice").workspace(Path(directory) / "project"))
        # client.beta.messages.tool_runner(model=…, messages=…, tools=[tool]) makes calls such as these:
        notes = "/memories/progress.md"
        for command in (
            {"command": "view", "path": "/memories"},
            {"command": "create", "path": notes, "file_text": "- Half of the pages are done.\n"},
            {
                "command": "insert",
                "path": notes,
                "insert_line": 1,
                "insert_text": "- Next: the index page.\n",
            },
            {"command": "view", "path": notes},
        ):
            print(tool.call(command))
        try:
            tool.call({"command": "view", "path": "/memories/../memory.db"})
        except ToolError as refused:
            print(refused)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
