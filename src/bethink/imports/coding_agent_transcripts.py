"""Read transcripts of coding agents: Claude Code, Codex and Gemini CLI."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bethink.imports import names_and_ids
from bethink.imports.values import Entry, Malformed
from bethink.sessions.readers.parts import instant, join_texts, object_of, objects, plain_text, text_of
from bethink.sessions.readers.registry import read as read_item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.imports.streams import Blob
    from bethink.imports.values import Read


def is_claude_code(one: dict[str, Any]) -> bool:
    """Tell whether a line is of Claude Code."""
    if "sessionId" in one and ("uuid" in one or "message" in one):
        return True
    return one.get("type") in ("summary", "file-history-snapshot") and bool(
        one.keys() & {"leafUuid", "messageId"}
    )


def is_codex(one: dict[str, Any]) -> bool:
    """Tell whether a line is of Codex."""
    kinds = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
    return one.get("type") in kinds and isinstance(one.get("payload"), dict)


def is_gemini_cli(one: dict[str, Any]) -> bool:
    """Tell whether a line is of Gemini's command line."""
    return ("sessionId" in one and "projectHash" in one) or (one.get("type") == "gemini" and "content" in one)


def claude_code(blob: Blob) -> Iterator[Read]:
    """Read a transcript: each line with a message is an item, untouched, known by its uuid."""
    left: Counter[str] = Counter()
    titles: dict[str, str] = {}
    last = None
    for number, line in names_and_ids.objects_of_lines(blob):
        if isinstance(line, Malformed):
            yield line
            continue
        kind = text_of(line, "type")
        session = text_of(line, "sessionId") or names_and_ids.text_digest(blob.name)
        if kind in {"custom-title", "ai-title"}:
            titles[session] = (
                text_of(line, "customTitle") or text_of(line, "aiTitle") or text_of(line, "title")
            )
        if kind not in {"user", "assistant"} or not isinstance(line.get("message"), dict):
            left[f"a line of type {kind[:30] or 'unknown'}"] += 1
            continue
        if line.get("isSidechain"):
            left["a line of a sub-agent"] += 1
            continue
        if line.get("isMeta") or line.get("isCompactSummary"):
            left["a line inserted by the program"] += 1
            continue
        last = instant(line.get("timestamp")) or last or blob.modified
        yield Entry(
            line=number,
            body=line,
            session=names_and_ids.session_name("claude-code", session),
            title=titles.get(session),
            at=last,
            key=text_of(line, "uuid") or None,
        )
    yield from names_and_ids.skipped_counts(left)


def codex(blob: Blob) -> Iterator[Read]:
    """Read a rollout: the model's log alone, for the display's log says the same once more."""
    left: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    session, last = "", None
    undone = _rolled_back(blob)
    for number, line in names_and_ids.objects_of_lines(blob):
        if isinstance(line, Malformed):
            yield line
            continue
        payload = object_of(line, "payload")
        if any(first <= number < end for first, end in undone):
            left["a line of a turn that was rolled back"] += line.get("type") == "response_item"
            continue
        if line.get("type") == "session_meta":
            session = session or text_of(payload, "id")
            continue
        if line.get("type") != "response_item":
            left[f"a line of type {text_of(line, 'type')[:30] or 'unknown'}"] += 1
            continue
        reading = read_item(line)
        if reading is None or reading.voice == "system" or reading.kind in {"reasoning", "system"}:
            left[
                "reasoning"
                if reading is not None and reading.kind == "reasoning"
                else "a line of the program"
            ] += 1
            continue
        last = instant(line.get("timestamp")) or last or blob.modified
        mark = names_and_ids.text_digest(text_of(line, "timestamp"), repr(payload))
        seen[mark] += 1
        yield Entry(
            line=number,
            body=line,
            session=names_and_ids.session_name("codex", session or names_and_ids.text_digest(blob.name)),
            at=last,
            key=f"{mark}-{seen[mark]}",
        )
    yield from names_and_ids.skipped_counts({reason: count for reason, count in left.items() if count})


def _rolled_back(blob: Blob) -> list[tuple[int, int]]:
    """Return the lines of turns that were taken back: from the first of each range up to before its end."""
    begun: list[int] = []  #: the lines with which the turns begin that still stand
    undone: list[tuple[int, int]] = []
    for number, line in names_and_ids.objects_of_lines(blob):
        if isinstance(line, Malformed):
            continue
        payload = object_of(line, "payload")
        if line.get("type") == "response_item" and text_of(payload, "role") == "user":
            reading = read_item(line)
            if reading is not None and reading.voice == "user":
                begun.append(number)
        elif text_of(payload, "type") == "thread_rolled_back":
            count = payload.get("num_turns")
            turns = min(count, len(begun)) if isinstance(count, int) and not isinstance(count, bool) else 0
            if turns > 0:
                undone.append((begun[-turns], number))
                del begun[-turns:]
    return undone


def gemini_cli(blob: Blob) -> Iterator[Read]:
    """Read a Gemini CLI chat without the messages that the user rewound."""
    left: Counter[str] = Counter()
    session = ""
    kept: dict[str, tuple[int, dict[str, Any]]] = {}
    for number, line in names_and_ids.objects_of_lines(blob):
        if isinstance(line, Malformed):
            yield line
            continue
        if "sessionId" in line:
            session = text_of(line, "sessionId")
        found = [*objects(line.get("messages")), *objects(object_of(line, "$set").get("messages"))]
        if object_of(line, "$set").get("messages") is not None:
            kept.clear()
        if isinstance(line.get("$rewindTo"), str):
            ids = list(kept)
            at = ids.index(line["$rewindTo"]) if line["$rewindTo"] in kept else 0
            left["a message that was rewound"] += len(ids) - at
            for each in ids[at:]:
                del kept[each]
        for message in [line, *found] if text_of(line, "type") else found:
            kept[text_of(message, "id") or names_and_ids.text_digest(str(number), repr(message))] = (
                number,
                message,
            )
    for id_, (number, message) in kept.items():
        role = {"user": "user", "gemini": "assistant"}.get(text_of(message, "type"))
        content = message.get("content")
        text = plain_text(content) or join_texts(plain_text(part.get("text")) for part in objects(content))
        if role is None or not text:
            left["a line of the program" if role is None else "an empty message"] += 1
            continue
        left["a call of a tool"] += len(list(objects(message.get("toolCalls"))))
        yield Entry(
            line=number,
            body={"role": role, "content": text},
            session=names_and_ids.session_name("gemini", session or names_and_ids.text_digest(blob.name)),
            at=instant(message.get("timestamp")) or blob.modified,
            key=names_and_ids.session_name(id_),
        )
    yield from names_and_ids.skipped_counts({reason: count for reason, count in left.items() if count})
