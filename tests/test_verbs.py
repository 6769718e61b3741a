"""One table has the words of every verb: the library, REST, MCP and the command line say the same of it."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from bethink import AsyncMemory
from bethink.cli.app import app
from bethink.memory.documents import AsyncDocuments
from bethink.memory.profile import AsyncProfileHandle
from bethink.memory.records import AsyncRecords
from bethink.memory.scope import AsyncScope
from bethink.memory.session import AsyncSession
from bethink.memory.shares import AsyncShares
from bethink.server.app import create_app
from bethink.server.options import Options
from bethink.sync import Memory, Scope, Session
from bethink.tools.registry import tools
from bethink.verbs import VERBS

HANDLES = {
    "memory": (AsyncMemory, Memory),
    "scope": (AsyncScope, Scope),
    "session": (AsyncSession, Session),
    "profile": (AsyncProfileHandle,),
    "records": (AsyncRecords,),
    "documents": (AsyncDocuments,),
    "shares": (AsyncShares,),
}
ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_a_verb_says_what_the_table_says_of_it_and_of_each_parameter(verb):
    handle, _, name = verb.partition(".")
    for kind in HANDLES[handle]:
        function = inspect.unwrap(getattr(kind, name))
        doc = inspect.getdoc(function)
        assert " ".join(doc.partition("\n\n")[0].split()) == VERBS[verb].summary
        assert set(inspect.signature(function).parameters) - {"self"} == set(VERBS[verb].parameters)


def test_the_table_is_made_from_the_docstrings_as_they_are():
    made = subprocess.run(
        [sys.executable, str(ROOT / "tools/make_verbs.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr


def commands(command=None, path=()):
    command = command or typer.main.get_command(app)
    if getattr(command, "commands", None):
        for name, each in command.commands.items():
            yield from commands(each, (*path, name))
    else:
        yield " ".join(path), command


#: The verb of each command that calls one.
COMMANDS = {
    "remember": "scope.remember", "recall": "scope.recall", "timeline": "scope.timeline", "context": "scope.context",
    "notes list": "scope.notes", "notes show": "scope.get", "notes history": "scope.history",
    "notes revise": "scope.revise", "notes forget": "scope.forget", "notes undo": "scope.undo",
    "notes approve": "scope.approve", "notes reject": "scope.reject", "undo": "scope.undo", "plans": "scope.plans",
    "distill": "scope.distill", "consolidate": "scope.consolidate", "quarantine list": "scope.quarantine",
    "quarantine approve": "scope.approve", "quarantine reject": "scope.reject", "review list": "scope.review",
    "sessions list": "scope.sessions", "sessions show": "session.items", "sessions window": "session.window",
    "sessions rename": "session.rename", "sessions expire": "session.expire", "sessions undo": "session.undo",
    "sessions delete": "session.delete", "sessions export": "session.export", "profile show": "profile.get",
    "profile set": "profile.update", "profile history": "profile.history", "documents list": "documents.find",
    "documents get": "documents.get", "documents put": "documents.put", "documents delete": "documents.delete",
    "documents search": "documents.search", "documents ingest": "documents.ingest", "erase": "scope.erase",
    "export": "scope.export", "stats": "memory.stats",
}  # fmt: skip
SHARED = {"db", "tenant", "agent", "user", "embedder", "json"}
#: Options that mean something else than the parameter of the same name.
OTHERWISE = {
    ("remember", "session"), ("documents put", "value"), ("documents put", "index"), ("documents ingest", "key"),
    ("sessions expire", "after"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_command_has_the_words_of_its_verb(name):
    command, verb = dict(commands())[name], VERBS[COMMANDS[name]]
    assert command.help.startswith(verb.summary)
    for option in command.params:
        if option.name in SHARED:
            continue
        if option.name in verb.parameters and (name, option.name) not in OTHERWISE:
            assert option.help.startswith(verb.parameters[option.name])


def test_a_route_has_the_words_of_the_verb_that_it_calls(tmp_path):
    made = create_app(Options(db=str(tmp_path / "memory.db")))
    described = made.openapi()
    seen = set()
    for path, operations in described["paths"].items():
        for operation in operations.values():
            verb = next((each for each in VERBS if VERBS[each].summary == operation["description"]), None)
            if verb is None:
                continue
            seen.add(verb)
            fields = {each["name"]: each for each in operation.get("parameters", ())}
            for content in operation.get("requestBody", {}).get("content", {}).values():
                name = content["schema"]["$ref"].rpartition("/")[2]
                fields |= described["components"]["schemas"][name]["properties"]
            for name, field in fields.items():
                if name in VERBS[verb].parameters and name != "namespace":
                    assert VERBS[verb].parameters[name] in field["description"], (path, name)
    assert len(seen) > 50
    assert {"scope.forget", "session.append", "profile.update", "documents.put", "shares.grant"} <= seen


def test_a_tool_has_the_words_of_the_verb_that_it_calls():
    same = {"top_k": "limit", "content": "text"}
    found = tools(("private", "categories", "notes", "pools", "team", "history", "review", "documents"))
    for tool in found:
        verb = VERBS[tool.verb]
        assert tool.description.startswith(verb.summary), tool.name
        for name, schema in tool.parameters["properties"].items():
            known = verb.parameters.get(same.get(name, name))
            if known is not None and (tool.name, name) != ("document_put", "value") and name != "source":
                assert schema["description"].startswith(known), (tool.name, name)


def test_the_table_costs_nothing_to_import():
    code = "import sys, bethink.verbs; print(sorted(m for m in sys.modules if m.startswith('bethink.')))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert eval(shown) == ["bethink.verbs"]


def test_every_route_that_changes_something_says_that_it_takes_an_idempotency_key(tmp_path):
    described = create_app(Options(db=str(tmp_path / "memory.db"))).openapi()
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            named = [each["name"] for each in operation.get("parameters", ())].count("idempotency-key")
            assert named == (method in {"post", "put", "patch"}), (method, path)
