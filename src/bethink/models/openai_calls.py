"""Call the `openai` SDK with bounds on time, retries (backoff) and size; every failure is a `ModelError`."""

from __future__ import annotations

import json
import random
import threading
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

from bethink.models.openai_failures import Failure, failure_of, model_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.models.chat import Reason

_LONGEST_WAIT = 30.0  #: seconds between two tries, whatever the endpoint wishes
_NO_KEY = "unused"  #: what a local endpoint is told; a key from the environment is not meant for it


class Endpoint:
    """An OpenAI-compatible endpoint. It may be used by several threads.

    Args:
        provider: how errors name it.
        base_url: where it is, such as `http://localhost:8080/v1`; None is OpenAI, or `OPENAI_BASE_URL`.
        api_key: None takes `OPENAI_API_KEY`, but only where no `base_url` is given: a key is sent to nobody else.
        timeout: seconds of silence after which a request is given up.
        deadline: seconds that a call takes at most, with all its tries.
        retries: how often a call is tried again after 429, 5xx and lost connections.
        backoff: seconds before the second try; twice as many before each further one.
        most_bytes: of an answer.
    """

    def __init__(
        self,
        provider: str,
        *,
        base_url: str | None,
        api_key: str | None,
        timeout: float,
        deadline: float,
        retries: int,
        backoff: float,
        most_bytes: int,
    ) -> None:
        if find_spec("openai") is None:
            raise ImportError("chat models require openai: pip install 'bethink[llm]'", name="openai")
        self.provider = provider
        self.base_url = base_url
        self.timeout = timeout
        self.deadline = deadline
        self.retries = retries
        self.backoff = backoff
        self.most_bytes = most_bytes
        self._key = api_key if api_key is not None or base_url is None else _NO_KEY
        self._client: Any = None
        self._guard = threading.Lock()

    def post(
        self, resource: Literal["chat.completions", "embeddings"], body: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], int, int]:
        """Return the JSON object that the endpoint answers, how many requests it took, and how many are unsettled.

        Raises:
            ModelError: it does not answer, or not with an object.
        """
        client = self._opened()
        until = time.monotonic() + self.deadline
        unsettled = 0
        for tried in range(1, self.retries + 2):
            left = min(self.timeout, until - time.monotonic())
            answer = self._sent(client, resource, {"timeout": max(left, 0.001), **body}, until)
            if not isinstance(answer, Failure):
                return answer, tried, unsettled
            unsettled += answer.unsettled
            wait = self._wait(answer, tried)
            if not answer.again or tried > self.retries or time.monotonic() + wait >= until:
                self.fail(
                    answer.reason, status=answer.status, code=answer.code, calls=tried, unsettled=unsettled
                )
            time.sleep(wait)
        raise AssertionError("unreachable")

    def fail(self, reason: Reason, **facts: Any) -> NoReturn:
        """Raise what a reason amounts to.

        Raises:
            ModelError: always.
        """
        raise model_error(self.provider, reason, **facts)

    def close(self) -> None:
        """Let go of the connections. The next call opens new ones."""
        with self._guard:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _wait(self, failure: Failure, tried: int) -> float:
        if failure.wait is not None:
            return min(failure.wait, _LONGEST_WAIT)
        spread = random.uniform(0.75, 1.25)  # noqa: S311 - so that callers do not come back all at once
        return min(self.backoff * 2 ** (tried - 1) * spread, _LONGEST_WAIT)

    def _opened(self) -> Any:
        import openai

        with self._guard:
            if self._client is None:
                try:
                    self._client = openai.OpenAI(base_url=self.base_url, api_key=self._key, max_retries=0)
                except openai.OpenAIError:
                    self.fail("no key", calls=0)
            return self._client

    def _sent(
        self, client: Any, resource: str, body: Mapping[str, Any], until: float
    ) -> Mapping[str, Any] | Failure:
        verbs = client.chat.completions if resource == "chat.completions" else client.embeddings
        try:
            with verbs.with_streaming_response.create(**body) as response:
                return self._read(response, until)
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            return failure

    def _read(self, response: Any, until: float) -> Mapping[str, Any] | Failure:
        """Read an answer no further than it may go, in time and in size."""
        read = bytearray()
        for part in response.iter_bytes():
            read += part
            if len(read) > self.most_bytes:
                return Failure(reason="too large", unsettled=True)
            if time.monotonic() > until:
                return Failure(reason="timeout", unsettled=True)
        try:
            plain = json.loads(bytes(read))
        except (ValueError, RecursionError):
            return Failure(reason="unreadable", status=response.status_code, unsettled=True)
        if not isinstance(plain, dict):
            return Failure(reason="unreadable", status=response.status_code, unsettled=True)
        return cast("dict[str, Any]", plain)


def count_of(usage: object, name: str) -> int | None:
    """Return a number of tokens from an endpoint's account; None where it is none."""
    value = cast("dict[str, Any]", usage).get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def without_surrogates(text: str) -> str:
    """Return a text without halves of characters, which no request can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
