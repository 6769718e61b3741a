"""Many processes on one database: no error, nothing lost, nothing doubled, one order."""

import os
import subprocess
import sys

import pytest

from bethink.sessions import log_bodies, log_lookup
from bethink.storage.opening import open_driver
from bethink.storage.stores import BlockingStore, run
from bethink.testing.marks import marks
from tests.faults.writer import ALICE

COMMITS = int(os.environ.get("BETHINK_FAULT_COMMITS", "25"))  #: of each process; `make faults` asks for many

PREAMBLE = """
import sys, time
from bethink.errors import ConflictError
from bethink.ids import Ids
from bethink.scope.namespace import Namespace
from bethink.scope.transactions import Writing
from bethink.sessions import log_append, log_lookup
from bethink.storage.opening import open_driver
from bethink.storage.stores import BlockingStore, run
from bethink.testing.marks import mark
from bethink.testing.writings import message
url, me, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
alice, ids = Namespace(name="concierge", user="alice"), Ids()
writing = lambda: Writing(now=time.time_ns() // 1000, fresh=ids)
driver = open_driver(url)
store = BlockingStore(driver)
print("ready", flush=True)
sys.stdin.readline()
"""

MARK = """
for number in range(times):
    run(store.write(mark, f"{me}-{number:05}"))
"""
APPEND = """
for number in range(times):
    items = [message(f"{me}:{number}:{part}") for part in range(3)]
    run(store.write(log_append.append, alice, "trip", items, writing=writing()))
"""
EXPECT = """
won = 0
while won < times:
    head = run(store.read(log_lookup.head, alice, "trip"))
    items, expected = [message(f"{me}:{won}")], head.revision
    try:
        run(store.write(log_append.append, alice, "trip", items, expected=expected, writing=writing()))
    except ConflictError:
        continue
    won += 1
"""


@pytest.fixture(params=["file", "postgresql"])
def url(request, tmp_path):
    if request.param == "file":
        path = str(tmp_path / "memory.db")
        open_driver(path).close()
        return path
    return request.getfixturevalue("postgresql_url")


def together(url, script, names, times):
    """Run a script in several processes at once; all of them must end well."""
    command = [sys.executable, "-c", PREAMBLE + script + "\ndriver.close()\n", url]
    processes = [
        subprocess.Popen(
            [*command, name, str(times)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        _, errors = process.communicate(timeout=500)
        assert process.returncode == 0, errors


def read(url, work, *args):
    driver = open_driver(url)
    try:
        return run(BlockingStore(driver).read(work, *args))
    finally:
        driver.close()


def test_eight_processes_lose_and_double_nothing(url):
    names = "abcdefgh"
    together(url, MARK, names, COMMITS)
    assert read(url, marks) == [f"{name}-{number:05}" for name in names for number in range(COMMITS)]


def test_a_session_that_four_processes_append_to_has_one_order(url):
    names = "abcd"
    together(url, APPEND, names, COMMITS)
    texts = [body["content"].split(":") for body in read(url, log_bodies.bodies, ALICE, "trip", None)]
    assert len(texts) == len(names) * COMMITS * 3
    for place in range(0, len(texts), 3):
        assert [part for _, _, part in texts[place : place + 3]] == ["0", "1", "2"]
        assert len({(name, number) for name, number, _ in texts[place : place + 3]}) == 1
    for name in names:
        own = [int(number) for who, number, part in texts if who == name and part == "0"]
        assert own == list(range(COMMITS))
    head = read(url, log_lookup.head, ALICE, "trip")
    assert (head.seq, head.count) == (len(texts), len(texts))


def test_of_appends_that_expect_one_revision_exactly_one_wins(url):
    names, times = "abcd", max(5, COMMITS // 10)
    together(url, EXPECT, names, times)
    texts = [body["content"] for body in read(url, log_bodies.bodies, ALICE, "trip", None)]
    assert sorted(texts) == sorted(f"{name}:{number}" for name in names for number in range(times))
