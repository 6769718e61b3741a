"""The schema: the same on both stores, and such that Citus can spread it."""

import os
from pathlib import Path

import pytest

import bethink.storage
from bethink.errors import StorageError
from bethink.storage.migrations import checksum_of, migrations
from bethink.storage.opening import open_driver
from bethink.storage.postgresql import PostgresqlDriver
from bethink.storage.sqlite import SqliteDriver
from bethink.testing.postgresql import APP, OWNER
from tests.storage.stories import in_process, mark, marks, read, write

KINDS = {
    "text": "text",
    "bigint": "bigint",
    "integer": "integer",
    "bytea": "bytea",
    "double precision": "double precision",
}


@pytest.fixture(scope="module")
def sqlite():
    driver = SqliteDriver(":memory:")
    yield lambda text: driver._writer.connection.execute(text).fetchall()
    driver.close()


@pytest.fixture(scope="module")
def postgresql(postgresql_cluster):
    name = postgresql_cluster.create()
    yield lambda text: postgresql_cluster.command(text, database=name)
    postgresql_cluster.drop(name)


def test_both_stores_have_the_same_tables_and_columns(sqlite, postgresql):
    here = sqlite(
        """select t.name, c.name, lower(c.type), c."notnull" from sqlite_master t, pragma_table_info(t.name) c
        where t.type = 'table' order by 1, 2"""
    )
    there = postgresql(
        """select table_name, column_name, data_type, case is_nullable when 'NO' then 1 else 0 end
        from information_schema.columns where table_schema = 'public' order by 1, 2"""
    )
    # SQLite does not say so, but the key of the one table without a tenant is never absent either.
    here = [row if row[:2] != ("bethink_migrations", "number") else (*row[:3], 1) for row in here]
    assert sorted(here) == sorted(there)
    assert {kind for _, _, kind, _ in here} <= set(KINDS)


def test_both_stores_have_the_same_keys(sqlite, postgresql):
    here = sqlite(
        """select t.name, i."unique", i.origin = 'pk', i.partial, group_concat(c.name, ',')
        from sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
        where t.type = 'table' and t.name <> 'bethink_migrations' group by t.name, i.name"""
    )
    there = postgresql(
        """select t.relname, indisunique::int, indisprimary::int, (indpred is not null)::int,
          string_agg(attname, ',' order by place)
        from pg_index join pg_class t on t.oid = indrelid
        join unnest(indkey) with ordinality as keys(number, place) on true
        join pg_attribute a on a.attrelid = t.oid and a.attnum = keys.number
        where t.relnamespace = 'public'::regnamespace and t.relname <> 'bethink_migrations'
        group by indexrelid, t.relname, indisunique, indisprimary, indpred is not null"""
    )
    assert sorted(here) == sorted(there)


def test_both_stores_have_migrations_of_the_same_numbers_and_names():
    both = [[(each.number, each.name) for each in migrations(name)] for name in ("sqlite", "postgresql")]
    assert both[0] == both[1]
    assert [number for number, _ in both[0]] == list(range(1, len(both[0]) + 1))


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_every_migration_is_listed_with_the_checksum_of_its_text(dialect):
    folder = Path(bethink.storage.__file__).with_name("migrations") / dialect
    written = {file.stem: checksum_of(file.read_text("utf-8")) for file in folder.glob("*.sql")}
    assert {f"{each.number:04}_{each.name}": each.checksum for each in migrations(dialect)} == written
    assert all(checksum_of(each.text) == each.checksum for each in migrations(dialect))


# ---- what Citus asks for ----------------------------------------------------------------------------------------


def tenant_tables(postgresql):
    rows = postgresql(
        """select c.relname from pg_class c where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
        and relname <> 'bethink_migrations'"""
    )
    return [name for (name,) in rows]


def test_every_table_but_the_record_of_migrations_is_of_tenants(postgresql):
    rows = postgresql(
        """select table_name from information_schema.columns
        where table_schema = 'public' and column_name = 'tenant_id' and ordinal_position = 1 and is_nullable = 'NO'"""
    )
    assert sorted(name for (name,) in rows) == sorted(tenant_tables(postgresql))


def test_every_key_begins_with_the_tenant(postgresql):
    rows = postgresql(
        """select t.relname, i.relname, attname from pg_index join pg_class t on t.oid = indrelid
        join pg_class i on i.oid = indexrelid
        join pg_attribute a on a.attrelid = t.oid and a.attnum = indkey[0]
        where t.relnamespace = 'public'::regnamespace and t.relname <> 'bethink_migrations'"""
    )
    assert {column for _, _, column in rows} == {"tenant_id"}
    assert {table for table, _, _ in rows} == set(tenant_tables(postgresql))


def test_there_are_no_triggers_foreign_keys_sequences_or_rules(postgresql):
    assert postgresql("select tgname from pg_trigger") == []
    assert postgresql("select conname from pg_constraint where contype in ('f', 'x')") == []
    assert (
        postgresql(
            "select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace"
        )
        == []
    )
    assert postgresql("select rulename from pg_rules where schemaname = 'public'") == []


def test_text_is_compared_by_its_bytes(postgresql):
    rows = postgresql(
        """select attrelid::regclass::text, attname from pg_attribute join pg_class on attrelid = pg_class.oid
        where relkind = 'r' and relnamespace = 'public'::regnamespace and atttypid = 'text'::regtype
        and attcollation <> '"C"'::regcollation and relname <> 'bethink_migrations'"""
    )
    assert rows == []


