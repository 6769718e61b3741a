"""mem0's own clients, of Python and of npm, against a server process: nothing of them is changed but the host."""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

os.environ["MEM0_TELEMETRY"] = "False"  # it is read when the client is imported
pytest.importorskip("mem0", reason="make conformance has an environment with it")

import httpx
from mem0 import AsyncMemoryClient, MemoryClient
from mem0.client.types import AddMemoryOptions, GetAllMemoryOptions, SearchMemoryOptions, UpdateMemoryOptions
from mem0.exceptions import (
    AuthenticationError,
    MemoryError,  # noqa: A004 - it is what mem0 calls it
    MemoryNotFoundError,
    MemoryQuotaExceededError,
    RateLimitError,
    ValidationError,
)

from bethink.server.api_keys import add_key

NPM = "mem0ai@3.3.1"
ROOT = Path(__file__).parents[2]
TALK = [
    {"role": "user", "content": "Hi, I'm Alex. I'm a vegetarian and I'm allergic to nuts."},
    {"role": "assistant", "content": "Noted."},
]


@contextmanager
def connected(url, key):
    opened = MemoryClient(api_key=key, host=url)
    with closing(opened.client):
        yield opened


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Start `bethink serve --compat mem0`, and return its address and keys."""
    folder = tmp_path_factory.mktemp("served")
    keys = folder / "keys.json"
    made = {"app": add_key(keys, "app", admin=True), "ana": add_key(keys, "ana")}
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "bethink.cli",
        "serve",
        "--db",
        str(folder / "memory.db"),
        "--port",
        str(port),
    ]
    command += ["--auth", "bearer", "--keys", str(keys), "--compat", "mem0", "--no-background"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(400):
            try:
                if httpx.get(f"{url}/v1/readiness").status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.05)
        yield url, made
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture
def client(served):
    url, keys = served
    with connected(url, keys["app"]) as opened:
        yield opened
        if opened.users()["results"]:
            opened.reset()


def texts(found):
    return sorted(each["memory"] for each in found["results"])


# ---- Python -------------------------------------------------------------------------------------------------------


def test_messages_are_learned_from_and_found(client):
    added = client.add(TALK, user_id="alex", metadata={"from": "chat"})
    assert {each["event"] for each in added["results"]} == {"ADD"}
    found = client.search("What can I not eat?", filters={"user_id": "alex"}, top_k=2)
    assert "I'm allergic to nuts." in texts(found)
    assert texts(client.get_all(filters={"user_id": "alex"})) == [
        "I'm Alex.",
        "I'm a vegetarian.",
        "I'm allergic to nuts.",
    ]


def test_a_text_is_kept_as_it_is(client):
    client.add("Drives a red Fiat", user_id="alex", infer=False)
    client.add("User likes pizza", user_id="alex")
    assert texts(client.get_all(filters={"user_id": "alex"})) == ["Drives a red Fiat", "User likes pizza"]


def test_typed_options_say_the_same(client):
    options = AddMemoryOptions(
        filters={"user_id": "alex", "run_id": "r1"}, infer=False, metadata={"city": "Rome"}
    )
    (made,) = client.add("Drives a red Fiat", options=options)["results"]
    wanted = {"AND": [{"user_id": "alex"}, {"run_id": "r1"}, {"metadata": {"city": "Rome"}}]}
    assert texts(
        client.search("car", options=SearchMemoryOptions(filters=wanted, top_k=5, threshold=0.0))
    ) == ["Drives a red Fiat"]
    page = client.get_all(options=GetAllMemoryOptions(filters=wanted, page=1, page_size=10))
    assert (page["count"], page["next"]) == (1, None)
    client.update(made["id"], UpdateMemoryOptions(text="Drives a blue Fiat"))
    assert client.get(made["id"])["memory"] == "Drives a blue Fiat"


def test_filters_with_and_and_or_hold(client):
    for agent in ("cook", "guide", "driver"):
        client.add(f"Is told by the {agent}", user_id="alex", agent_id=agent, infer=False)
    either = {"AND": [{"user_id": "alex"}, {"OR": [{"agent_id": "cook"}, {"agent_id": "guide"}]}]}
    assert texts(client.search("told", filters=either)) == ["Is told by the cook", "Is told by the guide"]


def test_lists_come_in_pages(client):
    for number in range(5):
        client.add(f"Owns boat {number}", user_id="alex", infer=False)
    pages = [client.get_all(filters={"user_id": "alex"}, page=page, page_size=2) for page in (1, 2, 3)]
    assert [page["count"] for page in pages] == [5, 5, 5]
    assert sorted(each for page in pages for each in texts(page)) == [
        f"Owns boat {number}" for number in range(5)
    ]
    assert pages[2]["next"] is None


def test_update_history_and_delete(client):
    (made,) = client.add("Drives a red Fiat", user_id="alex", infer=False)["results"]
    client.update(made["id"], text="Drives a blue Fiat", metadata={"city": "Milan"})
    assert [each["new_memory"] for each in client.history(made["id"])] == [
        "Drives a red Fiat",
        "Drives a blue Fiat",
    ]
    client.delete(made["id"])
    with pytest.raises(MemoryNotFoundError):
        client.get(made["id"])
    assert texts(client.search("Fiat", filters={"user_id": "alex"})) == []


def test_batches(client):
    made = [client.add(f"Owns boat {n}", user_id="alex", infer=False)["results"][0]["id"] for n in range(3)]
    client.batch_update([{"memory_id": each, "text": f"Sold boat {n}"} for n, each in enumerate(made)])
    client.batch_delete([{"memory_id": made[0]}, {"memory_id": made[1]}])
    assert texts(client.get_all(filters={"user_id": "alex"})) == ["Sold boat 2"]


def test_users_are_listed_and_deleted_and_delete_all_deletes_no_others(client):
    client.add("Owns a kayak", user_id="ana", infer=False)
    client.add("Owns a canoe", user_id="ben", infer=False)
    assert {(each["type"], each["name"]) for each in client.users()["results"]} == {
        ("user", "ana"),
        ("user", "ben"),
    }
    client.delete_all(user_id="ana")
    assert texts(client.get_all(filters={"user_id": "*"})) == ["Owns a canoe"]
    client.delete_users(user_id="ben")
    assert client.users()["count"] == 0


def test_errors_are_the_clients_own_classes(client, served):
    url, keys = served
    with pytest.raises(ValidationError, match="colour"):
        client.search("x", filters={"colour": "red"})
    with pytest.raises(ValidationError, match="whose"):
        client.get_all()
    with pytest.raises(MemoryNotFoundError):
        client.delete("nothing")
    with pytest.raises(ValidationError, match="payment card number"):
        client.add("4111 1111 1111 1111", user_id="alex", infer=False)
    with pytest.raises(MemoryQuotaExceededError):
        client.add("x" * 9_000, user_id="alex", infer=False)
    with closing(httpx.Client()) as http, pytest.raises(ValueError, match="credentials"):
        MemoryClient(api_key="bk_wrong", host=url, client=http)
    with connected(url, keys["ana"]) as ana, pytest.raises(AuthenticationError, match="bound to the user"):
        ana.get_all(filters={"user_id": "alex"})
    assert issubclass(RateLimitError, MemoryError)


def test_a_key_of_a_user_reaches_that_user_alone(client, served):
    url, keys = served
    (bens,) = client.add("Owns a canoe", user_id="ben", infer=False)["results"]
    with connected(url, keys["ana"]) as ana:
        ana.add("Owns a kayak", infer=False)
        assert texts(ana.get_all(filters={"user_id": "*"})) == ["Owns a kayak"]
        for attempt in (
            lambda: ana.get(bens["id"]),
            lambda: ana.update(bens["id"], text="Planted"),
            lambda: ana.delete(bens["id"]),
            lambda: ana.history(bens["id"]),
            lambda: ana.batch_delete([{"memory_id": bens["id"]}]),
        ):
            with pytest.raises(MemoryNotFoundError):
                attempt()
        with pytest.raises(AuthenticationError):
            ana.delete_all(user_id="ben")
    assert client.get(bens["id"])["memory"] == "Owns a canoe"


@pytest.mark.parametrize(
    "call",
    [
        lambda c: c.feedback("x", "POSITIVE"),
        lambda c: c.create_memory_export("{}"),
        lambda c: c.get_memory_export(),
        lambda c: c.get_summary(),
        lambda c: c.get_profile("ana"),
        lambda c: c.generate_profile("ana"),
        lambda c: c.get_profile_settings(),
        lambda c: c.project.get(),
        lambda c: c.project.get_members(),
        lambda c: c.get_webhooks("p"),
        lambda c: c.create_webhook("https://x.example", "x", "p", ["memory_add"]),
    ],
)
def test_what_is_not_served_is_said(client, call):
    with pytest.raises(MemoryError, match="Bethink does not serve this part of mem0's API"):
        call(client)


def test_the_awaited_client_does_the_same(client, served):
    url, keys = served

    async def use():
        async with AsyncMemoryClient(api_key=keys["app"], host=url) as awaited:
            await asyncio.gather(
                *(awaited.add(f"Owns boat {n}", user_id="alex", infer=False) for n in range(5)),
                awaited.add(TALK, user_id="alex"),
            )
            found = await awaited.search("boat", filters={"user_id": "alex"}, top_k=5)
            listed = await awaited.get_all(filters={"user_id": "alex"})
            one = found["results"][0]["id"]
            await awaited.update(one, text="Sold every boat")
            history = await awaited.history(one)
            shown = await awaited.get(one)
            await awaited.batch_update([{"memory_id": one, "text": "Sold no boat"}])
            await awaited.batch_delete([{"memory_id": one}])
            await awaited.delete(
                listed["results"][0]["id"]
                if listed["results"][0]["id"] != one
                else listed["results"][1]["id"]
            )
            rest = await awaited.get_all(filters={"user_id": "alex"})
            with pytest.raises(ValidationError, match="colour"):
                await awaited.search("x", filters={"colour": 1})
            await awaited.delete_all(user_id="alex")
            gone = await awaited.get_all(filters={"user_id": "alex"})
            await awaited.add("Owns a kayak", user_id="ida", infer=False)
            users = await awaited.users()
            await awaited.delete_users(user_id="ida")
            return found, listed, history, shown, rest, gone, users

    found, listed, history, shown, rest, gone, users = asyncio.run(use())
    assert len(found["results"]) == 5
    assert listed["count"] == 8
    assert [each["event"] for each in history] == ["ADD", "UPDATE"]
    assert shown["memory"] == "Sold every boat"
    assert (rest["count"], gone["count"]) == (6, 0)
    assert [each["name"] for each in users["results"]] == ["ida"]


# ---- what is built on it ------------------------------------------------------------------------------------------


def test_a_provider_of_another_framework_that_is_built_on_the_client_works_as_it_is(client, served):
    from agent_framework import AgentResponse, Message, SessionContext
    from agent_framework_mem0 import Mem0ContextProvider

    url, keys = served

    async def told(provider, text, answer=None):
        context = SessionContext(input_messages=[Message(role="user", contents=[text])])
        run = {"agent": None, "session": None, "context": context, "state": {}}
        await provider.before_run(**run)
        if answer is not None:
            context._response = AgentResponse(messages=[Message(role="assistant", contents=[answer])])
            await provider.after_run(**run)
        return "".join(each.text for some in context.context_messages.values() for each in some)

    async def use():
        async with AsyncMemoryClient(api_key=keys["app"], host=url) as awaited:
            shared = {"mem0_client": awaited, "agent_id": "guide", "search_agent_id": "guide"}
            ana = Mem0ContextProvider(user_id="ana", search_user_id="ana", **shared)
            bob = Mem0ContextProvider(user_id="bob", search_user_id="bob", **shared)
            before = await told(ana, "Remember that I am vegetarian.", "Noted.")
            return before, await told(ana, "What shall I eat?"), await told(bob, "What shall I eat?")

    before, after, other = asyncio.run(use())
    assert (before, other) == ("", "")
    assert "I am vegetarian." in after


# ---- npm ----------------------------------------------------------------------------------------------------------

SCRIPT = """
const assert = require("node:assert");
const { MemoryClient, ValidationError, MemoryNotFoundError, AuthenticationError } = require("mem0ai");
const [url, key, wrong] = process.argv.slice(2);
const texts = (found) => found.results.map((each) => each.memory).sort();
(async () => {
  const client = new MemoryClient({ apiKey: key, host: url });
  await client.ping();
  const learned = await client.add(
    [{ role: "user", content: "I live in Bergen." }, { role: "assistant", content: "Nice." }],
    { userId: "ana", metadata: { SomeKey: 1 } },
  );
  assert.deepStrictEqual(learned.results.map((each) => each.event), ["ADD"]);
  const kept = await client.add(
    [{ role: "user", content: "Drives a red Fiat" }],
    { userId: "ana", agentId: "cook", runId: "r1", appId: "a1", infer: false, metadata: { SomeKey: 2 } },
  );
  const id = kept.results[0].id;
  const one = await client.get(id);
  assert.deepStrictEqual([one.userId, one.agentId, one.runId, one.appId], ["ana", "cook", "r1", "a1"]);
  assert.deepStrictEqual(one.metadata, { SomeKey: 2 });
  const found = await client.search("where does she live?", { filters: { user_id: "ana" }, topK: 1, threshold: 0.1 });
  assert.deepStrictEqual(texts(found), ["I live in Bergen."]);
  const both = { AND: [{ user_id: "ana" }, { OR: [{ run_id: "r1" }, { run_id: "r2" }] }] };
  assert.deepStrictEqual(texts(await client.search("car", { filters: both })), ["Drives a red Fiat"]);
  const page = await client.getAll({ filters: { user_id: "ana" }, page: 1, pageSize: 1 });
  assert.deepStrictEqual([page.count, page.results.length, page.previous], [2, 1, null]);
  await client.update(id, { text: "Drives a blue Fiat", metadata: { SomeKey: 3 } });
  const history = await client.history(id);
  assert.deepStrictEqual(history.map((each) => each.newMemory), ["Drives a red Fiat", "Drives a blue Fiat"]);
  await client.batchUpdate([{ memoryId: id, text: "Drives a green Fiat" }]);
  assert.strictEqual((await client.get(id)).memory, "Drives a green Fiat");
  const users = await client.users();
  assert.deepStrictEqual(users.results.map((each) => each.type).sort(), ["agent", "app", "run", "user"]);
  await client.batchDelete([id]);
  await assert.rejects(client.get(id), MemoryNotFoundError);
  await assert.rejects(client.search("x", { filters: { colour: 1 } }), ValidationError);
  await client.delete(learned.results[0].id);
  assert.strictEqual((await client.getAll({ filters: { user_id: "ana" } })).count, 0);
  await client.add([{ role: "user", content: "Owns a canoe" }], { userId: "ben", infer: false });
  await client.add([{ role: "user", content: "Owns a kayak" }], { userId: "ana", infer: false });
  await client.deleteAll({ userId: "ana" });
  assert.deepStrictEqual(texts(await client.getAll({ filters: { user_id: "*" } })), ["Owns a canoe"]);
  for (const call of [
    () => client.feedback({ memoryId: id, feedback: "POSITIVE" }),
    () => client.getProject({ fields: [] }),
    () => client.getWebhooks(),
    () => client.createMemoryExport({ schema: {}, filters: { user_id: "ana" } }),
    () => client.getProfile({ entityId: "ana" }),
  ]) await assert.rejects(call(), /does not serve this part/);
  const ana = new MemoryClient({ apiKey: wrong, host: url });
  await assert.rejects(ana.getAll({ filters: { user_id: "ben" } }), AuthenticationError);
  await client.deleteUsers({ userId: "ben" });
  assert.strictEqual((await client.users()).count, 0);
  console.log("done");
})().catch((error) => { console.error(error); process.exit(1); });
"""


@pytest.fixture(scope="module")
def npm():
    """Return a folder with the client of npm, which is fetched once."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = ROOT / ".conformance" / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    installed = folder / "node_modules" / "mem0ai" / "package.json"
    if not installed.exists() or json.loads(installed.read_text())["version"] != NPM.partition("@")[2]:
        command = [
            "npm",
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--prefix",
            str(folder),
            NPM,
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=600)
    return folder


@pytest.mark.timeout(900)
def test_the_client_of_npm_does_everything_that_it_can(client, served, npm):
    url, keys = served
    (npm / "client.cjs").write_text(SCRIPT)
    done = subprocess.run(
        ["node", "client.cjs", url, keys["app"], keys["ana"]],
        check=False,
        cwd=npm,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "MEM0_TELEMETRY": "false"},
    )
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["done"]), done.stderr


def test_the_example_runs(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "mem0_client.py", str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        timeout=120,
    )
    assert done.stdout.splitlines() == [
        "found: I'm allergic to nuts.",
        'kept: [\'Drives a blue Fiat\', "I\'m Alex.", "I\'m a vegetarian.", "I\'m allergic to nuts."]',
        "Memories deleted successfully!",
        "left: 0",
    ]
