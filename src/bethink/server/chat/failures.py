"""Describe the failure of a run without quoting its messages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agents.exceptions import MaxTurnsExceeded, ModelBehaviorError
from openai import OpenAIError

from bethink.errors import BethinkError
from bethink.models.openai_failures import failure_of, model_error
from bethink.server.problems import HttpError

if TYPE_CHECKING:
    from bethink.server.chat.models import ChosenModel


def caller_error(error: Exception, chosen: ChosenModel, *, seconds: float, max_turns: int) -> Exception:
    """Return the error that a caller is told; what is none of the run's own is returned as it is."""
    if isinstance(error, TimeoutError):
        return HttpError(
            504,
            "timeout",
            f"the turn took longer than {seconds:g} s; nothing was stored. Send the message again",
            limit=seconds,
            unit="seconds",
        )
    if isinstance(error, MaxTurnsExceeded):
        return HttpError(
            502,
            "max-turns",
            "the model kept calling tools without answering; raise max_turns, or ask for less",
            limit=max_turns,
            unit="calls of the model",
        )
    provider = f"chat:{chosen.name}"
    failure = failure_of(error)
    if failure is not None:
        return model_error(provider, failure.reason, status=failure.status, code=failure.code)
    if isinstance(error, ModelBehaviorError | OpenAIError | json.JSONDecodeError):
        return model_error(provider, "unreadable")
    return _cause(error)


def _cause(error: Exception) -> Exception:
    """Return what made a tool fail: the SDK wraps it, with words that quote it."""
    cause = error.__cause__
    while cause is not None and not isinstance(cause, BethinkError):
        cause = cause.__cause__
    return cause if isinstance(cause, BethinkError) else error
