"""Moving a store between SQLite and PostgreSQL, either way."""

import itertools
import random
import subprocess
import sys
import threading
from datetime import UTC, datetime

import apsw
import pytest

from bethink import Memory
from bethink.errors import ConflictError, InvalidError, NotFoundError, StorageError
from bethink.settings import Settings
from bethink.storage.copying import Copy
from bethink.testing.postgresql import APP, OWNER

_numbers = itertools.count()


@pytest.fixture
def place(request, tmp_path, postgresql_cluster):
    """Return the address of a fresh, empty store of a kind."""
    names = []

    def make(kind):
        if kind == "sqlite":
            return str(tmp_path / f"{next(_numbers)}.db")
        names.append(postgresql_cluster.create())
        return postgresql_cluster.url(names[-1])

    yield make
    for name in names:
        postgresql_cluster.drop(name)


WAYS = [
    ("sqlite", "postgresql"),
    ("postgresql", "sqlite"),
    ("sqlite", "sqlite"),
    ("postgresql", "postgresql"),
]


def fill(url, tenant="default", seed=1):
    """Write something of every kind."""
    chance = random.Random(seed)
    with Memory(url, tenant=tenant, settings=Settings(index_batch=4)) as memory:
        memory.pools.create("org:docs", owner="alice")
        memory.pools.grant("org:docs", "bob", "read")
        memory.pool("org:docs").remember("Return books by Friday.")
        for name in ("alice", "bob"):
            scope = memory.scope(agent="concierge", user=name)
            note = scope.remember("Prefers aisle seats 🦜.", key="seat", confidence=0.1, metadata={"n": 2.5})
            scope.revise(note.id, f"Prefers a window, {chance.random()}.")
            scope.forget(scope.remember("Soon gone.").id)
            log = scope.session("trip")
            for at in range(7):
                log.append(
                    [{"role": "user", "content": f"\ud800 {at} \x00 日本 {chance.random()}"}],
                    operation=f"op-{at}",
                )
            log.append([{"role": "user", "content": "From now on I always fly at night."}], speaker="Ann")
            log.remember("This time a window seat.")
            log.add_usage(tokens_in=1, tokens_out=2)
            scope.session("old").append([{"role": "user", "content": "x"}])
            scope.session("old").delete()
            scope.profile.update({"city": "Lyon", "tags": ["a", 1.5, None]})
            scope.profile.update({"city": "Lille"})
            scope.records.add("trip", {"to": "Paris"}, at=datetime(2025, 1, 1, tzinfo=UTC))
            scope.consolidate("trip")
            scope.recall("where to sit?")


def exports(url, tenant="default"):
    with Memory(url, tenant=tenant) as memory:
        return {str(scope.namespace): scope.export() for scope in memory.scopes()}


@pytest.mark.parametrize(("here", "there"), WAYS)
def test_everything_arrives_as_it_was(place, here, there):
    source, target = place(here), place(there)
    fill(source)
    told = []
    with Copy(source, target) as copy:
        rows, steps = copy.rows, copy.steps
        copied = copy.run(told.append)
    assert copied.rows == rows > 50
    assert sum(told) == steps
    tables = copied.tenants["default"]
    assert sum(table.rows for table in tables.values()) == rows
    for name in (
        "scopes",
        "items",
        "notes",
        "note_history",
        "profiles",
        "records",
        "grants",
        "tombstones",
        "plans",
    ):
        assert tables[name].rows, name
    assert tables["passage_blocks"].rows, (
        "what is derived is copied, too: the first recall is not slower for it"
    )
    assert exports(target) == exports(source)
    found = []
    for url in (source, target):
        with Memory(url) as memory:
            hits = memory.scope(agent="concierge", user="alice").recall("window seat")
            found.append([(hit.text, round(hit.score, 6)) for hit in hits])
    assert found[0] == found[1] != []


