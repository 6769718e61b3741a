"""Hermes Agent over Bethink: its own loader, its own manager, and its own agent over a scripted model."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("agent.memory_provider", reason="make conformance has an environment with it")

from agent.memory_manager import MemoryManager
from agent.memory_provider import MemoryProvider
from plugins.memory import discover_memory_providers, load_memory_provider

from bethink import InvalidError, Memory
from bethink.integrations.hermes import BethinkMemoryProvider, install
from bethink.integrations.shared_memory import close_idle

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    yield tmp_path
    close_idle()


@pytest.fixture
def start(home):
    """Return what starts a manager with our provider, as the agent does."""
    started = []

    def begin(session="monday", **said):
        manager = MemoryManager()
        manager.add_provider(BethinkMemoryProvider())
        manager.initialize_all(
            session, **{"platform": "cli", "hermes_home": str(home), "agent_context": "primary", **said}
        )
        started.append(manager)
        return manager

    yield begin
    for manager in started:
        manager.shutdown_all()


def turn(manager, said, answered="Noted.", session="monday", **rest):
    manager.sync_all(said, answered, session_id=session, **rest)
    assert manager.flush_pending(20)


def kept(home, user="me", agent="hermes"):
    with Memory(home / "bethink.db") as memory:
        scope = memory.scope(agent=agent, user=user)
        return {info.id: scope.session(info.id).get_items() for info in scope.sessions()}


def notes(home, user="me"):
    with Memory(home / "bethink.db") as memory:
        return [note.text for note in memory.scope(agent="hermes", user=user).notes()]


def test_hermes_finds_and_loads_the_plugin_that_was_written(home):
    folder = install()
    assert folder == home / "plugins" / "bethink"
    assert install() == folder
    (found,) = [each for each in discover_memory_providers() if each[0] == "bethink"]
    assert found[2] is True
    assert "no key" in found[1]
    provider = load_memory_provider("bethink")
    assert isinstance(provider, MemoryProvider)
    assert provider.name == "bethink"


def test_three_commands_make_it_the_memory_of_hermes(home):
    def do(*command):
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    hermes = Path(sys.executable).with_name("hermes")
    assert "hermes config set memory.provider bethink" in do(
        sys.executable, "-m", "bethink.integrations.hermes"
    )
    do(hermes, "config", "set", "memory.provider", "bethink")
    (line,) = [each for each in do(hermes, "memory", "status").splitlines() if "bethink  (" in each]
    assert line.strip().endswith("active")


def test_what_a_turn_said_is_kept_learned_at_the_end_of_its_session_and_told_in_the_next(home, start):
    monday = start("monday")
    assert "vegetarian" not in monday.prefetch_all("Remember that I am vegetarian.", session_id="monday")
    turn(monday, "Remember that I am vegetarian.")
    monday.on_session_end([])
    friday = start("friday")
    assert "I am vegetarian." in friday.prefetch_all("Find a restaurant.", session_id="friday")
    assert "memory_policy" in friday.build_system_prompt()
    assert "memory_policy" not in friday.prefetch_all("Find a restaurant.", session_id="friday")
    assert list(kept(home)) == ["monday"]
    assert notes(home) == ["I am vegetarian."]


def test_calls_of_tools_are_kept_between_what_was_said_and_what_was_answered(home, start):
    call = {"id": "c", "type": "function", "function": {"name": "book", "arguments": "{}"}}
    messages = [
        {"role": "system", "content": "prompt"},
        {"role": "user", "content": "earlier"},
        {"role": "assistant", "content": "yes"},
        {"role": "user", "content": "Book it.\n\n<memory-context>injected</memory-context>"},
        {"role": "assistant", "content": None, "tool_calls": [call], "_internal": object()},
        {"role": "tool", "tool_call_id": "c", "content": "booked"},
        {"role": "assistant", "content": "Booked."},
    ]
    turn(start(), "Book it.", "Booked.", messages=messages)
    (items,) = kept(home).values()
    assert [item["role"] for item in items] == ["user", "assistant", "tool", "assistant"]
    assert items[0]["content"] == "Book it."
    assert items[1] == {"role": "assistant", "content": None, "tool_calls": [call]}
    assert "injected" not in json.dumps(items)


def test_another_session_is_another_log_and_an_undone_turn_is_taken_back(home, start):
    manager = start("monday")
    turn(manager, "first")
    turn(manager, "second")
    manager.on_session_switch("monday", rewound=True)
    said = [{"role": "user", "content": "first"}, {"role": "assistant", "content": "Noted."}]
    turn(manager, "third", messages=[*said, {"role": "user", "content": "third"}])
    manager.on_session_switch("friday", reset=True)
    manager.sync_all("elsewhere", "Noted.")
    manager.flush_pending(20)
    found = {name: [each["content"] for each in items] for name, items in kept(home).items()}
    assert found == {
        "monday": ["first", "Noted.", "third", "Noted."],
        "friday": ["elsewhere", "Noted."],
    }


@pytest.mark.parametrize("context", ["subagent", "cron", "flush"])
def test_only_the_primary_agent_writes(home, start, context):
    manager = start("monday", agent_context=context)
    turn(manager, "Remember that I am vegetarian.")
    manager.on_memory_write("add", "user", "Is vegetarian.")
    manager.on_session_end([])
    assert kept(home) == {}
    assert notes(home) == []


def test_users_of_platforms_are_apart_and_nobody_gets_no_memory(home, start):
    ana = start(platform="telegram", user_id="1")
    turn(ana, "Remember that I am vegetarian.")
    ana.on_session_end([])
    for said in ({"platform": "telegram", "user_id": "2"}, {"platform": "discord", "user_id": "1"}, {}):
        other = start("friday", **said)
        assert "vegetarian" not in other.prefetch_all("Find a restaurant.")
    nobody = start("friday", platform="telegram")
    turn(nobody, "Remember that I hate ferries.", session="friday")
    nobody.on_memory_write("add", "user", "Hates ferries.")
    assert nobody.prefetch_all("Find a restaurant.") == ""
    assert nobody.build_system_prompt() == ""
    assert "error" in json.loads(nobody.handle_tool_call("list_memories", {}))
    with pytest.raises(InvalidError, match="telegram names no user"):
        BethinkMemoryProvider().initialize("s", platform="telegram", hermes_home=str(home))
    with Memory(home / "bethink.db") as memory:
        assert memory.erase(user="telegram:1").remaining == 0
    assert "vegetarian" not in start(platform="telegram", user_id="1").prefetch_all("Find a restaurant.")


def test_one_person_on_two_platforms_may_have_one_memory(home, start):
    provider = BethinkMemoryProvider()
    provider.save_config({"user": "ana", "users": {"telegram:1": "ana"}}, str(home))
    provider.save_config({"url": "bethink.db"}, str(home))
    phone = start(platform="telegram", user_id="1")
    turn(phone, "Remember that I am vegetarian.")
    phone.on_session_end([])
    assert "vegetarian" in start("friday").prefetch_all("Find a restaurant.")
    assert provider.backup_paths() == []
    provider.save_config({"url": "/srv/elsewhere.db"}, str(home))
    assert provider.backup_paths() == ["/srv/elsewhere.db"]


def test_what_the_built_in_memory_holds_is_followed_when_it_changes_and_when_it_goes(home, start):
    manager = start()
    manager.on_memory_write("add", "user", "Is vegetarian.")
    manager.on_memory_write("add", "user", "Lives in Bergen.")
    manager.on_memory_write("add", "memory", "The harbour office opens at nine.")
    assert sorted(notes(home)) == ["Is vegetarian.", "Lives in Bergen.", "The harbour office opens at nine."]
    manager.on_memory_write("replace", "user", "Is vegan.", {"old_text": "vegetarian"})
    manager.on_memory_write("remove", "user", "", {"old_text": "Bergen"})
    manager.on_memory_write("remove", "user", "", {"old_text": "harbour"})
    assert sorted(notes(home)) == ["Is vegan.", "The harbour office opens at nine."]


def test_tools_are_offered_under_names_that_hermes_has_not_and_answer_in_json(home, start):
    manager = start()
    names = {schema["name"] for schema in manager.get_all_tool_schemas()}
    assert names == {"remember", "recall", "search_memory", "forget", "list_memories"}
    said = json.loads(
        manager.handle_tool_call("remember", {"key": "seat", "content": "Prefers aisle seats."})
    )
    assert "result" in said
    assert "aisle" in json.loads(manager.handle_tool_call("recall", {"key": "seat"}))["result"]
    assert "error" in json.loads(manager.handle_tool_call("recall", {}))


def test_a_configuration_that_is_no_json_is_refused_by_name(home):
    (home / "bethink.json").write_text("{")
    with pytest.raises(InvalidError, match=r"bethink\.json"):
        BethinkMemoryProvider().initialize("s", platform="cli", hermes_home=str(home))


def test_another_version_is_refused_with_the_range():
    code = (
        "import importlib.metadata as m; v = m.version\n"
        "import bethink.integrations.versions as w\n"
        "w.version = lambda n: '0.1.0' if n == 'hermes-agent' else v(n)\n"
        "import bethink.integrations.hermes"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "hermes-agent 0.1.0 is installed, but 0.19 or later and before 1 is required" in done.stderr


def test_the_example_lets_the_agent_itself_remember(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "hermes_memory.py", str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-4:] == [
        "monday: I know nothing of you yet.",
        "friday: I know: - I am vegetarian.",
        "tools: forget, list_memories, recall, remember, search_memory",
        "left after erasing: 0",
    ]
