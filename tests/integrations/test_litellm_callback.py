"""The callback of LiteLLM: its real proxy over a model that is scripted, and whose memory a call is about."""

import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import ClassVar

import pytest

pytest.importorskip("litellm.proxy", reason="make conformance has an environment with it")

import httpx

from bethink import Memory

FILE = Path(__file__).parents[2] / "examples" / "litellm_callback.py"
KEY = {"Authorization": "Bearer sk-master"}


class Upstream(BaseHTTPRequestHandler):
    """A provider that keeps what it was asked, and says `Noted.`."""

    asked: ClassVar[list] = []

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append(asked)
        if self.path.endswith("embeddings"):
            row = {"object": "embedding", "index": 0, "embedding": [0.1]}
            self.send(
                {
                    "object": "list",
                    "data": [row],
                    "model": "m",
                    "usage": {"prompt_tokens": 1, "total_tokens": 1},
                }
            )
        elif asked.get("stream"):
            self.head("text/event-stream")
            for delta, reason in (
                ({"role": "assistant", "content": "No"}, None),
                ({"content": "ted."}, None),
                ({}, "stop"),
            ):
                chunk = self.answer("chat.completion.chunk", "delta", delta, reason)
                self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
            self.wfile.write(b"data: [DONE]\n\n")
        else:
            message = {"role": "assistant", "content": "Noted."}
            self.send(self.answer("chat.completion", "message", message, "stop"))

    def answer(self, kind, part, value, reason):
        choice = {"index": 0, part: value, "finish_reason": reason}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {"id": "x", "object": kind, "created": 1, "model": "m", "choices": [choice], "usage": usage}

    def head(self, sort):
        self.send_response(200)
        self.send_header("content-type", sort)
        self.end_headers()

    def send(self, value):
        self.head("application/json")
        self.wfile.write(json.dumps(value).encode())

    def log_message(self, *_):
        return


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    """Start the proxy as its users do: a configuration that names the file beside it."""
    folder = tmp_path_factory.mktemp("proxy")
    upstream = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    Thread(target=upstream.serve_forever, daemon=True).start()
    (folder / "litellm_callback.py").write_text(FILE.read_text(encoding="utf-8"), encoding="utf-8")
    model = {
        "model": "openai/m",
        "api_base": f"http://127.0.0.1:{upstream.server_port}/v1",
        "api_key": "none",
    }
    settings = {
        "model_list": [{"model_name": "m", "litellm_params": model}],
        "litellm_settings": {"callbacks": "litellm_callback.memory"},
        "general_settings": {"master_key": "sk-master"},
    }
    (folder / "config.yaml").write_text(json.dumps(settings), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environ = {**os.environ, "BETHINK_URL": str(folder / "memory.db"), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    command = [Path(sys.executable).with_name("litellm"), "--config", "config.yaml", "--port", str(port)]
    with (folder / "log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=folder, env=environ, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            for _ in range(600):
                assert process.poll() is None, (folder / "log").read_text(encoding="utf-8")
                try:
                    if httpx.get(f"{url}/health/liveliness").status_code == 200:
                        break
                except httpx.TransportError:
                    time.sleep(0.2)
            yield SimpleNamespace(url=url, folder=folder)
        finally:
            process.terminate()
            process.wait(20)
            upstream.shutdown()
            upstream.server_close()


def chat(proxy, *messages, stream=False, **rest):
    """Do a call, and return the messages that the provider was sent."""
    told = [each if isinstance(each, dict) else {"role": "user", "content": each} for each in messages]
    body = {"model": "m", "messages": told, "stream": stream, **rest}
    answered = httpx.post(f"{proxy.url}/v1/chat/completions", json=body, headers=KEY, timeout=60)
    assert answered.status_code == 200, answered.text
    assert "ted." in answered.text
    return Upstream.asked[-1]["messages"]


def kept(proxy, user, count, notes=0):
    """Return what is kept of a user once so many items and notes are: the proxy writes after it has answered."""
    for _ in range(300):
        with Memory(proxy.folder / "memory.db") as memory:
            scope = memory.scope(agent="litellm", user=user)
            found = {info.id: scope.session(info.id).get_items() for info in scope.sessions()}
            learned = [note.text for note in scope.notes()]
        if sum(len(items) for items in found.values()) >= count and len(learned) >= notes:
            return found, learned
        time.sleep(0.1)
    raise AssertionError(found)


@pytest.mark.parametrize("stream", [False, True])
def test_what_a_user_said_is_told_in_the_next_conversation_and_to_nobody_else(proxy, stream):
    ana, bob = (f"{name}-{stream}" for name in ("ana", "bob"))
    prompt = {"role": "system", "content": "Be brief."}
    first = chat(proxy, prompt, "Remember that I am vegetarian.", user=ana, stream=stream)
    assert "vegetarian" not in first[0]["content"]
    _, learned = kept(proxy, f"/{ana}", 2, notes=1)
    assert learned == ["I am vegetarian."]
    second = chat(proxy, prompt, "Find a restaurant.", user=ana, stream=stream)
    assert second[0]["content"].startswith("Be brief.\n\n")
    assert "I am vegetarian." in second[0]["content"]
    assert "vegetarian" not in str(chat(proxy, "Find a restaurant.", user=bob, stream=stream))
    found, _ = kept(proxy, f"/{ana}", 4)
    assert sorted(len(items) for items in found.values()) == [2, 2]
    (restaurant,) = [items for items in found.values() if "restaurant" in str(items)]
    assert restaurant == [
        {"role": "user", "content": "Find a restaurant."},
        {"role": "assistant", "content": "Noted."},
    ]


def test_a_conversation_that_is_sent_whole_each_time_is_kept_once(proxy):
    said = {"role": "assistant", "content": "Noted."}
    chat(proxy, "one", user="carl")
    kept(proxy, "/carl", 2)
    chat(proxy, "one", said, "two", user="carl", metadata={"session_id": "named"})
    chat(proxy, {"role": "user", "content": "one"}, said, "two", user="carl")
    found, _ = kept(proxy, "/carl", 8)
    words = sorted([item["content"] for item in items] for items in found.values())
    assert words == [["one", "Noted.", "two", "Noted."]] * 2
    assert "named" in found


def test_calls_of_nobody_and_of_another_kind_pass_untouched(proxy):
    assert chat(proxy, "Find a restaurant.") == [{"role": "user", "content": "Find a restaurant."}]
    answered = httpx.post(
        f"{proxy.url}/v1/embeddings",
        json={"model": "m", "input": ["x"], "user": "ana"},
        headers=KEY,
        timeout=60,
    )
    assert answered.status_code == 200, answered.text
    assert Upstream.asked[-1]["input"] == ["x"]


def test_erasing_a_user_takes_what_the_proxy_kept(proxy):
    chat(proxy, "Remember that I hate ferries.", user="dora")
    kept(proxy, "/dora", 2)
    with Memory(proxy.folder / "memory.db") as memory:
        assert memory.erase(user="/dora").remaining == 0
    assert "ferries" not in str(chat(proxy, "How do I get there?", user="dora"))


# ---- whose memory it is ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def callback():
    spec = importlib.util.spec_from_file_location("litellm_callback", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def key(**said):
    from litellm.proxy._types import UserAPIKeyAuth

    return UserAPIKeyAuth(**said)


def test_nobody_reaches_the_users_of_another_key_by_naming_them(callback):
    found = [
        callback.whose(key(user_id="ana"), {}),
        callback.whose(key(user_id="bob"), {"user": "ana"}),
        callback.whose(key(user_id="default_user_id", api_key="sk-1"), {"user": "ana"}),
        callback.whose(key(api_key="sk-one"), {"user": "ana"}),
        callback.whose(key(api_key="sk-two"), {"user": "ana"}),
        callback.whose(key(team_id="red"), {"user": "ana"}),
        callback.whose(key(team_id="blue"), {"user": "ana"}),
        callback.whose(key(user_id="ana"), {"user": "ana"}),
        callback.whose(key(user_id="ana/ana"), {}),
        callback.whose(key(user_id="team:red"), {"user": "ana"}),
        callback.whose(key(user_id="default_user_id"), {"user": "x/y"}),
    ]
    assert len(set(found)) == len(found)
    assert found[0] == "ana"
    assert found[2] == "/ana"
    assert callback.whose(key(end_user_id="ana", user_id="default_user_id"), {}) == "/ana"


def test_a_key_that_is_of_many_stands_for_nobody(callback):
    for said in ({"team_id": "red"}, {"api_key": "sk-one"}, {"user_id": "default_user_id"}, {}):
        assert callback.whose(key(**said), {}) is None


def test_names_that_no_label_can_hold_are_told_apart_as_well(callback):
    long = [callback.whose(key(user_id="default_user_id"), {"user": "x" * 200 + end}) for end in "ab"]
    assert long[0] != long[1]
    assert all(len(each) <= 128 for each in long)