@pytest.mark.skipif(
    "BETHINK_TEST_CITUS_URL" not in os.environ, reason="BETHINK_TEST_CITUS_URL names no Citus"
)
def test_citus_spreads_every_table_by_tenant():
    url = os.environ["BETHINK_TEST_CITUS_URL"]
    PostgresqlDriver.migrate(url, app_role=None, citus=True)
    assert PostgresqlDriver.migrate(url, app_role=None, citus=True) == []
    import psycopg

    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select count(distinct colocationid), count(*) from pg_dist_partition where partmethod = 'h'"
        ).fetchone()
    assert rows[0] == 1
    for tenant in ("alpha", "beta"):
        driver = PostgresqlDriver(url, tenant=tenant, allow_bypass=True)
        driver.close()


def test_without_citus_there_is_nothing_to_spread(postgresql_cluster):
    name = postgresql_cluster.create(template="template0")
    with pytest.raises(StorageError) as caught:
        PostgresqlDriver.migrate(postgresql_cluster.url(name, OWNER), citus=True)
    assert caught.value.reason == "no citus"
    assert (
        postgresql_cluster.command("select relname from pg_class where relname = 'notes'", database=name)
        == []
    )
    postgresql_cluster.drop(name)


# ---- migrating --------------------------------------------------------------------------------------------------


@pytest.fixture
def empty(postgresql_cluster):
    name = postgresql_cluster.create(template="template0")
    yield name
    postgresql_cluster.drop(name)


def test_migrating_twice_applies_nothing_twice(postgresql_cluster, empty):
    url = postgresql_cluster.url(empty, OWNER)
    assert PostgresqlDriver.migrate(url) == [each.name for each in migrations("postgresql")]
    assert PostgresqlDriver.migrate(url) == []


def test_a_database_without_a_schema_asks_for_its_owner(postgresql_cluster, empty):
    with pytest.raises(StorageError) as caught:
        open_driver(postgresql_cluster.url(empty))
    assert caught.value.reason == "older schema"
    assert "bethink migrate" in str(caught.value)


def test_a_newer_schema_is_refused(postgresql_cluster, empty):
    url = postgresql_cluster.url(empty, OWNER)
    PostgresqlDriver.migrate(url)
    postgresql_cluster.command(
        "insert into bethink_migrations values (9999, 'future', 'x', 0)", database=empty
    )
    for opening in (PostgresqlDriver.migrate, open_driver):
        with pytest.raises(StorageError) as caught:
            opening(url)
        assert caught.value.reason == "newer schema"


def test_an_edited_migration_is_noticed(postgresql_cluster, empty):
    url = postgresql_cluster.url(empty, OWNER)
    PostgresqlDriver.migrate(url)
    postgresql_cluster.command(
        "update bethink_migrations set checksum = 'other' where number = 1", database=empty
    )
    with pytest.raises(StorageError) as caught:
        open_driver(url)
    assert caught.value.reason == "changed migration"


def test_processes_that_migrate_at_once_all_find_the_schema(postgresql_cluster, empty):
    script = """
        from bethink.storage.postgresql import PostgresqlDriver
        sys.stdin.readline()
        print(len(PostgresqlDriver.migrate(sys.argv[1])))
    """
    processes = [in_process(script, postgresql_cluster.url(empty, OWNER), wait=False) for _ in range(4)]
    applied = []
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        out, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        applied.append(int(out))
    assert sorted(applied) == [0, 0, 0, len(migrations("postgresql"))]
    driver = open_driver(postgresql_cluster.url(empty))
    write(driver, mark, "a")
    assert read(driver, marks) == ["a"]
    driver.close()


def test_a_role_of_the_application_that_is_missing_or_mighty_is_refused(postgresql_cluster, empty):
    url = postgresql_cluster.url(empty, OWNER)
    for role, reason in (("nobody_made_it", "no role"), ("postgres", "bypassing role")):
        with pytest.raises(StorageError) as caught:
            PostgresqlDriver.migrate(url, app_role=role)
        assert caught.value.reason == reason
    assert postgresql_cluster.command("select to_regclass('notes')", database=empty) == [(None,)]


def test_the_role_of_the_application_is_granted_rows_and_nothing_else(postgresql):
    rows = postgresql(
        f"""select table_name, string_agg(privilege_type, ',' order by privilege_type)
        from information_schema.role_table_grants where grantee = '{APP}' group by table_name"""
    )
    grants = dict(rows)
    assert grants.pop("bethink_migrations") == "SELECT"
    assert set(grants) == set(tenant_tables(postgresql))
    assert set(grants.values()) == {"DELETE,INSERT,SELECT,UPDATE"}


def test_every_table_of_tenants_forces_row_level_security(postgresql):
    rows = postgresql(
        """select relname, relrowsecurity and relforcerowsecurity, pg_get_expr(polqual, c.oid),
          pg_get_expr(polwithcheck, c.oid), polcmd = '*' and polpermissive and polroles = '{0}'
        from pg_class c left join pg_policy on polrelid = c.oid
        where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> 'bethink_migrations'"""
    )
    assert sorted(name for name, *_ in rows) == sorted(tenant_tables(postgresql))
    rule = "(tenant_id = NULLIF(current_setting('bethink.tenant_id'::text, true), ''::text))"
    assert {tuple(rest) for _, *rest in rows} == {(True, rule, rule, True)}
