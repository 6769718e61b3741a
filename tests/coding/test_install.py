"""Bethink is put into the settings of agents, and taken out again, and nothing else of them changes."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bethink.coding import jsonc
from bethink.coding.agents import NAMES

CLAUDE = """// how I like it
{
    "model": "opus", // the large one
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "notify-send done"}]}
        ]
    },
}
"""
CODEX = """# mine
model = "gpt"   # the usual

[mcp_servers.other]
command = "other"  # keep
"""


def files(home):
    """Return every file of a home with its bytes, without what Bethink keeps for itself."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and ".git" not in path.parts and ".bethink" not in path.parts
    }


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def hooks_of(machine, tool, root):
    """Return the commands of each event, read from the settings as the agent does."""
    if tool in {"claude", "gemini"}:
        found = jsonc.parse((root / f".{tool}" / "settings.json").read_text()).plain()["hooks"]
    elif tool == "copilot":
        found = json.loads((root / ".github" / "hooks" / "bethink.json").read_text())["hooks"]
    else:
        found = json.loads((root / f".{tool}" / "hooks.json").read_text())["hooks"]
    told = {}
    for event, entries in found.items():
        for entry in entries:
            for each in entry.get("hooks", [entry]):
                told.setdefault(event, []).append(each.get("command") or each["bash"])
    return told


@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize("tool", NAMES)
def test_installing_twice_changes_nothing_more_and_uninstalling_leaves_nothing(
    machine, bethink, tool, project
):
    app = machine.repository("app")
    where = ["--project", "--dir", app] if project else []
    before = files(machine.home)
    bethink("install", tool, *where, status=0)
    once = files(machine.home)
    assert once != before
    bethink("install", tool, *where, status=0)
    assert files(machine.home) == once
    states = {
        (each["tool"], each["where"]): each
        for each in bethink("install", "status", "--dir", app, "--json").json
    }
    assert states[tool, "project" if project else "user"]["missing"] == []
    bethink("uninstall", tool, *where, status=0)
    assert files(machine.home) == before


def test_what_people_wrote_stays_with_its_comments_and_comes_back_to_the_byte(machine, bethink):
    settings = write(machine.home / ".claude" / "settings.json", CLAUDE)
    config = write(machine.home / ".codex" / "config.toml", CODEX)
    agents = write(machine.home / ".codex" / "AGENTS.md", "# How I work\n\nSlowly.\n")
    bethink("install", "claude", "codex", status=0)
    made = settings.read_text()
    assert all(line in made for line in ("// how I like it", '    "model": "opus", // the large one'))
    assert hooks_of(machine, "claude", machine.home)["Stop"][0] == "notify-send done"
    toml = tomllib.loads(config.read_text())
    assert toml["mcp_servers"].keys() == {"other", "bethink"}
    assert toml["mcp_servers"]["bethink"]["args"][-3:] == ["mcp", "--project", "."]
    assert '# mine\nmodel = "gpt"   # the usual\n' in config.read_text()
    assert agents.read_text().startswith("# How I work\n\nSlowly.\n")
    assert "bethink:instructions-begin" in agents.read_text()
    assert settings.with_name("settings.json.before-bethink").read_text() == CLAUDE
    bethink("uninstall", "claude", "codex", status=0)
    assert (settings.read_text(), config.read_text()) == (CLAUDE, CODEX)
    assert agents.read_text() == "# How I work\n\nSlowly.\n"
    assert not list(machine.home.rglob("*.before-bethink")), "a copy of what is as it was is of no use"


def test_a_dry_run_shows_what_would_change_and_changes_nothing(machine, bethink):
    write(machine.home / ".claude" / "settings.json", CLAUDE)
    before = files(machine.home)
    shown = bethink("install", "claude", "--dry-run", status=0).out
    assert "hook SessionStart --for claude" in shown.replace("\n", "")
    assert files(machine.home) == before


def test_settings_that_are_not_valid_are_left_alone_and_the_line_is_said(machine, bethink):
    settings = write(machine.home / ".claude" / "settings.json", '{\n  "model": "opus"\n  "hooks": {}\n}\n')
    before = files(machine.home)
    done = bethink("install", "claude", "cursor", status=1)
    assert "line 3" in done.err
    assert str(settings) in done.err
    assert "nothing was changed" in done.err
    assert {name for name in files(machine.home) if not name.startswith(".cursor")} == set(before)
    assert (machine.home / ".cursor" / "hooks.json").exists(), "the others are done"


