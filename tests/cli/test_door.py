"""What all commands have in common."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bethink import Memory
from bethink.testing.model_server import Embeds, ModelServer

COMMANDS = (
    "demo", "ingest", "remember", "recall", "context", "notes", "sessions", "profile", "export", "stats", "doctor",
    "migrate", "eval",
)  # fmt: skip


def test_help_lists_every_command(bethink):
    shown = bethink("--help", status=0).out
    assert all(f" {name} " in shown for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(bethink, name):
    assert "Usage" in bethink(name, "--help", status=0).out


def test_help_loads_nothing_heavy():
    heavy = {
        "numpy",
        "pydantic",
        "apsw",
        "snowballstemmer",
        "asyncio",
        "rich",
        "bethink.memory",
        "bethink.recall",
    }
    code = f"import sys, bethink.cli.app; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_the_installed_command_answers():
    command = Path(sys.executable).parent / "bethink"
    if not command.exists():
        command = shutil.which("bethink")
    assert subprocess.check_output([command, "--version"], text=True).startswith("bethink 0.")


def test_nothing_said_says_what_it_is_and_where_the_help_is(bethink):
    out = bethink(status=0).out
    assert out.startswith("Bethink ")
    assert "bethink --help" in out


@pytest.mark.parametrize(
    "arguments",
    [["recal"], ["recall"], ["notes", "forge", "n1"], ["recall", "x", "--limit", "many"], ["--oops"]],
)
def test_a_wrong_command_line_exits_with_2(bethink, arguments):
    done = bethink(*arguments, status=2)
    assert "Usage" in done.err
    assert not done.out


def test_the_options_of_a_family_go_to_its_usual_command(bethink):
    bethink("remember", "Likes jazz.", "--user", "alice", status=0)
    assert "Likes jazz." in bethink("notes", "--user", "alice", status=0).out
    bethink("notes", "--user", "alice", "forget", "n1", status=2)


def test_the_database_is_named_by_option_then_environment_then_habit(bethink, folder, monkeypatch):
    bethink("remember", "By habit.", status=0)
    assert (folder / "memory.db").exists()
    monkeypatch.setenv("BETHINK_DB", "from_environment.db")
    bethink("remember", "By environment.", status=0)
    bethink("remember", "By option.", "--db", "sqlite:///by_option.db", status=0)
    for file, text in (
        ("memory.db", "habit"),
        ("from_environment.db", "environment"),
        ("by_option.db", "option"),
    ):
        with Memory(str(folder / file)) as memory:
            assert [note.text for note in memory.scope().notes()] == [f"By {text}."]


def test_the_embedder_is_named_by_option_then_environment_then_habit(bethink, folder, monkeypatch):
    def used(*options):
        found = bethink("doctor", "--json", *options).json
        return found["index"]["embedder"]

    bethink("remember", "Tea, no sugar.", status=0)
    assert used().startswith("bethink-static")
    assert used("--embedder", "openai:tiny") == "openai:tiny"
    monkeypatch.setenv("BETHINK_EMBEDDER", "none")
    assert not used()
    assert used("--embedder", "static").startswith("bethink-static")
    assert "onnx:FOLDER" in bethink("recall", "tea", "--embedder", "best", status=1).err
    assert "model.onnx" in bethink("recall", "tea", "--embedder", f"onnx:{folder}", status=1).err


def test_an_endpoint_makes_the_vectors_where_it_is_named(bethink, monkeypatch):
    with ModelServer() as server:
        server.always(Embeds(lambda text: [float(text.count(letter)) for letter in "abc"]))
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "a key")
        monkeypatch.setenv("BETHINK_EMBEDDER", "openai:tiny")
        for text in ("aaa aaa", "bbb bbb"):
            bethink("remember", text, status=0)
        found = bethink("recall", "aab", "--json").json
        assert found["hits"][0]["text"] == "aaa aaa"
        assert {each.body["model"] for each in server.requests} == {"tiny"}


def test_agent_user_and_tenant_are_apart(bethink):
    bethink("remember", "Of alice.", "--agent", "concierge", "--user", "alice", status=0)
    bethink("remember", "Of another customer.", "--tenant", "acme", status=0)
    assert bethink("notes", "--json").json["total"] == 0
    assert bethink("notes", "--json", "--agent", "concierge", "--user", "bob").json["total"] == 0
    assert bethink("notes", "--json", "--agent", "concierge", "--user", "alice").json["total"] == 1
    assert bethink("notes", "--json", "--tenant", "acme").json["total"] == 1


def test_reading_makes_no_file(bethink, folder):
    done = bethink("recall", "anything", "--db", "typo.db", status=1)
    assert "typo.db" in done.err
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    ("db", "says"),
    [
        (".", "directory"),
        ("nowhere/memory.db", "does not exist"),
        ("text.txt", "not a SQLite database"),
        ("other.db", "another application"),
        ("mysql://localhost/x", "mysql://"),
        ("sqlite:///", "name a file"),
    ],
)
def test_a_database_that_is_none_is_one_clear_line(bethink, folder, db, says):
    (folder / "text.txt").write_text("It was a dark and stormy night. " * 100)
    subprocess.run(
        [sys.executable, "-c", "import sqlite3; sqlite3.connect('other.db').execute('create table t (a)')"],
        check=True,
        cwd=folder,
    )
    done = bethink("remember", "x", "--db", db, status=1)
    assert done.err.startswith("bethink: ")
    assert says in done.err
    assert done.err.count("\n") == 1
    assert not done.out
    told = json.loads(bethink("remember", "x", "--db", db, "--json", status=1).err)
    assert told["error"] in {"StorageError", "InvalidError"}
    assert says in told["message"]


def test_an_error_in_json_has_its_attributes(bethink):
    told = json.loads(bethink("remember", "x" * 9000, "--json", status=1).err)
    assert told["error"] == "LimitError"
    assert (told["limit"], told["actual"], told["argument"]) == (8000, 9000, "text")


@pytest.mark.parametrize("limit", ["0", "-1", "1001", "99999999999999999999"])
@pytest.mark.parametrize("command", [["recall", "x"], ["notes"], ["sessions"], ["sessions", "show", "s"]])
def test_a_limit_that_is_none_is_refused(bethink, command, limit):
    bethink("remember", "Something.", status=0)
    done = bethink(*command, "--limit", limit, status=1)
    assert "limit must be between 1 and 1000" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["remember", ""],
        ["remember", "a\x00b"],
        ["remember", "x", "--category", "two words"],
        ["remember", "x", "--expires", "soon"],
        ["remember", "x", "--metadata", "[1]"],
        ["remember", "x", "--session", "a\nb"],
        ["remember", "x", "--user", "u" * 300],
        ["recall", " "],
        ["recall", "x" * 5000],
        ["recall", "x", "--where", '{"a": {"$like": 1}}'],
        ["recall", "x", "--where", "{"],
        ["recall", "x", "--as-of", "yesterday"],
        ["recall", "x", "--why-not", "nothing"],
        ["notes", "--cursor", "???"],
        ["notes", "forget", "n0"],
        ["notes", "revise", "n0", "y"],
        ["notes", "history", "n0"],
        ["notes", "undo", "n0"],
        ["sessions", "rename", "none", "x"],
        ["sessions", "delete", "none"],
        ["sessions", "export", "none"],
        ["sessions", "undo", "none", "--turns", "0"],
        ["profile", "set", "nothing"],
        ["profile", "set", "a.=1"],
        ["profile", "set", "a=1", "a.b=2"],
        ["context", "x", "--tokens", "-5"],
    ],
)
def test_bad_input_is_one_clear_line_and_nothing_is_lost(bethink, arguments):
    bethink("remember", "Likes jazz.", status=0)
    done = bethink(*arguments, status=1)
    assert done.err.startswith("bethink: ")
    assert done.err.count("\n") == 1
    assert bethink("notes", "--json").json["total"] == 1


def test_what_is_remembered_commands_no_terminal(bethink, folder):
    text = "Safe \x1b[2J \x9b1m \u202eevil"
    (folder / "talk.jsonl").write_text(
        json.dumps({"role": "user", "content": text, "speaker": "[red]Al"}) + "\n"
    )
    bethink("ingest", "talk.jsonl", "--session", "s", status=0)
    bethink("remember", text, "--session", "s")
    for command in (["recall", "safe"], ["sessions", "show", "s"], ["sessions", "window", "s"]):
        shown = bethink(*command, status=0).out
        assert "evil" in shown
        assert not {"\x1b", "\x9b", "\u202e"} & set(shown)
    shown = bethink("notes", "--session", "s", "--status", "all", status=0).out
    assert not {"\x1b", "\x9b", "\u202e"} & set(shown)
    assert bethink("sessions", "show", "s", "--json").json["entries"][0]["body"]["content"] == text


def test_what_is_remembered_is_no_markup(bethink):
    bethink("remember", "Says [bold]hello[/bold] :smile: a lot.", status=0)
    for command in (["notes"], ["recall", "hello"], ["context"]):
        shown = " ".join(bethink(*command, status=0).out.split())
        assert "[bold]hello[/bold]" in shown
        assert ":smile:" in shown


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupt_exits_with_130_and_no_traceback(process, folder):
    pipe = folder / "pipe.jsonl"
    os.mkfifo(pipe)
    running = process("ingest", pipe)
    with pipe.open("wb"):  # opens once the command has opened it for reading
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in out + err


def test_a_reader_that_goes_away_is_no_defect(process, bethink, folder):
    line = json.dumps({"role": "user", "content": "many words " * 40_000}) + "\n"
    (folder / "long.jsonl").write_text(line * 20)
    bethink("ingest", "long.jsonl", status=0)
    running = process("export")
    running.stdout.read(1)
    running.stdout.close()
    _, err = running.communicate(timeout=60)
    assert running.returncode in {0, 1}  # whether a writer hears that its reader left is up to the system
    assert not err


def test_a_missing_extra_says_what_to_install(folder):
    code = (
        "import sys; sys.modules['psycopg'] = None; sys.argv[1:] = ['notes', '--db', 'postgresql://localhost/x']\n"
        "from bethink.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'bethink[postgres]'" in done.stderr
    assert "Traceback" not in done.stderr
