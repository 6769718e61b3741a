"""Two tenants of one database, on every store; and proof that the kit would notice."""

import inspect
import re

import pytest
import sqlglot
from sqlglot import exp

from bethink.storage.opening import open_driver
from bethink.storage.postgresql import PostgresqlDriver
from bethink.storage.postgresql_dialect import POSTGRESQL
from bethink.storage.stores import AwaitedStore, BlockingStore, run
from bethink.testing.isolation import (
    ALPHA,
    BETA,
    OPERATIONS,
    Actor,
    IsolationConformance,
    RowSecurityConformance,
    crossings,
    rows_of,
    seed,
)
from bethink.testing.writings import PredictableWrites
from tests.storage.stories import mark
from tests.storage.test_statements import QUERIES


class TestOneFile(IsolationConformance):
    @pytest.fixture
    def open_tenant(self, tmp_path):
        return lambda tenant: AwaitedStore(open_driver(tmp_path / "memory.db", tenant=tenant))


class TestPostgresql(RowSecurityConformance):
    @pytest.fixture
    def open_tenant(self, postgresql_url):
        return lambda tenant: AwaitedStore(open_driver(postgresql_url, tenant=tenant))


ROOMS = (
    "scope.transactions",
    "scope.shares",
    "notes.transactions",
    "sessions.log_lookup",
    "sessions.log_append",
    "sessions.log_bodies",
    "sessions.log_items",
    "sessions.log_removal",
    "sessions.log_fork",
    "sessions.turn_commit",
    "state.transactions",
)
#: Parts of other units: these take a place or a log that was found for the tenant before.
PARTS = {"place", "log"}


def test_every_unit_is_a_deed_or_part_of_one():
    from importlib import import_module

    import bethink.testing.isolation as kit

    text = inspect.getsource(kit)
    missing = []
    for room in ROOMS:
        module = import_module(f"bethink.{room}")
        for name, unit in vars(module).items():
            if not inspect.isfunction(unit) or unit.__module__ != module.__name__ or name.startswith("_"):
                continue
            first = next(iter(inspect.signature(unit).parameters))
            if not str(unit.__annotations__["return"]).startswith("Work[") or first in PARTS:
                continue
            used = {room.split(".")[0], room.split(".")[1], f"{room.split('.')[0]}s"}
            if not any(f"{alias}.{name}" in text for alias in used):
                missing.append(f"{room}.{name}")
    assert missing == [], "say in bethink.testing.isolation.OPERATIONS what the new unit does"


# ---- proof that it would be noticed -----------------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("table", "name"),
    [
        ("notes", "list notes"),
        ("items", "read a session"),
        ("grants", "read a pool"),
        ("scopes", "touch a scope"),
    ],
)
async def test_the_kit_notices_a_table_without_row_level_security(
    postgresql_cluster, postgresql_url, table, name
):
    database = postgresql_url.rpartition("/")[2]
    actors = [
        Actor(AwaitedStore(open_driver(postgresql_url, tenant=t)), t, t, PredictableWrites())
        for t in (ALPHA, BETA)
    ]
    for actor in actors:
        await seed(actor)
    postgresql_cluster.command(
        # The way to the rows leads through the scope, so that it has to be open, too.
        f"alter table {table} disable row level security",
        "alter table scopes disable row level security",
        "alter table sessions disable row level security",
        "alter table shares disable row level security",
        database=database,
    )
    impostor = Actor(actors[1].store, ALPHA, BETA, actors[1].writing)
    assert await crossings(OPERATIONS[name], impostor, actors[0]) != []
    for actor in actors:
        actor.store.driver.close()


@pytest.fixture
def anyio_backend():
    return "asyncio"


# ---- connections that serve one tenant after another, as behind a pooler -----------------------------------------


def test_a_connection_that_served_one_tenant_shows_the_next_nothing_of_it(postgresql_url):
    first = PostgresqlDriver(postgresql_url)
    second = first.of("other")
    (link,) = first._pool._idle

    def serve(driver, work, *args):
        from bethink.storage.postgresql_connection import Progress

        (found,) = link.transaction([[(0, lambda: work(*args))]], driver.tenant, Progress(), write=True)
        return found

    def listed():
        return (yield from _all())

    serve(first, mark, "hers")
    assert serve(second, listed) == []
    with pytest.raises(Exception, match="row-level security"):
        serve(second, mark, "forged")
    assert serve(second, listed) == []
    with pytest.raises(ZeroDivisionError):
        serve(first, _breaks)
    assert serve(second, listed) == []
    assert [name for (name,) in serve(first, listed)] == ["hers"]
    first.close()


def _all():
    from bethink.storage.work import Statement

    return (yield Statement("select digest from tombstones", {}))


def _breaks():
    yield from mark("broken")
    yield from _all()
    raise ZeroDivisionError


# ---- every statement, aimed at the rows of another tenant --------------------------------------------------------


