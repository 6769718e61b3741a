"""Read ChatGPT's export: conversation trees, of which the path that the user sees is imported."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, cast

from bethink.imports import names_and_ids
from bethink.imports.values import Entry, Fact, Malformed
from bethink.json_kinds import is_list, is_object
from bethink.sessions.readers.parts import instant, object_of, objects, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.imports.streams import Blob
    from bethink.imports.values import Read

_THINKING = {"thoughts", "reasoning_recap"}
_TEXTUAL = {"text", "multimodal_text", "code", "tether_quote", "execution_output"}


def is_chatgpt(one: dict[str, Any]) -> bool:
    """Tell whether an object is a conversation of ChatGPT."""
    return is_object(one.get("mapping"))


def read(number: int, one: dict[str, Any], blob: Blob) -> Iterator[Read]:
    """Read a conversation: the visible path into one session, what was edited away into others."""
    nodes = cast("dict[str, Any]", one["mapping"])
    id_ = (
        text_of(one, "conversation_id")
        or text_of(one, "id")
        or names_and_ids.text_digest(blob.name, str(number))
    )
    title = text_of(one, "title") or None
    begun = instant(one.get("create_time")) or blob.modified
    session = names_and_ids.session_name("chatgpt", id_)
    left: Counter[str] = Counter()
    visible, broken = _path(nodes, text_of(one, "current_node") or _newest(nodes))
    if broken:
        yield Malformed(line=number, reason=broken, file=blob.name)
    yield from _entries(number, [nodes[each] for each in visible], session, title, begun, left)
    seen = set(visible)
    for leaf in (each for each, node in nodes.items() if is_object(node) and not _children(node, nodes)):
        if leaf in seen:
            continue
        path, _ = _path(nodes, leaf)
        fresh = [each for each in path if each not in seen]
        seen.update(fresh)
        branch = names_and_ids.session_name("chatgpt", id_, "branch", leaf)
        named = f"{title} (another branch)" if title else "another branch"
        yield from _entries(number, [nodes[each] for each in fresh], branch, named, begun, left)
    lost = len(nodes) - len(seen)
    if lost:
        left["a message outside every branch"] += lost
    yield from _instructions(number, nodes)
    yield from names_and_ids.skipped_counts(left)


def _children(node: dict[str, Any], nodes: dict[str, Any]) -> list[str]:
    listed = node.get("children")
    return [each for each in listed if isinstance(each, str) and each in nodes] if is_list(listed) else []


def _newest(nodes: dict[str, Any]) -> str:
    """Return the leaf that was written last, where the export does not say which one is shown."""

    def when(item: tuple[str, Any]) -> float:
        at = object_of(item[1], "message").get("create_time")
        return float(at) if isinstance(at, int | float) else 0.0

    leaves = [item for item in nodes.items() if is_object(item[1]) and not _children(item[1], nodes)]
    return max(leaves, key=when)[0] if leaves else ""


def _path(nodes: dict[str, Any], leaf: str) -> tuple[list[str], str]:
    """Return the way from the root to a message, and what is wrong with it."""
    path: list[str] = []
    seen: set[str] = set()
    at: Any = leaf
    while isinstance(at, str) and is_object(nodes.get(at)):
        if at in seen:
            return path[::-1], "its messages go round in a circle: the way was cut"
        seen.add(at)
        path.append(at)
        at = nodes[at].get("parent")
    wrong = "" if at is None or not leaf else "a message's parent is missing: the way begins after it"
    return path[::-1], wrong


def _entries(
    number: int, path: list[dict[str, Any]], session: str, title: str | None, begun: Any, left: Counter[str]
) -> Iterator[Read]:
    last = begun
    for node in path:
        message = object_of(node, "message")
        if not message:
            continue
        reason = _why_not(message)
        text = _message_text(message, left) if reason is None else ""
        if reason is None and not text.strip():
            reason = "an empty message"
        if reason is not None:
            left[reason] += 1
            continue
        last = instant(message.get("create_time")) or last
        role = text_of(object_of(message, "author"), "role")
        yield Entry(
            line=number,
            body={"role": role, "content": text},
            session=session,
            title=title,
            at=last,
            key=names_and_ids.session_name(text_of(message, "id") or text_of(node, "id")),
        )


def _why_not(message: dict[str, Any]) -> str | None:
    """Return why a message is no part of what was said, or None."""
    role = text_of(object_of(message, "author"), "role")
    metadata = object_of(message, "metadata")
    kind = text_of(object_of(message, "content"), "content_type")
    reasons = {
        "a write to ChatGPT's own memory": text_of(message, "recipient") == "bio",
        "a system message": role == "system",
        "the output of a tool": role == "tool",
        "of an unknown role": role not in {"user", "assistant"},
        "a hidden message": bool(
            metadata.get("is_visually_hidden_from_conversation") or metadata.get("is_user_system_message")
        ),
        "reasoning": kind in _THINKING or text_of(message, "channel") in {"analysis", "commentary"},
        "a message that the model is not shown": message.get("weight") == 0,
        "a call of a tool": text_of(message, "recipient") not in {"", "all"},
        f"content of the type {kind[:40]}": kind not in _TEXTUAL and kind != "",
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _message_text(message: dict[str, Any], left: Counter[str]) -> str:
    content = object_of(message, "content")
    parts = content.get("parts")
    if not is_list(parts):
        return text_of(content, "text")
    texts: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif is_object(part):
            kind = text_of(part, "content_type")
            if kind == "audio_transcription":
                texts.append(text_of(part, "text"))
            else:
                left["an image, sound or file (replaced by a placeholder)"] += 1
                texts.append("[image]" if "image" in kind else "[sound]" if "audio" in kind else "[file]")
    texts += [
        f"[file: {name}]"
        for each in objects(object_of(message, "metadata").get("attachments"))
        if (name := text_of(each, "name"))
    ]
    return "\n".join(each for each in texts if each)


def _instructions(number: int, nodes: dict[str, Any]) -> Iterator[Read]:
    """Yield the custom instructions, once a wording: they are the user's own words about themselves."""
    for node in nodes.values():
        message = object_of(node, "message")
        content = object_of(message, "content")
        context = object_of(object_of(message, "metadata"), "user_context_message_data")
        texts = (
            text_of(context, "about_user_message") or text_of(content, "user_profile"),
            text_of(context, "about_model_message") or text_of(content, "user_instructions"),
        )
        for text in texts:
            for statement, _ in names_and_ids.markdown_statements(text):
                yield Fact(
                    line=number,
                    text=statement,
                    id=names_and_ids.text_digest("instructions", statement),
                    origin="chatgpt",
                    details={"kind": "custom instructions"},
                )
