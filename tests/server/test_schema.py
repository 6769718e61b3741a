"""The description of the API, and every shape of request that it allows or does not."""

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

EXAMPLES = 12  #: requests an operation


@pytest.fixture(scope="module")
def api(memory_server):
    return schemathesis.openapi.from_url(f"{memory_server.url}/openapi.json")


def tried(operation):
    """Send an operation what its description allows, and what it does not."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def check(case):
        answer = case.call()
        assert answer.status_code < 500, f"{operation.label}: {answer.text}"
        kind = str(answer.headers.get("content-type", ""))
        assert answer.status_code == 204 or "json" in kind, f"{operation.label}: {kind}"

    check()
    return operation.label


def test_no_request_makes_the_server_fail(api, memory_server):
    labels = {tried(found.ok()) for found in api.get_all_operations()}
    described = memory_server.app.openapi()["paths"].items()
    assert labels == {f"{method.upper()} {path}" for path, methods in described for method in methods}


def test_every_operation_is_described(memory_server):
    for path, operations in memory_server.app.openapi()["paths"].items():
        for method, operation in operations.items():
            assert operation["description"].endswith("."), f"{method} {path}"
            assert operation["tags"], f"{method} {path}"
