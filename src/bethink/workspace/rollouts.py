"""Write and read rollout files: the segments of a conversation."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, is_dataclass
from typing import TYPE_CHECKING, Any, cast

from bethink.json_kinds import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bethink.workspace.values import TerminalState

#: who speaks in what is kept; systems and developers give orders, which are no memory
_SPEAKERS = frozenset({"user", "assistant", "tool"})
_ORDERS = frozenset({"system", "developer"})
#: what agents did; the thoughts behind it are left out
_ACTIONS = frozenset(
    {
        f"{stem}{end}"
        for stem in (
            "function_call",
            "custom_tool_call",
            "computer_call",
            "shell_call",
            "local_shell_call",
            "apply_patch_call",
        )
        for end in ("", "_output")
    }
    | {"program", "program_output", "tool_search_call", "tool_search_output", "web_search_call"}
    | {"mcp_call", "mcp_approval_request", "mcp_approval_response"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """How a run ended."""

    state: TerminalState
    exception_type: str | None = None
    exception_message: str | None = None


def classify_end(
    *, final: bool, interrupted: bool, error: BaseException | None = None, cancelled: bool = False
) -> RunEnd:
    """Say how a run ended; an error is classified by the name of its class."""
    if final:
        return RunEnd(state="completed")
    if interrupted:
        return RunEnd(state="interrupted")
    if error is None:
        return RunEnd(state="cancelled" if cancelled else "failed")
    name = type(error).__name__
    state: TerminalState = "failed"
    if name == "MaxTurnsExceeded":
        state = "max_turns_exceeded"
    elif "Guardrail" in name:
        state = "guardrail_tripped"
    elif name == "CancelledError":
        state = "cancelled"
    return RunEnd(state=state, exception_type=name, exception_message=str(error) or None)


def belongs_in_rollout(item: Mapping[str, Any]) -> bool:
    """Tell whether an item belongs in the file."""
    role = item.get("role")
    if role in _ORDERS:
        return False
    return role in _SPEAKERS or item.get("type") in _ACTIONS


def segment(
    rollout: str,
    *,
    at: str,
    given: str | Iterable[Any],
    generated: Iterable[Any],
    interruptions: Iterable[Any] = (),
    final_output: Any = None,
    how: RunEnd,
) -> dict[str, Any]:
    """Return one run as a segment, its keys in the order that readers expect."""
    asked = [{"role": "user", "content": given}] if isinstance(given, str) else items(given)
    waiting = [plain_json(each) for each in interruptions]
    made: dict[str, Any] = {
        "updated_at": at,
        "rollout_id": rollout,
        "input": [item for item in asked if belongs_in_rollout(item)],
        "generated_items": [item for item in items(generated) if belongs_in_rollout(item)],
    }
    if waiting:
        made["interruptions"] = waiting
    made["terminal_metadata"] = {
        "terminal_state": how.state,
        "exception_type": how.exception_type,
        "exception_message": how.exception_message,
        "has_final_output": final_output is not None,
    }
    if final_output is not None:
        made["final_output"] = plain_json(final_output)
    return made


def items(given: Iterable[Any]) -> list[dict[str, Any]]:
    """Return items as JSON objects; what is none is left out."""
    return [each for each in map(plain_json, given) if is_object(each)]


def plain_json(value: Any) -> Any:
    """Return a value as JSON: models and dataclasses by their fields, what is none of these by its text."""
    if hasattr(value, "model_dump"):
        return plain_json(value.model_dump(exclude_unset=True))
    if is_dataclass(value) and not isinstance(value, type):
        return plain_json(asdict(value))
    if is_object(value):
        return {str(name): plain_json(each) for name, each in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain_json(each) for each in cast("list[Any]", value)]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def line(made: Mapping[str, Any]) -> str:
    """Return a segment as a line of the file, without the line's end."""
    return json.dumps(made, separators=(",", ":"))


def digest(text: str) -> str:
    """Return what a line is recognised by, however its JSON is spaced."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def run_digest(made: Mapping[str, Any]) -> str:
    """Return what two accounts of one run have in common: what was asked, and what was called and said."""

    def entries(name: str) -> list[Any]:
        listed: Any = made.get(name)
        found: list[Any] = []
        for each in listed if is_list(listed) else []:
            body = each if is_object(each) else {}
            content: Any = body.get("content")
            parts = content if is_list(content) else [content]
            texts = [part.get("text") if is_object(part) else part for part in parts]
            found.append([body.get("call_id"), body.get("role"), texts])
        return found

    text = json.dumps([entries("input"), entries("generated_items")], sort_keys=True, default=str)
    return digest(text)


def lines(data: bytes) -> Iterator[str]:
    """Yield the lines of a file, each as `line` writes it; one that cannot be read, or was cut off, is passed by."""
    for each in data.split(b"\n"):
        try:
            found = json.loads(each) if each.strip() else None
        except (ValueError, RecursionError):
            continue
        if is_object(found):
            yield line(found)


def parse_segments(texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return lines of our own as segments."""
    return [json.loads(each) for each in texts]


def updated_at(made: Mapping[str, Any]) -> str:
    """Return when a segment was written, or `unknown`."""
    return one_line(made.get("updated_at")) or "unknown"


def terminal_state(made: Mapping[str, Any]) -> str:
    """Return how a segment ended, or `unknown`."""
    metadata = made.get("terminal_metadata")
    return one_line(metadata.get("terminal_state")) or "unknown" if is_object(metadata) else "unknown"


def one_line(value: Any) -> str:
    """Return a value as a text without line ends."""
    return " ".join(value.split())[:200] if isinstance(value, str) else ""
