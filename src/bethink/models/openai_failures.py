"""Translate failures of the `openai` SDK into error messages."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from bethink.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.models.chat import Reason

_TOO_MANY = 429
_OVERLOADED = 529
_AGAIN = frozenset({408, 425, _TOO_MANY, 500, 502, 503, 504, _OVERLOADED})
_WORD = re.compile(r"[\w.-]{1,48}")
_SERVER = 500
_TRANSPORTS = ("httpx", "httpx2")  #: what the SDK reads an answer with, before its version 3 and since

_ADVICE: dict[Reason, str] = {
    "no key": "no API key; pass api_key, or set OPENAI_API_KEY",
    "denied": "the endpoint rejected the key, or does not allow this model; check api_key",
    "unknown model": "the endpoint does not know the model or the path; check model and base_url",
    "rejected": "the endpoint rejected the request; check `answers`, `limit_as` and `options`",
    "quota": "the account has exceeded its quota; check its plan and billing",
    "rate limited": "too many requests; try again later",
    "unavailable": "the endpoint failed; try again later",
    "timeout": "no answer in time; try again later, or raise timeout and deadline",
    "connection": "cannot reach the endpoint; check base_url and the network",
    "unreadable": "the response does not follow the protocol; check base_url",
    "empty": "the answer is empty",
    "cut off": "the answer was cut off at its maximum length",
    "declined": "the model declined to answer",
    "too large": "the answer is larger than most_bytes",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why one try came to nothing."""

    reason: Reason
    status: int | None = None
    code: str | None = None
    again: bool = False
    wait: float | None = None  #: seconds that the endpoint asks for
    unsettled: bool = False  #: it may be charged for all the same


def model_error(provider: str, reason: Reason, **facts: Any) -> ModelError:
    """Return the error that a reason amounts to."""
    return ModelError(f"{provider}: {_ADVICE[reason]}", provider=provider, reason=reason, **facts)


def failure_of(error: BaseException) -> Failure | None:
    """Return why a request came to nothing; None where the error is another one."""
    import openai

    transports = [sys.modules[name] for name in _TRANSPORTS if name in sys.modules]
    if isinstance(error, (openai.APITimeoutError, *(each.TimeoutException for each in transports))):
        return Failure(reason="timeout", unsettled=True)
    if isinstance(error, (openai.APIConnectionError, *(each.RequestError for each in transports))):
        return Failure(reason="connection", again=True, unsettled=True)
    return _refused(error) if isinstance(error, openai.APIStatusError) else None


def _refused(error: Any) -> Failure:
    """Return what a status means; of the endpoint's own words only a plain code is taken."""
    status = int(error.status_code)
    code = error.code if isinstance(error.code, str) and _WORD.fullmatch(error.code) else None
    reason: Reason
    if code == "insufficient_quota":
        return Failure(reason="quota", status=status, code=code)
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
    return Failure(
        reason=reason, status=status, code=code, again=again, wait=_retry_after(error.response.headers)
    )


def _retry_after(headers: Mapping[str, str]) -> float | None:
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
