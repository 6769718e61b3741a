"""The notes of a scope as a directory of Markdown for a coding agent, kept in step both ways.

python examples/workspace_coding_agent.py [DIR]
"""

import sys
import tempfile
from pathlib import Path

from bethink import Memory


def main(directory: str) -> None:
    with Memory(str(Path(directory) / "memory.db")) as memory:
        scope = memory.scope(agent="coder", user="alice")
        scope.remember("Prefers pnpm to npm.", keywords=["packages"])
        book = scope.notebook(Path(directory) / "notes")
        book.sync()

        page = Path(directory) / "notes" / "packages.md"  # the agent, or a person, edits it
        page.write_text(page.read_text() + "- Node is pinned to version 22.\n")
        print(book.sync())
        print((Path(directory) / "notes" / "MEMORY.md").read_text())
        print([note.text for note in scope.notes()])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
