"""The server as a process: what it acknowledged is there when it is killed, and it ends well when told to."""

import os
import signal
import socket
import subprocess
import sys
import threading

import httpx

from tests.server.conftest import wait_for

SESSION = "/v1/scopes/agent:bot:u:noop/sessions/load"


def start(db, *options):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = "from bethink.cli import main; main()"
    arguments = ["serve", "--db", str(db), "--port", str(port), *options]
    process = subprocess.Popen([sys.executable, "-c", command, *arguments], stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    wait_for(url)
    return process, url


def load(url, worker, acknowledged, enough):
    with httpx.Client(base_url=url) as client:
        for number in range(10_000):
            text = f"{worker}-{number}"
            try:
                answer = client.post(f"{SESSION}/items", json={"items": [{"role": "user", "content": text}]})
            except httpx.TransportError:
                return
            if answer.status_code == 201:
                acknowledged.append(text)
            if len(acknowledged) > 60:
                enough.set()


def kept(url):
    found, cursor = set(), None
    while True:
        params = {"limit": 1_000} | ({"cursor": cursor} if cursor else {})
        page = httpx.get(f"{url}{SESSION}/items", params=params).json()
        found |= {item["body"]["content"] for item in page["entries"]}
        cursor = page["next"]
        if cursor is None:
            return found


def under_load(tmp_path, number):
    process, url = start(tmp_path / "memory.db")
    acknowledged, enough = [], threading.Event()
    workers = [threading.Thread(target=load, args=(url, n, acknowledged, enough)) for n in range(4)]
    for worker in workers:
        worker.start()
    assert enough.wait(60)
    os.kill(process.pid, number)
    code = process.wait(60)
    for worker in workers:
        worker.join(60)
    again, url = start(tmp_path / "memory.db")
    try:
        return code, set(acknowledged), kept(url)
    finally:
        again.terminate()
        again.wait(60)


def test_a_server_that_is_killed_in_a_load_loses_nothing_it_acknowledged(tmp_path):
    _, acknowledged, found = under_load(tmp_path, signal.SIGKILL)
    assert len(acknowledged) > 60
    assert acknowledged <= found


def test_a_server_that_is_told_to_stop_finishes_what_it_accepted(tmp_path):
    code, acknowledged, found = under_load(tmp_path, signal.SIGTERM)
    assert acknowledged == found
    assert code in {0, -signal.SIGTERM}


def everything(url):
    """Return what the demo shows in each part."""
    scope = f"{url}/v1/scopes/agent:concierge:u:noop"

    def total(path):
        return httpx.get(path).json()["total"]

    items = httpx.get(f"{scope}/sessions/trip-to-lisbon/items").json()["entries"]
    return {
        "spaces": httpx.get(f"{url}/v1/namespaces").json()["entries"],
        "notes": total(f"{scope}/notes"),
        "quarantined": total(f"{scope}/quarantine"),
        "waiting": total(f"{scope}/notes?session=trip-to-lisbon"),
        "reworded": len(httpx.get(f"{scope}/notes/airline/history").json()["entries"]),
        "plans": total(f"{scope}/plans"),
        "sessions": total(f"{scope}/sessions"),
        "calls": [item["body"]["name"] for item in items if item["body"].get("type") == "function_call"],
        "profile": len(httpx.get(f"{scope}/profile").json()["fields"]),
        "pooled": total(f"{url}/v1/scopes/org:travel-desk/notes"),
        "found": total(f"{url}/v1/scopes/team:trip-planners/notes"),
        "tools": len(httpx.get(f"{url}/v1/agents/concierge/tools").json()["entries"]),
    }


def shown(db):
    process, url = start(db, "--demo")
    try:
        return everything(url)
    finally:
        process.terminate()
        process.wait(60)


def test_the_demo_has_something_to_look_at_in_every_part_and_nothing_twice(tmp_path):
    first = shown(tmp_path / "demo.db")
    assert first.pop("spaces") == ["agent:concierge:u:noop", "org:travel-desk", "team:trip-planners"]
    assert first.pop("calls") == ["search_shared"]
    assert all(first.values()), first
    assert first["notes"] >= 5
    again = shown(tmp_path / "demo.db")
    assert again | first == again


def test_what_was_changed_in_the_demo_stays_changed(tmp_path):
    process, url = start(tmp_path / "demo.db", "--demo")
    scope = f"{url}/v1/scopes/agent:concierge:u:noop"
    assert httpx.post(f"{scope}/erase", json={"everything": True}).json()["remaining"] == 0
    process.terminate()
    process.wait(60)
    process, url = start(tmp_path / "demo.db", "--demo")
    notes = httpx.get(f"{url}/v1/scopes/agent:concierge:u:noop/notes").json()
    process.terminate()
    process.wait(60)
    assert notes["total"] == 0
