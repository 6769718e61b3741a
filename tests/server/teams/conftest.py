"""A team of four: one plans, two work, one puts together."""

import pytest

from bethink.testing.model_server import Calls, ModelServer, Says

pytest.importorskip("agents")

SPEC = {
    "planner": "lead",
    "workers": ["researcher", "clerk"],
    "synthesizer": "writer",
    "shared_memory_namespace": "team:{team_name}",
}


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    """Keep keys of the environment away from every endpoint."""
    for name in ("OPENAI_API_KEY", "BETHINK_MODEL_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


class Cast:
    """Answers each member of the team by its own steps, in whatever order they ask."""

    def __init__(self, server):
        self.requests = {}
        self._steps = {}
        server.always(self)

    def then(self, name, *steps):
        self._steps.setdefault(name, []).extend(steps)

    def __call__(self, request):
        name = request.system.split()[2].rstrip(".")
        self.requests.setdefault(name, []).append(request)
        step = self._steps[name].pop(0)
        return step(request) if callable(step) else step


@pytest.fixture
def cast():
    with ModelServer() as server:
        made = Cast(server)
        made.url = server.url
        yield made


async def found(client, *, shared_with=(), **spec):
    """Register a team and all that it needs, as one caller."""
    assert (await client.post("/teams", json={"name": "desk"})).status_code == 201
    assert (await client.post("/pools", json={"name": "org:docs"})).status_code == 201
    for name in ("lead", "researcher", "clerk", "writer"):
        memory = {"shared_namespaces": ["org:docs"]} if name == "researcher" else {}
        agent = {
            "description": f"knows all of {name}s",
            "system_prompt": f"You are {name}.",
            "primitives": {"memory": memory},
            "shared_with": list(shared_with),
        }
        assert (await client.put(f"/agents/{name}", json=agent)).status_code == 200
    made = await client.put("/teams/desk/spec", json={**SPEC, "shared_with": list(shared_with), **spec})
    assert made.status_code == 200, made.text
    return made.json()


def plan(cast, **tasks):
    """Let the planner give out these tasks."""
    given = tuple(("assign", {"worker": worker, "task": task}) for worker, task in tasks.items())
    cast.then("lead", Calls(given), Says("All is given out."))
