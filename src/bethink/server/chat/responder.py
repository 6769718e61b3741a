"""The offline responder: answers without a model, with the same tools and a few fixed moves."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from agents import FunctionTool
from agents.items import ModelResponse
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseTextDeltaEvent,
)

from bethink.json_kinds import is_list, is_object
from bethink.lifecycle.distill.rules import RulesDistiller
from bethink.scope.transactions import digest
from bethink.sessions.injected_memory import OFFLINE_NOTICE
from bethink.sessions.item_kinds import classify
from bethink.sessions.values import Item

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping, Sequence

    from agents import Handoff, ModelSettings, Tool
    from agents.agent_output import AgentOutputSchemaBase
    from agents.items import TResponseInputItem, TResponseOutputItem, TResponseStreamEvent
    from agents.models.interface import ModelTracing

#: whom it speaks for: itself, or a member of a team
Role: TypeAlias = Literal["answer", "plan", "work", "join"]
NOTHING: Final = "I remember nothing about that."
FROM_MEMORY: Final = "From memory: "
MAX_MEMORIES: Final = 2  #: memories in one answer
MAX_KEY: Final = 48
_FORGET: Final = re.compile(
    r"^\W*(?:please\s+)?forget\s+(?:about\s+|that\s+|what\s+)?(.+?)\W*$", re.IGNORECASE
)
_LINE: Final = re.compile(r"^- (?:\[[^\]]*\] )?(?P<key>.+?): (?P<text>.*?)(?: \[\d+%\])?$")
_BETWEEN_SENTENCES: Final = re.compile(r"(?<=[.;?!])\s+")
_FINDING: Final = re.compile(r'^- (.+?): (".*")$')
_NOTICE: Final = re.compile(rf"{re.escape(OFFLINE_NOTICE)}[^)]*\)")
#: tool → the argument that takes the question
_SEARCHES: Final = {"search_memory": "query", "memory_recall": "query", "search_shared": "query"}
_FORGETS: Final = ("forget", "memory_forget")


@dataclass(frozen=True, slots=True)
class _Move:
    """A tool to call."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _ToolResult:
    """A tool that was called in this turn, and what it said."""

    name: str
    arguments: dict[str, Any]
    output: str


class Responder(Model):
    """A model of the SDK that is none. The same words in the same memory get the same answer."""

    def __init__(self, why: str, role: Role = "answer") -> None:
        self._says_so = f"{OFFLINE_NOTICE}{why}.)"
        self._role: Role = role

    async def get_response(
        self,
        system_instructions: str | None,  # noqa: ARG002
        input: str | list[TResponseInputItem],  # noqa: A002 - as the SDK has it
        model_settings: ModelSettings,  # noqa: ARG002
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,  # noqa: ARG002
        handoffs: list[Handoff[Any, Any]],  # noqa: ARG002
        tracing: ModelTracing,  # noqa: ARG002
        **named: Any,  # noqa: ARG002
    ) -> ModelResponse:
        """Return the calls of tools, or the answer."""
        return ModelResponse(output=self._output(input, tools), usage=Usage(), response_id=None)

    async def stream_response(
        self,
        system_instructions: str | None,  # noqa: ARG002
        input: str | list[TResponseInputItem],  # noqa: A002 - as the SDK has it
        model_settings: ModelSettings,  # noqa: ARG002
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,  # noqa: ARG002
        handoffs: list[Handoff[Any, Any]],  # noqa: ARG002
        tracing: ModelTracing,  # noqa: ARG002
        **named: Any,  # noqa: ARG002
    ) -> AsyncIterator[TResponseStreamEvent]:
        """Yield the answer word by word."""
        output = self._output(input, tools)
        numbers = itertools.count()
        for at, item in enumerate(output):
            if isinstance(item, ResponseOutputMessage):
                for word in re.findall(r"\S+\s*", _text(item)):
                    yield ResponseTextDeltaEvent(
                        type="response.output_text.delta",
                        item_id=item.id,
                        output_index=at,
                        content_index=0,
                        delta=word,
                        logprobs=[],
                        sequence_number=next(numbers),
                    )
        yield ResponseCompletedEvent(
            type="response.completed", response=_response(output), sequence_number=next(numbers)
        )

    def _output(
        self, given: str | list[TResponseInputItem], tools: Sequence[Tool]
    ) -> list[TResponseOutputItem]:
        items: list[Any] = [{"role": "user", "content": given}] if isinstance(given, str) else list(given)
        message, results = _read(items)
        seen = digest(json.dumps(items, default=str))  # so that no id of a call is used twice in a session
        offered = {tool.name: tool for tool in tools if isinstance(tool, FunctionTool)}
        match self._role:
            case "plan":
                moves, answer = _plan(message, results, offered), "The tasks are given out."
            case "work":
                moves, answer = _work(message, results, offered), _answer(results)
            case "join":
                moves, answer = [], _joined(message)
            case "answer":
                moves, answer = _moves(message, results, set(offered)), _answer(results)
        if not moves:
            return [_message(f"{answer} {self._says_so}")]
        return [
            ResponseFunctionToolCall(
                type="function_call",
                id=f"fc_{seen[:12]}_{at}",
                call_id=f"call_{seen[:12]}_{at}",
                name=move.name,
                arguments=json.dumps(move.arguments),
            )
            for at, move in enumerate(moves)
        ]


def _read(items: Iterable[Any]) -> tuple[str, list[_ToolResult]]:
    """Return what the user said last, and what tools have said since."""
    message = ""
    calls: dict[str, Any] = {}
    results: list[_ToolResult] = []
    for item in items:
        if classify(item).kind == "user":
            message, results, calls = _words(item), [], {}
        elif item.get("type") == "function_call":
            calls[item["call_id"]] = item
        elif item.get("type") == "function_call_output" and item.get("call_id") in calls:
            call = calls[item["call_id"]]
            output = _words({"content": item["output"]})
            results.append(_ToolResult(call["name"], json.loads(call["arguments"]), output))
    return message, results


