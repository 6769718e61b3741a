"""Read exports of other memories: mem0, Zep and Graphiti, LangGraph's store, the MCP memory server, Letta."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bethink.imports import names_and_ids
from bethink.imports.values import Entry, Fact, Skipped
from bethink.json_kinds import is_list, is_object
from bethink.sessions.readers.parts import instant, join_texts, object_of, objects, plain_text, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from bethink.imports.streams import Blob
    from bethink.imports.values import Read

_MEM0 = {
    "id", "memory", "text", "data", "hash", "metadata", "created_at", "updated_at", "user_id", "agent_id", "run_id",
    "score", "text_lemmatized", "expiration_date", "payload", "actor_id", "role", "attributed_to", "vector", "version",
}  # fmt: skip


def is_mem0(one: dict[str, Any]) -> bool:
    """Tell whether an object is a memory of mem0, as its API or its vector store has it."""
    inner = object_of(one, "payload")
    if inner:
        return isinstance(inner.get("data"), str)
    return isinstance(one.get("memory"), str) or (isinstance(one.get("data"), str) and "hash" in one)


def read_mem0(number: int, one: dict[str, Any]) -> Iterator[Read]:
    """Read a memory of mem0."""
    memory = {**object_of(one, "payload"), **{name: one[name] for name in one if name != "payload"}}
    if "linked_memory_ids" in memory:
        yield Skipped(reason="an entity that mem0 derived")
        return
    text = text_of(memory, "memory") or text_of(memory, "data") or text_of(memory, "text")
    beside = {name: value for name, value in memory.items() if name not in _MEM0 and _simple(value)}
    beside |= {name: value for name, value in object_of(memory, "metadata").items() if _simple(value)}
    if text_of(memory, "run_id"):
        beside["run_id"] = text_of(memory, "run_id")
    listed = memory.get("categories")
    yield Fact(
        line=number,
        text=text,
        id=text_of(memory, "id") or text_of(memory, "hash") or names_and_ids.text_digest(text),
        origin="mem0",
        at=instant(memory.get("updated_at")) or instant(memory.get("created_at")),
        until=instant(memory.get("expiration_date")),
        keywords=tuple(each for each in listed if isinstance(each, str)) if is_list(listed) else (),
        user=text_of(memory, "user_id") or None,
        agent=text_of(memory, "agent_id") or None,
        details=beside,
    )


def is_graphiti(one: dict[str, Any]) -> bool:
    """Tell whether an object is a fact, a node or an episode of Zep or Graphiti."""
    return "uuid" in one and (
        isinstance(one.get("fact"), str) or ("group_id" in one and bool(one.keys() & {"summary", "source"}))
    )


def read_graphiti(number: int, one: dict[str, Any]) -> Iterator[Read]:
    """Read a fact; closed ones are history."""
    if not isinstance(one.get("fact"), str):
        yield Skipped(reason="a node or an episode of a graph (its facts are kept)")
        return
    yield Fact(
        line=number,
        text=one["fact"],
        id=text_of(one, "uuid"),
        origin="zep",
        at=instant(one.get("valid_at")) or instant(one.get("created_at")),
        ended=instant(one.get("invalid_at")) or instant(one.get("expired_at")),
        user=text_of(one, "group_id") or text_of(one, "user_id") or None,
        details={"relation": text_of(one, "name")} if text_of(one, "name") else {},
    )


def is_zep_message(one: dict[str, Any]) -> bool:
    """Tell whether an object is a message of Zep."""
    return "role_type" in one and isinstance(one.get("content"), str) and "uuid" in one


def zep_message(number: int, one: dict[str, Any]) -> Iterator[Read]:
    """Read a message of Zep: `role` is a name there, and `role_type` the role."""
    role = text_of(one, "role_type")
    if one.get("deleted_at") or role not in {"user", "assistant", "tool", "function", "system"}:
        yield Skipped(reason="a deleted message" if one.get("deleted_at") else "a message without a role")
        return
    yield Entry(
        line=number,
        body={"role": role if role in {"user", "assistant", "system"} else "tool", "content": one["content"]},
        session=names_and_ids.session_name("zep", text_of(one, "session_id") or text_of(one, "thread_id")),
        at=instant(one.get("created_at")),
        speaker=names_and_ids.speaker_name(one.get("role")),
        key=names_and_ids.session_name(text_of(one, "uuid")),
    )


def is_langgraph(one: dict[str, Any]) -> bool:
    """Tell whether an object is an item of LangGraph's store."""
    return is_object(one.get("value")) and "key" in one and bool(one.keys() & {"namespace", "prefix"})


