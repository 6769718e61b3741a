"""Many tenants in one process: over the same connections and caches, and never a word of one to another."""

import asyncio

import pytest

from bethink.server.options import Options, Work
from bethink.server.tenants import Tenants
from bethink.testing.faces import HashingEmbedder

pytestmark = pytest.mark.anyio
MANY = 40


@pytest.fixture(params=["file", "postgresql"])
def url(request, tmp_path):
    if request.param == "file":
        return str(tmp_path / "memory.db")
    return request.getfixturevalue("postgresql_url")


@pytest.fixture
async def tenants(url, anyio_backend):
    made = Tenants(Options(db=url, embedder=HashingEmbedder(), work=Work(here=False)))
    yield made
    await made.close()


async def own(tenants, number):
    """Write to a scope that every tenant has one of, and return all that can be found there."""
    async with tenants.using(f"tenant-{number}") as memory:
        scope = memory.scope(agent="bot", user="alice")
        await scope.session("s").append([{"role": "user", "content": f"My number is {number}."}])
        await scope.remember(f"The number of this tenant is {number}.", key="number")
        found = {hit.text for hit in await scope.recall("which number", limit=100)}
        items = {item.body["content"] for item in await scope.session("s").items()}
        return found | items | {note.text for note in await scope.notes()}


async def test_tenants_that_write_and_recall_at_once_find_their_own_alone(tenants):
    for _ in range(2):
        every = await asyncio.gather(*(own(tenants, number) for number in range(MANY)))
    for number, found in enumerate(every):
        others = {each for each in range(MANY) if each != number}
        assert any(f"is {number}." in text for text in found)
        assert not any(f"is {other}." in text for other in others for text in found)


async def test_tenants_share_the_connections_of_the_process(
    postgresql_url, postgresql_cluster, anyio_backend
):
    made = Tenants(Options(db=postgresql_url, embedder=HashingEmbedder(), work=Work(here=False)))
    await asyncio.gather(*(own(made, number) for number in range(MANY)))
    database = postgresql_url.rpartition("/")[2]
    ((count,),) = postgresql_cluster.command(
        f"select count(*) from pg_stat_activity where datname = '{database}' and usename = 'bethink_app'"
    )
    await made.close()
    assert 0 < count <= 8


async def test_the_bound_of_indexes_is_one_for_all_tenants(tenants):
    await asyncio.gather(*(own(tenants, number) for number in range(4)))
    async with tenants.using("tenant-0") as one, tenants.using("tenant-1") as other:
        assert one._runtime.indexes is other._runtime.indexes
        assert 0 < one._runtime.indexes.nbytes_of("tenant-0") < one._runtime.indexes.nbytes


async def test_a_tenant_whose_name_is_none_is_refused_and_the_others_go_on(tenants):
    from bethink.errors import InvalidError

    with pytest.raises(InvalidError):
        async with tenants.using("a\nb"):
            pass
    assert await own(tenants, 1)


async def test_a_database_that_cannot_be_opened_is_tried_again(tmp_path):
    from bethink.errors import StorageError

    folder = tmp_path / "later"
    made = Tenants(Options(db=str(folder / "memory.db"), embedder=None, work=Work(here=False)))
    with pytest.raises(StorageError):
        async with made.using("one"):
            pass
    folder.mkdir()
    async with made.using("one") as memory:
        assert await memory.scopes() == []
    await made.close()
