"""Every named statement, read as a reviewer would: whose rows does it touch, and does each store understand it."""

import re
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

import bethink
from bethink.storage.postgresql_dialect import POSTGRESQL, POSTGRESQL_READING
from bethink.storage.sqlite import SqliteDriver
from bethink.storage.statements import parse

ROOMS = sorted(Path(bethink.__file__).parent.rglob("statements.sql"))
QUERIES = [
    pytest.param(
        query, id=f"{'.'.join(path.parent.parts[path.parent.parts.index('bethink') + 1 :])}.{query.name}"
    )
    for path in ROOMS
    for query in parse(path.read_text())
]

#: What holds rows of a whole tenant: these have no scope, and a statement on them names the tenant and no more.
OF_TENANT = {"shares", "grants", "tombstones", "copies", "agents", "answered_requests", "team_specs"}
#: These belong to whoever registered them, and a worker looks over all of a tenant; a delivery names its scope so that
#: it is erased with it.
OF_TENANT |= {"webhooks", "tasks", "jobs", "subscriptions", "deliveries", "event_marks"}
#: These are of the processes of a server, and hold neither a name nor a word: a digest of a place, a random number.
OF_TENANT |= {"work_under_way", "ended_visits"}
#: The register of scopes is where a scope's number is looked up: by these columns, or by the number.
SCOPE_COLUMNS = {"kind", "owner", "name", "user_id", "session"}
#: Statements that see the scopes of a whole tenant on purpose, each with its reason.
TENANT_WIDE = {
    "child_scopes": "the child fallback decides by a pure rule which scopes lie below",
    "all_scopes": "exports and lists of a tenant",
    "due_scopes": "a worker asks in which scopes something is overdue",
    "scopes_with_times": "a restored backup is compared, scope by scope, with what was erased since",
    "scopes_of_user": "what every agent keeps of one user; the caller's right on each is asked for then",
    "begin_marks": "whoever listens begins to listen everywhere at once",
    "tenant_items": "a quota is of a whole tenant",
    "tenant_notes": "a quota is of a whole tenant",
    "tenant_counts": "whoever runs a server watches tenants, not users",
    "tenant_spend": "whoever runs a server watches tenants, not users",
    "scopes_with_news": "a worker asks in which scopes something happened",
}


@pytest.fixture(scope="module")
def columns():
    """The columns of each table, from a migrated database."""
    driver = SqliteDriver(":memory:")
    execute = driver._writer.connection.execute
    tables = [name for (name,) in execute("select name from sqlite_master where type = 'table'").fetchall()]
    yield {table: {row[1] for row in execute(f"pragma table_info({table})").fetchall()} for table in tables}
    driver.close()


@pytest.mark.parametrize("query", QUERIES)
def test_a_case_says_what_it_compares(query):
    """Citus deparses `case x when '' …` as `case x when null::boolean …`, which fails on the worker alone."""
    plain = re.sub(r"'(?:[^']|'')*'", "''", query.sql)
    assert not re.search(r"\bcase\s+(?!when\b)", plain, re.IGNORECASE), "write `case when x = … then …`"


def understood(query):
    """Return the syntax tree of a statement that is one statement."""
    trees = sqlglot.parse(query.sql, dialect="sqlite")
    assert len(trees) == 1
    return trees[0]


def conditions(where):
    """Return what must hold: the parts that `and` joins, and no part of an `or`."""
    if where is None:
        return []
    part = where.this if isinstance(where, exp.Where) else where
    part = part.unnest()
    return list(part.flatten()) if isinstance(part, exp.And) else [part]


def pinned(where, alias, only):
    """Return the columns of a table that are set equal to parameters."""
    found = {}
    for part in conditions(where):
        if isinstance(part, exp.EQ):
            for column, value in ((part.left, part.right), (part.right, part.left)):
                plain = isinstance(column, exp.Column) and isinstance(value, exp.Placeholder)
                if plain and (column.table == alias or (not column.table and only)):
                    found[column.name] = value.name
    return found


def check_pinned(query, table, columns, found):
    assert found.get("tenant_id") == "tenant", f"{table} is not held to one tenant"
    if table in OF_TENANT or (query.name in TENANT_WIDE and table != "scopes"):
        return
    if table == "scopes":
        wide = query.name in TENANT_WIDE
        assert wide or found.get("scope_id") == "scope" or found.keys() >= SCOPE_COLUMNS
        return
    assert "scope_id" in columns[table], f"{table} has no scope: say in OF_TENANT that this is meant"
    assert found.get("scope_id") == "scope", f"{table} is not held to one scope"


def check_select(query, select, columns):
    sources = [table for table in select.find_all(exp.Table) if table.find_ancestor(exp.Select) is select]
    assert sources or not list(select.find_all(exp.Column))
    for table in sources:
        found = pinned(select.args.get("where"), table.alias_or_name, len(sources) == 1)
        check_pinned(query, table.name, columns, found)


