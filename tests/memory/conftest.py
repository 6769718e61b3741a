"""Every door: both faces, and every store."""

import itertools

import pytest

from bethink.testing.faces import FACES

STORES = ("file", "memory", "postgresql")
_tenants = itertools.count(1)


@pytest.fixture(scope="session")
def postgresql_shared(postgresql_cluster):
    """One database for all doors: each has a tenant of its own, as customers do."""
    return postgresql_cluster.url(postgresql_cluster.create())


@pytest.fixture(params=FACES)
def face(request):
    """How the verbs are called."""
    return request.param


@pytest.fixture(params=STORES)
def url(request, tmp_path):
    """The URL of a database of each store."""
    match request.param:
        case "file":
            return str(tmp_path / "memory.db")
        case "memory":
            return ":memory:"
        case _:
            return request.getfixturevalue("postgresql_shared")


@pytest.fixture
def tenant():
    """A tenant that has nothing yet."""
    return f"tenant-{next(_tenants)}"
