"""Parse the hook events of each coding agent, and format the answers that each expects."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from bethink.json_kinds import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind: TypeAlias = Literal["start", "prompt", "said", "tool", "compact", "stop", "end"]

#: the events of all agents, by the names that they give them
KINDS: Final[Mapping[str, Kind]] = {
    "start": "start", "SessionStart": "start", "sessionStart": "start",
    "prompt": "prompt", "UserPromptSubmit": "prompt", "BeforeAgent": "prompt", "beforeSubmitPrompt": "prompt",
    "userPromptSubmitted": "prompt",
    "said": "said", "afterAgentResponse": "said",
    "tool": "tool", "PostToolUse": "tool", "PostToolUseFailure": "tool", "AfterTool": "tool", "postToolUse": "tool",
    "afterShellExecution": "tool", "afterMCPExecution": "tool", "afterFileEdit": "tool",
    "compact": "compact", "PreCompact": "compact", "PreCompress": "compact", "preCompact": "compact",
    "stop": "stop", "Stop": "stop", "AfterAgent": "stop", "agentStop": "stop", "SubagentStop": "stop",
    "end": "end", "SessionEnd": "end", "sessionEnd": "end",
}  # fmt: skip
#: agents that write a transcript which is read here, with the format that it has
TRANSCRIPTS: Final[Mapping[str, str]] = {"claude": "claude-code", "codex": "codex", "gemini": "gemini"}
MAX_OF_AN_OUTPUT: Final = 2_000  #: characters of what a tool gave back
_LONGEST_NAME: Final = 200


class Event(NamedTuple):
    """Something that happened in an agent."""

    kind: Kind
    tool: str  #: which agent
    name: str  #: what the agent calls it
    session: str
    folder: str
    prompt: str = ""
    transcript: str = ""
    payload: Mapping[str, Any] = {}


def parse(tool: str, named: str, text: str) -> Event | None:
    """Read what an agent wrote to the standard input of a hook; None for an event that nothing is done about.

    Raises:
        ValueError: it is not a JSON object.
    """
    found: Any = json.loads(text) if text.strip() else {}
    if not is_object(found):
        raise ValueError("the hook input must be a JSON object")
    payload = found
    name = _text(payload, "hook_event_name", "hookEventName") or named
    kind = KINDS.get(named) or KINDS.get(name)
    if kind is None:
        return None
    roots = payload.get("workspace_roots")
    root = roots[0] if is_list(roots) and roots and isinstance(roots[0], str) else ""
    return Event(
        kind,
        tool,
        name,
        _text(payload, "session_id", "conversation_id", "sessionId")[:_LONGEST_NAME],
        root or _text(payload, "cwd"),
        _text(payload, "prompt"),
        _text(payload, "transcript_path", "transcriptPath"),
        payload,
    )


def answer(event: Event, context: str) -> str:
    """Return what the agent reads from the hook; nothing where it has nothing to hear, or cannot hear it."""
    if event.tool == "cursor":
        if event.kind == "prompt":
            return json.dumps({"continue": True})
        return json.dumps({"additional_context": context}) if context and event.kind == "start" else ""
    if not context or event.kind not in {"start", "prompt"}:
        return ""
    if event.tool == "copilot":
        return json.dumps({"additionalContext": context})
    if event.tool == "opencode":
        return json.dumps({"context": context})
    name = (
        event.name
        if event.name[:1].isupper()
        else {"start": "SessionStart"}.get(event.kind, "UserPromptSubmit")
    )
    return json.dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": context}})


def takes_context(event: Event) -> bool:
    """Tell whether an agent takes in what it is told at such an event."""
    if event.tool == "cursor":
        return event.kind == "start"
    if event.tool == "copilot":
        return False
    return event.kind in {"start", "prompt"}


def items(event: Event) -> list[dict[str, Any]]:
    """Return what happened as items of a conversation, for agents whose transcripts are not read."""
    payload = event.payload
    if event.kind == "prompt":
        return [{"role": "user", "content": event.prompt}] if event.prompt else []
    if event.kind == "said":
        text = _text(payload, "text", "response")
        return [{"role": "assistant", "content": text}] if text else []
    if event.kind != "tool":
        return []
    given = payload.get("tool_input") or payload.get("toolArgs")
    arguments = json.loads(given) if isinstance(given, str) and given.startswith("{") else given
    if isinstance(payload.get("command"), str):
        arguments = {"command": payload["command"]}
    if not is_object(arguments):
        return []
    call = _text(payload, "tool_use_id", "generation_id") or "call"
    name = _text(payload, "tool_name", "toolName") or "shell"
    shown = {
        key: truncated_middle(value) if isinstance(value, str) else value for key, value in arguments.items()
    }
    return [
        {"type": "function_call", "call_id": call, "name": name, "arguments": json.dumps(shown)},
        {"type": "function_call_output", "call_id": call, "output": truncated_middle(_output(payload))},
    ]


def truncated_middle(text: str, most: int = MAX_OF_AN_OUTPUT) -> str:
    """Return a long text without its middle."""
    if len(text) <= most:
        return text
    kept = most // 2
    return f"{text[:kept]}\n[… {len(text) - 2 * kept} characters left out …]\n{text[-kept:]}"


def session_name(kind: str, id_: str) -> str:
    """Return the name of the session that a transcript becomes: the same as importers give it."""
    if id_ and id_.isascii() and id_.isprintable() and len(id_) < _LONGEST_NAME // 2:
        return f"{kind}-{id_}"
    from bethink.imports.names_and_ids import session_name

    return session_name(kind, id_)


def _output(payload: Mapping[str, Any]) -> str:
    for name in (
        "output",
        "tool_response",
        "tool_result",
        "toolResult",
        "result_json",
        "error",
        "tool_output",
    ):
        found = payload.get(name)
        if is_object(found):
            inner = found
            parts = (
                _text(inner, "text_result_for_llm", "textResultForLlm", "output", "stdout"),
                _text(inner, "stderr"),
            )
            found = "\n".join(part for part in parts if part) or json.dumps(inner)
        if isinstance(found, str) and found:
            return found
    return ""


def _text(value: Mapping[str, Any], *names: str) -> str:
    for name in names:
        found = value.get(name)
        if isinstance(found, str) and found:
            return found
    return ""
