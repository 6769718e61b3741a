"""The blocking face says what the asynchronous one says."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bethink.sync
from bethink.testing.faces import TWINS

ROOT = Path(__file__).parent.parent


def blocking(text):
    return re.sub(r"\bAsync(?=[A-Z])", "", text or "")


def members(kind):
    """Return the public methods and properties of a class, with their signatures."""
    return {
        name: "property" if isinstance(member, property) else blocking(str(inspect.signature(member)))
        for name, member in inspect.getmembers(kind)
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))
    }


def test_the_blocking_face_is_up_to_date_with_its_generator():
    done = subprocess.run(
        [sys.executable, "tools/make_sync.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_class_has_its_twin():
    assert {kind.__name__ for kind in TWINS} == {
        name for name, kind in vars(bethink.sync).items() if inspect.isclass(kind) and kind.__module__ == "bethink.sync"
        and not name.startswith("_")
    }  # fmt: skip
    assert {"Memory", "Scope", "Session", "Turn", "Shares", "Records"} <= {kind.__name__ for kind in TWINS}


@pytest.mark.parametrize("kind", TWINS, ids=lambda kind: kind.__name__)
def test_both_faces_have_the_same_names_and_signatures(kind):
    theirs, ours = members(TWINS[kind]), members(kind)
    added = {name for name, shape in ours.items() if name not in theirs and shape == "property"}
    assert {name: shape for name, shape in ours.items() if name not in added} == theirs
    for name in theirs:
        assert blocking(inspect.getdoc(getattr(TWINS[kind], name))).replace("async with", "with").replace(
            "await ", ""
        ) == inspect.getdoc(getattr(kind, name))


def test_both_faces_are_opened_by_the_same_arguments():
    def shape(kind):
        found = inspect.signature(kind).parameters
        return {name: (each.kind, each.default) for name, each in found.items() if not name.startswith("_")}

    assert shape(bethink.Memory) == shape(bethink.AsyncMemory)


def test_attributes_are_the_twins_own():
    with bethink.sync.Memory(":memory:") as memory:
        session = memory.scope(agent="bot", user="ann").session("talk")
        assert session.session_id == "talk"
        assert str(session.scope.namespace) == "agent:bot:u:ann"
        with session.turn() as turn:
            turn.append([{"role": "user", "content": "hi"}])
        assert turn.head == session.head()
