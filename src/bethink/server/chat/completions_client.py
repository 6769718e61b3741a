"""A chat-completions client whose streams end properly or raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from openai import AsyncOpenAI
from openai.resources.chat.completions import AsyncCompletions

from bethink.models.openai_failures import model_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_RETRIES = 2
_NO_KEY = "unused"  #: what an endpoint without keys is told


def client(url: str | None, key: str | None) -> AsyncOpenAI:
    """Return a client of an endpoint; without a URL it is OpenAI."""
    made = AsyncOpenAI(base_url=url, api_key=key or _NO_KEY, max_retries=_RETRIES)
    made.chat.completions = _Completions(made)  # pyright: ignore[reportAttributeAccessIssue] - it is cached there
    return made


class _Completions(AsyncCompletions):
    """The SDK takes a stream that ends in the middle for a whole one, except from OpenAI itself."""

    async def create(self, **options: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        made: Any = await cast("Any", super()).create(**options)
        return _CompleteStream(made, str(options.get("model"))) if options.get("stream") is True else made


class _CompleteStream:
    """A stream that fails where it ends before its answer does."""

    def __init__(self, stream: Any, model: str) -> None:
        self._stream = stream
        self._model = model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def __aiter__(self) -> AsyncIterator[Any]:
        started = finished = False
        async for chunk in self._stream:
            for choice in chunk.choices or ():
                started = True
                finished = finished or choice.finish_reason is not None
            yield chunk
        if started and not finished:
            raise model_error(f"chat:{self._model}", "cut off")
