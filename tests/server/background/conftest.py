"""A server whose jobs run when a test says so, on a clock that stands still."""

import pytest

from bethink.server.options import Work
from tests.server.webhooks.conftest import Receiver, clock, db  # noqa: F401 - fixtures

KEY = "A" * 43 + "="


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def open_(serving, keys, clock):  # noqa: F811
    """Serve with keys; return the doors of some callers."""

    def start(**options):
        path, made = keys

        class Doors:
            async def __aenter__(self):
                given = {
                    "clock": clock,
                    "work": Work(here=False, private=True),
                    "secrets_key": KEY,
                    **options,
                }
                self._serving = serving(auth="bearer", keys=path, **given)
                client = await self._serving.__aenter__()
                return {name: client(key) for name, key in made.items()} | {"app": client.app}

            async def __aexit__(self, *error):
                await self._serving.__aexit__(*error)

        return Doors()

    return start


async def work(doors, clock=None, **time):  # noqa: F811
    if clock is not None:
        clock.pass_(**time)
    await doors["app"].state.background.once()


async def job(doors, name):
    found = (await doors["root"].get("/jobs")).json()["entries"]
    return next(each for each in found if each["name"] == name)
