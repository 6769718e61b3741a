"""Claude Agent SDK over Bethink: transcripts, their lists, and memories that go with prompts."""

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

pytest.importorskip("claude_agent_sdk", reason="make conformance has an environment with it")

from claude_agent_sdk import (
    ClaudeAgentOptions,
    delete_session_via_store,
    get_session_messages_from_store,
    list_sessions_from_store,
    project_key_for_directory,
)

from bethink import AsyncMemory, InvalidError, Memory
from bethink.errors import BethinkError, StorageError
from bethink.integrations.claude_agent_sdk import BethinkSessionStore

pytestmark = pytest.mark.anyio
KEY = {"project_key": "-work-site", "session_id": "0f8fad5b-d9cb-469f-a165-70867728950e"}
ROOT = Path(__file__).parents[2]


def said(number, text, **more):
    message = {"role": "user", "content": text}
    return {"type": "user", "uuid": f"entry-{number}", "message": message, "sessionId": KEY["session_id"],
            "timestamp": f"2026-03-02T09:00:{number:02d}.000Z", **more}  # fmt: skip


@pytest.fixture
async def memory(tmp_path):
    async with AsyncMemory(tmp_path / "memory.db") as opened:
        yield opened


def prompt(text, key=KEY):
    file = f"/home/ana/.claude/projects/{key['project_key']}/{key['session_id']}.jsonl"
    return {"hook_event_name": "UserPromptSubmit", "prompt": text, "cwd": "/work/site",
            "session_id": key["session_id"], "transcript_path": file}  # fmt: skip


async def told(store, text, key=KEY):
    (matcher,) = store.hooks()["UserPromptSubmit"]
    output = await matcher.hooks[0](prompt(text, key), None, {"signal": None})
    return output.get("hookSpecificOutput", {}).get("additionalContext", "")


async def test_a_batch_that_is_retried_is_kept_once(memory):
    store = BethinkSessionStore(memory, user="ana")
    batch = [said(1, "one"), said(2, "two"), {"type": "mode", "mode": "plan"}]
    await store.append(KEY, batch)
    await store.append(KEY, [*batch[:2], said(3, "three")])
    assert await store.load(KEY) == [*batch, said(3, "three")]


async def test_entries_of_shapes_that_nobody_reads_come_back_and_stop_nothing(memory):
    store = BethinkSessionStore(memory, user="ana", idle=timedelta(0))
    strange = [
        {"type": "of-the-future", "payload": [1, {"deep": None}]},
        {"type": "user", "uuid": "odd-1", "message": "no object"},
        {
            "type": "user",
            "uuid": "odd-2",
            "message": {"role": "user", "content": [{"type": "hologram", "x": 1}]},
        },
        {"type": "assistant", "uuid": "odd-3", "message": {"role": "assistant", "content": None}},
        {"no": "type"},
    ]
    await store.append(KEY, [*strange, said(1, "Remember that I am vegetarian.")])
    assert (await store.load(KEY))[:5] == strange
    other = {**KEY, "session_id": "1f8fad5b-d9cb-469f-a165-70867728950e"}
    assert "vegetarian" in await told(store, "What shall I eat?", other)


async def test_a_batch_whose_append_is_cancelled_is_there_as_a_whole_or_not_at_all(memory):
    batch = [said(number, f"line {number}") for number in range(30)]
    for moment in range(6):
        store, key = BethinkSessionStore(memory, user="ana"), {**KEY, "session_id": f"s{moment}"}
        task = asyncio.ensure_future(store.append(key, batch))
        for _ in range(moment):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert await store.load(key) in (None, batch)
        await store.append(key, batch)
        assert await store.load(key) == batch


async def test_ids_that_no_label_can_be_are_told_apart_all_the_same(memory):
    store = BethinkSessionStore(memory, user="ana")
    long = {"project_key": "-" + "x" * 199, "session_id": "s" * 100}
    other = {**long, "session_id": "s" * 99 + "t"}
    entry = {"type": "user", "uuid": "u" * 400, "n": 1}
    await store.append(long, [entry, entry])
    await store.append({**long, "subpath": "subagents/agent-1"}, [entry])
    await store.append(other, [{**entry, "n": 2}])
    assert await store.load(long) == [entry]
    assert await store.load(other) == [{**entry, "n": 2}]
    assert await store.list_subkeys(long) == ["subagents/agent-1"]


async def test_a_project_with_a_slash_is_no_other_one(memory):
    store = BethinkSessionStore(memory, user="ana")
    await store.append({"project_key": "a/b", "session_id": "c"}, [said(1, "one")])
    assert await store.load({"project_key": "a", "session_id": "b", "subpath": "c"}) is None
    assert await store.load({"project_key": "a", "session_id": "b/c"}) is None


async def test_writers_at_the_same_time_lose_no_entry_and_no_summary(tmp_path):
    async with AsyncMemory(tmp_path / "memory.db") as one, AsyncMemory(tmp_path / "memory.db") as two:
        stores = [BethinkSessionStore(each, user="ana") for each in (one, two)]
        titled = [{"type": "custom-title", "uuid": "t", "customTitle": "Site"}, {"type": "tag", "tag": "web"}]
        await asyncio.gather(
            *(stores[n % 2].append(KEY, [said(n, f"line {n}", gitBranch="main")]) for n in range(1, 20)),
            *(store.append(KEY, [entry]) for store, entry in zip(stores, titled, strict=True)),
        )
        assert len(await stores[0].load(KEY)) == 21
        (summary,) = await stores[1].list_session_summaries(KEY["project_key"])
    wanted = {"custom_title": "Site", "tag": "web", "git_branch": "main"}
    assert wanted.items() <= summary["data"].items()


