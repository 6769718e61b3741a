"""What the package offers, and that a second process is never overlooked."""

import subprocess
import sys

import pytest

import bethink.integrations.openai_agents as door
from bethink.integrations.openai_agents import BethinkSession

pytestmark = pytest.mark.anyio

WRITER = """
import sys
from bethink import Memory
with Memory(sys.argv[1]) as memory:
    memory.scope().session("trip").append([{"role": "user", "content": "from elsewhere"}])
"""


def test_every_name_is_there_and_sorted():
    assert door.__all__ == sorted(door.__all__)
    for name in door.__all__:
        assert callable(getattr(door, name))
    assert set(door._HOME) == set(door.__all__)
    with pytest.raises(AttributeError):
        door.nothing  # noqa: B018


async def test_what_another_process_wrote_is_in_the_next_read(tmp_path):
    path = tmp_path / "shared.db"
    session = BethinkSession("trip", path)
    await session.add_items([{"role": "user", "content": "here"}])
    assert len(await session.get_items(50)) == 1
    subprocess.run([sys.executable, "-c", WRITER, str(path)], check=True)  # noqa: ASYNC221
    assert [item["content"] for item in await session.get_items(50)] == ["here", "from elsewhere"]
    assert len(await session.get_items()) == 2
    session.close()


def test_another_version_is_refused_with_the_range():
    code = (
        "import bethink.integrations.versions as w\n"
        "w.version = lambda name: '0.30.1'\n"
        "import bethink.integrations.openai_agents"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "openai-agents 0.30.1 is installed, but 0.24 or later and before 0.30 is required" in done.stderr