@pytest.mark.parametrize("text", ['{"hooks": []}', '{"hooks": {"Stop": {}}}', "[]", '{"hooks": 7}'])
def test_settings_of_another_shape_are_left_alone(machine, bethink, text):
    settings = write(machine.home / ".claude" / "settings.json", text)
    assert "nothing was changed" in bethink("install", "claude", status=1).err
    assert settings.read_text() == text


def test_settings_that_cannot_be_written_to_are_said_to_be(machine, bethink):
    write(machine.home / ".claude", "a file where a folder should be")
    done = bethink("install", "claude", status=1)
    assert "cannot write" in done.err


def test_a_link_to_settings_stays_a_link(machine, bethink):
    kept = write(machine.home / "dotfiles" / "claude.json", CLAUDE)
    (machine.home / ".claude").mkdir()
    (machine.home / ".claude" / "settings.json").symlink_to(kept)
    bethink("install", "claude", status=0)
    assert (machine.home / ".claude" / "settings.json").is_symlink()
    assert "bethink" in kept.read_text()


def test_another_version_of_ours_is_put_in_the_place_of_the_old_one(machine, bethink):
    bethink("install", "claude", "--command", "/old/place/bethink", status=0)
    bethink("install", "claude", "--command", "'/new place/bethink'", status=0)
    found = hooks_of(machine, "claude", machine.home)
    assert {len(each) for each in found.values()} == {1}
    assert shlex.split(found["Stop"][0])[0] == "/new place/bethink"


def test_the_database_that_is_named_at_the_installation_is_the_one_of_hooks(machine, bethink):
    app = machine.repository("app")
    bethink("install", "claude", "--db", machine.home / "elsewhere.db", "--user", "ana", status=0)
    machine.say("s1", app, "Always use pnpm, never npm.", "Yes.")
    machine.hook("Stop", "s1", app)
    assert (machine.home / "elsewhere.db").exists()
    assert not (machine.places.home / "memory.db").exists()
    assert "pnpm" in machine.start(app)


def test_instructions_and_a_block_of_notes_stand_in_one_file_and_do_not_touch_each_other(machine, bethink):
    app = machine.repository("app")
    bethink("remember", "Run make test before each commit.", "--db", machine.home / "notes.db", status=0)
    sync = ("workspace", "sync", app, "--for", "codex", "--db", machine.home / "notes.db")
    bethink(*sync, status=0)
    with_notes = (app / "AGENTS.md").read_text()
    assert "make test" in with_notes
    bethink("install", "codex", "--project", "--dir", app, status=0)
    assert with_notes in (app / "AGENTS.md").read_text()
    bethink(*sync, status=0)
    notes = bethink("notes", "--db", machine.home / "notes.db", "--json").json
    assert [each["text"] for each in notes["entries"]] == ["Run make test before each commit."]
    bethink("uninstall", "codex", "--project", "--dir", app, status=0)
    assert (app / "AGENTS.md").read_text() == with_notes


# ---- each agent, by what is in its settings ----------------------------------------------------------------------


def base(session, app, event, **more):
    return {"session_id": session, "cwd": str(app), "hook_event_name": event, **more}


def codex_rollout(machine, app, session):
    def line(kind, payload, second):
        return {"timestamp": f"2026-11-20T10:00:{second:02d}.000Z", "type": kind, "payload": payload}

    def message(role, text, kind="input_text"):
        return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}

    lines = [
        line("session_meta", {"id": session, "cwd": str(app), "cli_version": "0.1"}, 0),
        line(
            "response_item",
            message("user", f"<environment_context><cwd>{app}</cwd></environment_context>"),
            1,
        ),
        line("event_msg", {"type": "user_message", "message": "Always use pnpm, never npm."}, 2),
        line("response_item", message("user", "Always use pnpm, never npm."), 2),
        line("response_item", message("assistant", "I will.", "output_text"), 3),
    ]
    path = write(
        machine.home / ".codex" / "sessions" / "2026" / "11" / "20" / f"rollout-x-{session}.jsonl",
        "".join(json.dumps(each) + "\n" for each in lines),
    )
    return str(path)


