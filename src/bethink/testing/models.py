"""Scripted chat models, for tests and examples without a network.

The script is strict: a call that no step is left for fails, and so does a step that nobody called for.

    with Script(says("Hello."), calls("search", city="Paris"), says("Done.")) as model:
        await Runner.run(Agent(name="guide", model=model), "Hi", session=session)
"""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any, Self

from agents.testing import ModelCall, ModelStep, ScriptedModel, assistant_message, function_call
from agents.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

_calls = itertools.count(1)


class Script(ScriptedModel):
    """The SDK's scripted model, which is looked over at the end of a `with` block."""

    def __init__(self, *steps: ModelStep) -> None:
        super().__init__(steps)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.assert_complete()

    @property
    def prompts(self) -> list[str]:
        """Return the instructions that came with each call."""
        return [call.system_instructions or "" for call in self.calls]

    @property
    def inputs(self) -> list[list[dict[str, Any]]]:
        """Return the items that came with each call."""
        return [list(call.input) for call in self.calls]


def says(text: str, *, tokens: tuple[int, int] = (10, 5)) -> ModelStep:
    """Return an answer in words; `tokens` are those read and written."""
    return ModelStep(output=[assistant_message(text)], usage=_usage(tokens))


def calls(name: str, *more: tuple[str, dict[str, Any]], **arguments: Any) -> ModelStep:
    """Return the call of a tool, or of several at once."""
    return ModelStep(
        output=[
            function_call(tool, json.dumps(given), call_id=f"call_{next(_calls)}")
            for tool, given in ((name, arguments), *more)
        ],
        usage=_usage((10, 5)),
    )


def fails(error: Exception) -> ModelStep:
    """Return an error in place of an answer."""
    return ModelStep.raise_error(error)


def answers(how: Callable[[ModelCall], ModelStep]) -> ModelStep:
    """Return an answer that depends on what the model is shown."""
    return ModelStep.respond(how)


def _usage(tokens: tuple[int, int]) -> Usage:
    read, written = tokens
    return Usage(requests=1, input_tokens=read, output_tokens=written, total_tokens=read + written)
