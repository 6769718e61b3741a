"""smolagents messages and steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.sessions.readers.openai_chat import calls_beside
from bethink.sessions.readers.openai_responses import content_text
from bethink.sessions.readers.parts import (
    instant,
    join_texts,
    message,
    object_of,
    objects,
    plain_text,
    result_text,
    text_of,
)
from bethink.sessions.readers.values import Call, Reading, Result

if TYPE_CHECKING:
    from collections.abc import Mapping


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a message whose role is a part of the run, or a step of an agent's memory."""
    role = body.get("role")
    if role == "tool-call":
        calls = tuple(call._replace(waits=False) for call in calls_beside(body))
        return Reading("call", "tool", "" if calls else content_text(body.get("content")), calls)
    if role == "tool-response":
        return Reading(
            "call", "tool", content_text(body.get("content"))
        )  # it does not say which call it answers
    return None if role is not None or "type" in body else _of_memory(body)


def _of_memory(body: Mapping[str, Any]) -> Reading | None:
    if isinstance(body.get("task"), str) and body.keys() <= {"task", "task_images"}:
        return message("user", plain_text(body["task"]))
    if isinstance(body.get("system_prompt"), str) and len(body) == 1:
        return message("system", body["system_prompt"])
    if "step_number" in body and ("observations" in body or "model_output" in body or "tool_calls" in body):
        return _step(body)
    return None


def _step(body: Mapping[str, Any]) -> Reading:
    calls = tuple(
        Call(
            "smolagents",
            text_of(each, "id"),
            text_of(function := object_of(each, "function"), "name") or text_of(each, "name"),
            function.get("arguments", each.get("arguments")),
            waits=False,
        )
        for each in objects(body.get("tool_calls"))
    )
    seen = result_text(body.get("observations"))
    results = (Result("smolagents", calls[0].id if calls else "", seen, within=True),) if seen else ()
    return message(
        "assistant",
        result_text(body.get("action_output")),
        calls=calls,
        results=results,
        thought=join_texts([plain_text(body.get("model_output"))]),
        at=instant(object_of(body, "timing").get("start_time")),
    )
