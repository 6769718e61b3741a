"""Use the models of the SDK's sandbox-memory configuration for phase one and phase two."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from agents import (
    AgentOutputSchemaBase,
    Model,
    ModelResponse,
    ModelSettings,
    ModelTracing,
    MultiProvider,
    Usage,
)
from agents.sandbox.config import MemoryGenerateConfig
from agents.testing import assistant_message

from bethink.errors import ModelError
from bethink.models.chat import Completion, read_json
from bethink.workspace.values import Generate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from bethink.models.chat import Message

DEADLINE: Final = 600.0  #: seconds for one answer


def generate_of(
    config: MemoryGenerateConfig, loop: Callable[[], asyncio.AbstractEventLoop | None]
) -> Generate:
    """Return the SDK's configuration as ours; its models are asked as it says, and given no tool."""
    return Generate(
        max_raw_memories_for_consolidation=config.max_raw_memories_for_consolidation,
        phase_one_model=SdkChat(config.phase_one_model, config.phase_one_model_settings, loop),
        phase_two_model=SdkChat(config.phase_two_model, config.phase_two_model_settings, loop),
        extra_prompt=config.extra_prompt,
        most_asked=config.phase_two_max_turns,
    )


class SdkChat:
    """A model of the SDK, by its object or its name, as a chat model that answers in JSON."""

    def __init__(
        self,
        model: str | Model,
        settings: ModelSettings | None,
        loop: Callable[[], asyncio.AbstractEventLoop | None],
    ) -> None:
        self._model = model
        self._settings = settings or ModelSettings()
        self._loop = loop

    @property
    def identity(self) -> str:
        """Name the model."""
        named = self._model if isinstance(self._model, str) else getattr(self._model, "model", None)
        return f"agents:{named if isinstance(named, str) else type(self._model).__name__}"

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any], max_tokens: int
    ) -> Completion:
        """Return the answer; the model runs on the event loop of the sandbox.

        Raises:
            ModelError: there is no answer.
        """
        asking = self._ask(messages, schema, max_tokens)
        loop = self._loop()
        try:
            if loop is None or not loop.is_running():
                answer = asyncio.run(asking)
            else:
                answer = asyncio.run_coroutine_threadsafe(asking, loop).result(DEADLINE)
        except Exception as error:  # a model of somebody else may raise what it likes
            raise ModelError(
                f"{self.identity} did not respond: {type(error).__name__}",
                provider="agents",
                reason="timeout" if isinstance(error, TimeoutError) else "unavailable",
                calls=1,
            ) from error
        text = "".join(
            getattr(part, "text", "")
            for item in answer.output
            if getattr(item, "type", "") == "message"
            for part in getattr(item, "content", ())
        )
        return Completion(
            text=text,
            parsed=read_json(text),
            tokens_in=answer.usage.input_tokens or None,
            tokens_out=answer.usage.output_tokens or None,
            model=self.identity,
        )

    async def _ask(
        self, messages: Sequence[Message], schema: Mapping[str, Any], max_tokens: int
    ) -> ModelResponse:
        model = MultiProvider().get_model(self._model) if isinstance(self._model, str) else self._model
        settings = self._settings
        if (
            settings.max_tokens is None and settings.reasoning is None
        ):  # thoughts count, and nobody knows how many
            settings = replace(settings, max_tokens=max_tokens)
        system = "\n\n".join(each.content for each in messages if each.role == "system")
        return await model.get_response(
            system,
            [{"role": "user", "content": each.content} for each in messages if each.role == "user"],
            settings,
            [],
            _Shape(schema),
            [],
            ModelTracing.DISABLED,
            previous_response_id=None,
            conversation_id=None,
            prompt=None,
        )


class _Shape(AgentOutputSchemaBase):
    """The shape of an answer, as the SDK hands it to models."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = {name: value for name, value in schema.items() if name not in {"name", "title"}}
        self._name = str(schema.get("title") or schema.get("name") or "answer")

    def is_plain_text(self) -> bool:
        """Say that the answer is JSON."""
        return False

    def name(self) -> str:
        """Name the shape."""
        return self._name

    def json_schema(self) -> dict[str, Any]:
        """Return the schema."""
        return self._schema

    def is_strict_json_schema(self) -> bool:
        """Say that the answer has to keep to it."""
        return True

    def validate_json(self, json_str: str) -> Any:
        """Return the answer as JSON; who asked looks at it."""
        return json.loads(json_str)


class NoopModel(Model):
    """A model that finds nothing to remember: what the SDK's own phases ask, since ours have done their work."""

    async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
        """Answer that there is nothing."""
        nothing = json.dumps({"rollout_slug": "", "rollout_summary": "", "raw_memory": ""})
        return ModelResponse(output=[assistant_message(nothing)], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        """Refuse: nobody streams a phase.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError


#: what the SDK's Runner is told of generation: it writes the segments of each run, and asks nobody
SEGMENTS: Final = MemoryGenerateConfig(
    phase_one_model=(_silent := NoopModel()),
    phase_one_model_settings=None,
    phase_two_model=_silent,
    phase_two_model_settings=None,
)
