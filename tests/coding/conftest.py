"""A machine of its own: a home, repositories, and agents that write transcripts and call hooks."""

import itertools
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bethink import Memory
from bethink.cli.app import app
from bethink.coding import hook, options
from bethink.coding.directories import of_machine
from bethink.coding.project_register import Register
from bethink.coding.repository import examine_folder

BEGUN = itertools.count(1)  #: two repositories that begin in one second have first commits of their own


@dataclass(frozen=True)
class Run:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self):
        assert self.status == 0, self.err
        return json.loads(self.out)


GIT = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com", "-c", "init.defaultBranch=main"]


def git(folder, *arguments):
    done = subprocess.run(
        ["git", *GIT, "-C", str(folder), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


class Machine:
    """One user's computer."""

    def __init__(self, folder):
        self.home = folder / "home"
        self.home.mkdir()
        self.environment = {"HOME": str(self.home)}
        self.number = 0

    @property
    def places(self):
        return of_machine(self.environment)

    @property
    def options(self):
        return options.read(self.places.options)

    @property
    def log(self):
        return self.places.log.read_text() if self.places.log.exists() else ""

    def memory(self):
        self.places.home.mkdir(exist_ok=True)
        return Memory(self.places.database(self.options.db))

    def register(self, memory):
        return Register(memory, self.options.user)

    def project_of(self, folder):
        with self.memory() as memory:
            return self.register(memory).resolve(examine_folder(str(folder)), begin=False)

    def repository(self, name, remote=None, *, commit=True):
        folder = self.home / name
        folder.mkdir(parents=True)
        git(folder, "init", "-q")
        if commit:
            git(folder, "commit", "-q", "--allow-empty", "-m", f"Begin {name}, {next(BEGUN)}")
        if remote:
            git(folder, "remote", "add", "origin", remote)
        return folder

    # ---- what Claude Code does --------------------------------------------------------------------------------

    def transcript(self, session):
        return self.home / ".claude" / "projects" / "some" / f"{session}.jsonl"

    def line(self, session, folder, role, content, **more):
        self.number += 1
        return {
            "type": role,
            "uuid": f"uuid-{self.number}",
            "parentUuid": f"uuid-{self.number - 1}",
            "isSidechain": False,
            "sessionId": session,
            "cwd": str(folder),
            "gitBranch": "main",
            "timestamp": f"2026-11-20T12:{self.number // 60 % 60:02d}:{self.number % 60:02d}.000Z",
            "message": {"role": role, "content": content},
            **more,
        }

    def say(self, session, folder, *said, raw=""):
        """Write a turn of each text, alternating between the user and the agent; `raw` is written as it is."""
        path = self.transcript(session)
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [
            each
            if isinstance(each, dict)
            else self.line(session, folder, "assistant" if at % 2 else "user", each)
            for at, each in enumerate(said)
        ]
        with path.open("a", encoding="utf-8") as file:
            file.write("".join(json.dumps(line) + "\n" for line in lines) + raw)

    def ran(self, session, folder, command, output, *, failed=False):
        """Return the lines of a command that the agent ran."""
        self.number += 1
        call = f"call-{self.number}"
        asked = [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}]
        result = {"type": "tool_result", "tool_use_id": call, "content": output, "is_error": failed}
        return [
            self.line(session, folder, "assistant", asked),
            self.line(session, folder, "user", [result], toolUseResult={"stdout": output}),
        ]

    def hook(self, event, session="s1", folder=None, tool="claude", **more):
        """Call a hook as an agent does, within this process; return what the agent reads."""
        payload = {
            "session_id": session,
            "transcript_path": str(self.transcript(session)),
            "cwd": str(folder),
            "hook_event_name": event,
            **more,
        }
        return self.given([event, "--for", tool], json.dumps(payload))

    def given(self, arguments, text):
        return hook.run(arguments, text.encode, self.environment)

    def told(self, event, session, folder, prompt=""):
        """Return the context that an agent is given."""
        text = self.hook(event, session, folder, prompt=prompt)
        return json.loads(text)["hookSpecificOutput"]["additionalContext"] if text else ""

    def start(self, folder, session="new"):
        return self.told("SessionStart", session, folder)

    def ask(self, folder, prompt, session="new"):
        return self.told("UserPromptSubmit", session, folder, prompt)

    def process(self, arguments, text="{}", **more):
        """Start `bethink` as a process of its own."""
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(__file__).parents[2] / "src"),
            **self.environment,
        }
        command = [
            sys.executable,
            *more.pop("flags", ()),
            "-c",
            "from bethink.cli import main; main()",
            *arguments,
        ]
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            **more,
        ), text

    def finished(self, started):
        process, text = started
        out, err = process.communicate(text, timeout=120)
        return process.returncode, out, err


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.fixture
def bethink(machine, monkeypatch):
    """Run a command on this machine, inside this process."""
    for name in ("BETHINK_DB", "BETHINK_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.chdir(machine.home)

    def run(*arguments, status=None):
        done = CliRunner().invoke(app, [str(each) for each in arguments])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert status is None or done.exit_code == status, done.stderr
        return Run(done.exit_code, done.stdout, done.stderr)

    return run
