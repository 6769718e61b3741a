"""Call a model once within the spend cap, and record its token usage whatever the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from bethink.errors import ModelError
from bethink.lifecycle.model.json_validation import mismatch
from bethink.lifecycle.model.prompt_examples import quoted_json
from bethink.lifecycle.spend_cap import Budget
from bethink.lifecycle.values import ModelUse
from bethink.models.chat import CONFIGURATION, Message
from bethink.sessions.token_counts import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Unpack

    from bethink.lifecycle.model.prompt_examples import Example
    from bethink.models.chat import Chat

MIN_ANSWER = 200  #: tokens; where less is left of a cap, nothing is asked
_FRAME = 40  #: tokens that the protocol itself may take


class RequestOptions(TypedDict, total=False):
    """How a model is asked, whatever it is asked for."""

    count_tokens: Callable[[str], int]  #: counts the tokens of a text, for the budget
    mask: Callable[[str], str]  #: puts secrets out of sight before a text leaves the process
    examples: Sequence[Example]  #: shown to the model after our own instructions
    budget: Budget  #: what may be spent


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What came of a question: an answer of the right shape, or a remark that says why there is none."""

    reply: Mapping[str, Any] | None = None
    use: ModelUse
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundModel:
    """A model, and how it is asked."""

    chat: Chat
    count_tokens: Callable[[str], int]

    def ask(
        self,
        operation: str,
        instructions: str,
        data: Mapping[str, Any],
        schema: Mapping[str, Any],
        *,
        budget: Budget,
        most: int,
    ) -> ModelReply:
        """Ask, with an answer of `most` tokens at most; before a cap would be passed, do not."""
        messages = (
            Message(role="system", content=instructions),
            Message(role="user", content=quoted_json(data)),
        )
        expected = self._estimate(*(each.content for each in messages), quoted_json(schema))
        if budget.calls <= 0:
            return _unasked(operation, "calls", "enough was asked of the model for once")
        if budget.tokens is not None and budget.tokens < expected + min(most, MIN_ANSWER):
            return _unasked(operation, "cap", f"the cap of {budget.cap} tokens a day is reached")
        if budget.tokens is not None:
            most = min(most, budget.tokens - expected)
        try:
            answer = self.chat.complete(messages, schema=schema, max_tokens=most)
        except ModelError as error:
            return _failed(operation, error, expected, most)
        read = expected if answer.tokens_in is None else answer.tokens_in
        written = self._estimate(answer.text) if answer.tokens_out is None else answer.tokens_out
        wrong = (
            "not valid JSON"
            if answer.parsed is None
            else mismatch(answer.parsed, {**schema, **_loosely(schema)})
        )
        use = ModelUse(
            operation=operation,
            calls=answer.calls,
            tokens_in=read + expected * answer.unsettled,
            tokens_out=written,
            fell_back="refused" if wrong else "",
        )
        if wrong:
            return ModelReply(use=use, remark=f"the model's answer was refused: {wrong}")
        return ModelReply(reply=answer.parsed, use=use)

    def _estimate(self, *texts: str) -> int:
        """Return how many tokens texts are, rather too many than too few."""
        return -(-sum(self.count_tokens(text) for text in texts) * 5 // 4) + _FRAME


def _loosely(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the lists of a schema without their entries: each is looked at by itself, so that one spoils no other."""
    return {
        "properties": {
            name: {"type": "array", "items": {"type": "any"}} if each["type"] == "array" else each
            for name, each in schema["properties"].items()
        }
    }


def _unasked(operation: str, why: str, remark: str) -> ModelReply:
    return ModelReply(use=ModelUse(operation=operation, fell_back=why), remark=remark)


def _failed(operation: str, error: ModelError, expected: int, most: int) -> ModelReply:
    """Account for a call without an answer: as the endpoint says, else as it may have been charged."""
    facts = error.facts
    reason = str(facts.get("reason", "unavailable"))
    unsettled = int(facts.get("unsettled", 0))
    read, written = facts.get("tokens_in"), facts.get("tokens_out")
    use = ModelUse(
        operation=operation,
        calls=int(facts.get("calls", 1)),
        tokens_in=expected * unsettled if read is None else read,
        tokens_out=(most if reason == "cut off" else 0) if written is None else written,
        fell_back="configuration" if reason in CONFIGURATION else "unavailable",
    )
    return ModelReply(use=use, remark=f"the model did not answer ({reason}): {error}")


class ModelCaller:
    """What every engine that asks a chat model has."""

    def __init__(self, chat: Chat, **how: Unpack[RequestOptions]) -> None:
        self._asking = BoundModel(chat=chat, count_tokens=how.get("count_tokens", estimate_tokens))
        self._mask = how.get("mask", str)
        self._examples = tuple(how.get("examples", ()))
        self._budget = how.get("budget") or Budget()
