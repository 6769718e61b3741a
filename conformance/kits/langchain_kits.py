"""The kits of langchain-tests for tools and retrievers, over ours."""

import uuid

import pytest
from langchain_tests.integration_tests import RetrieversIntegrationTests, ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests

from bethink import Memory
from bethink.integrations.langchain import BethinkRetriever, memory_tools
from conformance.suites import store_url

EXAMPLES = {
    "remember": {"key": "seat", "content": "Prefers aisle seats."},
    "recall": {"key": "seat"},
    "search_memory": {"query": "seat"},
    "forget": {"key": "seat"},
    "list_memories": {},
}


class Over:
    """What every kit is given: a memory that holds a few notes, and one of the tools."""

    name: str

    @pytest.fixture(autouse=True)
    def _opened(self, tmp_path):
        with Memory(store_url(str(tmp_path / "memory.db")), tenant=uuid.uuid4().hex) as memory:
            scope = memory.scope(agent="langchain", user="ana")
            for number in range(5):
                scope.remember(f"Prefers aisle seats on flight {number}.")
            self.memory = memory
            yield

    @property
    def tool_constructor(self):
        return next(each for each in memory_tools(self.memory, user="ana") if each.name == self.name)

    @property
    def tool_invoke_params_example(self):
        return EXAMPLES[self.name]


for _name in EXAMPLES:
    _made = "".join(part.title() for part in _name.split("_"))
    globals()[f"Test{_made}Unit"] = type(f"Test{_made}Unit", (Over, ToolsUnitTests), {"name": _name})
    globals()[f"Test{_made}"] = type(f"Test{_made}", (Over, ToolsIntegrationTests), {"name": _name})


class TestRetriever(Over, RetrieversIntegrationTests):
    """The retriever, which is made of a memory."""

    @property
    def retriever_constructor(self):
        return lambda **fields: BethinkRetriever(self.memory, user="ana", **fields)

    @property
    def retriever_constructor_params(self):
        return {"k": 3}

    @property
    def retriever_query_example(self):
        return "Which seat?"
