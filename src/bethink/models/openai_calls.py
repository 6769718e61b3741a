"""One request through the `openai` SDK, bounded in time, tries and size, and every failure as a `ModelError`."""

from __future__ import annotations

import json
import random
import re
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

from bethink.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.models.chat import Reason

_TOO_MANY = 429
_OVERLOADED = 529
_AGAIN = frozenset({408, 425, _TOO_MANY, 500, 502, 503, 504, _OVERLOADED})
_LONGEST_WAIT = 30.0  #: seconds between two tries, whatever the endpoint wishes
_WORD = re.compile(r"[\w.-]{1,48}")
_NO_KEY = "unused"  #: what a local endpoint is told; a key from the environment is not meant for it
_SERVER = 500
_TRANSPORTS = ("httpx", "httpx2")  #: what the SDK reads an answer with, before its version 3 and since

_ADVICE: dict[Reason, str] = {
    "no key": "there is no key: give api_key, or set OPENAI_API_KEY",
    "denied": "the endpoint does not accept the key, or not for this model: look at api_key",
    "unknown model": "the endpoint does not know the model or the path: look at model and base_url",
    "rejected": "the endpoint does not understand the request: look at `answers`, `limit_as` and `options`",
    "quota": "the account has nothing left: look at its plan and billing",
    "rate limited": "too many requests: try again later",
    "unavailable": "the endpoint failed: try again later",
    "timeout": "there was no answer in time: try again later, or allow more with timeout and deadline",
    "connection": "the endpoint cannot be reached: look at base_url and the network",
    "unreadable": "what came back is not what the protocol says: look at base_url",
    "empty": "the answer is empty",
    "cut off": "the answer was longer than it may be",
    "declined": "the model declined to answer",
    "too large": "the answer is larger than most_bytes",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    """Why one try came to nothing."""

    reason: Reason
    status: int | None = None
    code: str | None = None
    again: bool = False
    wait: float | None = None  #: seconds that the endpoint asks for
    unsettled: bool = False  #: it may be charged for all the same


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
            raise ImportError("models need the openai package: pip install 'bethink[llm]'", name="openai")
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
            if not isinstance(answer, _Failure):
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
        raise ModelError(
            f"{self.provider}: {_ADVICE[reason]}", provider=self.provider, reason=reason, **facts
        )

    def close(self) -> None:
        """Let go of the connections. The next call opens new ones."""
        with self._guard:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _wait(self, failure: _Failure, tried: int) -> float:
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
    ) -> Mapping[str, Any] | _Failure:
        import openai

        verbs = client.chat.completions if resource == "chat.completions" else client.embeddings
        transports = [sys.modules[name] for name in _TRANSPORTS if name in sys.modules]
        late = (openai.APITimeoutError, *(each.TimeoutException for each in transports))
        lost = (openai.APIConnectionError, *(each.RequestError for each in transports))
        try:
            with verbs.with_streaming_response.create(**body) as response:
                return self._read(response, until)
        except late:
            return _Failure(reason="timeout", unsettled=True)
        except lost:
            return _Failure(reason="connection", again=True, unsettled=True)
        except openai.APIStatusError as error:
            return _refused(error)

    def _read(self, response: Any, until: float) -> Mapping[str, Any] | _Failure:
        """Read an answer no further than it may go, in time and in size."""
        read = bytearray()
        for part in response.iter_bytes():
            read += part
            if len(read) > self.most_bytes:
                return _Failure(reason="too large", unsettled=True)
            if time.monotonic() > until:
                return _Failure(reason="timeout", unsettled=True)
        try:
            plain = json.loads(bytes(read))
        except (ValueError, RecursionError):
            return _Failure(reason="unreadable", status=response.status_code, unsettled=True)
        if not isinstance(plain, dict):
            return _Failure(reason="unreadable", status=response.status_code, unsettled=True)
        return cast("dict[str, Any]", plain)


def _refused(error: Any) -> _Failure:
    """Return what a status means; of the endpoint's own words only a plain code is taken."""
    status = int(error.status_code)
    code = error.code if isinstance(error.code, str) and _WORD.fullmatch(error.code) else None
    reason: Reason
    if code == "insufficient_quota":
        return _Failure(reason="quota", status=status, code=code)
    if status in {401, 403}:
        reason = "denied"
    elif status == 404 or code == "model_not_found":  # noqa: PLR2004
        reason = "unknown model"
    elif status == _TOO_MANY:
        reason = "rate limited"
    elif status >= _SERVER or status in _AGAIN:
        reason = "unavailable"
    else:
        reason = "rejected"
    again = reason in {"rate limited", "unavailable"} and status in _AGAIN
    return _Failure(reason=reason, status=status, code=code, again=again, wait=_asked(error.response.headers))


def _asked(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that an endpoint asks to be left alone."""
    with suppress(ValueError, KeyError):
        return max(0.0, float(headers["retry-after-ms"]) / 1000)
    return _seconds(headers.get("retry-after"))


def _seconds(word: str | None) -> float | None:
    if word is None:
        return None
    with suppress(ValueError):
        return max(0.0, float(word))
    with suppress(ValueError, TypeError):
        at = parsedate_to_datetime(word)
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        return max(0.0, (at - datetime.now(UTC)).total_seconds())
    return None


def count_of(usage: object, name: str) -> int | None:
    """Return a number of tokens from an endpoint's account; None where it is none."""
    value = cast("dict[str, Any]", usage).get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def whole(text: str) -> str:
    """Return a text without halves of characters, which no request can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
