"""Runs of agents, as the items of the OpenAI Agents SDK have them."""

import itertools
import json

_numbers = itertools.count(1)


def shell(command, output, code=0):
    """Return a command and what came of it, as the SDK's items have them."""
    call = f"call_{next(_numbers)}"
    return [
        {
            "type": "function_call",
            "call_id": call,
            "name": "exec_command",
            "arguments": json.dumps({"cmd": command}),
        },
        {
            "type": "function_call_output",
            "call_id": call,
            "output": f"Process exited with code {code}\nOutput:\n{output}",
        },
    ]


def said(text):
    """Return an answer in words."""
    return {"role": "assistant", "content": text}


LESSON = [
    *shell("pytest -q", "ModuleNotFoundError: No module named 'yaml'", code=1),
    *shell("pip install pyyaml", "Successfully installed"),
    *shell("pytest -q", "12 passed"),
    said("All tests pass."),
]


def names(folder):
    """Return the names in a folder, in order."""
    return sorted(path.name for path in folder.iterdir())