def check_insert(query, tree, columns):
    table = tree.this.this.name
    named = [column.name for column in tree.this.expressions]
    assert set(named) <= columns[table]
    source = tree.expression
    if isinstance(source, exp.Values):
        (row,) = source.expressions
        values = dict(zip(named, row.expressions, strict=True))
        assert values["tenant_id"].name == "tenant"
        if "scope_id" in columns[table]:
            assert values["scope_id"].name == ("fresh" if table == "scopes" else "scope")
    else:
        values = dict(zip(named, source.expressions, strict=True))
        for column in ("tenant_id", "scope_id"):
            assert isinstance(values[column], exp.Column)
            assert values[column].name == column
    conflict = tree.args.get("conflict")
    if conflict is not None:
        keys = {key.name for key in conflict.args["conflict_keys"]}
        assert "tenant_id" in keys
        assert table == "scopes" or "scope_id" not in columns[table] or "scope_id" in keys
        check_untouched(conflict.expressions)


def check_untouched(assignments):
    for each in assignments:
        assert each.this.name not in {"tenant_id", "scope_id"}, "rows do not change hands"


@pytest.mark.parametrize("query", QUERIES)
def test_a_statement_names_its_tenant_and_its_scope(query, columns):
    tree = understood(query)
    for select in tree.find_all(exp.Select):
        check_select(query, select, columns)
    match tree:
        case exp.Insert():
            check_insert(query, tree, columns)
        case exp.Update() | exp.Delete():
            table = tree.this.name
            check_pinned(query, table, columns, pinned(tree.args.get("where"), table, only=True))
            check_untouched(tree.expressions if isinstance(tree, exp.Update) else [])
        case exp.Select():
            pass
        case other:
            pytest.fail(f"a unit selects, inserts, updates and deletes; this is {type(other).__name__}")


@pytest.mark.parametrize("query", QUERIES)
def test_a_statement_says_what_it_is_for_and_what_it_reads(query):
    assert query.purpose.endswith(".")
    tree = understood(query)
    assert not [star for star in tree.find_all(exp.Star) if not isinstance(star.parent, exp.Count)]


@pytest.mark.parametrize("query", QUERIES)
def test_a_text_in_order_is_a_whole_list_or_has_an_order(query):
    tree = understood(query)
    if tree.args.get("limit"):
        assert tree.args.get("order"), "without an order a limit returns any rows at all"


@pytest.fixture(scope="module")
def sqlite():
    driver = SqliteDriver(":memory:")
    yield driver._writer.connection
    driver.close()


@pytest.mark.parametrize("query", QUERIES)
def test_sqlite_understands_it(query, sqlite):
    names = set(re.findall(r":([a-z_]+)", query.sql))
    sqlite.execute("explain " + query.sql, dict.fromkeys(names)).fetchall()


@pytest.fixture(scope="module")
def postgresql(postgresql_cluster):
    import psycopg

    name = postgresql_cluster.create()
    with psycopg.connect(postgresql_cluster.url(name), autocommit=True) as connection:
        yield connection
    postgresql_cluster.drop(name)


@pytest.mark.parametrize("query", QUERIES)
def test_postgresql_understands_it(query, postgresql):
    for dialect in (POSTGRESQL, POSTGRESQL_READING):
        text = dialect.prepare(query.sql)
        names = list(dict.fromkeys(re.findall(r"%\(([a-z_]+)\)s", text)))
        for number, name in enumerate(names, 1):
            text = text.replace(f"%({name})s", f"${number}")
        postgresql.execute(f"prepare statement as {text.replace('%%', '%')}")
        postgresql.execute("deallocate statement")


def test_the_rules_notice_a_statement_that_breaks_them(columns):
    broken = {
        "no tenant": "select text from notes where scope_id = :scope",
        "no scope": "select text from notes where tenant_id = :tenant",
        "a way around": "select text from notes where tenant_id = :tenant and scope_id = :scope or key = :key",
        "another tenant": "delete from notes where tenant_id = :other and scope_id = :scope",
        "the other side of a join": "select i.body from sessions s join items i on i.session_id = s.session_id "
        "where s.tenant_id = :tenant and s.scope_id = :scope",
        "a nested select": "select text from notes where tenant_id = :tenant and scope_id = :scope "
        "and note_id in (select note_id from note_history)",
        "moving rows": "update notes set scope_id = :other where tenant_id = :tenant and scope_id = :scope",
        "a foreign insert": "insert into notes (tenant_id, scope_id) values (:other, :scope)",
    }
    unnoticed = []
    for fault, text in broken.items():
        (query,) = parse(f"-- name: broken\n-- It breaks a rule.\n{text};")
        try:
            test_a_statement_names_its_tenant_and_its_scope(query, columns)
        except (AssertionError, KeyError):
            continue
        unnoticed.append(fault)
    assert unnoticed == []
