"""The port to a chat model that answers in JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Role: TypeAlias = Literal["system", "user", "assistant"]

#: why a call came to nothing: the `reason` of a `ModelError`
Reason: TypeAlias = Literal[
    "no key",
    "denied",
    "unknown model",
    "rejected",  #: the endpoint does not understand the request
    "quota",
    "rate limited",
    "unavailable",
    "timeout",
    "connection",
    "unreadable",  #: what came back is not what the protocol says
    "empty",
    "cut off",  #: the answer was longer than it may be
    "declined",  #: the model did not want to answer
    "too large",
]

#: what somebody has to set right; waiting does not help
CONFIGURATION: frozenset[str] = frozenset({"no key", "denied", "unknown model", "rejected", "quota"})

_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCED = re.compile(r"\A```[\w-]*[ \t]*\n(.*?)\n?[ \t]*```\Z", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message to a model."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model answered."""

    text: str
    parsed: Any = None  #: the answer as JSON; None where it is none
    tokens_in: int | None = None  #: None where the endpoint does not say
    tokens_out: int | None = None
    model: str  #: which model answered, as the endpoint names it
    calls: int = 1  #: requests that it took
    unsettled: int = 0  #: those of them that failed, and may have been charged for


@runtime_checkable
class Chat(Protocol):
    """Completes a conversation with one JSON object.

    It blocks, and is called outside the event loop. Calls may come from several threads at once, each has to end
    within a time that the provider bounds.
    """

    @property
    def identity(self) -> str:
        """Name the model: plans say who proposed them."""
        ...

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any], max_tokens: int
    ) -> Completion:
        """Return the answer, of `max_tokens` at most, in the shape of a JSON schema where the model keeps to it.

        Raises:
            ModelError: there is no answer. `reason` says why, `calls` how many requests were sent, `unsettled` how
                many of them may have been charged for without saying so; `tokens_in` and `tokens_out` are there
                where the endpoint did say.
        """
        ...


def read_json(text: str) -> Any:
    """Return what a model's answer is as JSON, or None.

    Thinking before it and one code fence around it are taken off; prose around it is not: whoever was asked for an
    object and wrote an essay has not answered.
    """
    bare = _THOUGHT.sub("", text, count=1).strip()
    fenced = _FENCED.match(bare)
    try:
        return json.loads(fenced.group(1) if fenced else bare, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)
