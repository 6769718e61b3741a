"""Read Claude's export: conversations, projects and memories."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from bethink.imports import names_and_ids
from bethink.imports.values import Entry, Fact
from bethink.sessions.readers.parts import instant, object_of, objects, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.imports.streams import Blob
    from bethink.imports.values import Read

_ROOT: Final = "00000000-0000-4000-8000-000000000000"
_ROLES: Final = {"human": "user", "user": "user", "assistant": "assistant"}


def is_claude(one: dict[str, Any]) -> bool:
    """Tell whether an object is a conversation, a project or the memories of Claude."""
    return (
        isinstance(one.get("chat_messages"), list)
        or bool(one.keys() & {"conversations_memory", "project_memories", "memory_files"})
        or ("prompt_template" in one and "uuid" in one)
    )


def read(number: int, one: dict[str, Any], blob: Blob) -> Iterator[Read]:
    """Read one object of an export."""
    if isinstance(one.get("chat_messages"), list):
        yield from _conversation(number, one, blob)
    elif "prompt_template" in one:
        yield from _project(number, one)
    else:
        yield from _memories(number, one)


def _conversation(number: int, one: dict[str, Any], blob: Blob) -> Iterator[Read]:
    id_ = text_of(one, "uuid") or names_and_ids.text_digest(blob.name, str(number))
    title = text_of(one, "name") or None
    left: Counter[str] = Counter()
    messages = list(objects(one["chat_messages"]))
    shown = _shown(messages, text_of(one, "current_leaf_message_uuid"))
    last = instant(one.get("created_at")) or blob.modified
    for message in messages:
        role = _ROLES.get(text_of(message, "sender") or text_of(message, "role"))
        text = _message_text(message, left)
        if role is None or not text.strip():
            left["an empty message" if role else "of an unknown sender"] += 1
            continue
        last = instant(message.get("created_at")) or last
        own = text_of(message, "uuid")
        main = not shown or own in shown
        yield Entry(
            line=number,
            body={"role": role, "content": text},
            session=names_and_ids.session_name("claude", id_)
            if main
            else names_and_ids.session_name("claude", id_, "branch"),
            title=title if main else f"{title or id_} (other branches)",
            at=last,
            key=names_and_ids.session_name(own or names_and_ids.text_digest(str(last), text)),
        )
    yield from names_and_ids.skipped_counts(left)


def _shown(messages: list[dict[str, Any]], leaf: str) -> set[str]:
    """Return the ids of the path that ends with the newest leaf; empty where nothing tells branches apart."""
    parents = {text_of(each, "uuid"): text_of(each, "parent_message_uuid") for each in messages}
    if not any(parents.values()):
        return set()
    if not leaf:
        inner = set(parents.values())
        leaves = [each for each in messages if text_of(each, "uuid") not in inner]
        leaf = text_of(max(leaves or messages, key=lambda each: text_of(each, "created_at")), "uuid")
    path: set[str] = set()
    while leaf and leaf != _ROOT and leaf in parents and leaf not in path:
        path.add(leaf)
        leaf = parents[leaf]
    return path


def _message_text(message: dict[str, Any], left: Counter[str]) -> str:
    texts: list[str] = []
    for block in objects(message.get("content")):
        kind = text_of(block, "type")
        if kind == "text":
            texts.append(text_of(block, "text"))
        elif kind in {"tool_use", "tool_result"}:
            left["a call of a tool" if kind == "tool_use" else "the output of a tool"] += 1
        elif kind == "thinking":
            left["reasoning"] += 1
    text = "\n".join(each for each in texts if each) or text_of(message, "text")
    files = [
        text_of(each, "file_name") for name in ("attachments", "files") for each in objects(message.get(name))
    ]
    if any(text_of(each, "extracted_content") for each in objects(message.get("attachments"))):
        left["the text of an attachment (its name is kept)"] += 1
    return "\n".join([text, *(f"[file: {each}]" for each in files if each)]).strip()


def _project(number: int, one: dict[str, Any]) -> Iterator[Read]:
    """Yield what the user told a project; its documents are documents."""
    from bethink.imports.values import Skipped

    name = text_of(one, "name")
    for field in ("description", "prompt_template"):
        for statement, _ in names_and_ids.markdown_statements(text_of(one, field)):
            yield Fact(
                line=number,
                text=f"{name}: {statement}" if name else statement,
                id=names_and_ids.text_digest(text_of(one, "uuid"), statement),
                origin="claude",
                at=instant(one.get("updated_at")) or instant(one.get("created_at")),
                details={"kind": "project", "project": name},
            )
    documents = len(list(objects(one.get("docs"))))
    if documents:
        yield Skipped(reason="a document of a project", count=documents)


def _memories(number: int, one: dict[str, Any]) -> Iterator[Read]:
    """Yield what Claude wrote down of its user."""
    texts: list[tuple[str, str, Any]] = [("conversations", text_of(one, "conversations_memory"), None)]
    texts += [
        (f"project {project}", text, None)
        for project, text in object_of(one, "project_memories").items()
        if isinstance(text, str)
    ]
    texts += [
        (text_of(each, "path"), text_of(each, "content"), instant(each.get("updated_at")))
        for each in objects(one.get("memory_files"))
    ]
    for place, text, at in texts:
        for statement, heading in names_and_ids.markdown_statements(text):
            yield Fact(
                line=number,
                text=statement,
                id=names_and_ids.text_digest(place, statement),
                origin="claude",
                at=at,
                keywords=(heading,) if heading else (),
                details={"kind": "memory", "place": place, "written_by": "model"},
            )
