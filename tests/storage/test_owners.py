"""Each table has one package that asks for it; what others want of it they get from that package's units."""

import ast
import re
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

import bethink
from bethink.storage.sqlite import SqliteDriver
from bethink.storage.statements import parse

SOURCE = Path(bethink.__file__).parent

OWNERS = {
    "scope": {"scopes", "shares", "grants", "events", "tombstones"},
    "notes": {"notes", "note_history"},
    "sessions": {
        "sessions",
        "items",
        "operations",
        "item_keys",
        "item_versions",
        "session_details",
        "attempts",
        "turn_usage",
        "summaries",
    },
    "state": {"profiles", "records"},
    "documents": {"documents", "document_passages"},
    "recall": {"passage_blocks"},
    "lifecycle": {"plans", "leases", "counters", "spend"},
    "workspace": {"workspace_segments", "workspace_rollouts", "workspace_files", "workspace_places"},
    "server": {"agents", "answered_requests", "work_under_way", "ended_visits"},
    "server.teams": {"team_specs"},
    "server.background": {"tasks", "task_results", "jobs"},
    "server.webhooks": {"webhooks", "webhook_messages", "subscriptions", "event_marks", "deliveries"},
    "storage": {"copies"},
}
TABLES = frozenset().union(*OWNERS.values())
#: Packages that read tables of others, which tables, and why.
READERS = {
    "health": (
        {"sessions", "items", "notes", "note_history", "profiles", "passage_blocks", "counters", "spend"},
        "doctor looks at rows as they are: a damaged one would not come through its owner",
    ),
    "coding": ({"scopes", "notes", "documents"}, "a hook reads a few rows without loading the library"),
    "server.webhooks": ({"scopes"}, "who listens asks in one statement where something happened since"),
}
#: Packages that write tables of others, which tables, and why.
WRITERS = {
    "lifecycle.erase": (
        TABLES - {"copies", "tombstones"},
        "what is erased is destroyed in one transaction, also in the tables of packages that stand above it",
    ),
    "lifecycle.exchange": (
        {"workspace_segments", "workspace_rollouts", "workspace_files"},
        "a file is taken in in one transaction, and workspaces stand above it",
    ),
}
STATEMENTS = {
    ".".join(path.parent.relative_to(SOURCE).parts): parse(path.read_text())
    for path in sorted(SOURCE.rglob("statements.sql"))
}


def tables(statement):
    """Return the tables that a statement reads, and those that it writes."""
    tree = sqlglot.parse_one(statement.sql, dialect="sqlite")
    named = {table.name for table in tree.find_all(exp.Table)} - {cte.alias for cte in tree.find_all(exp.CTE)}
    if not isinstance(tree, exp.Insert | exp.Update | exp.Delete):
        return named, set()
    return named, {tree.this.find(exp.Table).name}


def asked(package):
    read, written = set(), set()
    for statement in STATEMENTS.get(package, ()):
        more_read, more_written = tables(statement)
        read |= more_read
        written |= more_written
    return read, written


def test_every_table_has_one_owner():
    driver = SqliteDriver(":memory:")
    rows = driver._writer.connection.execute("select name from sqlite_master where type = 'table'").fetchall()
    driver.close()
    there = {name for (name,) in rows if not name.startswith("sqlite_")} - {"bethink_migrations"}
    assert sorted(name for owned in OWNERS.values() for name in owned) == sorted(there)


@pytest.mark.parametrize("package", STATEMENTS)
def test_a_package_writes_its_own_tables_alone(package):
    _, written = asked(package)
    assert written - OWNERS.get(package, set()) - WRITERS.get(package, (set(), ""))[0] == set()


@pytest.mark.parametrize("package", STATEMENTS)
def test_a_package_reads_its_own_tables_alone(package):
    read, _ = asked(package)
    others = WRITERS.get(package, (set(), ""))[0] | READERS.get(package, (set(), ""))[0]
    assert read - OWNERS.get(package, set()) - others == set()


@pytest.mark.parametrize("package", [*READERS, *WRITERS])
def test_no_exception_is_wider_than_it_has_to_be(package):
    read, written = asked(package)
    assert READERS.get(package, (set(), ""))[0] <= read
    assert WRITERS.get(package, (set(), ""))[0] <= read | written


def package_of(path):
    """Return the nearest package above a file that has statements."""
    for above in path.relative_to(SOURCE).parents:
        if ".".join(above.parts) in STATEMENTS:
            return ".".join(above.parts)
    return ""


def asks(tree):
    """Yield the packages whose queries a file imports to ask them; types alone ask nothing."""
    types = {
        each
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for each in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in types:
            continue
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{each.name}" for each in node.names] + [node.module or ""]
        elif isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        else:
            continue
        for name in names:
            found = re.fullmatch(r"bethink\.([\w.]+)\.queries", name)
            if found:
                yield found[1]


def test_no_package_asks_the_queries_of_another():
    foreign = [
        f"{path.relative_to(SOURCE)} asks {package}"
        for path in sorted(SOURCE.rglob("*.py"))
        for package in asks(ast.parse(path.read_text()))
        if package != package_of(path)
    ]
    assert foreign == []


def test_the_rules_notice_what_breaks_them():
    (taken,) = parse("-- name: taken\n-- It writes.\nupdate notes set text = :text where note_id = :note;")
    assert tables(taken) == ({"notes"}, {"notes"})
    (copied,) = parse("-- name: copied\n-- It copies.\ninsert into items (body) select text from notes;")
    assert tables(copied) == ({"items", "notes"}, {"items"})
    assert list(asks(ast.parse("from bethink.notes import queries as note_queries"))) == ["notes"]
    assert list(asks(ast.parse("from bethink.notes.queries import add_note"))) == ["notes"]
    assert list(asks(ast.parse("import bethink.lifecycle.erase.queries"))) == ["lifecycle.erase"]
