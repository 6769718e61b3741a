"""Turn the items of a log into what a page shows: each call with its result, whichever framework wrote them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from bethink.recall.passages import said_in
from bethink.sessions.kinds import classify, result_ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from bethink.sessions.values import Attempt, Item

Kind: TypeAlias = Literal["user", "assistant", "call", "result", "reasoning", "system", "other", "failed"]


@dataclass(slots=True, kw_only=True)
class Entry:
    """One thing in a conversation, as it is shown."""

    kind: Kind
    text: str = ""
    at: datetime | None = None
    origin: str = "chat"
    speaker: str | None = None
    name: str = ""  #: of the tool, or of the error
    arguments: str = ""
    output: str | None = None  #: of the tool; None where none came
    calls: tuple[str, ...] = field(default=())  #: tools that a failed turn had called


def entries(items: Sequence[Item], attempts: Sequence[Attempt] = ()) -> list[Entry]:
    """Return what a page of a log shows, oldest first; turns that failed stand where they failed."""
    shown: list[Entry] = []
    calls: dict[str, Entry] = {}
    for item in items:
        for id_, entry in _entries(item):
            if entry.kind == "call":
                calls[id_] = entry
            elif entry.kind == "result" and id_ in calls:
                calls[id_].output = entry.text
                continue
            shown.append(entry)
    return _with_attempts(shown, items, attempts)


def _with_attempts(shown: list[Entry], items: Sequence[Item], attempts: Sequence[Attempt]) -> list[Entry]:
    first = next((item.at for item in items if item.at is not None), None)
    for attempt in sorted(attempts, key=lambda each: each.at):
        if first is not None and attempt.at < first:
            continue  # it belongs to an older page
        later = (at for at, entry in enumerate(shown) if entry.at is not None and entry.at > attempt.at)
        place = next(later, len(shown))
        failed = Entry(kind="failed", at=attempt.at, name=attempt.error, calls=attempt.calls)
        shown.insert(place, failed)
    return shown


def _entries(item: Item) -> Iterator[tuple[str, Entry]]:
    body = item.body
    kind = classify(body).kind
    beside: Any = {"at": item.at, "origin": item.origin, "speaker": item.speaker}
    said = said_in(body)
    if kind == "call":
        yield from _calls(body, beside)
    elif kind == "result":
        ids = result_ids(body) or ("",)
        yield ids[0], Entry(kind="result", text=_output(body) or (said.text if said else ""), **beside)
    elif kind == "reasoning":
        yield "", Entry(kind="reasoning", text=_summary(body), **beside)
    elif said is not None and kind in {"user", "assistant"}:
        yield "", Entry(kind=kind, text=said.text, **beside)
    else:
        yield "", Entry(kind="other" if kind != "system" else "system", text=_json(body), **beside)


def _calls(body: Mapping[str, Any], beside: Mapping[str, Any]) -> Iterator[tuple[str, Entry]]:
    """Yield the calls of an item: of the Responses API, of chat completions, or of Anthropic's blocks."""
    if isinstance(body.get("type"), str) and body["type"] != "message":
        yield (
            str(body.get("call_id") or body.get("id") or ""),
            Entry(
                kind="call",
                name=str(body.get("name") or body["type"]),
                arguments=_text(body.get("arguments", body.get("action", body.get("input", "")))),
                **beside,
            ),
        )
        return
    content = body.get("content")
    if isinstance(content, str) and content.strip():
        yield "", Entry(kind="assistant", text=content, **beside)
    for block in cast("list[Any]", content) if isinstance(content, list) else []:
        if isinstance(block, dict) and block.get("type") == "tool_use":
            made = Entry(
                kind="call", name=str(block.get("name")), arguments=_text(block.get("input")), **beside
            )
            yield str(block.get("id") or ""), made
        elif isinstance(block, dict) and isinstance(block.get("text"), str):
            yield "", Entry(kind="assistant", text=block["text"], **beside)
    for call in cast("list[Any]", body.get("tool_calls") or []):
        told: Any = call.get("function", {}) if isinstance(call, dict) else {}
        made = Entry(
            kind="call", name=str(told.get("name")), arguments=_text(told.get("arguments", "")), **beside
        )
        yield str(call.get("id") or "") if isinstance(call, dict) else "", made


def _output(body: Mapping[str, Any]) -> str:
    output = body.get("output", body.get("content"))
    if isinstance(output, list):
        texts = [part.get("text") for part in cast("list[Any]", output) if isinstance(part, dict)]
        return "\n".join(text for text in texts if isinstance(text, str))
    return output if isinstance(output, str) else ""


def _summary(body: Mapping[str, Any]) -> str:
    summary = body.get("summary")
    texts = (
        [each.get("text", "") for each in summary if isinstance(each, dict)]
        if isinstance(summary, list)
        else []
    )
    return "\n".join(str(text) for text in texts) or "The model's thinking, kept for the model alone."


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