def gemini_chat(machine, app, session):
    lines = [
        {"sessionId": session, "projectHash": "abc", "startTime": "2026-11-20T10:00:00.000Z"},
        {
            "id": "g1",
            "timestamp": "2026-11-20T10:00:00.000Z",
            "type": "user",
            "content": [{"text": "Use tabs."}],
        },
        {"$rewindTo": "g1"},
        {
            "id": "g2",
            "timestamp": "2026-11-20T10:00:01.000Z",
            "type": "user",
            "content": [{"text": "Always use pnpm, never npm."}],
        },
        {"id": "g3", "timestamp": "2026-11-20T10:00:02.000Z", "type": "gemini", "content": "I will."},
    ]
    path = write(
        machine.home / ".gemini" / "tmp" / "abc" / "chats" / f"session-{session}.jsonl",
        "".join(json.dumps(each) + "\n" for each in lines),
    )
    return str(path)


def played(machine, tool, app, session):
    """Return the events of a session with the payloads that the agent gives, as it publishes them."""
    said = "Always use pnpm, never npm."
    if tool == "claude":
        machine.say(session, app, said, "I will.")
        path = str(machine.transcript(session))
        more = {"transcript_path": path, "permission_mode": "default"}
        return [
            ("SessionStart", base(session, app, "SessionStart", source="startup", **more)),
            ("UserPromptSubmit", base(session, app, "UserPromptSubmit", prompt=said, **more)),
            ("Stop", base(session, app, "Stop", stop_hook_active=False, **more)),
            ("PreCompact", base(session, app, "PreCompact", trigger="auto", custom_instructions="", **more)),
            ("SessionEnd", base(session, app, "SessionEnd", reason="exit", **more)),
        ]
    if tool == "codex":
        more = {
            "transcript_path": codex_rollout(machine, app, session),
            "model": "m",
            "permission_mode": "default",
        }
        return [
            ("SessionStart", base(session, app, "SessionStart", source="startup", **more)),
            ("UserPromptSubmit", base(session, app, "UserPromptSubmit", turn_id="t1", prompt=said, **more)),
            ("Stop", base(session, app, "Stop", turn_id="t1", last_assistant_message="I will.", **more)),
        ]
    if tool == "gemini":
        more = {"transcript_path": gemini_chat(machine, app, session), "timestamp": "2026-11-20T10:00:00Z"}
        return [
            ("SessionStart", base(session, app, "SessionStart", source="startup", **more)),
            ("BeforeAgent", base(session, app, "BeforeAgent", prompt=said, **more)),
            ("AfterAgent", base(session, app, "AfterAgent", prompt=said, prompt_response="I will.", **more)),
            ("SessionEnd", base(session, app, "SessionEnd", reason="exit", **more)),
        ]
    if tool == "cursor":
        more = {"conversation_id": session, "generation_id": "g", "workspace_roots": [str(app)], "model": "m"}
        return [
            ("sessionStart", {**more, "hook_event_name": "sessionStart"}),
            (
                "beforeSubmitPrompt",
                {**more, "hook_event_name": "beforeSubmitPrompt", "prompt": said, "attachments": []},
            ),
            (
                "afterShellExecution",
                {
                    **more,
                    "hook_event_name": "afterShellExecution",
                    "command": "pnpm test",
                    "output": "ok",
                    "duration": 5,
                },
            ),
            ("afterAgentResponse", {**more, "hook_event_name": "afterAgentResponse", "text": "I will."}),
            ("stop", {**more, "hook_event_name": "stop", "status": "completed", "loop_count": 0}),
            ("sessionEnd", {**more, "hook_event_name": "sessionEnd", "reason": "user_close"}),
        ]
    more = {"session_id": session, "cwd": str(app), "timestamp": "2026-11-20T10:00:00Z"}
    result = {"result_type": "success", "text_result_for_llm": "12 passed"}
    return [
        ("SessionStart", {**more, "hook_event_name": "SessionStart", "source": "new"}),
        ("UserPromptSubmit", {**more, "hook_event_name": "UserPromptSubmit", "prompt": said}),
        (
            "PostToolUse",
            {
                **more,
                "hook_event_name": "PostToolUse",
                "tool_name": "bash",
                "tool_input": {"command": "pnpm test"},
                "tool_result": result,
            },
        ),
        (
            "Stop",
            {**more, "hook_event_name": "Stop", "transcript_path": "/nowhere", "stop_reason": "end_turn"},
        ),
        ("SessionEnd", {**more, "hook_event_name": "SessionEnd", "reason": "complete"}),
    ]


