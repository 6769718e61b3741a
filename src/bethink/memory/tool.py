"""The handle of a tool: its description for a model, and its call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bethink.tools import formats
from bethink.tools.calls import answer_text, call

if TYPE_CHECKING:
    from bethink.tools.values import Reach, Tool


class AsyncTool:
    """A memory tool, bound to a scope, that a model may call."""

    def __init__(self, tool: Tool, reach: Reach) -> None:
        self._tool = tool
        self._reach = reach
        self.name: str = tool.name
        self.description: str = tool.description
        self.parameters: dict[str, Any] = formats.parameters(tool)

    def __repr__(self) -> str:
        return f"<tool {self.name!r}>"

    async def call(self, arguments: str | Mapping[str, Any]) -> str:
        """Run the tool with a model's arguments and return its result for the model: a sentence, or JSON as text.

        `arguments` are a JSON object, as text or read. What cannot be done is said in words that begin with
        "Not done:", so that the model can do better; a store that fails raises.
        """
        return answer_text(await call(self._tool, self._reach, arguments))

    def openai(self) -> dict[str, Any]:
        """Return the entry for `tools` of OpenAI's Responses API."""
        return formats.openai(self._tool)

    def openai_chat(self) -> dict[str, Any]:
        """Return the entry for `tools` of OpenAI's chat completions and compatible APIs."""
        return formats.openai_chat(self._tool)

    def anthropic(self) -> dict[str, Any]:
        """Return the entry for `tools` of Anthropic's Messages API."""
        return formats.anthropic(self._tool)
