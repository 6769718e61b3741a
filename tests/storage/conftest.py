"""The stores that every promise is tried on."""

import pytest

from bethink.storage.opening import open_driver
from bethink.storage.stores import AwaitedStore

STORES = ("file", "memory", "postgresql")


@pytest.fixture(params=STORES)
def url(request, tmp_path):
    """The URL of an empty database of each store."""
    match request.param:
        case "file":
            return str(tmp_path / "memory.db")
        case "memory":
            return ":memory:"
        case _:
            return request.getfixturevalue("postgresql_url")


@pytest.fixture
def store(url):
    driver = open_driver(url)
    yield AwaitedStore(driver)
    driver.close()
