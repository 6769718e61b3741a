"""An agent of the Claude Agent SDK that knows its user in the next session: python examples/claude_agent_sdk_memory.py

The SDK's own client runs, over a transport that stands for the command line: it mirrors a transcript, calls the hooks,
and answers with what it was told to remember. Leave `transport=` out to run Claude. No model and no key.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import anyio
from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, TextBlock, Transport, query
from claude_agent_sdk.types import SystemMessage

from bethink import AsyncMemory
from bethink.integrations.claude_agent_sdk import BethinkSessionStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PROJECT = Path.home() / ".claude" / "projects" / "-work-site"


class Scripted(Transport):
    """Speaks as Claude's command line does: initialises, asks the hook, mirrors what was said, and answers."""

    def __init__(self, session: str) -> None:
        self.session, self.file = session, str(PROJECT / f"{session}.jsonl")
        self.send, self.receive = anyio.create_memory_object_stream[dict[str, Any]](100)
        self.callback, self.prompt = "", ""

    async def connect(self) -> None: ...

    def is_ready(self) -> bool:
        return True

    async def end_input(self) -> None: ...

    async def close(self) -> None:
        self.send.close()

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        async for message in self.receive:
            yield message

    async def write(self, data: str) -> None:
        told = json.loads(data)
        if told["type"] == "control_request":
            hooks = told["request"]["hooks"]["UserPromptSubmit"]
            self.callback = hooks[0]["hookCallbackIds"][0]
            answer = {"subtype": "success", "request_id": told["request_id"], "response": {}}
            await self.send.send({"type": "control_response", "response": answer})
        elif told["type"] == "user":
            self.prompt = told["message"]["content"]
            given = {"hook_event_name": "UserPromptSubmit", "prompt": self.prompt, "cwd": "/work/site",
                     "session_id": self.session, "transcript_path": self.file}  # fmt: skip
            asked = {"subtype": "hook_callback", "callback_id": self.callback, "input": given}
            await self.send.send({"type": "control_request", "request_id": "hook", "request": asked})
        elif told["type"] == "control_response":
            output = told["response"].get("response", {}).get("hookSpecificOutput", {})
            await self._answer(output.get("additionalContext", ""))

    async def _answer(self, context: str) -> None:
        known = [line for line in context.splitlines() if line.startswith("- ") and line != "- (none)"]
        text = f"I know: {' '.join(known)}" if known else "I know nothing of you yet."
        entries = [
            self._entry("user", {"role": "user", "content": self.prompt}),
            self._entry("assistant", {"role": "assistant", "content": [{"type": "text", "text": text}]}),
        ]
        await self.send.send({"type": "transcript_mirror", "filePath": self.file, "entries": entries})
        said = {"model": "scripted", "content": [{"type": "text", "text": text}]}
        await self.send.send({"type": "assistant", "message": said, "session_id": self.session})
        ended = {"type": "result", "subtype": "success", "duration_ms": 1, "duration_api_ms": 1, "is_error": False,
                 "num_turns": 1, "session_id": self.session}  # fmt: skip
        await self.send.send(ended)
        self.send.close()

    def _entry(self, role: str, message: dict[str, Any]) -> dict[str, Any]:
        return {"type": role, "uuid": str(uuid4()), "sessionId": self.session, "message": message,
                "timestamp": "2026-03-02T09:00:00.000Z"}  # fmt: skip


async def ask(memory: AsyncMemory, user: str, prompt: str) -> str:
    store = BethinkSessionStore(memory, user=user, idle=timedelta(0))
    options = ClaudeAgentOptions(session_store=store, hooks=store.hooks())
    said = ""
    async for message in query(prompt=prompt, options=options, transport=Scripted(str(uuid4()))):
        if isinstance(message, AssistantMessage):
            said = "".join(block.text for block in message.content if isinstance(block, TextBlock))
        elif isinstance(message, SystemMessage) and message.subtype == "mirror_error":
            raise RuntimeError(message.data["error"])
    return said


async def main(path: str = "claude-memory.db") -> None:
    async with AsyncMemory(path) as memory:
        print("ana, monday:", await ask(memory, "ana", "Remember that I am vegetarian."))
        print("ana, friday:", await ask(memory, "ana", "Find a restaurant for tonight."))
        print("bob, friday:", await ask(memory, "bob", "Find a restaurant for tonight."))
        sessions = await BethinkSessionStore(memory, user="ana").list_sessions("-work-site")
        print("sessions of ana:", len(sessions))
        print("left after erasing:", (await memory.erase(user="ana")).remaining)


if __name__ == "__main__":
    anyio.run(main, *sys.argv[1:])
