"""The same talk in the shape of every framework: a sentence of the user, a call with its result, an answer.

Written from the documentation of each, with fields that real messages have beside the words.
"""

from __future__ import annotations

SENTENCE = "My sister Ingrid lives in Bergen."
ANSWER = "Bergen has rain today, take the umbrella."
TOOL = "lookup_weather"
OUTPUT = "Drizzle, nine degrees, wind from the fjord"
ARGUMENTS = {"city": "Bergen"}
JSON = '{"city": "Bergen"}'


def _lc(name, **kwargs):
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": kwargs}


def _claude(type_, uuid, parent, content):
    message = {"role": type_, "content": content}
    return {
        "type": type_, "uuid": uuid, "parentUuid": parent, "isSidechain": False, "sessionId": "s1", "cwd": "/w",
        "version": "2.1", "timestamp": "2026-08-10T12:00:00.000Z", "message": message,
    }  # fmt: skip


def _codex(payload):
    return {"timestamp": "2026-08-10T20:05:51.000Z", "type": "response_item", "payload": payload}


USE = [{"type": "tool_use", "id": "t1", "name": TOOL, "input": ARGUMENTS}]
CAME = [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": OUTPUT}]}]
FUNCTION = [{"id": "t1", "type": "function", "function": {"name": TOOL, "arguments": JSON}}]

#: by family: the user's item, the items of the call (with its result), the answer
TALKS = {
    "openai chat": (
        {"role": "user", "content": SENTENCE},
        [
            {"role": "assistant", "content": None, "tool_calls": FUNCTION},
            {"role": "tool", "tool_call_id": "t1", "content": OUTPUT},
        ],
        {"role": "assistant", "content": ANSWER},
    ),
    "openai responses": (
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": SENTENCE}]},
        [
            {"type": "function_call", "id": "fc", "call_id": "t1", "name": TOOL, "arguments": JSON},
            {"type": "function_call_output", "call_id": "t1", "output": OUTPUT},
        ],
        {"type": "message", "role": "assistant", "id": "m", "status": "completed",
         "content": [{"type": "output_text", "text": ANSWER, "annotations": []}]},
    ),
    "anthropic": (
        {"role": "user", "content": [{"type": "text", "text": SENTENCE}]},
        [{"role": "assistant", "content": USE}, {"role": "user", "content": CAME}],
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "x"},
                                          {"type": "text", "text": ANSWER}]},
    ),
    "bedrock": (
        {"role": "user", "content": [{"text": SENTENCE}]},
        [
            {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": TOOL, "input": ARGUMENTS}}]},
            {"role": "user", "content": [
                {"toolResult": {"toolUseId": "t1", "status": "success", "content": [{"text": OUTPUT}]}}]},
        ],
        {"role": "assistant", "content": [
            {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "x"}}}, {"text": ANSWER}]},
    ),
    "strands session": (
        {"message": {"role": "user", "content": [{"text": SENTENCE}]}, "message_id": 0,
         "created_at": "2026-08-10T12:00:00+00:00"},
        [
            {"message": {"role": "assistant", "content": [
                {"toolUse": {"toolUseId": "t1", "name": TOOL, "input": ARGUMENTS}}]}, "message_id": 1},
            {"message": {"role": "user", "content": [
                {"toolResult": {"toolUseId": "t1", "content": [{"json": {"report": OUTPUT}}]}}]}, "message_id": 2},
        ],
        {"message": {"role": "assistant", "content": [{"text": ANSWER}]}, "message_id": 3},
    ),
    "gemini": (
        {"role": "user", "parts": [{"text": SENTENCE}]},
        [
            {"role": "model", "parts": [{"functionCall": {"name": TOOL, "args": ARGUMENTS}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": TOOL, "response": {"result": OUTPUT}}}]},
        ],
        {"role": "model", "parts": [{"thought": True, "text": "hm"}, {"text": ANSWER}]},
    ),
    "adk event": (
        {"author": "user", "content": {"role": "user", "parts": [{"text": SENTENCE}]}, "id": "e1",
         "invocation_id": "i", "timestamp": 1767225600.5, "actions": {"state_delta": {}}},
        [
            {"author": "concierge", "id": "e2", "timestamp": 1767225601.5, "content": {"role": "model", "parts": [
                {"function_call": {"id": "t1", "name": TOOL, "args": ARGUMENTS}}]}},
            {"author": "concierge", "id": "e3", "timestamp": 1767225602.5, "content": {"role": "user", "parts": [
                {"function_response": {"id": "t1", "name": TOOL, "response": {"result": OUTPUT}}}]}},
        ],
        {"author": "concierge", "id": "e4", "content": {"role": "model", "parts": [{"text": ANSWER}]}},
    ),
    "langchain flat": (
        {"type": "human", "content": SENTENCE, "additional_kwargs": {}, "response_metadata": {}, "name": None},
        [
            {"type": "ai", "content": "", "tool_calls": [
                {"name": TOOL, "args": ARGUMENTS, "id": "t1", "type": "tool_call"}]},
            {"type": "tool", "content": OUTPUT, "tool_call_id": "t1", "name": TOOL, "status": "success"},
        ],
        {"type": "ai", "content": [{"type": "text", "text": ANSWER}], "tool_calls": []},
    ),
    "langchain dict": (
        {"type": "human", "data": {"content": SENTENCE, "type": "human", "id": "m1"}},
        [
            {"type": "ai", "data": {"content": "", "tool_calls": [{"name": TOOL, "args": ARGUMENTS, "id": "t1"}]}},
            {"type": "tool", "data": {"content": OUTPUT, "tool_call_id": "t1"}},
        ],
        {"type": "ai", "data": {"content": ANSWER, "tool_calls": []}},
    ),
    "langchain serialised": (
        _lc("HumanMessage", content=SENTENCE, type="human"),
        [
            _lc("AIMessage", content="", tool_calls=[{"name": TOOL, "args": ARGUMENTS, "id": "t1"}]),
            _lc("ToolMessage", content=OUTPUT, tool_call_id="t1"),
        ],
        _lc("AIMessageChunk", content=ANSWER),
    ),
    "llamaindex": (
        {"role": "user", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": SENTENCE}]},
        [
            {"role": "assistant", "additional_kwargs": {"tool_calls": FUNCTION}, "blocks": []},
            {"role": "tool", "additional_kwargs": {"tool_call_id": "t1", "name": TOOL},
             "blocks": [{"block_type": "text", "text": OUTPUT}]},
        ],
        {"role": "assistant", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": ANSWER}]},
    ),
    "llamaindex tool blocks": (
        {"role": "user", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": SENTENCE}]},
        [
            {"role": "assistant", "additional_kwargs": {}, "blocks": [
                {"block_type": "tool_call", "tool_call_id": "t1", "tool_name": TOOL, "tool_kwargs": ARGUMENTS}]},
            {"role": "tool", "additional_kwargs": {"tool_call_id": "t1"},
             "blocks": [{"block_type": "text", "text": OUTPUT}]},
        ],
        {"role": "assistant", "additional_kwargs": {}, "blocks": [
            {"block_type": "thinking", "content": "hm"}, {"block_type": "text", "text": ANSWER}]},
    ),
    "pydantic ai": (
        {"kind": "request", "parts": [
            {"part_kind": "system-prompt", "content": "Be nice."},
            {"part_kind": "user-prompt", "content": SENTENCE, "timestamp": "2026-08-10T12:00:00Z"}]},
        [
            {"kind": "response", "model_name": "x", "parts": [
                {"part_kind": "tool-call", "tool_name": TOOL, "args": JSON, "tool_call_id": "t1"}]},
            {"kind": "request", "parts": [
                {"part_kind": "tool-return", "tool_name": TOOL, "content": OUTPUT, "tool_call_id": "t1"}]},
        ],
        {"kind": "response", "parts": [
            {"part_kind": "thinking", "content": "hm"}, {"part_kind": "text", "content": ANSWER}]},
    ),
    "agent framework": (
        {"type": "chat_message", "role": {"type": "role", "value": "user"},
         "contents": [{"type": "text", "text": SENTENCE}]},
        [
            {"type": "chat_message", "role": {"value": "assistant"}, "contents": [
                {"type": "function_call", "call_id": "t1", "name": TOOL, "arguments": JSON}]},
            {"type": "chat_message", "role": {"value": "tool"}, "contents": [
                {"type": "function_result", "call_id": "t1", "result": OUTPUT}]},
        ],
        {"type": "message", "role": "assistant", "author_name": "bot",
         "contents": [{"type": "text_reasoning", "text": "hm"}, {"type": "text", "text": ANSWER}]},
    ),
    "agent framework .net": (
        {"role": "user", "contents": [{"$type": "text", "text": SENTENCE}]},
        [
            {"role": "assistant", "contents": [
                {"$type": "functionCall", "callId": "t1", "name": TOOL, "arguments": ARGUMENTS}]},
            {"role": "tool", "contents": [{"$type": "functionResult", "callId": "t1", "result": OUTPUT}]},
        ],
        {"role": "assistant", "contents": [{"$type": "text", "text": ANSWER}]},
    ),
    "autogen": (
        {"type": "UserMessage", "content": SENTENCE, "source": "user"},
        [
            {"type": "AssistantMessage", "source": "helper", "thought": None,
             "content": [{"id": "t1", "name": TOOL, "arguments": JSON}]},
            {"type": "FunctionExecutionResultMessage",
             "content": [{"content": OUTPUT, "name": TOOL, "call_id": "t1", "is_error": False}]},
        ],
        {"type": "AssistantMessage", "content": ANSWER, "source": "helper"},
    ),
    "autogen chat": (
        {"type": "TextMessage", "source": "user", "content": SENTENCE, "metadata": {}, "models_usage": None},
        [
            {"type": "ToolCallRequestEvent", "source": "helper",
             "content": [{"id": "t1", "name": TOOL, "arguments": JSON}]},
            {"type": "ToolCallExecutionEvent", "source": "helper",
             "content": [{"content": OUTPUT, "name": TOOL, "call_id": "t1"}]},
        ],
        {"type": "TextMessage", "source": "helper", "content": ANSWER},
    ),
    "vercel interface": (
        {"id": "m1", "role": "user", "parts": [{"type": "text", "text": SENTENCE}]},
        [
            {"id": "m2", "role": "assistant", "parts": [
                {"type": "step-start"},
                {"type": f"tool-{TOOL}", "toolCallId": "t1", "state": "output-available", "input": ARGUMENTS,
                 "output": {"report": OUTPUT}}]},
        ],
        {"id": "m3", "role": "assistant", "parts": [
            {"type": "reasoning", "text": "hm"}, {"type": "text", "text": ANSWER, "state": "done"}]},
    ),
    "vercel model": (
        {"role": "user", "content": [{"type": "text", "text": SENTENCE}]},
        [
            {"role": "assistant", "content": [
                {"type": "tool-call", "toolCallId": "t1", "toolName": TOOL, "input": ARGUMENTS}]},
            {"role": "tool", "content": [
                {"type": "tool-result", "toolCallId": "t1", "toolName": TOOL,
                 "output": {"type": "text", "value": OUTPUT}}]},
        ],
        {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
    ),
    "haystack": (
        {"role": "user", "meta": {}, "name": None, "content": [{"text": SENTENCE}]},
        [
            {"role": "assistant", "meta": {}, "name": None, "content": [
                {"tool_call": {"tool_name": TOOL, "arguments": ARGUMENTS, "id": "t1"}}]},
            {"role": "tool", "meta": {}, "name": None, "content": [
                {"tool_call_result": {"result": OUTPUT, "error": False,
                                      "origin": {"tool_name": TOOL, "arguments": ARGUMENTS, "id": "t1"}}}]},
        ],
        {"role": "assistant", "meta": {}, "name": None, "content": [{"text": ANSWER}]},
    ),
    "haystack 2": (
        {"_role": "user", "_meta": {}, "_name": None, "_content": [{"text": SENTENCE}]},
        [
            {"_role": "assistant", "_content": [
                {"tool_call": {"tool_name": TOOL, "arguments": ARGUMENTS, "id": None}}]},
            {"_role": "tool", "_content": [
                {"tool_call_result": {"result": OUTPUT, "origin": {"tool_name": TOOL, "id": None}}}]},
        ],
        {"_role": "assistant", "_content": [{"text": ANSWER}]},
    ),
    "smolagents": (
        {"role": "user", "content": [{"type": "text", "text": SENTENCE}]},
        [
            {"role": "tool-call", "content": [{"type": "text", "text": f"Calling tools: {TOOL} Bergen"}]},
            {"role": "tool-response", "content": [{"type": "text", "text": f"Observation: {OUTPUT}"}]},
        ],
        {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
    ),
    "smolagents steps": (
        {"task": SENTENCE},
        [
            {"step_number": 1, "timing": {"start_time": 1767225600.5}, "observations": OUTPUT, "tool_calls": [
                {"id": "t1", "type": "function", "function": {"name": TOOL, "arguments": ARGUMENTS}}]},
        ],
        {"step_number": 2, "model_output": "hm", "action_output": ANSWER, "is_final_answer": True},
    ),
    "claude code": (
        _claude("user", "u1", None, SENTENCE),
        [_claude("assistant", "a1", "u1", USE), _claude("user", "u2", "a1", CAME)],
        _claude("assistant", "a2", "u2", [{"type": "text", "text": ANSWER}]),
    ),
    "codex": (
        _codex({"type": "message", "role": "user", "content": [{"type": "input_text", "text": SENTENCE}]}),
        [
            _codex({"type": "function_call", "name": TOOL, "arguments": JSON, "call_id": "t1"}),
            _codex({"type": "function_call_output", "call_id": "t1", "output": OUTPUT}),
        ],
        _codex({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}]}),
    ),
    "mcp sampling": (
        {"role": "user", "content": {"type": "text", "text": SENTENCE}},
        [
            {"role": "assistant", "content": USE[0]},
            {"role": "user", "content": {"type": "tool_result", "toolUseId": "t1",
                                         "content": [{"type": "text", "text": OUTPUT}]}},
        ],
        {"role": "assistant", "content": {"type": "text", "text": ANSWER}, "model": "x", "stopReason": "endTurn"},
    ),
}  # fmt: skip


def items(family):
    """Return the whole talk in one shape."""
    user, tools, answer = TALKS[family]
    return [user, *tools, answer]
