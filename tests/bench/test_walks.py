"""The script that counts what an operation passes counts all of it, whichever thread does it."""

import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[2] / "bench"


def listed(operation):
    script = [sys.executable, str(BENCH / "walks.py"), "--list", operation]
    done = subprocess.run(script, capture_output=True, text=True, check=True, timeout=120)
    return done.stdout


def test_a_request_is_followed_from_its_middleware_to_the_thread_that_writes():
    walk = listed("POST notes")
    passed = [
        walk.index(f" {name}\n") for name in ("AccessLog.__call__", "NoteVerbs.remember", "Writer._commit")
    ]
    assert passed == sorted(passed)


def test_a_consolidation_is_followed_into_the_thread_that_thinks():
    walk = listed("consolidate")
    assert " lifecycle/consolidate/rules.py:" in walk
