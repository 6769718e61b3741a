"""Importing Bethink is cheap and harmless, and its public surface is decided."""

import subprocess
import sys

import pytest

import bethink

LOADED = "import sys; before = set(sys.modules); import %s; print(*sorted(set(sys.modules) - before))"
WATCHED = """
import sys, os, logging
seen = []
def watch(event, args):
    ours = event in ('socket.connect', 'socket.__new__', 'subprocess.Popen', 'os.mkdir', 'os.putenv', 'sqlite3.connect')
    if ours or (event == 'open' and (args[1] or '').strip('rbt')):
        seen.append((event, args))
sys.addaudithook(watch)
environment = dict(os.environ)
levels = logging.root.level, len(logging.root.handlers)
import threading
threads = threading.active_count()
for name in %r:
    __import__(name)
assert not seen, seen
assert environment == dict(os.environ)
assert (logging.root.level, len(logging.root.handlers)) == levels
assert set(logging.root.manager.loggerDict) <= {'asyncio', 'concurrent', 'concurrent.futures'}
assert threading.active_count() == threads
"""


def clean(code):
    """Run code in an interpreter of its own, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_importing_bethink_loads_nothing_but_what_typing_needs():
    assert set(clean(LOADED % "bethink")) == {"bethink", "__future__", *clean(LOADED % "typing")}


@pytest.mark.parametrize(
    "modules", [["bethink"], ["bethink", "bethink.sync"], ["bethink.memory.memory", "bethink.cli"]]
)
def test_importing_touches_no_file_socket_logger_thread_or_environment(modules):
    clean(WATCHED % modules)


def test_the_face_is_imported_without_what_only_recall_needs():
    loaded = clean("import sys, bethink.sync; print(*sys.modules)")
    assert not {"numpy", "snowballstemmer", "typer", "rich", "psycopg", "openai", "agents"} & set(loaded)


def test_the_face_is_imported_without_what_only_some_verbs_need():
    loaded = set(clean("import sys, bethink.sync; print(*sys.modules)"))
    assert not {"asyncio", "logging", "hashlib", "urllib.parse", "importlib.resources"} & loaded
    rooms = ("bethink.lifecycle", "bethink.tools", "bethink.health", "bethink.models", "bethink.workspace")
    assert not {name for name in loaded if name.startswith(rooms)}


def test_the_public_names_are_sorted_and_each_is_there():
    assert bethink.__all__ == sorted(bethink.__all__)
    assert set(bethink.__all__) == set(bethink._HOME)
    for name in bethink.__all__:
        assert getattr(bethink, name).__name__ == name
    public = {name for name in vars(bethink) if not name.startswith("_")} - {
        "annotations",
        "TYPE_CHECKING",
        "Any",
    }
    submodules = {name for name in public if getattr(bethink, name).__class__.__name__ == "module"}
    assert public - submodules <= set(bethink.__all__)


def test_a_name_that_is_not_public_is_not_there():
    with pytest.raises(AttributeError, match="nonsense"):
        bethink.nonsense  # noqa: B018
    assert set(bethink.__all__) <= set(dir(bethink))


def test_a_server_is_opened_without_what_only_some_of_its_callers_need():
    """The SDK of MCP, an HTTP client, a reader of tokens and templates take longer to load than all the rest."""
    opened = "from bethink.server.app import create_app; from bethink.server.options import Options; "
    loaded = set(clean(f"import sys; {opened} create_app(Options(db=':memory:')); print(*sys.modules)"))
    assert not {"mcp", "httpx", "jwt", "jinja2", "numpy", "openai", "agents", "psycopg", "fsspec"} & loaded


ONE_QUESTION = """
import sys
from bethink import Memory
with Memory(%r) as memory:
    (hit, *_) = memory.scope(user="alice").recall("What is noisy at night?")
    assert hit.item and "noisy" in hit.text
print(*sys.modules)
"""


def test_a_first_recall_loads_nothing_that_only_other_verbs_need(tmp_path):
    """A process that asks a store one thing waits for each module, and for each value that it makes."""
    url = str(tmp_path / "memory.db")
    with bethink.Memory(url) as memory:
        told = [f"House {number} of this street is noisy at night." for number in range(20)]
        memory.scope(user="alice").session("talk").append(
            [{"role": "user", "content": text} for text in told]
        )
        memory.scope(user="alice").index()
    loaded = set(clean(ONE_QUESTION % url))
    rooms = ("documents", "health", "languages", "state.transactions", "tools", "workspace", "cli", "server")
    lifecycle = ("admission", "consolidate", "distill", "inject", "values", "guard.prompt_injection")
    sessions = ("values", "windows", "log_append", "log_bodies", "token_tables")
    handles = ("documents", "profile", "records", "session", "shares", "turn", "workspace")
    unasked = {
        *(f"bethink.{name}" for name in rooms),
        *(f"bethink.lifecycle.{name}" for name in lifecycle),
        *(f"bethink.sessions.{name}" for name in sessions),
        *(f"bethink.memory.{name}" for name in handles),
        *(
            "asyncio",
            "base64",
            "importlib.resources",
            "ipaddress",
            "logging",
            "numpy.ma",
            "pathlib",
            "pydantic",
        ),
        *("socket", "tempfile", "tomllib", "urllib.parse", "zipfile"),
    }
    assert not {name for name in loaded if any(f"{name}.".startswith(f"{each}.") for each in unasked)}
