"""Kill a copy at any moment, over and over: in the end the two stores are the same."""

import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import apsw
import pytest

from bethink import Memory
from bethink.storage.copying import Copy
from bethink.testing.postgresql import ABSENT, Cluster, available
from tests.faults.ledger import KILLS

COPIER = Path(__file__).with_name("copier.py")


@pytest.fixture(scope="module")
def cluster():
    if not available():
        pytest.skip(ABSENT)
    cluster = Cluster(durable=True)
    yield cluster
    cluster.close()


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("source") / "memory.db")
    with Memory(path, embedder=None) as memory:
        for name in ("alice", "bob"):
            scope = memory.scope(agent="concierge", user=name)
            for number in range(12):
                scope.remember(f"{name} likes number {number}.", key=f"key-{number % 5}")
                items = [{"role": "user", "content": f"{number}:{part}"} for part in range(60)]
                scope.session(f"session-{number}").append(items, operation="once")
    return path


def exports(url):
    with Memory(url, embedder=None) as memory:
        return {str(scope.namespace): scope.export() for scope in memory.scopes()}


def kill_a_copy(source, target, chance, *, inside):
    """Start a copy, and kill it: in the middle of a batch, or wherever it is after a while. Say whether it was done."""
    pause = chance.randrange(1, 6) if inside else 0
    command = [sys.executable, str(COPIER), source, target, str(pause)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = [process.stdout.readline()]
    until = "inside" if inside else chance.choice(["began", "moved"])
    while said[-1].strip() not in {until, "done", ""}:
        said.append(process.stdout.readline())
    if not inside:
        select.select([], [], [], chance.uniform(0, 0.05))
    process.send_signal(signal.SIGKILL)
    rest, errors = process.communicate()
    assert said[0] == "began\n", errors
    lines = [*said, *rest.splitlines(keepends=True)]
    return "done\n" in lines, "inside\n" in lines


@pytest.mark.parametrize("way", ["to PostgreSQL", "to SQLite"])
def test_a_copy_survives_every_kill(source, cluster, tmp_path, capsys, way):
    here, wanted = source, exports(source)
    chance = random.Random(7)
    started, kills, open_ones, copies = time.monotonic(), 0, 0, 0
    if way == "to SQLite":
        here = cluster.url(cluster.create())
        with Copy(source, here) as copy:
            copy.run()
    while kills < max(6, KILLS // 2):
        copies += 1
        target = str(tmp_path / f"{copies}.db") if way == "to SQLite" else cluster.url(cluster.create())
        for _ in range(6):
            finished, inside = kill_a_copy(here, target, chance, inside=kills % 2 == 0)
            kills += 1
            open_ones += inside
            if way == "to SQLite":
                connection = apsw.Connection(target)
                assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
                connection.close()
            if finished:
                break
        with Copy(here, target) as copy:
            copy.run()
        assert exports(target) == wanted
    told = f"{kills} kills, {open_ones} of them inside an open transaction"
    with capsys.disabled():
        print(f"\ncopying {way}: {told}; {time.monotonic() - started:.0f} s")  # noqa: T201 - the log of the run
    assert open_ones * 3 >= kills
