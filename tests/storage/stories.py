"""What the tests of the drivers have in common."""

import subprocess
import sys
import textwrap
import threading

from bethink.storage.jobs import BlockingJob
from bethink.storage.stores import BlockingStore, run
from bethink.testing.marks import mark, marks

__all__ = ["held", "in_process", "mark", "marks", "read", "start", "write"]


def write(driver, work, *args, **kwargs):
    return run(BlockingStore(driver).write(work, *args, **kwargs))


def read(driver, work, *args, **kwargs):
    return run(BlockingStore(driver).read(work, *args, **kwargs))


def start(driver, work, *args):
    """Begin a write, and return the job to wait for."""
    job = BlockingJob(lambda: work(*args), write=True)
    driver.start(job)
    return job


class held:
    """Hold the writer inside a transaction, so that what is written meanwhile waits together."""

    def __init__(self, driver):
        self.driver = driver

    def __enter__(self):
        self._gate, reached = threading.Event(), threading.Event()

        def unit():
            yield from mark("the one that holds")
            yield from marks()  # what answers nothing may not be on its way yet
            reached.set()
            self._gate.wait(30)

        self._job = start(self.driver, unit)
        assert reached.wait(30)
        return self

    def __exit__(self, *_):
        self._gate.set()
        self._job.wait()


PREAMBLE = """
import os, sys, warnings
warnings.simplefilter("ignore")
from bethink.errors import *
from bethink.storage.opening import open_driver
from bethink.storage.stores import BlockingStore, run
from bethink.testing.marks import mark, marks
from bethink.testing.writings import *
def write(driver, work, *args): return run(BlockingStore(driver).write(work, *args))
def read(driver, work, *args): return run(BlockingStore(driver).read(work, *args))
"""


def in_process(script, *arguments, wait=True, **options):
    """Run a script in a process of its own; return what it printed, or the process where it is not waited for."""
    command = [sys.executable, "-c", PREAMBLE + textwrap.dedent(script), *map(str, arguments)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.PIPE, text=True, **options
    )
    if not wait:
        return process
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return out.strip()
