"""Rollout lines of Codex."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bethink.sessions.readers import openai_responses
from bethink.sessions.readers.parts import instant
from bethink.sessions.readers.values import UNHEARD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.sessions.readers.values import Reading

_BESIDE: Final = frozenset(
    {"session_meta", "turn_context", "event_msg", "compacted", "world_state", "inter_agent_communication",
     "retained_context", "token_usage_record", "ghost_snapshot"}
)  # fmt: skip
#: what stands in the user's role, and no user wrote
_NOT_BY_A_PERSON: Final = re.compile(
    r"\s*(?:<(environment_context|permissions|user_instructions|INSTRUCTIONS|collaboration_mode|skill|turn_aborted"
    r"|subagent_notification)\b.*|# AGENTS\.md instructions\b.*)\Z",
    re.DOTALL,
)


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a line of the model's log; the display's log says the same once more, and is passed over."""
    type_, payload = body.get("type"), body.get("payload")
    if not isinstance(type_, str) or not isinstance(payload, dict):
        return None
    if type_ in _BESIDE:
        return UNHEARD
    if type_ != "response_item":
        return None
    found = openai_responses.read(payload)  # pyright: ignore[reportUnknownArgumentType]
    if found is None:
        return None
    if found.kind == "user" and _NOT_BY_A_PERSON.match(found.text):
        found = found._replace(kind="other", voice="system")
    return found._replace(at=instant(body.get("timestamp")))
