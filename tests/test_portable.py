"""What only POSIX systems have is guarded, and what cannot do without says so where it is asked for."""

import importlib
import sys
from pathlib import Path

import pytest

from bethink import InvalidError, Memory

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))
portable = importlib.import_module("portable")


def test_nothing_of_the_package_calls_what_only_posix_has_without_a_guard():
    sources = sorted((ROOT / "src/bethink").rglob("*.py"))
    assert len(sources) > 300
    assert [str(each) for path in sources for each in portable.found(path)] == []


@pytest.mark.parametrize(
    "source",
    [
        "import fcntl",
        "from os import fork",
        "import os\npid = os.fork()",
        "import os\nif True:\n    os.getuid()",
        "import os, contextlib\nwith contextlib.suppress(ProcessLookupError):\n    os.kill(1, 0)",
        "import signal\nsignal.signal(signal.SIGKILL, None)",
        "import asyncio\nasyncio.get_event_loop().add_signal_handler(2, print)",
        "import os\ntry:\n    os.kill(1, 0)\nexcept OSError:\n    pass",
    ],
)
def test_a_call_without_a_guard_is_found(source, tmp_path):
    (tmp_path / "some.py").write_text(source)
    assert len(list(portable.found(tmp_path / "some.py"))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    import fcntl\nexcept ImportError:\n    fcntl = None",
        "import os, sys\nif sys.platform != 'win32':\n    os.fork()",
        "import os\nif hasattr(os, 'getuid'):\n    os.getuid()",
        "import os\ndef f():\n    if os.name != 'posix':\n        return None\n    return os.getuid()",
        "import os\nos.fork()  # posix: this file is of Linux alone",
        "import os\nx = os.O_NOFOLLOW if hasattr(os, 'O_NOFOLLOW') else 0",
        "from server import resource\nresource.router",
    ],
)
def test_a_call_with_a_guard_is_left_alone(source, tmp_path):
    (tmp_path / "some.py").write_text(source)
    assert list(portable.found(tmp_path / "some.py")) == []


def test_a_workspace_where_files_cannot_be_opened_step_by_step_is_refused_with_a_sentence(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("bethink.workspace.directory._OPENS_BELOW", False)
    with Memory(":memory:") as memory:
        scope = memory.scope(user="alice")
        with pytest.raises(InvalidError, match="POSIX") as refused:
            scope.workspace(tmp_path).open()
        assert refused.value.argument == "directory"
