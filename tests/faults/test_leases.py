"""A lease of a process that was killed is taken at once on the same machine; one that is held says until when."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bethink import ConflictError, Memory
from bethink.lifecycle.leases import take_lease
from bethink.storage.lease_holders import holder_name, is_gone
from bethink.storage.stores import run

pytestmark = pytest.mark.skipif(
    not Path("/proc/sys/kernel/random/boot_id").exists(), reason="only where a system tells its boot"
)
CHILD = """
import sys, time
from bethink import Memory


class Stuck:
    identity = "stuck"

    def complete(self, *args, **kwargs):
        print("asked", flush=True)
        time.sleep(600)


with Memory(sys.argv[1], chat=Stuck(), embedder=None) as memory:
    memory.scope(user="alice").consolidate(session="trip")
"""


@pytest.fixture
def path(tmp_path):
    file = str(tmp_path / "memory.db")
    with Memory(file, embedder=None) as memory:
        session = memory.scope(user="alice").session("trip")
        session.append([{"role": "user", "content": "I am allergic to peanuts."}])
    return file


@pytest.fixture
def consolidating(path):
    """A process in the middle of consolidating."""
    process = subprocess.Popen([sys.executable, "-c", CHILD, path], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "asked"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_after_a_kill_the_next_consolidation_takes_over_at_once(path, consolidating):
    os.kill(consolidating.pid, signal.SIGKILL)
    consolidating.wait()
    with Memory(path, embedder=None) as memory:
        alice = memory.scope(user="alice")
        alice.consolidate(session="trip")
        assert [note.text for note in alice.notes()] == ["I am allergic to peanuts."]


def test_while_the_other_process_lives_the_refusal_says_until_when(path, consolidating):
    with Memory(path, embedder=None) as memory:
        before = datetime.now(UTC)
        with pytest.raises(ConflictError) as refused:
            memory.scope(user="alice").consolidate(session="trip")
    until = refused.value.facts["until"]
    assert until > before
    assert f"{until:%H:%M:%S}" in str(refused.value)
    assert refused.value.facts["reason"] == "leased"


@pytest.mark.parametrize(
    "change",
    [
        lambda parts: ["another-boot.4026531836", *parts[1:]],
        lambda parts: [parts[0].partition(".")[0] + ".1234567", *parts[1:]],
        lambda parts: parts[-1:],
        lambda parts: ["", *parts[1:]],
    ],
)
def test_a_holder_of_another_machine_or_container_is_never_taken_for_gone(path, change):
    parts = holder_name("h1").split("/")
    parts[1] = "4194304"  # no process has this id here
    assert is_gone("/".join(parts))
    elsewhere = "/".join(change(parts))
    assert not is_gone(elsewhere)
    with Memory(path, embedder=None) as memory:
        runtime = memory._twin._runtime
        alice = memory.scope(user="alice")
        held = runtime.now() + 60_000_000
        writing = runtime.writing()
        run(runtime.store.write(take_lease, alice.namespace, "consolidate", elsewhere, held, writing=writing))
        with pytest.raises(ConflictError):
            alice.consolidate(session="trip")


def test_an_id_that_was_given_out_again_is_another_process(path):
    machine, process, started, word = holder_name("h1").split("/")
    assert not is_gone(f"{machine}/{process}/{started}/{word}")
    assert is_gone(f"{machine}/{process}/{int(started) - 1}/{word}")


def test_the_lease_ends_in_the_transaction_that_writes_the_plan(path):
    with Memory(path, embedder=None) as memory:
        driver = memory._twin._runtime.store.driver
        alice = memory.scope(user="alice")
        before = driver.commits
        plan = alice.consolidate(session="trip")
        assert driver.commits == before + 2  # the claim, and the plan with all that it changes
        assert alice.undo(plan.id).state == "undone"
        assert alice.consolidate(session="trip").state == "applied"


def test_a_plan_that_fails_lets_go_of_the_lease(path):
    class Failing:
        identity = "failing"

        def complete(self, *args, **kwargs):
            raise ZeroDivisionError

    with Memory(path, chat=Failing(), embedder=None) as memory, pytest.raises(ZeroDivisionError):
        memory.scope(user="alice").consolidate(session="trip")
    with Memory(path, embedder=None) as memory:
        assert memory.scope(user="alice").consolidate(session="trip").state == "applied"
