"""The server as a process: what it acknowledged is there when it is killed, and it ends well when told to."""

import os
import signal
import socket
import subprocess
import sys
import threading

import httpx
import pytest

from tests.server.conftest import wait_for

SCOPE = "/v1/scopes/agent:bot:u:noop"
ENOUGH = 40  #: writes of each kind that are acknowledged before the server is killed


@pytest.fixture(params=["file", "postgresql"])
def db(request, tmp_path):
    if request.param == "file":
        return str(tmp_path / "memory.db")
    cluster = request.getfixturevalue("postgresql_cluster")
    return cluster.url(cluster.create())


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


def append(client, text):
    return client.post(f"{SCOPE}/sessions/load/items", json={"items": [{"role": "user", "content": text}]})


def remember(client, text):
    return client.post(f"{SCOPE}/notes", json={"text": text})


def load(url, write, worker, acknowledged, enough):
    with httpx.Client(base_url=url, timeout=60) as client:
        for number in range(10_000):
            text = f"Said by {worker} as number {number}."
            try:
                answer = write(client, text)
            except httpx.TransportError:
                return
            if answer.status_code == 201:
                acknowledged.append(text)
            if len(acknowledged) >= ENOUGH:
                enough.set()


def kept(url, path, say):
    found, cursor = [], None
    while True:
        params = {"limit": 1_000} | ({"cursor": cursor} if cursor else {})
        page = httpx.get(f"{url}{SCOPE}{path}", params=params).json()
        found += [say(entry) for entry in page["entries"]]
        cursor = page["next"]
        if cursor is None:
            return found


def under_load(db, number):
    """Kill a server while it appends and remembers; return what it acknowledged, and what there is afterwards."""
    process, url = start(db)
    acknowledged = {append: [], remember: []}
    enough = {write: threading.Event() for write in acknowledged}
    workers = [
        threading.Thread(
            target=load, args=(url, write, f"{write.__name__} {n}", acknowledged[write], enough[write])
        )
        for write in acknowledged
        for n in range(3)
    ]
    for worker in workers:
        worker.start()
    assert all(each.wait(120) for each in enough.values())
    os.kill(process.pid, number)
    code = process.wait(60)
    for worker in workers:
        worker.join(60)
    again, url = start(db)
    try:
        items = kept(url, "/sessions/load/items", lambda item: item["body"]["content"])
        notes = kept(url, "/notes", lambda note: note["text"])
        return code, acknowledged[append], items, acknowledged[remember], notes
    finally:
        again.terminate()
        again.wait(60)


def test_a_server_that_is_killed_in_a_load_loses_nothing_it_acknowledged(db):
    _, appended, items, remembered, notes = under_load(db, signal.SIGKILL)
    assert len(appended) >= ENOUGH
    assert len(remembered) >= ENOUGH
    assert set(appended) <= set(items)
    assert set(remembered) <= set(notes)
    assert len(set(items)) == len(items), "an append was done twice"
    assert len(set(notes)) == len(notes), "a note was kept twice"


def test_a_server_that_is_told_to_stop_finishes_what_it_accepted(tmp_path):
    code, appended, items, remembered, notes = under_load(tmp_path / "memory.db", signal.SIGTERM)
    assert sorted(appended) == sorted(items)
    assert sorted(remembered) == sorted(notes)
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


def test_what_was_appended_is_mirrored_when_the_server_is_told_to_stop(db, tmp_path):
    mirror = tmp_path / "mirror"
    process, url = start(db, "--mirror", str(mirror), "--no-background")
    with httpx.Client(base_url=url, timeout=60) as client:
        for number in range(8):
            path = f"{SCOPE}/sessions/trip-{number}/items"
            assert client.post(path, json={"items": [{"role": "user", "content": "x"}]}).status_code == 201
        process.send_signal(signal.SIGTERM)
    assert process.wait(60) in {0, -signal.SIGTERM}
    assert len(list(mirror.rglob("*.json"))) == 8


def test_a_server_lets_requests_in_between_while_it_computes(tmp_path, monkeypatch):
    """Else each one waits 5 ms for every time that it has waited for anything while passages are made beside it."""
    from bethink.server import serving
    from bethink.server.options import Options

    found, before = [], sys.getswitchinterval()
    monkeypatch.setattr(serving, "_write_down", lambda: None)
    monkeypatch.setattr(serving.uvicorn.Server, "run", lambda _: found.append(sys.getswitchinterval()))
    try:
        serving.run(Options(db=str(tmp_path / "memory.db"), auth="noop"), host="127.0.0.1", port=0)
    finally:
        sys.setswitchinterval(before)
    assert found[0] <= 0.001