def read_langgraph(number: int, one: dict[str, Any]) -> Iterator[Read]:
    """Read an item of LangGraph's store, such as LangMem writes them; one without words is a document."""
    path = one.get("namespace", one.get("prefix"))
    labels = [str(each) for each in path] if is_list(path) else str(path).split(".")
    value = object_of(one, "value")
    content = value.get("content")
    text = text_of(content, "content") if is_object(content) else plain_text(content)
    text = text or text_of(value, "text") or text_of(value, "memory") or text_of(value, "data")
    if not text and is_object(content):
        text = ", ".join(f"{name}: {each}" for name, each in content.items() if _simple(each))
    if not text:
        yield Skipped(reason="an item without words")
        return
    yield Fact(
        line=number,
        text=text,
        id=names_and_ids.text_digest(*labels, str(one["key"])),
        origin="langgraph",
        at=instant(one.get("updated_at")) or instant(one.get("created_at")),
        until=instant(one.get("expires_at")),
        user=labels[-1] if len(labels) > 1 else None,
        details={"namespace": ".".join(labels), "key": str(one["key"])},
    )


def is_mcp(one: dict[str, Any]) -> bool:
    """Tell whether an object is an entity or a relation of the MCP memory server."""
    return (
        one.get("type") in ("entity", "relation") or bool(one.keys() & {"entityType", "relationType"})
    ) and bool(one.keys() & {"observations", "relationType", "relation_type", "entityName", "name"})


def read_mcp_memory(number: int, one: dict[str, Any]) -> Iterator[Read]:
    """Read an entity, each of whose observations is a fact, or a relation."""
    source, target = text_of(one, "from"), text_of(one, "to")
    if source and target:
        verb = text_of(one, "relationType") or text_of(one, "relation_type")
        text = f"{source} {verb.replace('_', ' ')} {target}."
        yield Fact(
            line=number, text=text, id=names_and_ids.text_digest(source, verb, target), origin="mcp-memory"
        )
        return
    name = text_of(one, "name") or text_of(one, "entityName")
    observations = one.get("observations")
    found = [each for each in observations if isinstance(each, str)] if is_list(observations) else []
    if not found:
        yield Skipped(reason="an entity without observations")
    for text in found:
        yield Fact(
            line=number,
            text=text if not name or name.casefold() in text.casefold() else f"{name}: {text}",
            id=names_and_ids.text_digest(name, text),
            origin="mcp-memory",
            details={"entity": name, "kind": text_of(one, "entityType")},
        )


def is_letta(one: dict[str, Any]) -> bool:
    """Tell whether an object is an agent file."""
    return is_list(one.get("core_memory")) or (is_list(one.get("agents")) and is_list(one.get("blocks")))


def read_letta(one: dict[str, Any], blob: Blob) -> Iterator[Read]:
    """Read an agent file of either form: blocks are facts, messages are items. Settings are never looked at."""
    from hashlib import blake2b

    with blob.bytes() as raw:
        file = blake2b(raw.read(), digest_size=6).hexdigest()
    agents = list(objects(one.get("agents"))) or [one]
    left: Counter[str] = Counter({"a tool": len(list(objects(one.get("tools"))))})
    for number, block in enumerate([*objects(one.get("blocks")), *objects(one.get("core_memory"))], 1):
        label = text_of(block, "label")
        for statement, _ in names_and_ids.markdown_statements(text_of(block, "value")):
            yield Fact(
                line=number,
                text=statement,
                id=names_and_ids.text_digest(label, statement),
                origin="letta",
                at=instant(block.get("updated_at")) or instant(block.get("created_at")),
                keywords=(label,) if label else (),
                details={"kind": "block", "written_by": "model"},
            )
    for agent in agents:
        name = text_of(agent, "name") or text_of(agent, "id") or "agent"
        session = names_and_ids.session_name("letta", name, file)
        for number, message in enumerate(objects(agent.get("messages")), 1):
            role, text = text_of(message, "role"), _letta_text(message)
            if role not in {"user", "assistant"} or not text:
                left[
                    "a system message"
                    if role == "system"
                    else "the output of a tool"
                    if role == "tool"
                    else "an empty message"
                ] += 1
                continue
            yield Entry(
                line=number,
                body={"role": role, "content": text},
                session=session,
                title=name,
                at=instant(message.get("created_at")) or blob.modified,
                key=names_and_ids.session_name(file, text_of(message, "id") or str(number)),
            )
    if one.get("tool_exec_environment_variables"):
        left["variables of the environment"] += 1
    yield from names_and_ids.skipped_counts({reason: count for reason, count in left.items() if count})


def _letta_text(message: dict[str, Any]) -> str:
    """Return what a message says: user texts may be wrapped in JSON, answers may be calls of `send_message`."""
    import json

    content = message.get("content")
    text = plain_text(content) or join_texts(plain_text(part.get("text")) for part in objects(content))
    if text.startswith("{"):
        try:
            event = json.loads(text)
        except (ValueError, RecursionError):
            return text
        if is_object(event) and isinstance(event.get("message"), str):
            return event["message"] if event.get("type", "user_message") == "user_message" else ""
    for call in objects(message.get("tool_calls")):
        function = object_of(call, "function")
        if text_of(function, "name") == "send_message":
            try:
                return text_of(json.loads(text_of(function, "arguments")), "message")
            except (ValueError, RecursionError):
                continue
    return text


def _simple(value: object) -> bool:
    return isinstance(value, str | int | float | bool) and len(str(value)) <= 500  # noqa: PLR2004


def time_text(at: datetime | None) -> str:
    """Return a time as text, empty where there is none."""
    return "" if at is None else at.isoformat()
