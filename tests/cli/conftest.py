"""A command line in a folder of its own, with no variables of ours in its environment."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bethink.cli.app import app

DATA = Path(__file__).parent.parent / "data"


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


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in list(os.environ):
        if name.startswith("BETHINK_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def bethink(folder):
    """Run a command inside this process."""

    def run(*arguments, status=None, given=""):
        done = CliRunner().invoke(app, [str(each) for each in arguments], input=given)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert status is None or done.exit_code == status, done.stderr
        return Run(done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture
def process(folder):
    """Start the command as people do: a process of its own."""

    def start(*arguments, **options):
        command = [sys.executable, "-c", "from bethink.cli import main; main()", *map(str, arguments)]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, **options
        )

    return start


@pytest.fixture
def conversations():
    return DATA / "conversations.json"
