"""Writes of few rows on PostgreSQL: those of one tenant that wait together are committed together, and never others."""

import asyncio
import threading

import pytest

from bethink import AsyncMemory
from bethink.errors import RefusedError, StorageError
from bethink.scope.namespace import Namespace
from bethink.scope.transactions import touch
from bethink.storage.jobs import BlockingJob
from bethink.storage.postgresql import PostgresqlDriver
from bethink.storage.work import Statement
from bethink.testing.marks import ask
from bethink.testing.writings import PredictableWrites
from tests.storage.stories import marks, read
from tests.storage.test_postgresql import Cut

WHO = "select pg_current_xact_id()::text, current_setting('bethink.tenant_id')"


@pytest.fixture
def driver(postgresql_url):
    driver = PostgresqlDriver(postgresql_url)
    yield driver
    driver.close()


def write_inline(driver, unit, *about):
    """Begin a write of a few rows, and return the job to wait for."""
    job = BlockingJob(unit, write=True)
    job.few = about
    driver.start(job)
    return job


def put(tenant, name):
    yield Statement(
        "insert into tombstones (tenant_id, kind, digest, revision, at) values (:tenant, 'mark', :digest, 1, 0)",
        {"tenant": tenant, "digest": name},
    )


def told(tenant, name):
    """Write a row, and say which transaction this is and of whom."""
    yield from put(tenant, name)
    return (yield Statement(WHO, {}))[0]


class waiting:
    """Hold up the group that is under way, so that what is begun meanwhile waits together."""

    def __init__(self, driver, tenant="default"):
        self._driver, self._tenant = driver, tenant
        self._reached, self._gate = threading.Event(), threading.Event()

    def __enter__(self):
        def unit():
            yield from told(self._tenant, "the one that holds")
            self._reached.set()
            assert self._gate.wait(30)

        self._job = write_inline(self._driver, unit)
        assert self._reached.wait(30)

    def __exit__(self, *_):
        self._gate.set()
        self._job.wait()


def test_what_waits_together_is_committed_together(driver):
    with waiting(driver):
        jobs = [write_inline(driver, lambda name=f"{n:02}": told("default", name)) for n in range(40)]
    assert len({job.wait() for job in jobs}) == 1
    assert (driver.commits, driver.units) == (2, 41)
    assert len(read(driver, marks)) == 41


def test_no_transaction_is_of_two_tenants(driver):
    """Twelve tenants write at once over the same connections, each many times, in groups that form as they may."""
    tenants = [f"tenant-{number}" for number in range(12)]
    drivers = {tenant: driver.of(tenant) for tenant in tenants}
    found, guard, begin = [], threading.Lock(), threading.Barrier(len(tenants), timeout=30)

    def write(tenant):
        begin.wait()
        for number in range(6):
            jobs = [
                write_inline(drivers[tenant], lambda name=f"{number}-{n}": told(tenant, name))
                for n in range(10)
            ]
            with guard:
                found.extend((tenant, *job.wait()) for job in jobs)

    threads = [threading.Thread(target=write, args=(tenant,)) for tenant in tenants]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 12 * 60
    assert all(tenant == named for tenant, _, named in found)
    of = {}
    for tenant, transaction, _ in found:
        of.setdefault(transaction, set()).add(tenant)
    assert all(len(each) == 1 for each in of.values())
    assert len(of) < len(found)
    for tenant in tenants:
        rows = read(drivers[tenant], ask, "select tenant_id, count(*) from tombstones group by tenant_id")
        assert rows == [(tenant, 60)]


def test_one_tenant_cannot_write_into_another_by_way_of_a_group(driver):
    other = driver.of("other")
    with waiting(other, "other"):
        forged = write_inline(other, lambda: told("default", "forged"))
        good = write_inline(other, lambda: told("other", "good"))
    with pytest.raises(StorageError):
        forged.wait()
    assert good.wait()[1] == "other"
    assert read(driver, marks) == []


def test_one_that_fails_takes_no_other_with_it(driver):
    def breaks():
        yield from told("default", "broken")
        raise ZeroDivisionError

    def wrong():
        yield from put("default", "wrong")
        yield Statement("select 1 / 0 where :tenant <> ''", {"tenant": "default"})

    with waiting(driver):
        before = [write_inline(driver, lambda name=f"a{n}": told("default", name)) for n in range(5)]
        failing = [write_inline(driver, breaks), write_inline(driver, wrong)]
        after = [write_inline(driver, lambda name=f"b{n}": told("default", name)) for n in range(5)]
    with pytest.raises(ZeroDivisionError):
        failing[0].wait()
    with pytest.raises(StorageError):
        failing[1].wait()
    for job in before + after:
        job.wait()
    assert read(driver, marks) == sorted([*(f"{x}{n}" for x in "ab" for n in range(5)), "the one that holds"])


