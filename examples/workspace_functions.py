"""An agent of any make: open its workspace, tell it what is known, note what it did, close.

python examples/workspace_functions.py [DIR]
"""

import sys
import tempfile
from pathlib import Path

from bethink import Memory


def shell(number: int, command: str, output: str) -> list[dict[str, str]]:
    call = f"call_{number}"
    return [
        {
            "type": "function_call",
            "call_id": call,
            "name": "shell",
            "arguments": f'{{"command": "{command}"}}',
        },
        {"type": "function_call_output", "call_id": call, "output": output},
    ]


def main(directory: str) -> None:
    with Memory(str(Path(directory) / "memory.db")) as memory:
        scope = memory.scope(agent="reviewer", user="alice")
        project = Path(directory) / "project"

        with scope.workspace(project) as space:
            space.record(
                "Run the tests. Always run the linter before you commit.",
                [
                    *shell(1, "pytest -q", "exit code: 1\nModuleNotFoundError: No module named 'yaml'"),
                    *shell(2, "pip install pyyaml", "exit code: 0"),
                    *shell(3, "pytest -q", "exit code: 0\n12 passed"),
                ],
                final_output="All tests pass.",
                session_id="review",
            )

        space = scope.workspace(project)
        space.open()
        print(space.instructions())
        for found in space.search("pytest yaml", limit=3):
            print(f"{found.path}:{found.line}: {found.text}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
