"""Workers as processes of their own: killed, told to stop, and side by side."""

import json
import os
import signal
import threading
import time

import pytest

from bethink.server.app import create_app
from bethink.server.options import Options, Work
from tests.server.webhooks.conftest import Receiver

BOT = "/v1/scopes/agent:bot:u:noop"
PATIENCE = 60  #: seconds that a process has, on a machine with much else to do


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def ask(folder, anyio_backend):
    """Ask a server on the file that workers share, which does no jobs itself."""
    import anyio
    import httpx

    def asked(*requests, **options):
        async def all_():
            work = Work(here=False, private=True)
            given = {"db": str(folder / "memory.db"), "embedder": None, "work": work, **options}
            app = create_app(Options(**given))
            async with app.router.lifespan_context(app):
                transport = httpx.ASGITransport(app=app)
                async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as door:
                    found = []
                    for method, path, *body in requests:
                        answer = await door.request(method, path, json=body[0] if body else None)
                        assert answer.is_success, answer.text
                        found.append(answer.json() if answer.content else None)
                    return found

        return anyio.run(all_, backend="asyncio")

    return asked


@pytest.fixture
def anyio_backend():
    return "asyncio"


def subscribed(ask, receiver):
    return ask(
        ("POST", "/v1/subscriptions", {"url": receiver.url}),
        ("POST", f"{BOT}/notes", {"text": "Likes tea."}),
    )


def jobs(ask):
    (found,) = ask(("GET", "/v1/jobs"))
    return {each["name"]: each for each in found["entries"]}


def finished(process):
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def test_once_does_what_is_due_and_ends(ask, process, receiver):
    subscribed(ask, receiver)
    status, out, err = finished(process("worker", "--once", "--json", "--private-deliveries"))
    assert status == 0, err
    lines = {line["job"]: line for line in map(json.loads, out.splitlines())}
    assert {"deliver", "consolidate", "clean", "embed"} <= lines.keys()
    assert (lines["deliver"]["status"], lines["deliver"]["outcome"]["delivered"]) == ("done", 1)
    assert len(receiver.letters) == 1
    status, out, _ = finished(process("worker", "--once", "--private-deliveries"))
    assert (status, out) == (0, ""), "nothing is due any more"


def test_a_worker_begins_no_database(process, folder):
    status, _, err = finished(process("worker", "--once", "--db", "mistyped.db"))
    assert status == 1
    assert "no memory found" in err
    assert not (folder / "mistyped.db").exists()


def test_the_job_of_a_worker_that_was_killed_is_taken_over_once_its_lease_ends(ask, process, receiver):
    subscribed(ask, receiver)
    receiver.then(None)
    doomed = process("worker", "--private-deliveries", "--lease", "2")
    assert receiver.arrived.wait(PATIENCE)
    os.kill(doomed.pid, signal.SIGKILL)
    doomed.communicate(timeout=PATIENCE)
    left = jobs(ask)["deliver"]
    assert (left["attempts"], left["runs"]) == (1, 0)
    receiver.gone.set()
    heir = process("worker", "--private-deliveries", "--lease", "2", "--json")
    try:
        for line in heir.stdout:
            if json.loads(line)["job"] == "deliver":
                break
    finally:
        heir.terminate()
        heir.communicate(timeout=PATIENCE)
    assert json.loads(line)["outcome"]["delivered"] == 1
    assert len(receiver.letters) == 2
    assert len({letter.headers["webhook-id"] for letter in receiver.letters}) == 1, "the receiver can tell"
    assert jobs(ask)["deliver"]["attempts"] == 0


def test_a_worker_that_is_told_to_stop_finishes_the_job_at_hand(ask, process, receiver):
    subscribed(ask, receiver)
    receiver.then(None)
    worker = process("worker", "--private-deliveries", "--json")
    assert receiver.arrived.wait(PATIENCE)
    worker.send_signal(signal.SIGTERM)
    threading.Timer(0.5, receiver.gone.set).start()
    status, out, err = finished(worker)
    assert status == 0, err
    assert "deliver" in {json.loads(line)["job"] for line in out.splitlines()}
    assert not jobs(ask)["deliver"]["running"]


def test_workers_side_by_side_do_no_job_twice(ask, process, receiver):
    ask(("POST", "/v1/subscriptions", {"url": receiver.url}))
    ask(*[("POST", f"{BOT}/notes", {"text": f"Likes the number {number}."}) for number in range(40)])
    workers = [process("worker", "--private-deliveries", "--json") for _ in range(2)]
    until = time.monotonic() + PATIENCE
    while len(receiver.letters) < 40 and time.monotonic() < until:
        time.sleep(0.05)
    for each in workers:
        each.terminate()
    ended = [finished(each) for each in workers]
    assert [status for status, _, _ in ended] == [0, 0], ended
    ids = [letter.headers["webhook-id"] for letter in receiver.letters]
    assert len(ids) == len(set(ids)) == 40


def test_a_worker_serves_the_tenants_that_it_is_given(ask, process, receiver):
    for tenant in ("one", "three"):
        ask(
            ("POST", "/v1/subscriptions", {"url": receiver.url}),
            ("POST", f"{BOT}/notes", {"text": "Likes tea."}),
            tenant=tenant,
        )
    worker = process(
        "worker", "--once", "--json", "--private-deliveries", "--tenant", "one", "--tenant", "two"
    )
    _, out, err = finished(worker)
    assert {json.loads(line)["tenant"] for line in out.splitlines()} == {"one", "two"}, err
    assert len(receiver.letters) == 1


def test_workers_share_a_postgresql_database(process, receiver, postgresql_cluster, ask, folder):
    url = postgresql_cluster.url(postgresql_cluster.create())
    key = "A" * 43 + "="
    ask(
        ("POST", "/v1/subscriptions", {"url": receiver.url}),
        *[("POST", f"{BOT}/notes", {"text": f"Likes the number {number}."}) for number in range(10)],
        db=url,
        secrets_key=key,
    )
    environment = {**os.environ, "BETHINK_SECRETS_KEY": key}
    workers = [
        process("worker", "--once", "--db", url, "--private-deliveries", env=environment) for _ in range(2)
    ]
    for each in workers:
        status, _, err = finished(each)
        assert status == 0, err
    assert len(receiver.letters) == 10