@pytest.fixture(scope="module")
def victim(postgresql_cluster):
    """A database with a tenant in it, its rows, and connections of that tenant and of another."""
    import asyncio

    import psycopg

    name = postgresql_cluster.create()
    url = postgresql_cluster.url(name)
    actor = Actor(AwaitedStore(open_driver(url, tenant=ALPHA)), ALPHA, ALPHA, PredictableWrites())
    asyncio.run(seed(actor))
    values = {"text": "x", "bigint": 1, "integer": 1, "bytea": b"x", "double precision": 1.0}
    kinds = postgresql_cluster.command(
        "select table_name, column_name, data_type from information_schema.columns where table_schema = 'public'",
        database=name,
    )
    with psycopg.connect(url) as connection:
        connection.execute(f"set local bethink.tenant_id to '{ALPHA}'")
        for table, found in asyncio.run(rows_of(actor)).items():
            if not found:
                row = {column: values[kind] for each, column, kind in kinds if each == table}
                row["tenant_id"] = ALPHA
                places = ", ".join(f"%({column})s" for column in row)
                connection.execute(f"insert into {table} ({', '.join(row)}) values ({places})", row)
    rows = asyncio.run(rows_of(actor))
    columns = {}
    for table, column, _ in run(BlockingStore(actor.store.driver).read(_catalogue)):
        columns.setdefault(table, []).append(column)
    samples = {
        table: [dict(zip(columns[table], row, strict=True)) for row in found] for table, found in rows.items()
    }
    with psycopg.connect(url) as connection:
        yield connection, samples
    actor.store.driver.close()
    postgresql_cluster.drop(name)


def _catalogue():
    from bethink.storage.work import Statement

    return (yield Statement(POSTGRESQL.catalogue, {}))


DEFAULTS = {
    "limit": 100,
    "everywhere": 1,
    "below": 1 << 62,
    "now": 1,
    "since": 0,
    "after": 0,
    "created": 0,
    "before": 1 << 62,
    "last": 1 << 62,
}


def aimed(query, samples):
    """Return parameters that aim a statement at a row that is there."""
    tree = sqlglot.parse_one(query.sql, dialect="sqlite")
    insert = isinstance(tree, exp.Insert)
    table = tree.this.this.name if insert else next(tree.find_all(exp.Table)).name
    row = samples[table][0]
    params = dict.fromkeys(re.findall(r":([a-z_]+)", query.sql))
    if insert and isinstance(tree.expression, exp.Values):
        for column, value in zip(
            tree.this.expressions, tree.expression.expressions[0].expressions, strict=True
        ):
            if isinstance(value, exp.Placeholder):
                params[value.name] = row[column.name]
    for comparison in tree.find_all(exp.EQ):
        column, value = comparison.left, comparison.right
        if (
            isinstance(column, exp.Column)
            and isinstance(value, exp.Placeholder)
            and params[value.name] is None
        ):
            params[value.name] = row[column.name]
    for comparison in tree.find_all(exp.GT, exp.GTE, exp.LT, exp.LTE):
        column, value = comparison.left, comparison.right
        if isinstance(value, exp.Placeholder) and column.name in row:
            least, most = ("", "\U0010ffff") if isinstance(row[column.name], str) else (0, 1 << 62)
            params[value.name] = least if isinstance(comparison, exp.GT | exp.GTE) else most
    for one_of in tree.find_all(exp.In):
        columns = one_of.this.expressions or [one_of.this]
        values = [value for value in one_of.find_all(exp.Placeholder) if params[value.name] is None]
        for place, value in enumerate(values):
            params[value.name] = row[columns[place % len(columns)].name]
    for name, value in params.items():
        if value is None and name in DEFAULTS:
            params[name] = DEFAULTS[name]
    params["tenant"] = ALPHA
    return params


def attempt(connection, tenant, query, params):
    """Run a statement as a tenant and take it back; return its rows and how many it touched."""
    import psycopg

    try:
        connection.execute(f"set local bethink.tenant_id to '{tenant}'")
        cursor = connection.execute(POSTGRESQL.prepare(query.sql), params)
        return (cursor.fetchall() if cursor.description else []), cursor.rowcount
    except psycopg.errors.InsufficientPrivilege:
        return [], 0
    except (psycopg.errors.UniqueViolation, psycopg.errors.NotNullViolation) as reached:
        return [(type(reached).__name__,)], 1
    finally:
        connection.rollback()


#: What an aggregate answers where there is nothing.
NOTHING = ([], [(0,)], [(0, 0)], [(None,)])


@pytest.mark.parametrize("query", QUERIES)
def test_no_statement_reaches_a_row_of_another_tenant(query, victim):
    connection, samples = victim
    params = aimed(query, samples)
    rows, touched = attempt(connection, BETA, query, params)
    assert rows in NOTHING
    assert touched == len(rows)


def test_the_statements_are_aimed_well(victim):
    connection, samples = victim
    missed = []
    for case in QUERIES:
        (query,) = case.values
        if "do nothing" in query.sql:  # aimed at a row that is there, it leaves that alone
            continue
        rows, touched = attempt(connection, ALPHA, query, aimed(query, samples))
        if rows in NOTHING and touched <= 0:
            missed.append(case.id)
    assert len(missed) <= len(QUERIES) * 0.05, "\n".join(missed)
