"""Memory for every client of a LiteLLM proxy: put this file beside config.yaml, and name it there.

    litellm_settings:
      callbacks: litellm_callback.memory

The memory is the file or the PostgreSQL that BETHINK_URL names, else memory.db. What is remembered of a user goes into
the system message of a chat; what was said is kept once, though clients send the whole conversation each time. Calls of
another kind, and calls that name no user, pass untouched.
"""

from __future__ import annotations

import json
import logging
import os
from contextlib import suppress
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from litellm.integrations.custom_logger import CustomLogger

from bethink import AsyncMemory, BethinkError, ConflictError, ModelError

CHATS = {"completion", "acompletion"}
ADMIN = "default_user_id"  # whom the master key stands for: no user, but the application
MARK = "bethink"  # in the metadata of a call: whose it is, and which conversation

log = logging.getLogger("bethink.litellm")


class BethinkCallback(CustomLogger):
    """Tells what is remembered before a call, and learns from it after."""

    def __init__(self, url: str | None = None, agent: str = "litellm", tokens: int = 1200) -> None:
        super().__init__()
        self._url = url or os.environ.get("BETHINK_URL") or "memory.db"
        self._agent = agent
        self._tokens = tokens
        self._memory: AsyncMemory | None = None

    async def async_pre_call_hook(
        self,
        user_api_key_dict: Any,
        cache: Any,  # noqa: ARG002
        data: dict[str, Any],
        call_type: str,
    ) -> dict[str, Any]:
        messages = data.get("messages")
        user = whose(user_api_key_dict, data)
        if call_type not in CHATS or not isinstance(messages, list) or user is None:
            return data
        session = conversation(data)
        data.setdefault("metadata", {})[MARK] = {"user": user, "session": session}
        said = next((each for each in reversed(messages) if each.get("role") == "user"), {})
        try:
            found = await self._scope(user).context(
                session=session, query=_text(said.get("content"))[-4000:].strip() or None, tokens=self._tokens
            )
        except BethinkError as error:
            log.warning("a call goes without memories (%s)", type(error).__name__)
            return data
        data["messages"] = _with_system(messages, found.text)
        return data

    async def async_log_success_event(
        self,
        kwargs: dict[str, Any],
        response_obj: Any,
        start_time: Any,  # noqa: ARG002
        end_time: Any,  # noqa: ARG002
    ) -> None:
        mark = ((kwargs.get("litellm_params") or {}).get("metadata") or {}).get(MARK)
        if mark is None:
            return
        if kwargs.get("stream"):
            response_obj = kwargs.get("async_complete_streaming_response")
        choices = getattr(response_obj, "choices", None)
        if not choices:
            return  # a piece of a stream
        told = [*kwargs["messages"], choices[0].message.model_dump(exclude_none=True)]
        items = [_plain(each) for each in told if each.get("role") in {"user", "assistant", "tool"}]
        scope = self._scope(mark["user"])
        await scope.session(mark["session"]).append(items, keys=_keys(items))
        with suppress(ConflictError, ModelError):  # the next call comes back to it
            await scope.consolidate(session=mark["session"])

    def _scope(self, user: str) -> Any:
        if self._memory is None:
            self._memory = AsyncMemory(self._url)
        return self._memory.scope(agent=self._agent, user=user)


def whose(key: Any, data: dict[str, Any]) -> str | None:
    """Return whose memory a call is about; None where it names nobody.

    A key of a user stands for that user. Whom a call itself names, by `user`, is looked for among those of its key
    alone: nobody reaches the users of another key, or of another team, by naming them.
    """
    end = key.end_user_id or data.get("user")
    person = key.user_id if key.user_id != ADMIN else None
    if not end:
        return None if person is None else _label(_part(person))
    keyed = "" if key.user_id == ADMIN else key.token or ""
    owner = _part(person) if person else f"team:{_part(key.team_id)}" if key.team_id else keyed[:16]
    return _label(f"{owner}/{_part(str(end))}")


def conversation(data: dict[str, Any]) -> str:
    """Return the name of a conversation: the client's own, or one by how it began."""
    named = (data.get("metadata") or {}).get("session_id") or data.get("litellm_session_id")
    if named:
        return _label(_part(str(named)))
    first = next((each for each in data["messages"] if each.get("role") == "user"), {})
    return sha256(json.dumps(first.get("content"), default=str).encode()).hexdigest()[:32]


def _part(name: str) -> str:
    return quote(name, safe="@ .+")


def _label(name: str) -> str:
    return name if len(name.encode()) <= 128 else sha256(name.encode()).hexdigest()


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message as a client would send it back."""
    fields = ("role", "content", "tool_calls", "tool_call_id", "name")
    plain = {name: message[name] for name in fields if message.get(name)}
    return json.loads(json.dumps({"content": "", **plain}, default=str))


def _keys(items: list[dict[str, Any]]) -> list[str]:
    """Return keys by what is said and for which time, which a client that leaves out its oldest messages keeps."""
    times: dict[str, int] = {}
    keys: list[str] = []
    for item in items:
        told = sha256(json.dumps(item, sort_keys=True).encode()).hexdigest()[:32]
        times[told] = times.get(told, 0) + 1
        keys.append(f"{told}-{times[told]}")
    return keys


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(part.get("text") or "" for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _with_system(messages: list[Any], text: str) -> list[Any]:
    """Return messages whose system message ends in a text."""
    if not text:
        return messages
    for place, each in enumerate(messages):
        if each.get("role") in {"system", "developer"}:
            system = {**each, "content": f"{_text(each.get('content'))}\n\n{text}"}
            return [*messages[:place], system, *messages[place + 1 :]]
    return [{"role": "system", "content": text}, *messages]


memory = BethinkCallback()