async def test_the_sdks_own_lists_reads_and_deletes_work(memory, tmp_path):
    store = BethinkSessionStore(memory, user="ana")
    key = {**KEY, "project_key": project_key_for_directory(str(tmp_path))}
    await store.append(key, [said(1, "Find a restaurant.", parentUuid=None)])
    (session,) = await list_sessions_from_store(store, directory=str(tmp_path))
    assert (session.session_id, session.summary) == (key["session_id"], "Find a restaurant.")
    (message,) = await get_session_messages_from_store(store, key["session_id"], directory=str(tmp_path))
    assert message.message["content"] == "Find a restaurant."
    await delete_session_via_store(store, key["session_id"], directory=str(tmp_path))
    assert await store.load(key) is None
    assert await list_sessions_from_store(store, directory=str(tmp_path)) == []
    await store.append(key, [said(1, "Again.")])
    assert await store.load(key) == [said(1, "Again.")]


async def test_what_is_learned_goes_with_the_prompts_of_that_user_alone(memory):
    ana = BethinkSessionStore(memory, user="ana", idle=timedelta(0))
    bob = BethinkSessionStore(memory, user="bob", idle=timedelta(0))
    await ana.append(KEY, [said(1, "Remember that I am vegetarian.")])
    later = {**KEY, "session_id": "later"}
    assert "vegetarian" in await told(ana, "Find a restaurant.", later)
    assert "vegetarian" not in await told(bob, "Find a restaurant.", later)
    assert await bob.load(KEY) is None
    assert await bob.list_sessions(KEY["project_key"]) == []


async def test_what_a_subagent_was_told_is_not_taken_for_the_users_words(memory):
    store = BethinkSessionStore(memory, user="ana")
    sub = {**KEY, "subpath": "subagents/agent-1"}
    await store.append(sub, [said(1, "Remember that I am vegetarian.", isSidechain=True)])
    await store.learn()
    assert "vegetarian" not in await told(store, "Find a restaurant.", {**KEY, "session_id": "later"})


async def test_what_a_hook_put_into_a_transcript_is_not_learned_again(memory):
    store = BethinkSessionStore(memory, user="ana")
    hook = {"type": "hook_additional_context", "content": ["Remember that I am vegetarian."]}
    await store.append(KEY, [{"type": "attachment", "uuid": "a", "attachment": hook}])
    await store.learn()
    scope = memory.scope(agent="claude", user="ana")
    assert not await scope.notes()


async def test_erasing_a_user_takes_transcripts_and_summaries(memory):
    store = BethinkSessionStore(memory, user="ana")
    await store.append(KEY, [said(1, "one")])
    await store.append({**KEY, "subpath": "subagents/agent-1"}, [said(1, "two")])
    receipt = await memory.erase(user="ana")
    assert receipt.remaining == 0
    assert await store.load(KEY) is None
    assert await store.list_sessions(KEY["project_key"]) == []
    assert await store.list_subkeys(KEY) == []


async def test_a_prompt_goes_without_memories_where_the_store_does_not_answer(memory, monkeypatch):
    from bethink.memory.scope import AsyncScope

    async def fails(self, **options):
        raise StorageError("the disk is gone", outcome="none")

    monkeypatch.setattr(AsyncScope, "context", fails)
    assert await told(BethinkSessionStore(memory, user="ana"), "Find a restaurant.") == ""


async def test_a_batch_that_is_not_written_is_said_so_that_the_sdk_tries_again(memory):
    store = BethinkSessionStore(memory, user="ana")
    await memory.close()
    with pytest.raises(BethinkError):
        await store.append(KEY, [said(1, "one")])


async def test_whose_transcripts_they_are_has_to_be_said(memory):
    with pytest.raises(TypeError, match="user"):
        BethinkSessionStore(memory)
    with pytest.raises(InvalidError):
        BethinkSessionStore(memory, user="")
    with pytest.raises(InvalidError, match="project_key and session_id"):
        await BethinkSessionStore(memory, user="ana").load({"project_key": "p"})


async def test_a_blocking_memory_serves_as_well(tmp_path):
    with Memory(tmp_path / "memory.db") as memory:
        store = BethinkSessionStore(memory, user="ana")
        await store.append(KEY, [said(1, "one")])
        assert await store.load(KEY) == [said(1, "one")]
        assert ClaudeAgentOptions(session_store=store, hooks=store.hooks()).session_store is store


def test_another_version_is_refused_with_the_range(monkeypatch):
    code = (
        "import importlib.metadata as m; v = m.version\n"
        "m.version = lambda n: '0.1.50' if n == 'claude-agent-sdk' else v(n)\n"
        "import bethink.integrations.versions as w; w.version = m.version\n"
        "import bethink.integrations.claude_agent_sdk"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (
        "claude-agent-sdk 0.1.50 is installed, but 0.2.187 or later and before 0.3 is required" in done.stderr
    )


def test_the_sdks_client_knows_its_user_in_the_next_session(tmp_path):
    command = [sys.executable, ROOT / "examples" / "claude_agent_sdk_memory.py", str(tmp_path / "memory.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "ana, monday: I know nothing of you yet.",
        "ana, friday: I know: - I am vegetarian. (2026-03-02)",
        "bob, friday: I know nothing of you yet.",
        "sessions of ana: 2",
        "left after erasing: 0",
    ]
