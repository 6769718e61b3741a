"""Select which LangChain messages a session stores, and find the user's latest message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.messages import HumanMessage, RemoveMessage, SystemMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.messages import BaseMessage


def stored_messages(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return the messages that were said: no prompts, and nothing that other middleware wrote as if a user had."""
    return [
        each for each in messages if not isinstance(each, SystemMessage | RemoveMessage) and not _made(each)
    ]


def _made(message: BaseMessage) -> bool:
    """Tell whether middleware wrote a message, such as a summary of older ones."""
    return isinstance(message, HumanMessage) and bool(message.additional_kwargs.get("lc_source"))


def as_items(messages: Sequence[BaseMessage]) -> list[dict[str, Any]]:
    """Return messages as JSON, in the shape of LangChain's own serialiser; what a tool keeps aside stays with it."""
    return [
        {
            "type": each.type,
            "data": each.model_dump(mode="json", exclude={"artifact"}, fallback=str, warnings=False),
        }
        for each in messages
    ]


def latest_words(messages: Sequence[BaseMessage]) -> str | None:
    """Return what the user said last; None where there is nothing to search by."""
    for message in reversed(messages):
        if isinstance(message, HumanMessage) and not _made(message):
            return message.text
    return None