def test_a_store_that_went_there_and_back_is_the_same(place):
    first, middle, last = place("sqlite"), place("postgresql"), place("sqlite")
    fill(first)
    digests = []
    for source, target in ((first, middle), (middle, last)):
        with Copy(source, target) as copy:
            digests.append(copy.run().tenants)
    assert digests[0] == digests[1]
    assert exports(first) == exports(last)


def test_one_tenant_is_copied_and_the_others_are_named(place):
    source = place("sqlite")
    for tenant in ("acme", "default", "zeta"):
        fill(source, tenant)
    target = place("postgresql")
    with Copy(source, target, tenant="acme") as copy:
        copied = copy.run()
    assert (list(copied.tenants), copied.left) == (["acme"], ("default", "zeta"))
    assert exports(target) == {}
    assert exports(target, "acme") == exports(source, "acme")


@pytest.mark.parametrize("there", ["sqlite", "postgresql"])
def test_all_tenants_of_a_file_are_copied_when_asked_for(place, there):
    source, target = place("sqlite"), place(there)
    for tenant in ("acme", "zeta"):
        fill(source, tenant)
    with Copy(source, target, all_tenants=True) as copy:
        copied = copy.run()
    assert (list(copied.tenants), copied.left) == (["acme", "zeta"], ())
    for tenant in ("acme", "zeta"):
        assert exports(target, tenant) == exports(source, tenant)


def test_postgresql_is_copied_tenant_by_tenant(place):
    with pytest.raises(InvalidError, match="one tenant at a time"):
        Copy(place("postgresql"), place("sqlite"), all_tenants=True)


@pytest.mark.parametrize("there", ["sqlite", "postgresql"])
def test_a_destination_with_other_data_is_refused(place, there):
    source, target = place("sqlite"), place(there)
    fill(source)
    with Memory(target) as memory:
        memory.scope(user="carol").remember("Was here before.")
    before = exports(target)
    with pytest.raises(ConflictError, match="already contains data of the tenant 'default'"):
        Copy(source, target)
    with pytest.raises(ConflictError, match="already contains data of the tenant 'default'"):
        Copy(source, target, resume=True)
    assert exports(target) == before


def test_addresses_that_make_no_sense_are_refused(place, tmp_path):
    source = place("sqlite")
    fill(source)
    with pytest.raises(InvalidError, match="same store"):
        Copy(source, f"sqlite:///{source}")
    with pytest.raises(InvalidError, match="memory"):
        Copy(source, ":memory:")
    with pytest.raises(NotFoundError):
        Copy(str(tmp_path / "absent.db"), place("sqlite"))
    assert not (tmp_path / "absent.db").exists()


class Killed(Exception):
    """What stops a copy in a test."""


def stopping(after):
    left = [after]

    def told(rows):
        left[0] -= 1
        if left[0] < 0:
            raise Killed

    return told


@pytest.mark.parametrize(("here", "there"), WAYS)
def test_a_copy_that_was_stopped_anywhere_is_taken_up(place, here, there):
    source, target = place(here), place(there)
    fill(source)
    runs = 0
    while True:
        runs += 1
        try:
            with Copy(source, target, most=3) as copy:
                copied = copy.run(stopping(4 * runs))
            break
        except Killed:
            assert runs < 100
    assert runs > 3
    assert copied.resumed
    assert exports(target) == exports(source)


def test_rows_that_arrived_are_not_sent_again(place):
    source, target = place("sqlite"), place("sqlite")
    fill(source)
    with pytest.raises(Killed), Copy(source, target, most=5) as copy:
        copy.run(stopping(6))
    connection = apsw.Connection(target)
    ((before, there),) = connection.execute("select place, copied from copies").fetchall()
    assert there > 10
    with Copy(source, target) as copy:
        rows = copy.run().rows
    ((after, copied),) = connection.execute("select place, copied from copies").fetchall()
    connection.close()
    assert before != after == ""
    assert copied == rows, "each row was sent once"


