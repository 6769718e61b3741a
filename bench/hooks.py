"""Measure what a hook of a coding agent costs, beside the interpreter alone and beside numpy alone, in one run.

CPU is that of the whole process, user and system, the least of several rounds; wall time is the least, too. All of
them start from cached bytecode, as installed programs do.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import TOLD

HOOK = [sys.executable, "-c", "from bethink.cli import main; main()", "hook"]
SAID = (
    "Always use pnpm, never npm.",
    "We decided to keep invoices immutable and to write corrections as new ones.",
    "The staging server allows 100 requests a minute.",
    "No, do not commit to main, use feature branches.",
    "I prefer short answers.",
)


class Machine:
    """A home and a repository of their own."""

    def __init__(self, folder: Path, sessions: int) -> None:
        self.home = folder / "home"
        self.project = folder / "billing"
        self.project.mkdir(parents=True)
        self.environment = {
            **{
                name: value
                for name, value in os.environ.items()
                if not name.startswith(("BETHINK_", "OPENBLAS_NUM"))
            },
            "HOME": str(self.home),
            "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        }
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.home.mkdir()
        subprocess.run(["git", "init", "-q", str(self.project)], check=True)
        who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]
        subprocess.run(
            ["git", "-C", str(self.project), *who, "commit", "-q", "--allow-empty", "-m", "Begin"], check=True
        )
        self.lines = 0
        for number in range(sessions):
            self.write(f"s{number}", 40)
            self.hook("Stop", f"s{number}")

    def transcript(self, session: str) -> Path:
        return self.home / f"{session}.jsonl"

    def write(self, session: str, messages: int) -> None:
        """Let a session go on."""
        with self.transcript(session).open("a", encoding="utf-8") as file:
            for number in range(messages):
                self.lines += 1
                role = "assistant" if number % 2 else "user"
                text = (
                    f"{SAID[(number // 2) % len(SAID)]} See ticket {self.lines} in module{self.lines % 97}."
                )
                line = {
                    "type": role,
                    "uuid": f"u{self.lines}",
                    "sessionId": session,
                    "cwd": str(self.project),
                    "timestamp": f"2026-11-{1 + self.lines % 20:02d}T10:00:00.000Z",
                    "message": {"role": role, "content": text},
                }
                file.write(json.dumps(line) + "\n")

    def run(self, command: list[str], given: str = "") -> tuple[float, float, str]:
        """Return CPU and wall time of a process in milliseconds, and what it wrote."""
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            command,
            input=given,
            text=True,
            capture_output=True,
            env=self.environment,
            check=True,
            cwd=self.project,
        )
        wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return cpu * 1000, wall * 1000, done.stdout

    def hook(self, event: str, session: str, prompt: str = "") -> tuple[float, float, str]:
        payload = {
            "session_id": session,
            "transcript_path": str(self.transcript(session)),
            "cwd": str(self.project),
            "hook_event_name": event,
            "prompt": prompt,
            "tool_name": "Bash",
        }
        return self.run([*HOOK, event, "--for", "claude"], json.dumps(payload))

    def bytes_on_disk(self) -> int:
        return sum(path.stat().st_size for path in (self.home / ".bethink").rglob("*") if path.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--sessions", type=int, default=25, help="of 40 messages each, taken in before")
    TOLD.add_option(parser)
    given = parser.parse_args()
    TOLD.choose(given)
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(Path(folder), given.sessions)
        kept = machine.lines

        def stop_with_a_turn() -> tuple[float, float, str]:
            machine.write("s0", 4)
            return machine.hook("Stop", "s0")

        calls = {
            "python -c pass": lambda: machine.run([sys.executable, "-c", "pass"]),
            "python -c 'import numpy'": lambda: machine.run([sys.executable, "-c", "import numpy"]),
            "session start": lambda: machine.hook("SessionStart", "new"),
            "tool used": lambda: machine.hook("PostToolUse", "new"),
            "stop, nothing new": lambda: machine.hook("Stop", "s1"),
            "session end, nothing new": lambda: machine.hook("SessionEnd", "s1"),
            "prompt, something relevant": lambda: machine.hook(
                "UserPromptSubmit", "new", "may we use npm here?"
            ),
            "prompt, nothing relevant": lambda: machine.hook(
                "UserPromptSubmit", "new", "what do giraffes eat?"
            ),
            "stop with a turn": stop_with_a_turn,
        }
        taken: dict[str, list[tuple[float, float, str]]] = {name: [] for name in calls}
        for _ in range(given.rounds):
            for name, call in calls.items():
                taken[name].append(call())
        floor = min(each[0] for each in taken["python -c pass"])
        numpy = min(each[0] for each in taken["python -c 'import numpy'"])
        TOLD.tell(f"{'':<28} {'CPU ms':>8} {'wall ms':>8} {'× pass':>7} {'× numpy':>8}")
        for name, found in taken.items():
            cpu, wall = min(each[0] for each in found), min(each[1] for each in found)
            TOLD.tell(
                f"{name:<28} {cpu:>8.1f} {wall:>8.1f} {cpu / floor:>7.1f} {cpu / numpy:>8.2f}",
                what=name,
                cpu_ms=cpu,
                wall_ms=wall,
                times_pass=cpu / floor,
                times_numpy=cpu / numpy,
            )
        log = machine.home / ".bethink" / "hooks.log"
        size = machine.bytes_on_disk()
        failures = len(log.read_text().splitlines()) if log.exists() else 0
        TOLD.tell(
            f"{kept} messages taken in; {size:,} bytes on disk; {failures} lines in the log of failures",
            messages=kept,
            bytes=size,
        )
    TOLD.end()


if __name__ == "__main__":
    main()