@pytest.mark.parametrize("tool", ["claude", "codex", "gemini", "cursor", "copilot"])
def test_a_session_played_through_the_installed_settings_is_known_to_the_next_one(machine, bethink, tool):
    app = machine.repository("app")
    command = f"{shlex.quote(sys.executable)} -m bethink.cli"
    bethink("install", tool, "--project", "--dir", app, "--command", command, status=0)
    installed = hooks_of(machine, tool, app)
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path(__file__).parents[2] / "src"),
        **machine.environment,
    }
    heard = {}
    for session in ("s1", "s2"):
        for event, payload in played(machine, tool, app, session):
            for line in installed[event]:
                done = subprocess.run(
                    line,
                    shell=True,
                    input=json.dumps(payload),
                    capture_output=True,
                    text=True,
                    env=environment,
                    cwd=app,
                    check=False,
                )
                assert (done.returncode, done.stderr) == (0, "")
                heard[session, event] = json.loads(done.stdout) if done.stdout else {}
    assert machine.log == ""
    with machine.memory() as memory:
        scope = machine.register(memory).memory_of(machine.project_of(app).project)
        assert "Always use pnpm, never npm." in {note.text for note in scope.notes().entries}
        assert {each.id.rpartition("-")[2] for each in scope.sessions().entries} == {"s1", "s2"}
        if tool == "gemini":
            assert not [hit for hit in scope.recall("tabs") if hit.text == "Use tabs."], (
                "what was rewound is not kept"
            )
    start = next(event for event, _ in played(machine, tool, app, "s3"))
    if tool == "cursor":
        assert "pnpm" in heard["s2", start]["additional_context"]
        assert heard["s2", "beforeSubmitPrompt"] == {"continue": True}
    elif tool == "copilot":
        assert heard["s2", start] == {}
    else:
        told = heard["s2", start]["hookSpecificOutput"]
        assert told["hookEventName"] == start
        assert "pnpm" in told["additionalContext"]
        assert told.keys() == {"hookEventName", "additionalContext"}, "Codex refuses what it does not know"
    journals = machine.places.journals
    assert not journals.exists() or not list(journals.iterdir()), "what was taken in is not kept twice"


def test_the_plugin_of_opencode_plays_a_session(machine, bethink):
    if not shutil.which("node"):
        pytest.skip("Node is not here")
    app = machine.repository("app")
    command = f"{shlex.quote(sys.executable)} -m bethink.cli"
    bethink("install", "opencode", "--project", "--dir", app, "--command", command, status=0)
    plugin = app / ".opencode" / "plugins" / "bethink.js"
    script = """
      const { Bethink } = await import(process.argv[2])
      for (const sessionID of ["s1", "s2"]) {
        const plugin = await Bethink({ directory: process.argv[3] })
        const parts = [{ type: "text", text: "Always use pnpm, never npm." }]
        await plugin["chat.message"]({ sessionID }, { message: {}, parts })
        const output = { system: [] }
        await plugin["experimental.chat.system.transform"]({ sessionID }, output)
        await plugin["tool.execute.after"](
          { tool: "bash", sessionID, callID: "c", args: { command: "pnpm test" } }, { output: "12 passed" })
        await plugin.event({ event: { type: "session.idle", properties: { sessionID } } })
        console.log(JSON.stringify(output.system))
      }
    """
    run = write(machine.home / "play.mjs", script)
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path(__file__).parents[2] / "src"),
        **machine.environment,
    }
    done = subprocess.run(
        ["node", run, plugin.as_uri(), app],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        timeout=120,
    )
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first == []
    assert "pnpm" in second[0]
    assert machine.log == ""