def test_a_finished_copy_is_compared_again_and_never_overwrites(place):
    source, target = place("sqlite"), place("postgresql")
    fill(source)
    with Copy(source, target) as copy:
        first = copy.run()
    with Copy(source, target) as copy:
        again = copy.run()
    assert again.resumed
    assert again.tenants == first.tenants
    with Memory(target) as memory:
        memory.scope(agent="concierge", user="alice").remember("The life goes on here.")
    moved_on = exports(target)
    for options in ({}, {"resume": True}):
        with pytest.raises(ConflictError, match="already finished"), Copy(source, target, **options) as copy:
            copy.run()
    assert exports(target) == moved_on


def test_a_copy_from_somewhere_else_is_refused_unless_the_address_alone_changed(place, tmp_path):
    source, target = place("sqlite"), place("postgresql")
    fill(source)
    with pytest.raises(Killed), Copy(source, target, most=3) as copy:
        copy.run(stopping(5))
    other = place("sqlite")
    fill(other, seed=2)
    with pytest.raises(ConflictError, match="another store"):
        Copy(other, target)
    moved = tmp_path / "moved.db"
    (tmp_path / source).rename(moved)
    with pytest.raises(ConflictError, match="--resume"):
        Copy(str(moved), target)
    with Copy(str(moved), target, resume=True) as copy:
        copy.run()
    assert exports(target) == exports(str(moved))


@pytest.mark.parametrize("there", ["sqlite", "postgresql"])
def test_what_the_source_changed_between_two_runs_arrives(place, there):
    source, target = place("sqlite"), place(there)
    fill(source)
    with pytest.raises(Killed), Copy(source, target, most=4) as copy:
        copy.run(stopping(30))
    with Memory(source) as memory:
        scope = memory.scope(agent="concierge", user="alice")
        scope.revise("seat", "Anywhere will do.")
        scope.forget("seat")
        scope.remember(
            "In the back row.", key="seat"
        )  # another note of the same key: the old one must go first
        scope.session("trip").delete()
        scope.session("next").append([{"role": "user", "content": "Hello."}])
        memory.scope(agent="concierge", user="bob").erase()
    with Copy(source, target) as copy:
        copy.run()
    assert exports(target) == exports(source)


def test_a_source_that_is_written_meanwhile_arrives_whole_once_it_rests(place):
    source, target = place("sqlite"), place("postgresql")
    fill(source)
    rests = threading.Event()
    with Memory(source) as memory:
        scope = memory.scope(agent="concierge", user="alice")
        log = scope.session("trip")
        steps = itertools.count()

        def told(rows):
            if not rests.is_set():
                step = next(steps)
                log.append([{"role": "user", "content": f"said during step {step}"}])
                scope.remember(f"Seat number {step}.", key="seat")
                if step > 15:
                    rests.set()

        with Copy(source, target, most=10) as copy:
            copy.run(told)
    assert rests.is_set()
    assert exports(target) == exports(source)


def test_a_source_that_never_rests_is_an_error_that_says_so(place):
    source, target = place("sqlite"), place("sqlite")
    fill(source)
    with Memory(source) as memory:
        log = memory.scope(agent="concierge", user="alice").session("trip")

        class Chased(Copy):
            """A copy whose source is written whenever it has caught up."""

            def _fill(self, tenant, table):
                super()._fill(tenant, table)
                log.append([{"role": "user", "content": "and on"}])

        log.append([{"role": "user", "content": "go"}])
        steps = itertools.count()
        with Chased(source, target) as copy:

            def told(rows):
                if next(steps) == 5:
                    log.append([{"role": "user", "content": "and on"}])

            with pytest.raises(ConflictError, match="written continuously"):
                copy.run(told)
    with Copy(source, target) as copy:
        copy.run()
    assert exports(target) == exports(source)


# ---- tables that nobody told it of ------------------------------------------------------------------------------


EXTRA = """create table plugins (
  tenant_id text{} not null, scope_id bigint not null, name text{} not null, payload bytea, share double precision,
  primary key (tenant_id, scope_id, name))"""


