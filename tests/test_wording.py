"""How errors read: plain English, with the argument, the command and the language of whoever made the mistake."""

import ast
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import bethink
from bethink import InvalidError, Memory, NotFoundError, RefusedError, errors
from bethink.cli.app import app
from bethink.server.problems import problem_members
from bethink.testing.faces import HashingEmbedder

#: What no American or British engineer writes in an error, and what they write.
ODD = {
    r"\bis no\b": "is not a …",
    r"\bare no\b": "are not …",
    r"\bholds? (a|no|half|other|what)\b": "contains …",
    r"\banew\b": "again",
    r"\bwhoever\b": "the caller who …",
    r"\b(is|are) told\b": "sees",
    r"\bmeanwhile\b": "at the same time",
    r"\bat hand\b": "available",
    r"\bone a line\b": "one per line",
    r"\bfor ever\b": "forever",
    r"\blook (at|for|whether|what)\b": "check",
    r"\bsay (what|which|whose|how|or)\b": "pass …, name …",
    r"\bis a (text|number|list|function|timedelta|datetime)\b": "must be a …",
    r"\bthere (is|are) no\b": "no such …",
    r"\bnot known here\b": "unknown …",
    r"\bby then\b": "",
    r"\bto its end\b": "incomplete",
}
KINDS = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)
}


def sentences():
    """Yield each sentence that an error is raised with, and where."""
    for path in Path(bethink.__file__).parent.rglob("*.py"):
        if "testing" in path.parts or path.name in {"sync.py", "queries.py"}:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id not in KINDS and not node.func.id.endswith("Error"):
                continue
            for each in node.args:
                yield f"{path.name}:{node.lineno}", "".join(_words(each))


def _words(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield from ("X" if not isinstance(part, ast.Constant) else part.value for part in node.values)


def test_no_error_is_worded_as_nobody_writes_english():
    found = [
        (where, sentence, better)
        for where, sentence in sentences()
        for odd, better in ODD.items()
        if re.search(odd, sentence, re.IGNORECASE)
    ]
    assert not found


@pytest.fixture
def alice(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Memory("memory.db", embedder=HashingEmbedder()) as memory:
        scope = memory.scope(agent="concierge", user="alice")
        scope.remember("Prefers aisle seats.")
        scope.session("talk").append([{"role": "user", "content": "hi"}])
        yield scope


@pytest.mark.parametrize(
    ("call", "argument", "sentence"),
    [
        (lambda it: it.remember([]), "text", "text must be a str, got list"),
        (lambda it: it.recall(""), "query", "query must not be empty"),
        (lambda it: it.context(tokens=-1), "tokens", "tokens must be between 1 and 1000000, got -1"),
        (lambda it: it.context(turns=0), "turns", "turns must be an int from 1 to 10000, got 0"),
        (lambda it: it.remember("x y", metadata=[1]), "metadata", "metadata must be a dict, got list"),
        (lambda it: it.profile.update([1]), "fields", "fields must be a dict, got list"),
        (lambda it: it.records.latest(""), "kind", "kind must be a word of your own"),
    ],
)
def test_an_error_names_the_argument_that_the_caller_wrote(alice, call, argument, sentence):
    with pytest.raises(InvalidError) as caught:
        call(alice)
    assert caught.value.argument == argument
    assert str(caught.value).startswith(sentence)


def test_a_refusal_says_what_the_text_contains(alice):
    with pytest.raises(RefusedError) as caught:
        alice.remember("my password is hunter2")
    assert str(caught.value) == "Refused: contains a password. Remove it and try again."


@pytest.mark.parametrize(
    ("call", "command", "verb"),
    [
        (lambda it: it.undo("nope"), ["undo", "nope"], "plans"),
        (lambda it: it.forget("nope"), ["notes", "forget", "nope"], "notes"),
        (lambda it: it.consolidate("nope"), ["consolidate", "--session", "nope"], "sessions"),
        (lambda it: it.distill("nope"), ["distill", "nope"], "sessions"),
        (lambda it: it.session("nope").rename("x"), ["sessions", "rename", "nope", "x"], "sessions"),
    ],
)
def test_what_helps_next_is_named_in_the_language_of_the_caller(alice, call, command, verb):
    with pytest.raises(NotFoundError) as caught:
        call(alice)
    assert str(caught.value).endswith(f"; {verb}() lists them")
    whose = ["--agent", "concierge", "--user", "alice", "--embedder", "none"]
    shown = CliRunner().invoke(app, [*command, *whose]).stderr
    assert shown.strip().endswith(f"; `bethink {verb}` lists them")
    assert "()" not in shown
    assert problem_members(caught.value)["detail"].endswith(f"; GET …/{verb} lists them")


def test_consolidating_a_session_that_nobody_began_leaves_no_plan(alice):
    for dry_run in (False, True):
        with pytest.raises(NotFoundError):
            alice.consolidate("tpyo", dry_run=dry_run)
    assert alice.plans().total == 0


def test_a_plan_that_changes_nothing_is_not_kept(alice):
    alice.session("talk").append([{"role": "user", "content": "I am vegetarian."}])
    assert alice.consolidate().state == "applied"
    again = alice.consolidate()
    assert again.state == "empty"
    assert [plan.state for plan in alice.plans()] == ["applied"]
    with pytest.raises(NotFoundError):
        alice.undo(again.id)


def test_a_session_that_has_only_notes_can_be_consolidated(alice):
    alice.session("later").remember("Prefers a window seat.")
    assert alice.consolidate("later").changes


def test_a_key_file_that_cannot_be_written_is_an_error_and_no_defect(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["key", "bob", "--keys", "nowhere/keys.json"])
    assert done.exit_code == 1
    assert done.stderr.startswith("bethink: cannot write nowhere/keys.json: ")


def test_no_docstring_cites_a_specification_that_no_user_can_read():
    found = [
        path.name
        for path in Path(bethink.__file__).parent.rglob("*.py")
        if re.search(r"\bseed 00\d\b", path.read_text())
    ]
    assert not found