def _words(item: Any) -> str:
    content = item.get("content")
    parts = content if is_list(content) else [content]
    texts = [part.get("text") if is_object(part) else part for part in parts]
    return " ".join(text for text in texts if isinstance(text, str))


def _plan(message: str, results: Sequence[_ToolResult], tools: Mapping[str, FunctionTool]) -> list[_Move]:
    """Give each worker its part: the sentences in turn, and where there are fewer of them, the whole to everybody."""
    if results:
        return []
    workers: list[str] = tools["assign"].params_json_schema["properties"]["worker"]["enum"]
    sentences = _BETWEEN_SENTENCES.split(message.strip())
    parts = [sentences[at :: len(workers)] for at in range(len(workers))]
    return [
        _Move("assign", {"worker": worker, "task": " ".join(part) if all(parts) else message})
        for worker, part in zip(workers, parts, strict=True)
    ]


def _work(message: str, results: Sequence[_ToolResult], tools: Mapping[str, FunctionTool]) -> list[_Move]:
    """Look into every memory, then share what one's own has to say."""
    if not results:
        return _searches(message, set(tools))
    own = _found([each for each in results if each.name != "search_shared"])
    if own and "share_finding" in tools and not any(each.name == "share_finding" for each in results):
        return [_Move("share_finding", {"key": key, "content": text}) for key, text in own[:MAX_MEMORIES]]
    return []


def _joined(message: str) -> str:
    """Put together what the workers found, each thing once."""
    sentences: dict[str, None] = {}
    for line in message.splitlines():
        found = _FINDING.match(line)
        if found is not None:
            words = _NOTICE.sub("", json.loads(found[2])).strip()
            if words != NOTHING:
                sentences |= dict.fromkeys(_BETWEEN_SENTENCES.split(words.removeprefix(FROM_MEMORY)))
    return FROM_MEMORY + " ".join(sentences) if sentences else NOTHING


def _moves(message: str, results: Sequence[_ToolResult], tools: set[str]) -> list[_Move]:
    """Decide which tools to call; none where there is enough to answer with."""
    wanted = _FORGET.match(message)
    if wanted is not None and (forget := next((name for name in _FORGETS if name in tools), None)):
        if not results:
            return _searches(wanted[1], tools)
        found = _found(results)
        if found and not any(each.name == forget for each in results):
            return [_Move(forget, {"key": found[0][0]})]
        return []
    if results:
        return []
    kept = _keeping(message, tools)
    return [*kept, *(_searches(message, tools) if not kept or "?" in message else [])]


def _searches(query: str, tools: set[str]) -> list[_Move]:
    return [_Move(name, {argument: query}) for name, argument in _SEARCHES.items() if name in tools]


def _keeping(message: str, tools: set[str]) -> list[_Move]:
    """Return calls that keep what the user states of themselves for good."""
    item = Item(id="i", session="s", seq=1, body={"role": "user", "content": message}, at=None)
    moves: list[_Move] = []
    for each in RulesDistiller().distill([item]).kept:
        if "save_memory_note" in tools:
            moves.append(_Move("save_memory_note", {"text": each.text, "keywords": list(each.keywords)}))
        elif not each.durable:
            continue
        elif "remember" in tools:
            moves.append(_Move("remember", {"key": _key(each.text), "content": each.text}))
        elif "memory_store" in tools:
            moves.append(_Move("memory_store", {"key": _key(each.text), "content": each.text}))
    return moves


def _key(text: str) -> str:
    """Return the name under which a statement is kept: its own words, so that saying it twice keeps it once."""
    return "-".join(re.findall(r"\w+", text.lower()))[:MAX_KEY] or digest(text)


def _answer(results: Sequence[_ToolResult]) -> str:
    """Say what was done and what is remembered."""
    parts: list[str] = []
    for each in results:
        if each.output.startswith("Not done"):
            parts.append(each.output)
        elif each.name in {"remember", "memory_store"}:
            parts.append(f"Noted: {each.arguments['content']}")
        elif each.name == "save_memory_note":
            kept = json.loads(each.output)["ok"]
            parts.append(f"Noted: {each.arguments['text']}" if kept else "I may not keep that.")
        elif each.name in _FORGETS:
            done = "False" not in each.output and not each.output.startswith("No ")
            return f"Forgotten: {each.arguments['key']}." if done else NOTHING
    found = _found(results)
    if found:
        texts = list(dict.fromkeys(text for _, text in found))
        parts.append(FROM_MEMORY + " ".join(texts[:MAX_MEMORIES]))
    return " ".join(parts) or NOTHING


def _found(results: Sequence[_ToolResult]) -> list[tuple[str, str]]:
    """Return keys and texts of what a search found, best first."""
    lines = [line for each in results if each.name in _SEARCHES for line in each.output.splitlines()]
    return [(match["key"], match["text"]) for line in lines if (match := _LINE.match(line))]


def _message(text: str) -> ResponseOutputMessage:
    part = ResponseOutputText(type="output_text", text=text, annotations=[], logprobs=[])
    return ResponseOutputMessage(
        id=f"msg_{digest(text)}", type="message", role="assistant", status="completed", content=[part]
    )


def _text(message: ResponseOutputMessage) -> str:
    return "".join(part.text for part in message.content if isinstance(part, ResponseOutputText))


def _response(output: list[Any]) -> Response:
    return Response(
        id="offline",
        created_at=0,
        model="offline",
        object="response",
        output=output,
        tool_choice="auto",
        tools=[],
        parallel_tool_calls=True,
        status="completed",
    )