def sqlite(path, *texts):
    connection = apsw.Connection(path)
    rows = []
    for text in texts:
        rows = connection.execute(text).fetchall()
    connection.close()
    return rows


def add_plugins(url, cluster):
    if url.startswith("postgresql"):
        database = url.rpartition("/")[2]
        collate = ' collate "C"'
        cluster.command(
            EXTRA.format(collate, collate),
            "alter table plugins enable row level security",
            "alter table plugins force row level security",
            "create policy of_tenant on plugins using (tenant_id = current_setting('bethink.tenant_id', true))",
            f"grant select, insert, update, delete on plugins to {APP}",
            database=database,
            role=OWNER,
        )
    else:
        Memory(url).close()
        sqlite(url, EXTRA.format("", ""))


ROWS = "('default', 7, 'über', x'00ff10', 0.1), ('default', 7, 'b', null, null), ('other', 7, 'b', null, 2)"


@pytest.mark.parametrize("there", ["sqlite", "postgresql"])
def test_a_table_that_both_have_is_copied_whatever_it_is(place, there, postgresql_cluster):
    source, target = place("sqlite"), place(there)
    for url in (source, target):
        add_plugins(url, postgresql_cluster)
    sqlite(source, f"insert into plugins values {ROWS}")
    with Copy(source, target) as copy:
        assert copy.run().tenants["default"]["plugins"].rows == 2
    back = place("sqlite")
    add_plugins(back, postgresql_cluster)
    with Copy(target, back) as copy:
        copy.run()
    wanted = "select * from plugins where tenant_id = 'default' order by name"
    assert sqlite(back, wanted) == sqlite(source, wanted)


@pytest.mark.parametrize("where", ["source", "target"])
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_table_that_only_one_has_stops_the_copy(place, where, kind, postgresql_cluster):
    source, target = (place(kind), place("sqlite")) if where == "source" else (place("sqlite"), place(kind))
    fill(source)
    add_plugins(source if where == "source" else target, postgresql_cluster)
    with pytest.raises(StorageError, match="plugins") as caught:
        Copy(source, target)
    assert (caught.value.reason, caught.value.tables) == ("different tables", ("plugins",))
    assert exports(target) == {}


def test_a_column_that_only_one_has_stops_the_copy(place):
    source, target = place("sqlite"), place("postgresql")
    fill(source)
    sqlite(source, "alter table notes add column mood text")
    with pytest.raises(StorageError, match="notes"):
        Copy(source, target)


def test_a_table_of_no_tenant_stops_the_copy(place):
    source, target = place("sqlite"), place("sqlite")
    for url in (source, target):
        Memory(url).close()
        sqlite(url, "create table theirs (id integer primary key, text text)")
    with pytest.raises(StorageError, match="no tenant") as caught:
        Copy(source, target)
    assert caught.value.tables == ("theirs",)


def test_a_row_that_arrived_otherwise_is_noticed_and_mended(place):
    source, target = place("sqlite"), place("sqlite")
    fill(source)
    broken = threading.Event()

    def told(rows):
        if not broken.is_set() and sqlite(target, "select count(*) from sessions")[0][0]:
            broken.set()
            sqlite(
                target,
                "update items set body = body || ' '",
                "delete from notes where note_id = (select min(note_id) from notes)",
            )

    with Copy(source, target) as copy:
        copy.run(told)
    assert broken.is_set()
    assert exports(target) == exports(source)


# ---- as people call it -------------------------------------------------------------------------------------------


def test_the_command_copies_compares_and_says_so(place, tmp_path):
    source, target = place("sqlite"), place("postgresql")
    fill(source)
    command = [sys.executable, "-c", "from bethink.cli import main; main()", "copy", source, target]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "are identical in both stores" in done.stdout
    password = target.split(":")[2].split("@")[0]
    assert password not in done.stdout + done.stderr
    again = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    assert '"resumed": true' in again.stdout
    assert password not in again.stdout
