"""The suite for sessions, on ours, on the SDK's own, and on a third party's example."""

import importlib.util
from pathlib import Path

import pytest
from agents.memory import SQLiteSession

from bethink.integrations.openai_agents import BethinkSession, CompactionSession
from bethink.testing.agent_sessions import AgentSessionConformance

SPEC = importlib.util.spec_from_file_location(
    "custom_session", Path(__file__).parents[2] / "examples" / "custom_session.py"
)
EXAMPLE = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(EXAMPLE)

pytest.register_assert_rewrite("bethink.testing.agent_sessions")


class TestOurs(AgentSessionConformance):
    @pytest.fixture
    def make(self, tmp_path):
        return lambda session_id: BethinkSession(session_id, tmp_path / "m.db")


class TestOursCompacted(AgentSessionConformance):
    @pytest.fixture
    def make(self, tmp_path):
        return lambda session_id: CompactionSession(BethinkSession(session_id, tmp_path / "m.db"))


class TestThirdParty(EXAMPLE.TestFolderSession):
    pass


class TestThirdPartyCompacted(AgentSessionConformance):
    @pytest.fixture
    def make(self, tmp_path):
        return lambda session_id: CompactionSession(EXAMPLE.FolderSession(session_id, tmp_path))


@pytest.mark.anyio
async def test_the_suite_finds_what_a_store_does_wrong(tmp_path):
    """A limit of the oldest items, a list that is handed out, a pop that forgets: each is seen."""

    class Wrong(EXAMPLE.FolderSession):
        async def get_items(self, limit=None):
            items = await super().get_items()
            return items if limit is None else items[:limit]

    suite = AgentSessionConformance()
    with pytest.raises(AssertionError):
        await suite.test_a_limit_is_the_newest_items_oldest_first(lambda name: Wrong(name, tmp_path))


@pytest.mark.anyio
async def test_the_suite_passes_on_the_sdks_own_store_but_for_what_it_leaves_open(tmp_path):
    suite, failed = AgentSessionConformance(), []
    for name in [each for each in dir(suite) if each.startswith("test_")]:
        path = tmp_path / f"{name}.db"
        try:
            await getattr(suite, name)(lambda session_id, path=path: SQLiteSession(session_id, path))
        except AssertionError:
            failed.append(name)
    assert failed == []
