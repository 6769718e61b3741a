"""The SDK's sessions on OpenAI's Conversations API, with all options of their client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents.memory import OpenAIConversationsSession
from openai import AsyncOpenAI

from bethink.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents.memory import SessionSettings


def remote_session(
    conversation_id: str | None = None,
    *,
    client: AsyncOpenAI | None = None,
    api_key: str | None = None,
    base_url: str | None = None,
    organization: str | None = None,
    project: str | None = None,
    session_settings: SessionSettings | Mapping[str, Any] | None = None,
) -> OpenAIConversationsSession:
    """Return a session of the Conversations API; without an id the conversation is made at its first use.

    Its items are on the server alone: they cannot be recalled, guarded, windowed or compacted here.

    Raises:
        InvalidError: both a client and options of a client are given.
    """
    settings: Any = None if session_settings is None else session_settings
    return OpenAIConversationsSession(
        conversation_id=conversation_id,
        openai_client=_client(client, api_key, base_url, organization, project),
        session_settings=settings,
    )


async def start_remote_session(
    *,
    client: AsyncOpenAI | None = None,
    api_key: str | None = None,
    base_url: str | None = None,
    organization: str | None = None,
    project: str | None = None,
) -> str:
    """Make a conversation on the server before it is used, and return its id for `remote_session`.

    Raises:
        InvalidError: both a client and options of a client are given.
    """
    from agents.memory.openai_conversations_session import start_openai_conversations_session

    return await start_openai_conversations_session(_client(client, api_key, base_url, organization, project))


def _client(
    client: AsyncOpenAI | None,
    api_key: str | None,
    base_url: str | None,
    organization: str | None,
    project: str | None,
) -> AsyncOpenAI | None:
    """Return the client to use; None is the SDK's default one."""
    options = (api_key, base_url, organization, project)
    if client is not None and options != (None,) * 4:
        raise InvalidError("pass either a client, or options to create one, not both", argument="client")
    if client is not None or options == (None,) * 4:
        return client
    return AsyncOpenAI(api_key=api_key, base_url=base_url, organization=organization, project=project)
