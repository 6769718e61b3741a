"""Tools of a memory for a model of any provider: list them, call what the model asks for, hand back what they say.

python examples/tools_any_model.py [FILE]
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from bethink import Memory


def scripted_model() -> Iterator[list[dict[str, Any]]]:
    """Return what a model would ask for: in earnest, `client.responses.create(tools=…, input=…).output`."""
    yield [ask("call_1", "remember", key="diet", content="Is vegetarian.")]
    yield [ask("call_2", "search_memory", query="what may she eat?"), ask("call_3", "recall", key="seat")]
    yield [{"type": "message", "role": "assistant", "content": "A vegetarian menu it is."}]


def ask(call_id: str, name: str, **arguments: str) -> dict[str, str]:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": json.dumps(arguments)}


def main(path: str) -> None:
    with Memory(path) as memory:
        alice = memory.scope(agent="concierge", user="alice")
        session = alice.session("menu")
        tools = {tool.name: tool for tool in alice.tools()}
        print("offered:", ", ".join(tool.openai()["name"] for tool in tools.values()))

        for items in scripted_model():
            results = [
                {
                    "type": "function_call_output",
                    "call_id": item["call_id"],
                    "output": tools[item["name"]].call(item["arguments"]),
                }
                for item in items
                if item["type"] == "function_call"
            ]
            session.append([*items, *results])
            for result in results:
                print(result["call_id"], "→", result["output"])
        print(session.window()[-1]["content"])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ":memory:")
