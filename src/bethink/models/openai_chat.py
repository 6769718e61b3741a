"""A chat model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from bethink.errors import InvalidError
from bethink.models.chat import Completion, read_json
from bethink.models.openai_calls import Endpoint, count_of, without_surrogates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from bethink.models.chat import Message

Answers: TypeAlias = Literal["json_schema", "json_object", "text"]


class OpenAIChat:
    """Chat completions of OpenAI, or of what speaks its protocol: llama.cpp, vLLM, Ollama, a gateway.

    Args:
        model: its name, as the endpoint knows it.
        base_url: where the endpoint is, such as `http://localhost:8080/v1`; None is OpenAI itself.
        api_key: None takes `OPENAI_API_KEY`, but only where no `base_url` is given.
        timeout: seconds of silence after which a request is given up.
        deadline: seconds that one call takes at most, with all its tries.
        retries: how often a call is tried again after 429, 5xx and lost connections.
        backoff: seconds before the second try; twice as many before each further one.
        answers: how the endpoint is asked for JSON; older servers know `json_object` only, or nothing.
        limit_as: the name of the bound on the answer; None takes the one that OpenAI wants for its own models, and
            `max_tokens`, which every server knows, for others.
        options: what else goes into the request, such as `{"reasoning_effort": "low"}`.
        most_bytes: of an answer as it comes over the wire.

    Raises:
        ImportError: the `openai` package is missing; the message says how to install it.
        InvalidError: a bound is not a positive number.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 30.0,
        deadline: float = 60.0,
        retries: int = 2,
        backoff: float = 0.5,
        answers: Answers = "json_schema",
        limit_as: Literal["max_completion_tokens", "max_tokens"] | None = None,
        options: Mapping[str, Any] | None = None,
        most_bytes: int = 2 * 1024 * 1024,
    ) -> None:
        if min(timeout, deadline, most_bytes) <= 0 or min(retries, backoff) < 0:
            raise InvalidError("timeout, deadline and most_bytes must be greater than 0", argument="timeout")
        self.model = model
        self._answers = answers
        self._limit_as = limit_as or ("max_completion_tokens" if base_url is None else "max_tokens")
        self._options = dict(options or {})
        self._endpoint = Endpoint(
            f"openai:{model}",
            base_url=base_url,
            api_key=api_key,
            timeout=timeout,
            deadline=deadline,
            retries=retries,
            backoff=backoff,
            most_bytes=most_bytes,
        )

    def __repr__(self) -> str:
        return f"<chat {self.identity!r}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def identity(self) -> str:
        """Return the provider and the name of the model."""
        return f"openai:{self.model}"

    def close(self) -> None:
        """Let go of the connections. The next call opens new ones."""
        self._endpoint.close()

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any], max_tokens: int
    ) -> Completion:
        """Return the answer, in the shape of a JSON schema where the model keeps to it.

        Raises:
            ModelError: there is no answer; `reason` says why.
        """
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": each.role, "content": without_surrogates(each.content)} for each in messages
            ],
            self._limit_as: max_tokens,
        }
        if self._answers == "json_schema":
            shape = {"name": str(schema.get("title", "answer")), "strict": True, "schema": dict(schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif self._answers == "json_object":
            body["response_format"] = {"type": "json_object"}
        if self._options:
            body["extra_body"] = self._options
        return self._completion(*self._endpoint.post("chat.completions", body))

    def _completion(self, answer: Mapping[str, Any], calls: int, unsettled: int) -> Completion:
        usage = answer.get("usage")
        taken = {
            "calls": calls,
            "tokens_in": count_of(usage, "prompt_tokens"),
            "tokens_out": count_of(usage, "completion_tokens"),
            "unsettled": unsettled + 1,
        }
        choices = answer.get("choices")
        if not isinstance(choices, list):
            self._endpoint.fail("unreadable", **taken)
        choice: Any = cast("list[Any]", choices)[0] if choices else None
        message = cast("dict[str, Any]", choice).get("message") if isinstance(choice, dict) else None
        if not isinstance(message, dict):
            self._endpoint.fail("empty" if choice is None else "unreadable", **taken)
        members = cast("dict[str, Any]", message)
        finish = cast("dict[str, Any]", choice).get("finish_reason")
        if finish == "length":
            self._endpoint.fail("cut off", **taken)
        if members.get("refusal") or finish == "content_filter":
            self._endpoint.fail("declined", **taken)
        text = members.get("content")
        if not isinstance(text, str) or not text.strip():
            self._endpoint.fail("empty", **taken)
        named = answer.get("model")
        return Completion(
            text=text,
            parsed=read_json(text),
            tokens_in=taken["tokens_in"],
            tokens_out=taken["tokens_out"],
            model=named if isinstance(named, str) and named else self.model,
            calls=calls,
            unsettled=unsettled,
        )
