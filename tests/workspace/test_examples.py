"""The examples of the four uses run as they are, each in an interpreter of its own."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.mark.parametrize(
    ("name", "needs", "shows"),
    [
        ("functions", None, ["until `pip install pyyaml`", "memories/MEMORY.md:"]),
        ("sandbox", "agents", ["Always run `make setup` before `make check`."]),
        ("claude", "anthropic", ["Next: the index page.", "would escape /memories directory"]),
        ("coding_agent", None, ["Node is pinned to version 22.", "[packages](packages.md): "]),
    ],
)
def test_an_example_runs(name, needs, shows, tmp_path):
    if needs is not None and find_spec(needs) is None:
        pytest.skip(f"{needs} is not installed")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / f"workspace_{name}.py"), str(tmp_path)],
        check=False, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for each in shows:
        assert each in done.stdout
