"""
title: Bethink
description: Remembers each user: what was said is kept, learned from, and told to the model. No key, no daemon.
version: 1.0.0
license: Apache-2.0
requirements: bethink
"""

# A filter of Open WebUI: paste this file under Admin Panel > Functions, and enable it for all models or for some.
# The memory is one file in Open WebUI's own data folder, or the PostgreSQL that the valve `url` names.

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from bethink import AsyncMemory, BethinkError, ConflictError, ModelError

NOT_KEPT = ("local:", "channel:")  # a temporary chat is to leave no trace; a channel is of many


class Filter:
    class Valves(BaseModel):
        priority: int = Field(default=0, description="Filters with lower numbers come first.")
        url: str = Field(
            default="", description="A file or postgresql://…; empty: bethink.db in the data folder."
        )
        agent: str = Field(default="openwebui", description="Whose memory it is.")
        tokens: int = Field(default=1200, description="Of what is remembered, at most, in a request.")

    class UserValves(BaseModel):
        remember: bool = Field(default=True, description="Whether you are remembered.")

    def __init__(self) -> None:
        self.valves = self.Valves()
        self._memory: AsyncMemory | None = None

    async def inlet(
        self, body: dict[str, Any], __user__: Any = None, __metadata__: Any = None
    ) -> dict[str, Any]:
        """Put what is remembered of the user into the system message, which no chat keeps."""
        scope = self._scope(__user__)
        if scope is None or (__metadata__ or {}).get("task"):
            return body
        messages = body.get("messages") or []
        chat = _chat(body, __metadata__)
        said = next((each for each in reversed(messages) if each.get("role") == "user"), {})
        try:
            found = await scope.context(
                session=chat,
                query=_text(said.get("content"))[-4000:].strip() or None,
                tokens=self.valves.tokens,
            )
        except BethinkError as error:
            print(f"bethink: the request goes without memories ({type(error).__name__})")
            return body
        return {**body, "messages": _with_system(messages, found.text)}

    async def outlet(
        self, body: dict[str, Any], __user__: Any = None, __metadata__: Any = None
    ) -> dict[str, Any]:
        """Keep what was said, each message once by its id, and learn from it."""
        scope, chat = self._scope(__user__), _chat(body, __metadata__)
        if scope is None or chat is None:
            return body
        said = [
            (each["id"], {"role": each["role"], "content": _text(each.get("content"))})
            for each in body.get("messages") or []
            if each.get("id") and each.get("role") in {"user", "assistant"} and each.get("content")
        ]
        if said:
            await scope.session(chat).append([item for _, item in said], keys=[key for key, _ in said])
            with suppress(ConflictError, ModelError):  # the next answer comes back to it
                await scope.consolidate(session=chat)
        return body

    def _scope(self, user: Any) -> Any:
        """Return the memory of a user; None for nobody, and for one who does not want to be remembered."""
        said = user if isinstance(user, dict) else {}
        valves = said.get("valves")
        if not said.get("id") or (valves is not None and not valves.remember):
            return None
        url = self.valves.url
        if not url:
            folder = Path(os.environ.get("DATA_DIR") or "data")
            folder.mkdir(parents=True, exist_ok=True)
            url = str(folder / "bethink.db")
        if self._memory is None or str(self._memory.url) != url:
            self._memory = AsyncMemory(url)
        return self._memory.scope(agent=self.valves.agent, user=said["id"])


def _chat(body: dict[str, Any], metadata: Any) -> str | None:
    """Return the chat, unless it is one that is not to be kept."""
    chat = body.get("chat_id") or (metadata or {}).get("chat_id")
    return chat if chat and not chat.startswith(NOT_KEPT) else None


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(part.get("text") or "" for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _with_system(messages: list[Any], text: str) -> list[Any]:
    """Return messages whose system message ends in a text."""
    if not text:
        return messages
    for place, each in enumerate(messages):
        if each.get("role") == "system":
            system = {**each, "content": f"{_text(each.get('content'))}\n\n{text}"}
            return [*messages[:place], system, *messages[place + 1 :]]
    return [{"role": "system", "content": text}, *messages]