def test_a_group_takes_its_scopes_in_one_order(driver):
    """Else two servers that write to the same users at once would wait for each other."""
    writings, order = PredictableWrites(), []
    names = [Namespace(name="bot", user=f"user-{n}") for n in range(6)]

    def unit(namespace):
        place = yield from touch(namespace, writings())
        order.append(namespace)
        return place

    with waiting(driver):
        jobs = [write_inline(driver, lambda each=each: unit(each), each) for each in (*names[3:], *names[:3])]
    for job in jobs:
        job.wait()
    assert order == names


def test_writes_of_one_scope_keep_the_order_in_which_they_came(driver):
    alice, order = Namespace(name="bot", user="alice"), []

    def unit(number):
        order.append(number)
        yield from told("default", f"{number:02}")

    with waiting(driver):
        jobs = [write_inline(driver, lambda n=n: unit(n), alice) for n in range(20)]
    for job in jobs:
        job.wait()
    assert order == list(range(20))


@pytest.mark.parametrize("deliver", [True, False])
def test_a_line_that_breaks_at_the_commit_of_a_group_leaves_all_of_it_unknown(postgresql_url, deliver):
    """No trigger is needed for it: the line to the server is cut when the word comes by."""
    head, _, rest = postgresql_url.rpartition("@")
    address, _, database = rest.partition("/")
    cut = Cut(int(address.rpartition(":")[2]))
    driver = PostgresqlDriver(f"{head}@127.0.0.1:{cut.port}/{database}")
    with waiting(driver):
        jobs = [write_inline(driver, lambda name=f"{n}": told("default", name)) for n in range(5)]
        first = threading.Event()

        def armed():
            cut.deliver, cut.word = deliver, b"commit"
            first.set()
            yield from told("default", "last")

        jobs.append(write_inline(driver, armed))
    outcomes = []
    for job in jobs:
        with pytest.raises(StorageError) as caught:
            job.wait()
        outcomes.append(caught.value.outcome)
    assert first.is_set()
    assert outcomes == ["unknown"] * 6
    cut.word = None
    kept = set(read(driver, marks)) - {"the one that holds"}
    assert len(kept) == (6 if deliver else 0)
    driver.close()


def test_what_waits_when_the_driver_is_closed_is_done_first(postgresql_url):
    driver = PostgresqlDriver(postgresql_url, connections=2)
    with waiting(driver):
        jobs = [write_inline(driver, lambda name=f"{n:03}": told("default", name)) for n in range(150)]
    driver.close()
    for job in jobs:
        job.wait()
    again = PostgresqlDriver(postgresql_url)
    assert len(read(again, marks)) == 151
    again.close()


@pytest.mark.anyio
async def test_notes_of_one_tenant_that_wait_together_are_committed_together_and_with_no_others(
    postgresql_cluster,
):
    """Callers of six tenants remember at once: the rows say which transaction wrote them."""
    name = postgresql_cluster.create()
    url, tenants = postgresql_cluster.url(name), [f"tenant-{n}" for n in range(6)]
    memories = [AsyncMemory(url, tenant=tenant, embedder=None) for tenant in tenants]

    async def remember(memory, tenant, number):
        scope = memory.scope(agent="bot", user=f"user-{number % 3}")
        if number % 10 == 9:
            with pytest.raises(RefusedError):  # it stops its own and no other
                await scope.remember("My card is 4111 1111 1111 1111.")
            return
        note = await scope.remember(f"The number of {tenant} is {number}.", key=f"number-{number}")
        assert (await scope.get(note.id)).text == f"The number of {tenant} is {number}."

    for memory, tenant in zip(memories, tenants, strict=True):
        await memory.scope(agent="bot", user="user-0").remember(f"First of {tenant}.")
    await asyncio.gather(
        *(
            remember(memory, tenant, number)
            for number in range(40)
            for memory, tenant in zip(memories, tenants, strict=True)
        )
    )
    for memory in memories:
        await memory.close()
    rows = postgresql_cluster.command("select xmin::text, tenant_id, text from notes", database=name)
    assert len(rows) == 6 * (1 + 36)
    assert all(tenant in text for _, tenant, text in rows)
    of = {}
    for transaction, tenant, _ in rows:
        of.setdefault(transaction, []).append(tenant)
    assert all(len(set(each)) == 1 for each in of.values())
    assert len(of) < len(rows) / 2
    postgresql_cluster.drop(name)
