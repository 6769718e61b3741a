"""mem0's own client, talking to Bethink: python examples/mem0_client.py

The server is `bethink serve --compat mem0`, as a process of its own; of the program nothing is changed but `host` and
the key. It wants `pip install mem0ai 'bethink[server]'`, and neither a model nor a key of anybody.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("MEM0_TELEMETRY", "False")  # it is read when the client is imported

import httpx
from mem0 import MemoryClient

from bethink.server.api_keys import add_key

if TYPE_CHECKING:
    from collections.abc import Generator


@contextmanager
def served(folder: Path) -> Generator[tuple[str, str]]:
    """Start a server on a file, and yield its address and a key of the application."""
    key = add_key(folder / "keys.json", "app", admin=True)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    command = [sys.executable, "-m", "bethink.cli", "serve", "--compat", "mem0", "--port", port]
    command += ["--db", str(folder / "memory.db"), "--auth", "bearer", "--keys", str(folder / "keys.json")]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        while process.poll() is None:
            try:
                if httpx.get(f"{url}/v1/readiness").is_success:
                    break
            except httpx.TransportError:
                time.sleep(0.05)
        yield url, key
    finally:
        process.terminate()
        process.wait()


def talk(client: MemoryClient) -> None:
    """Do what an application does with mem0."""
    client.add(
        [
            {"role": "user", "content": "Hi, I'm Alex. I'm a vegetarian, and I'm allergic to nuts."},
            {"role": "assistant", "content": "Noted, Alex."},
        ],
        user_id="alex",
    )
    client.add("Drives a red Fiat", user_id="alex", agent_id="garage", infer=False)
    found = client.search("What is Alex allergic to?", filters={"user_id": "alex"}, top_k=1)
    print("found:", found["results"][0]["memory"])
    cars = client.search("car", filters={"AND": [{"user_id": "alex"}, {"agent_id": "garage"}]})
    client.update(cars["results"][0]["id"], text="Drives a blue Fiat")
    listed = client.get_all(filters={"user_id": "alex"})
    print("kept:", sorted(each["memory"] for each in listed["results"]))
    print(client.delete_all(user_id="alex")["message"])
    print("left:", client.get_all(filters={"user_id": "alex"})["count"])


def main() -> None:
    """Serve, and let the client talk."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(made)
        with served(folder) as (url, key):
            client = MemoryClient(api_key=key, host=url)
            with closing(client.client):
                talk(client)


if __name__ == "__main__":
    main()
