"""Hermes Agent with a memory in one file: python examples/hermes_memory.py

In your own Hermes three lines do it, and nothing of what follows is needed:

    pip install 'bethink[hermes]'               # into the environment of Hermes
    python -m bethink.integrations.hermes       # writes the plugin into its home
    hermes config set memory.provider bethink

Here a home is made, and Hermes's own agent talks to a model that is scripted: a server on this machine, no key.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

offered: set[str] = set()


class Scripted(BaseHTTPRequestHandler):
    """A model that reads aloud what it was told to remember."""

    def do_GET(self) -> None:
        self._send({"data": [{"id": "scripted", "object": "model"}]})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        offered.update(tool["function"]["name"] for tool in asked.get("tools") or [])
        told = str(asked["messages"][-1]["content"]).splitlines()
        known = [line.split(" (")[0] for line in told if line.startswith("- ") and "(none)" not in line]
        text = f"I know: {'; '.join(known)}" if known else "I know nothing of you yet."
        if asked.get("stream"):
            self._stream(text)
        else:
            self._send(_answer("chat.completion", "message", {"role": "assistant", "content": text}, "stop"))

    def _send(self, value: Any) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(value).encode())

    def _stream(self, text: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for delta, reason in (({"role": "assistant", "content": text}, None), ({}, "stop")):
            chunk = _answer("chat.completion.chunk", "delta", delta, reason)
            self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_: Any) -> None:
        return


def _answer(kind: str, part: str, value: Any, reason: str | None) -> dict[str, Any]:
    choice = {"index": 0, part: value, "finish_reason": reason}
    return {"id": "x", "object": kind, "created": 1, "model": "scripted", "choices": [choice]}


def main(folder: str | None = None) -> None:
    home = Path(folder or tempfile.mkdtemp())
    os.environ["HERMES_HOME"] = str(home)
    (home / "config.yaml").write_text("memory:\n  provider: bethink\n")

    from run_agent import AIAgent

    from bethink import Memory
    from bethink.integrations.hermes import install

    install()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
    Thread(target=server.serve_forever, daemon=True).start()
    for session, text in (("monday", "Remember that I am vegetarian."), ("friday", "Find a restaurant.")):
        agent = AIAgent(
            base_url=f"http://127.0.0.1:{server.server_port}/v1",
            api_key="none",
            provider="custom",
            model="scripted",
            session_id=session,
            enabled_toolsets=["memory"],
            quiet_mode=True,
            skip_context_files=True,
        )
        said = agent.run_conversation(text)
        agent.shutdown_memory_provider(said["messages"])
        print(f"{session}: {said['final_response']}")
    print("tools:", ", ".join(sorted(offered - {"memory"})))
    with Memory(home / "bethink.db") as memory:
        print("left after erasing:", memory.erase(user="me").remaining)
    server.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
